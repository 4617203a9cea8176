#include "simulations/models/residual_layer.hpp"

namespace attest::models {

at::Tensor add_residual(const ResidualSpec& spec, const at::Tensor& t, const at::Tensor& output,
                        const std::vector<at::Tensor>& states) {
  switch (spec.kind) {
    case ResidualSpec::Kind::standard:
      return output + states.back();
    case ResidualSpec::Kind::generalised: {
      const at::Tensor& source = states[static_cast<std::size_t>(spec.source)];
      return output + (spec.learned ? source * t : source * spec.t);
    }
    case ResidualSpec::Kind::boosting: {
      const at::Tensor away = states.front() - states.back();
      return output + states.back() + (spec.learned ? away * t : away * spec.t);
    }
  }
  return output;
}

}  // namespace attest::models
