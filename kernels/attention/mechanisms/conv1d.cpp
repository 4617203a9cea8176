// Attention of queries and keys convolved along the sequence.
#include "kernels/attention/mechanism/convolution.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = [] {
    std::vector<OptionSpec> list = convolution_options(true);
    list.push_back({"class_token", "false", "token 0 is a class token, left out of the convolution", "true"});
    return list;
  }();
  return all;
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  const OptionReader read(option_specs(), call.settings);
  const Index first = read.flag("class_token") ? 1 : 0;
  return attend_convolved(call, read, {.rows = 1, .cols = input(call, "q").extent(2) - first, .first = first},
                          {.rows = 1, .cols = input(call, "k").extent(2) - first, .first = first});
}

}  // namespace

Mechanism conv1d() {
  constexpr std::int64_t usual_taps = 5;  // the papers' kernel; the settings do not hold the kernel's extent
  return {.name = "conv1d",
          .title = "attention of queries and keys convolved along the sequence",
          .formula = R"(\operatorname{softmax}(\operatorname{Conv1D}(Q,s)\operatorname{Conv1D}(K,s)^\top/\sqrt D)\,V)",
          .source = "Primal-Dual Definition 4, Eq 45",
          .inputs = convolution_inputs("[H][s]", false),
          .options = option_specs(),
          .positional = true,
          // Sums of several tokens make large logits, of which float would keep too few digits.
          .forward_float = [](const Call<float>& call) { return in_double(call, forward<double>); },
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings& s) { return convolved_cost(shape, s, usual_taps); }};
}

}  // namespace attest::attention::definitions
