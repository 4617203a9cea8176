#include "theorems/boosting/attention_layer.hpp"

#include <cmath>

namespace attest::boosting {

using rigor::Ball;
using rigor::BallMatrix;

std::vector<double> attend(std::span<const double> tokens, std::size_t features, Similarity similarity) {
  const std::size_t count = tokens.size() / features;
  const double scale = std::sqrt(static_cast<double>(features));
  std::vector<double> out(tokens.size(), 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    double total = 0;
    for (std::size_t j = 0; j < count; ++j) {
      double logit = 0;
      for (std::size_t k = 0; k < features; ++k) {
        const double a = tokens[i * features + k];
        const double b = tokens[j * features + k];
        logit += similarity == Similarity::dot_product ? a * b : -0.5 * (a - b) * (a - b);
      }
      const double weight = std::exp(logit / scale);
      total += weight;
      for (std::size_t k = 0; k < features; ++k) out[i * features + k] += weight * tokens[j * features + k];
    }
    for (std::size_t k = 0; k < features; ++k) out[i * features + k] /= total;
  }
  return out;
}

BallMatrix attend(const BallMatrix& tokens, Similarity similarity) {
  const Ball scale = sqrt(Ball(tokens.cols));
  BallMatrix weights(tokens.rows, tokens.rows);
  for (std::size_t i = 0; i < tokens.rows; ++i) {
    rigor::BallVector logits;
    for (std::size_t j = 0; j < tokens.rows; ++j) {
      const auto difference = rigor::subtract(tokens.row(i), tokens.row(j));
      logits.push_back(similarity == Similarity::dot_product ? rigor::dot(tokens.row(i), tokens.row(j)) / scale
                                                             : -rigor::dot(difference, difference) / (2 * scale));
    }
    const auto p = rigor::softmax(logits);
    for (std::size_t j = 0; j < tokens.rows; ++j) weights(i, j) = p[j];
  }
  return rigor::multiply(weights, tokens);
}

}  // namespace attest::boosting
