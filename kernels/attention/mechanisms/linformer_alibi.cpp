// Linformer with linear biases: the logits of ALiBi, projected along the keys as the keys are.
#include <algorithm>

#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/attention/mechanisms/linformer.hpp"
#include "kernels/attention/stages/distance_sums.hpp"
#include "kernels/attention/stages/project_tokens.hpp"
#include "kernels/attention/stages/slopes.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& no_options() {
  static const std::vector<OptionSpec> none;
  return none;
}

/// Every head of every sequence as a head of one sequence: padding makes the biases differ between sequences.
Tensor<double> as_one_sequence(const Tensor<double>& x) {
  return {Shape{1, x.extent(0) * x.extent(1), x.extent(2), x.extent(3)},
          std::vector<double>(x.values().begin(), x.values().end())};
}
Tensor<double> as_sequences(const Tensor<double>& x, Index batch) {
  return {Shape{batch, x.extent(1) / batch, x.extent(2), x.extent(3)},
          std::vector<double>(x.values().begin(), x.values().end())};
}

/// One call's extents, its slopes, and its projection of the keys.
struct Setting {
  Index batch, heads, queries, keys, rank;
  std::vector<Index> lengths;  // empty: all
  std::vector<double> slopes;
  Tensor<double> e;

  Index length(Index b) const { return lengths.empty() ? keys : lengths[static_cast<std::size_t>(b)]; }
  Index start(Index h) const { return e.rank() == 3 ? h * keys * rank : 0; }

  /// -m_h sum_n |i - n| E(n, r) over real keys: [B H][N_q][r].
  Tensor<double> biases() const {
    Tensor<double> bias({batch * heads, queries, rank});
    for (Index b = 0; b < batch; ++b)
      for (Index h = 0; h < heads; ++h) {
        const auto sums =
            distance_sums({e.data() + start(h), static_cast<std::size_t>(length(b) * rank)}, rank, queries);
        double* const to = bias.data() + (b * heads + h) * queries * rank;
        for (std::size_t i = 0; i < sums.size(); ++i) to[i] = -slopes[static_cast<std::size_t>(h)] * sums[i];
      }
    return bias;
  }

  void add_gradient_of(const Tensor<double>& dbias, Tensor<double>& de) const {
    for (Index b = 0; b < batch; ++b)
      for (Index h = 0; h < heads; ++h) {
        const double* const from = dbias.data() + (b * heads + h) * queries * rank;
        const auto sums = distance_sums({from, static_cast<std::size_t>(queries * rank)}, rank, length(b));
        double* const to = de.data() + start(h);
        for (std::size_t i = 0; i < sums.size(); ++i) to[i] -= slopes[static_cast<std::size_t>(h)] * sums[i];
      }
  }

  /// A sequence without keys has no rows to attend to.
  void clear_empty(Tensor<double>& x) const {
    const Index size = x.size() / batch;
    for (Index b = 0; b < batch; ++b)
      if (length(b) == 0) std::fill_n(x.data() + b * size, size, 0.0);
  }
};

Evaluation<double> forward(const Call<double>& call) {
  const Tensor<double>&q = input(call, "q"), &k = input(call, "k"), &v = input(call, "v"), &f = input(call, "F");
  const Setting s{q.extent(0),
                  q.extent(1),
                  q.extent(2),
                  k.extent(2),
                  input(call, "E").shape().back(),
                  call.mask.key_lengths,
                  alibi_slopes(q.extent(1)),
                  input(call, "E")};
  AttendOptions<double> how = attend_options(call, OptionReader(no_options(), call.settings));
  how.mask.key_lengths.clear();
  how.bias.dense = s.biases();
  auto saved = saved_attention(as_one_sequence(q), as_one_sequence(project_tokens(k, s.e, s.lengths, call.threads)),
                               as_one_sequence(project_tokens(v, f, s.lengths, call.threads)), how);
  Tensor<double> out = as_sequences(saved->attended.out, s.batch);
  s.clear_empty(out);
  return {std::move(out), [=, threads = call.threads](const Tensor<double>& dout) mutable {
            Tensor<double> reached = dout;
            s.clear_empty(reached);
            AttendGradients<double> g = std::exchange(saved, nullptr)->backward(as_one_sequence(reached));
            ProjectTokensGradients<double> of_k =
                project_tokens_backward(k, s.e, s.lengths, as_sequences(g.k, s.batch), threads);
            ProjectTokensGradients<double> of_v =
                project_tokens_backward(v, f, s.lengths, as_sequences(g.v, s.batch), threads);
            s.add_gradient_of(g.bias, of_k.e);
            Arrays<double> gradients;
            gradients.emplace("q", as_sequences(g.q, s.batch));
            gradients.emplace("k", std::move(of_k.x));
            gradients.emplace("v", std::move(of_v.x));
            gradients.emplace("E", std::move(of_k.e));
            gradients.emplace("F", std::move(of_v.e));
            return gradients;
          }};
}

}  // namespace

Mechanism linformer_alibi() {
  return {.name = "linformer-alibi",
          .title = "attention to projected keys and values, with linear biases (Linformer, ALiBi)",
          .formula = R"(\operatorname{softmax}\bigl((QK^\top/\sqrt D+B)E\bigr)\,F^\top V,\ B_{ij}=-m_h|i-j|)",
          .source =
              "Boosting Remark 3.4, Table 1 (Linformer + ALiBi), where the bias after a projection is not written "
              "down: here the logits are projected with it, as those of bilateral attention are",
          .inputs = projected_inputs(),
          .takes_mask = false,
          .positional = true,
          .is_matrix = false,
          // The biases are sums over all tokens of up to N each: as logits in float they would lose the digits.
          .forward_float = [](const Call<float>& call) { return in_double(call, forward); },
          .forward_double = forward,
          .cost =
              [](const CostShape& shape, const Settings&) {
                const std::int64_t rank = usual_rank(shape);
                CostShape projected = shape;
                projected.keys = rank;
                // The running sums: eight flops per row and column, and as many for the gradient of E.
                const auto elements = static_cast<double>((shape.queries + shape.keys) * rank);
                return linformer_cost(shape, rank) + logit_bias_cost(projected, 0, true) +
                       scaling_cost(shape, 8 * elements, true);
              }};
}

}  // namespace attest::attention::definitions
