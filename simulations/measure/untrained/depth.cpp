#include "simulations/measure/untrained/depth.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/core.h>

#include "kernels/spectra/attention_matrices.hpp"

namespace attest::measure {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Each token to mean 0 and variance 1 over its features; a token of equal features becomes 0.
Eigen::MatrixXd normalise_tokens(Eigen::MatrixXd tokens) {
  constexpr double epsilon = 1e-5;  // the usual guard of layer normalisation
  for (auto token : tokens.rowwise()) {
    token.array() -= token.mean();
    token /= std::sqrt(token.squaredNorm() / static_cast<double>(token.size()) + epsilon);
  }
  return tokens;
}

Eigen::MatrixXd layer_output(const Eigen::MatrixXd& tokens, const DepthRule& rule) {
  const Eigen::MatrixXd z = rule.normalised ? normalise_tokens(tokens) : tokens;
  const Eigen::MatrixXd a = spectra::softmax_attention(z, z, std::sqrt(static_cast<double>(z.cols())));
  Eigen::MatrixXd smooth = a * z;
  if (!rule.twicing) return smooth;
  return smooth + a * (z - smooth);
}

attention::Tensor<double> tensor(const Eigen::MatrixXd& tokens) {
  attention::Tensor<double> result({tokens.rows(), tokens.cols()});
  Eigen::Map<RowMajor>(result.data(), tokens.rows(), tokens.cols()) = tokens;
  return result;
}

Eigen::MatrixXd matrix(const attention::Tensor<double>& tokens) {
  return Eigen::Map<const RowMajor>(tokens.data(), tokens.extent(0), tokens.extent(1));
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

std::vector<DepthState> trace_depth(const Eigen::MatrixXd& tokens, const DepthRule& rule, int depth) {
  std::vector<DepthState> states = {state_of(tokens)};
  std::vector<attention::Tensor<double>> so_far = {tensor(tokens)};
  for (int layer = 0; layer < depth; ++layer) {
    const attention::Tensor<double> output = tensor(layer_output(matrix(so_far.back()), rule));
    so_far.push_back(rule.residual ? residual::residual(*rule.residual, layer, output, so_far) : output);
    states.push_back(state_of(matrix(so_far.back())));
  }
  return states;
}

}  // namespace attest::measure
