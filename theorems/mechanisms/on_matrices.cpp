#include "theorems/mechanisms/on_matrices.hpp"

#include "kernels/residual/residual.hpp"
#include "theorems/mechanisms/library.hpp"

namespace attest::mechanisms {
namespace {

using rigor::Ball;

Input of(std::string_view name, const Rows& m) { return rows(name, m.entries, m.cols); }

Rows result(std::size_t row_count, std::vector<double> entries) {
  Rows m(row_count, entries.size() / row_count);
  m.entries = std::move(entries);
  return m;
}

Rows run(std::string_view mechanism, const Rows& q, const Rows& k, const Rows& v, const Setting& how = {}) {
  return result(q.rows, output(mechanism, {of("q", q), of("k", k), of("v", v)}, how));
}

BallRows logits(const BallRows& q, const BallRows& k) {
  return scale(Ball(1 / sqrt(Ball(q.cols))), multiply(q, transpose(k)));
}

BallRows attention_matrix(const BallRows& q, const BallRows& k) { return softmax_rows(logits(q, k)); }

attention::Tensor<double> tensor(const std::vector<double>& entries) {
  return {{static_cast<attention::Index>(entries.size())}, entries};
}

std::vector<double> next(const residual::ResidualRule& rule, const std::vector<double>& output,
                         const std::vector<attention::Tensor<double>>& states) {
  const auto sum = residual::residual(rule, static_cast<attention::Index>(states.size()) - 1, tensor(output), states);
  return {sum.values().begin(), sum.values().end()};
}

}  // namespace

Rows softmax_attention(const Rows& q, const Rows& k, const Rows& v, bool causal) {
  return run("softmax", q, k, v, {.mask = {.causal = causal}});
}
BallRows softmax_attention(const BallRows& q, const BallRows& k, const BallRows& v, bool causal) {
  BallRows weights = logits(q, k);
  for (std::size_t i = 0; i < weights.rows; ++i) {
    Ball total;
    const std::size_t seen = causal ? i + 1 : weights.cols;
    for (std::size_t j = 0; j < weights.cols; ++j) weights(i, j) = j < seen ? exp(weights(i, j)) : Ball(0);
    for (std::size_t j = 0; j < seen; ++j) total += weights(i, j);
    for (std::size_t j = 0; j < seen; ++j) weights(i, j) /= total;
  }
  return multiply(weights, v);
}

Rows graph_diffusion(const Rows& q, const Rows& k, const Rows& v) { return run("graph-diffusion", q, k, v); }
BallRows graph_diffusion(const BallRows& q, const BallRows& k, const BallRows& v) {
  return multiply(add(attention_matrix(q, k), generic::scaled_identity(q.rows, Ball(1)), Ball(-1)), v);
}

Rows bilateral_attention(const Rows& q, const Rows& k, const Rows& qp, const Rows& kp, const Rows& v,
                         double h_p_squared, double h_y_squared) {
  return result(q.rows, output("bilateral", {of("q", q),
                                             of("k", k),
                                             of("qp", qp),
                                             of("kp", kp),
                                             of("v", v),
                                             {"h_p2", {&h_p_squared, 1}, {}},
                                             {"h_y2", {&h_y_squared, 1}, {}}}));
}
BallRows bilateral_attention(const BallRows& q, const BallRows& k, const BallRows& qp, const BallRows& kp,
                             const BallRows& v, const Ball& h_p_squared, const Ball& h_y_squared) {
  const BallRows positional = scale(Ball(1 / h_p_squared), multiply(qp, transpose(kp)));
  return multiply(softmax_rows(add(positional, multiply(q, transpose(k)), Ball(1 / h_y_squared))), v);
}

std::vector<double> boosted(double t, const std::vector<double>& output, const std::vector<double>& first,
                            const std::vector<double>& last) {
  return next(residual::boosting_rule(t), output, {tensor(first), tensor(last)});
}

std::vector<double> generalised(double t, std::size_t source, const std::vector<double>& output,
                                const std::vector<std::vector<double>>& states) {
  std::vector<attention::Tensor<double>> all;
  for (const auto& state : states) all.push_back(tensor(state));
  return next(
      {.kind = residual::ResidualRule::generalised, .sources = {static_cast<attention::Index>(source)}, .factors = {t}},
      output, all);
}

}  // namespace attest::mechanisms
