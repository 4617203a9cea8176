// Linear attention with its N x N matrix written out, forward and backward, for the tests of what is made of it.
#pragma once

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/attention/linear/linear.hpp"
#include "kernels/attention/real_tokens.hpp"
#include "tests/kernels/attention/attend/attend_problems.hpp"
#include "tests/kernels/attention/plain/matrix.hpp"

namespace attest::attention::dense {

using Matrix = plain::Matrix<double>;
using Precisions = testing::Types<float, double>;

/// How far a result may lie from the same formula in double, relative to the array's largest entry: what double's
/// rounding may do, and for float the one rounding of the result. What rounds between the steps is further off.
template <typename T>
constexpr double rounded_once = stated_error<double> + (sizeof(T) == 4 ? 0x1p-24 : 0.0);

/// Head h of sequence b.
inline Matrix head_of(const Tensor<double>& x, Index b, Index h) {
  Matrix m(x.extent(2), x.extent(3));
  for (Index n = 0; n < m.rows; ++n)
    for (Index d = 0; d < m.cols; ++d) m(n, d) = x.at(b, h, n, d);
  return m;
}

inline void put_head(const Matrix& m, Index b, Index h, Tensor<double>& x) {
  for (Index n = 0; n < m.rows; ++n)
    for (Index d = 0; d < m.cols; ++d) x.at(b, h, n, d) = m(n, d);
}

/// elu(x) + 1.
inline Matrix feature_map(const Matrix& x) {
  return plain::combined(x, x, [](double a, double) { return a > 0 ? a + 1 : std::exp(a); });
}

/// A_ij = phi(q_i).phi(k_j) / (sum_l phi(q_i).phi(k_l) + epsilon) over the keys j < length, of query i only j <= i
/// under a causal mask; 0 elsewhere.
struct Weights {
  Matrix q, k, phi_q, phi_k, a;
  std::vector<double> denominator;
  std::vector<bool> seen;  // [N_q][N_k]
};

inline Weights weights_of(const Matrix& q, const Matrix& k, Index length, const LinearOptions& options) {
  Weights w{q, k, feature_map(q), feature_map(k), Matrix(q.rows, k.rows), {}, {}};
  for (Index i = 0; i < q.rows; ++i) {
    double sum = options.epsilon;
    for (Index j = 0; j < k.rows; ++j) {
      w.seen.push_back(j < length && (!options.causal || j <= i));
      if (!w.seen.back()) continue;
      for (Index d = 0; d < q.cols; ++d) w.a(i, j) += w.phi_q(i, d) * w.phi_k(j, d);
      sum += w.a(i, j);
    }
    for (Index j = 0; j < k.rows; ++j) w.a(i, j) /= sum;
    w.denominator.push_back(sum);
  }
  return w;
}

struct HeadGradients {
  Matrix q, k, v;
};

/// Gradients of sum(dout * A v), through A_ij = p_ij / (sum_l p_il + epsilon).
inline HeadGradients gradients_of(const Weights& w, const Matrix& v, const Matrix& dout) {
  Matrix dp = product(dout, transposed(v));
  for (Index i = 0; i < dp.rows; ++i) {
    double mean = 0;
    for (Index j = 0; j < dp.cols; ++j) mean += w.a(i, j) * dp(i, j);
    for (Index j = 0; j < dp.cols; ++j) {
      const auto row = static_cast<std::size_t>(i), entry = static_cast<std::size_t>(i * dp.cols + j);
      dp(i, j) = w.seen[entry] ? (dp(i, j) - mean) / w.denominator[row] : 0;
    }
  }
  const auto through_features = [](const Matrix& x, const Matrix& d_phi) {
    return plain::combined(x, d_phi, [](double a, double d) { return a > 0 ? d : d * std::exp(a); });
  };
  return {through_features(w.q, product(dp, w.phi_k)), through_features(w.k, product(transposed(dp), w.phi_q)),
          product(transposed(w.a), dout)};
}

/// What run(threads) gives is the same for 1, 2 and 5 threads.
template <typename Run>
void expect_same_bits(const Run& run) {
  const auto one = run(1U);
  for (const unsigned threads : {2U, 5U}) EXPECT_TRUE(run(threads) == one) << threads << " threads";
}

}  // namespace attest::attention::dense
