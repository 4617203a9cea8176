#include "simulations/models/device/fused_dropout.hpp"

#include <torch/csrc/autograd/custom_function.h>

#include "kernels/attention/cuda/drop_entries.hpp"
#include "kernels/device/devices.hpp"
#include "simulations/models/device/work.hpp"

namespace attest::models {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <typename S>
void drop(const Tensor& in, const Tensor& out, const attention::Dropout& dropout, const Tensor& added_seed) {
  attention::drop_entries_cuda(static_cast<const S*>(in.data_ptr()), static_cast<S*>(out.data_ptr()), in.numel(),
                               dropout, seed_in_memory(added_seed), current_stream());
}

Tensor dropped(const Tensor& x, const attention::Dropout& dropout, const Tensor& added_seed) {
  const Tensor in = x.contiguous();
  Tensor out = at::empty_like(in);
  switch (in.scalar_type()) {
    case at::kBFloat16:
      drop<attention::Bfloat16>(in, out, dropout, added_seed);
      break;
    case at::kHalf:
      drop<attention::Half>(in, out, dropout, added_seed);
      break;
    default:
      drop<float>(in, out, dropout, added_seed);
  }
  return out;
}

class FusedDropout : public torch::autograd::Function<FusedDropout> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, double rate, std::int64_t seed,
                        const SeedOnDevice& added_seed) {
    context->saved_data["rate"] = rate;
    context->saved_data["seed"] = seed;
    context->saved_data["added_seed"] = added_seed.there;
    return dropped(x, {rate, static_cast<std::uint64_t>(seed)}, added_seed.there);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const attention::Dropout dropout{context->saved_data["rate"].toDouble(),
                                     static_cast<std::uint64_t>(context->saved_data["seed"].toInt())};
    return {dropped(gradients[0], dropout, context->saved_data["added_seed"].toTensor()), Tensor(), Tensor(), Tensor()};
  }
};

}  // namespace

bool is_within_reach(const Tensor& x) {
  static const bool has_device = !device::cuda_devices().devices.empty();
  return has_device && x.is_cuda() && x.get_device() == 0;
}

const std::uint64_t* seed_in_memory(const Tensor& added_seed) {
  return added_seed.defined() ? static_cast<const std::uint64_t*>(added_seed.data_ptr()) : nullptr;
}

Tensor fused_dropout(const Tensor& x, const attention::Dropout& dropout, const Tensor& added_seed) {
  return FusedDropout::apply(x, dropout.rate, static_cast<std::int64_t>(dropout.seed), SeedOnDevice{added_seed});
}

}  // namespace attest::models
