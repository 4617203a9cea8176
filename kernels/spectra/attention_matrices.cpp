#include "kernels/spectra/attention_matrices.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "kernels/random/stream.hpp"

namespace attest::spectra {
namespace {

void check_positive(const char* function, const char* argument, double value) {
  if (!(value > 0)) {
    throw std::invalid_argument(std::string(function) + ": the " + argument + " is " + std::to_string(value) +
                                "; it must be positive");
  }
}

Eigen::VectorXd positive_row_sums(const char* function, const Eigen::MatrixXd& w) {
  if (w.rows() == 0 || w.rows() != w.cols()) throw std::invalid_argument(std::string(function) + ": W must be square");
  Eigen::VectorXd sums = w.rowwise().sum();
  for (const double sum : sums) check_positive(function, "row sum", sum);
  return sums;
}

Eigen::MatrixXd normal_matrix(int n, int d, random::Stream& stream) {
  if (n < 1 || d < 1) {
    throw std::invalid_argument("random matrix: the shape is " + std::to_string(n) + " x " + std::to_string(d) +
                                "; both must be at least 1");
  }
  Eigen::MatrixXd matrix(n, d);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < d; ++j) matrix(i, j) = stream.normal();
  }
  return matrix;
}

}  // namespace

Eigen::MatrixXd softmax_attention(const Eigen::MatrixXd& q, const Eigen::MatrixXd& k, double temperature, bool causal) {
  check_positive("softmax_attention", "temperature", temperature);
  if (q.rows() == 0 || q.rows() != k.rows() || q.cols() != k.cols()) {
    throw std::invalid_argument("softmax_attention: Q and K must have the same shape and at least one row");
  }
  Eigen::MatrixXd a = q * k.transpose() / temperature;
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    const Eigen::Index visible = causal ? i + 1 : a.cols();
    auto row = a.row(i).head(visible);
    const double largest = row.maxCoeff();
    row = (row.array() - largest).exp().matrix().eval();
    row /= row.sum();
    a.row(i).tail(a.cols() - visible).setZero();
  }
  return a;
}

Eigen::MatrixXd gaussian_kernel(const Eigen::MatrixXd& x, double bandwidth) {
  check_positive("gaussian_kernel", "bandwidth", bandwidth);
  Eigen::MatrixXd w(x.rows(), x.rows());
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    for (Eigen::Index j = 0; j < x.rows(); ++j) {
      // Differences, not the expanded square: the expansion loses the small distances that make W definite.
      w(i, j) = std::exp(-(x.row(i) - x.row(j)).squaredNorm() / (2 * bandwidth * bandwidth));
    }
  }
  return w;
}

Eigen::MatrixXd exponential_kernel(const Eigen::MatrixXd& x, double temperature) {
  check_positive("exponential_kernel", "temperature", temperature);
  const Eigen::MatrixXd logits = x * x.transpose() / temperature;
  return (logits.array() - logits.maxCoeff()).exp().matrix();
}

Eigen::MatrixXd row_normalised(const Eigen::MatrixXd& w) {
  return positive_row_sums("row_normalised", w).cwiseInverse().asDiagonal() * w;
}

Eigen::MatrixXd symmetric_conjugate(const Eigen::MatrixXd& w) {
  const Eigen::VectorXd scale = positive_row_sums("symmetric_conjugate", w).cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * w * scale.asDiagonal();
}

const char* name(AttentionFamily family) {
  switch (family) {
    case AttentionFamily::gaussian_kernel:
      return "gaussian_kernel";
    case AttentionFamily::shared_projection:
      return "shared_projection";
    case AttentionFamily::asymmetric:
      return "asymmetric";
    case AttentionFamily::causal:
      return "causal";
    case AttentionFamily::peaked:
      return "peaked";
    case AttentionFamily::near_uniform:
      return "near_uniform";
  }
  throw std::invalid_argument("name: not an attention family");
}

AttentionDraw draw_attention(AttentionFamily family, int n, int d, std::uint64_t seed, std::uint32_t key,
                             std::uint64_t sample) {
  random::Stream stream(seed, key, sample);
  const Eigen::MatrixXd tokens = normal_matrix(n, d, stream);
  const double root = std::sqrt(static_cast<double>(d));
  const Eigen::MatrixXd queries = tokens * normal_matrix(d, d, stream) / root;
  const Eigen::MatrixXd keys = tokens * normal_matrix(d, d, stream) / root;
  constexpr double contrast = 32;
  switch (family) {
    // |x - y|^2 / (2 temperature) holds the same inner product as x . y / temperature.
    case AttentionFamily::gaussian_kernel:
      return {queries, queries, root, false, /*euclidean=*/true};
    case AttentionFamily::shared_projection:
      return {queries, queries, root};
    case AttentionFamily::asymmetric:
      return {queries, keys, root};
    case AttentionFamily::causal:
      return {queries, keys, root, /*causal=*/true};
    case AttentionFamily::peaked:
      return {queries, keys, root / contrast};
    case AttentionFamily::near_uniform:
      return {queries, keys, root * contrast};
  }
  throw std::invalid_argument("draw_attention: not an attention family");
}

Eigen::MatrixXd attention_matrix(const AttentionDraw& draw) {
  if (draw.euclidean) return row_normalised(gaussian_kernel(draw.queries, std::sqrt(draw.temperature)));
  return softmax_attention(draw.queries, draw.keys, draw.temperature, draw.causal);
}

Eigen::MatrixXd random_attention(AttentionFamily family, int n, int d, std::uint64_t seed, std::uint32_t key,
                                 std::uint64_t sample) {
  return attention_matrix(draw_attention(family, n, d, seed, key, sample));
}

Eigen::MatrixXd random_normal_matrix(int n, int d, std::uint64_t seed, std::uint32_t key, std::uint64_t sample) {
  random::Stream stream(seed, key, sample);
  return normal_matrix(n, d, stream);
}

}  // namespace attest::spectra
