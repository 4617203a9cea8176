#include "simulations/measure/untrained/depth.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/core.h>

#include "kernels/spectra/attention_matrices.hpp"

namespace attest::simulations {
namespace {

// Each token to mean 0 and variance 1 over its features; a token of equal features becomes 0.
Eigen::MatrixXd normalise_tokens(Eigen::MatrixXd tokens) {
  constexpr double epsilon = 1e-5;  // the usual guard of layer normalisation
  for (auto token : tokens.rowwise()) {
    token.array() -= token.mean();
    token /= std::sqrt(token.squaredNorm() / static_cast<double>(token.size()) + epsilon);
  }
  return tokens;
}

Eigen::MatrixXd layer_output(const Eigen::MatrixXd& tokens, const ResidualRule& rule) {
  const Eigen::MatrixXd z = rule.normalised ? normalise_tokens(tokens) : tokens;
  const Eigen::MatrixXd a = spectra::softmax_attention(z, z, std::sqrt(static_cast<double>(z.cols())));
  const Eigen::MatrixXd smooth = a * z;
  if (!rule.twicing) return smooth;
  return smooth + a * (z - smooth);
}

DepthState state_of(const Eigen::MatrixXd& tokens) {
  const Eigen::MatrixXd centred = tokens.rowwise() - tokens.colwise().mean();
  return {mean_pairwise_cosine(tokens), centred.norm() / tokens.norm()};
}

}  // namespace

double mean_pairwise_cosine(const Eigen::MatrixXd& tokens) {
  // The sum over ordered pairs is |sum of unit tokens|^2 minus the count.
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(tokens.cols());
  double count = 0;
  for (const auto token : tokens.rowwise()) {
    const double norm = token.norm();
    if (!std::isfinite(norm)) throw std::invalid_argument("a token is not finite; give finite tokens");
    if (norm == 0) continue;
    sum += token / norm;
    count += 1;
  }
  if (count < 2) throw std::invalid_argument(fmt::format("{} tokens are not zero; a cosine needs two", count));
  return (sum.squaredNorm() - count) / (count * (count - 1));
}

std::vector<DepthState> trace_depth(const Eigen::MatrixXd& tokens, const ResidualRule& rule, int depth) {
  std::vector<DepthState> states = {state_of(tokens)};
  Eigen::MatrixXd y = tokens;
  for (int layer = 0; layer < depth; ++layer) {
    y = (layer_output(y, rule) + rule.keep * y + rule.fidelity * tokens).eval();
    states.push_back(state_of(y));
  }
  return states;
}

}  // namespace attest::simulations
