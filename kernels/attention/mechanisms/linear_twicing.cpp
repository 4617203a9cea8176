// Twicing with the weights of linear attention.
#include "kernels/attention/linear/linear_twicing.hpp"

#include <limits>

#include "kernels/attention/mechanism/parts.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = {causal_option(),
                                              {"eps", "1e-6", "added to the denominator, above 0", "1e-4"}};
  return all;
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  const OptionReader read(option_specs(), call.settings);
  const LinearOptions how{read.number("eps", std::numeric_limits<double>::min(), 1),
                          call.mask.causal || read.flag("causal"), call.mask.key_lengths, call.threads};
  const Kept<T> q = kept_input(call, "q"), k = kept_input(call, "k"), v = kept_input(call, "v");
  LinearTwiced<T> twiced = attention::linear_twicing(*q, *k, *v, how);
  Tensor<T> out = std::exchange(twiced.out, {});
  return {std::move(out), [=, saved = std::move(twiced)](const Tensor<T>& dout) mutable {
            LinearGradients<T> g = linear_twicing_backward(*q, *k, *v, how, std::exchange(saved, {}), dout);
            return named(AttendGradients<T>{std::move(g.q), std::move(g.k), std::move(g.v), Tensor<T>()});
          }};
}

}  // namespace

Mechanism linear_twicing() {
  return {.name = "linear-twicing",
          .title = "twicing with the weights of linear attention",
          .formula = R"((2A-A^2)V,\ A_{ij}=\frac{\phi(q_i)\cdot\phi(k_j)}{\sum_l\phi(q_i)\cdot\phi(k_l)+\epsilon})",
          .source = "Twicing Eq 19, Table 6 (Linear-Twicing)",
          .inputs = tokens(),
          .options = option_specs(),
          .takes_mask = false,
          .takes_dropout = false,
          .takes_cuda = false,
          .forward_float = forward<float>,
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings& s) { return linear_twicing_cost(with_causal(shape, s)); }};
}

}  // namespace attest::attention::definitions
