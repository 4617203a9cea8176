// Twicing with the weights of linear attention.
#include <limits>

#include "kernels/attention/linear/linear.hpp"
#include "kernels/attention/mechanism/parts.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& options() {
  static const std::vector<OptionSpec> all = {causal_option(),
                                              {"eps", "1e-6", "added to the denominator, above 0", "1e-4"}};
  return all;
}

template <typename T>
struct Run {
  Tensor<T> q, k, v, w;
  LinearOptions options;
  LinearAttended<T> first, second;
};

// A V + A (V - A V) = A W with W = 2 V - A V, each product in linear time.
template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  const OptionReader read(options(), call.settings);
  auto run = std::make_shared<Run<T>>();
  run->q = input(call, "q");
  run->k = input(call, "k");
  run->v = input(call, "v");
  run->options = {read.number("eps", std::numeric_limits<double>::min(), 1), call.mask.causal || read.flag("causal"),
                  call.mask.key_lengths, call.threads};
  run->first = linear_attend(run->q, run->k, run->v, run->options);
  run->w = combination(T(2), run->v, T(-1), run->first.out);
  run->second = linear_attend(run->q, run->k, run->w, run->options);
  return {run->second.out, [run](const Tensor<T>& dout) mutable {
            const auto r = std::exchange(run, nullptr);
            LinearGradients<T> g = linear_attend_backward(r->q, r->k, r->w, r->options, r->second, dout);
            const LinearGradients<T> through_first =
                linear_attend_backward(r->q, r->k, r->v, r->options, r->first, combination(T(-1), g.v, T(0), g.v));
            add(g.q, through_first.q);
            add(g.k, through_first.k);
            return named(AttendGradients<T>{std::move(g.q), std::move(g.k),
                                            combination(T(2), g.v, T(1), through_first.v), Tensor<T>()});
          }};
}

}  // namespace

Mechanism linear_twicing() {
  return {
      .name = "linear-twicing",
      .title = "twicing with the weights of linear attention",
      .formula = R"((2A-A^2)V,\ A_{ij}=\frac{\phi(q_i)\cdot\phi(k_j)}{\sum_l\phi(q_i)\cdot\phi(k_l)+\epsilon})",
      .source = "Twicing Eq 19, Table 6 (Linear-Twicing)",
      .inputs = tokens(),
      .options = options(),
      .takes_mask = false,
      .takes_dropout = false,
      .takes_cuda = false,
      // The primitive computes in double anyway, and the gradients of A nearly cancel where A is nearly the identity.
      .forward_float = [](const Call<float>& call) { return in_double(call, forward<double>); },
      .forward_double = forward<double>,
      .cost = [](const CostShape& shape, const Settings& s) { return linear_twicing_cost(with_causal(shape, s)); }};
}

}  // namespace attest::attention::definitions
