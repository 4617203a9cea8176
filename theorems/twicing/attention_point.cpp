#include "theorems/twicing/attention_point.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "theorems/mechanisms/attention_matrix.hpp"

namespace attest::twicing {
namespace {

using engine::Inputs;
using rigor::Ball;
using rigor::BallMatrix;

std::size_t entries(const AttentionShape& shape) {
  return static_cast<std::size_t>(shape.tokens) * static_cast<std::size_t>(shape.features);
}

/// The N x D numbers of that name, checked.
std::span<const double> rows(const Inputs& inputs, const char* name, const AttentionShape& shape) {
  const std::span<const double> values = inputs[name];
  if (values.size() != entries(shape)) {
    throw std::invalid_argument("the input '" + std::string(name) + "' has " + std::to_string(values.size()) +
                                " numbers; " + std::to_string(entries(shape)) + " are needed");
  }
  return values;
}

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXd matrix(std::span<const double> values, const AttentionShape& shape) {
  return Eigen::Map<const RowMajor>(values.data(), shape.tokens, shape.features);
}

std::vector<double> flat(const Eigen::MatrixXd& m) {
  std::vector<double> values;
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) values.push_back(m(i, j));
  }
  return values;
}

spectra::AttentionDraw draw(const Inputs& inputs, const AttentionShape& shape) {
  spectra::AttentionDraw draw;
  draw.queries = matrix(rows(inputs, "q", shape), shape);
  draw.keys = shape.shared ? draw.queries : matrix(rows(inputs, "k", shape), shape);
  draw.temperature = inputs.has("temperature") ? inputs.scalar("temperature") : std::sqrt(shape.features);
  draw.causal = shape.causal;
  draw.euclidean = shape.euclidean;
  return draw;
}

mechanisms::Weighting weighting(const AttentionShape& shape) {
  using mechanisms::Similarity;
  return {shape.euclidean ? Similarity::euclidean : Similarity::dot_product, shape.causal};
}

}  // namespace

std::size_t coordinates(const AttentionShape& shape) { return entries(shape) * (shape.shared ? 1 : 2); }

Inputs queries_and_keys(std::span<const double> x, const AttentionShape& shape) {
  const auto first = x.first(entries(shape));
  Inputs inputs{{"q", {first.begin(), first.end()}}};
  if (!shape.shared) {
    const auto second = x.subspan(entries(shape), entries(shape));
    inputs.add("k", {second.begin(), second.end()});
  }
  return inputs;
}

AttentionShape family_shape(spectra::AttentionFamily family, int tokens, int features) {
  using spectra::AttentionFamily;
  return {.tokens = tokens,
          .features = features,
          .shared = family == AttentionFamily::gaussian_kernel || family == AttentionFamily::shared_projection,
          .causal = family == AttentionFamily::causal,
          .euclidean = family == AttentionFamily::gaussian_kernel};
}

Inputs family_inputs(spectra::AttentionFamily family, int tokens, int features, std::uint64_t sample) {
  // Seed and claim are fixed: which member is meant is the point of the search, and the matrix itself is stored.
  const spectra::AttentionDraw made = spectra::draw_attention(family, tokens, features, 0, 0, sample);
  Inputs inputs{{"q", flat(made.queries)}};
  if (!family_shape(family, tokens, features).shared) inputs.add("k", flat(made.keys));
  inputs.add("temperature", {made.temperature});
  return inputs;
}

Eigen::MatrixXd weights(const Inputs& inputs, const AttentionShape& shape) {
  const spectra::AttentionDraw made = draw(inputs, shape);
  Eigen::MatrixXd w(shape.tokens, shape.tokens);
  for (Eigen::Index i = 0; i < w.rows(); ++i) {
    for (Eigen::Index j = 0; j < w.cols(); ++j) {
      const double logit = shape.euclidean ? -(made.queries.row(i) - made.keys.row(j)).squaredNorm() / 2
                                           : made.queries.row(i).dot(made.keys.row(j));
      w(i, j) = shape.causal && j > i ? 0 : std::exp(logit / made.temperature);
    }
  }
  return w;
}

Eigen::MatrixXd attention(const Inputs& inputs, const AttentionShape& shape) {
  // Euclidean weights from differences: their spectrum is judged, and the library's expanded square loses the small
  // distances that make them definite.
  if (shape.euclidean) return spectra::attention_matrix(draw(inputs, shape));
  const std::span<const double> q = rows(inputs, "q", shape);
  const std::vector<double> a = mechanisms::attention_matrix(
      q, shape.shared ? q : rows(inputs, "k", shape), static_cast<std::size_t>(shape.features),
      inputs.has("temperature") ? inputs.scalar("temperature") : std::sqrt(shape.features), weighting(shape));
  return Eigen::Map<const RowMajor>(a.data(), shape.tokens, shape.tokens);
}

BallMatrix ball_weights(const Inputs& inputs, const AttentionShape& shape) {
  const auto n = static_cast<std::size_t>(shape.tokens);
  const auto d = static_cast<std::size_t>(shape.features);
  const BallMatrix q = rigor::to_balls(rows(inputs, "q", shape), n, d);
  const BallMatrix k = shape.shared ? q : rigor::to_balls(rows(inputs, "k", shape), n, d);
  const Ball temperature =
      inputs.has("temperature") ? Ball(inputs.scalar("temperature")) : rigor::sqrt(Ball(shape.features));
  return mechanisms::similarity_matrix(q, k, temperature, weighting(shape));
}

rigor::BallVector row_sums(const BallMatrix& w) {
  rigor::BallVector sums;
  for (std::size_t i = 0; i < w.rows; ++i) sums.push_back(rigor::sum(w.row(i)));
  return sums;
}

BallMatrix row_normalised(const BallMatrix& w) {
  const rigor::BallVector sums = row_sums(w);
  BallMatrix a = w;
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (Ball& entry : a.row(i)) entry /= sums[i];
  }
  return a;
}

BallMatrix ball_attention(const Inputs& inputs, const AttentionShape& shape) {
  return row_normalised(ball_weights(inputs, shape));
}

bool rows_distinct(const Inputs& inputs, const AttentionShape& shape) {
  const std::span<const double> q = rows(inputs, "q", shape);
  const auto d = static_cast<std::size_t>(shape.features);
  for (std::size_t i = 0; i < q.size(); i += d) {
    for (std::size_t j = 0; j < i; j += d) {
      bool equal = true;
      for (std::size_t f = 0; f < d; ++f) equal = equal && q[i + f] == q[j + f];
      if (equal) return false;
    }
  }
  return true;
}

}  // namespace attest::twicing
