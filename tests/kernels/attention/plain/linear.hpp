// Linear attention (feature map elu + 1) of one head as matrix algebra, forward and backward.
#pragma once

#include "tests/kernels/attention/plain/softmax.hpp"

namespace attest::attention::plain {

/// elu(x) + 1: x + 1 above zero, exp(x) below.
template <typename S>
Matrix<S> features(const Matrix<S>& x) {
  return combined(x, x, [](const S& a, const S&) { return S(0) < a ? a + S(1) : exponent(a); });
}

/// d features * the derivative, which is min(features, 1).
template <typename S>
Matrix<S> features_backward(const Matrix<S>& phi, const Matrix<S>& d) {
  return combined(phi, d, [](const S& f, const S& g) { return f < S(1) ? g * f : g * S(1); });
}

template <typename S>
struct Linear {
  Matrix<S> phi_q, phi_k, state, sum, denominator, out;
};

template <typename S>
Linear<S> linear(const Matrix<S>& q, const Matrix<S>& k, const Matrix<S>& v, S epsilon) {
  Linear<S> f{features(q), features(k), {}, Matrix<S>(1, q.cols), {}, {}};
  f.state = product(transposed(f.phi_k), v);
  for (Index j = 0; j < k.rows; ++j)
    for (Index d = 0; d < k.cols; ++d) f.sum(0, d) = f.sum(0, d) + f.phi_k(j, d);
  f.denominator = product(f.phi_q, transposed(f.sum));
  f.out = product(f.phi_q, f.state);
  for (Index i = 0; i < q.rows; ++i) {
    f.denominator(i, 0) = f.denominator(i, 0) + epsilon;
    for (Index d = 0; d < v.cols; ++d) f.out(i, d) = f.out(i, d) / f.denominator(i, 0);
  }
  return f;
}

/// The feature maps and the numerators are formed again, as the library does.
template <typename S>
Gradients<S> linear_gradients(const Matrix<S>& q, const Matrix<S>& k, const Matrix<S>& v, const Linear<S>& f,
                              const Matrix<S>& dout) {
  const Matrix<S> phi_q = features(q), phi_k = features(k);
  Matrix<S> numerator = product(phi_q, f.state), denominator(q.rows, 1);
  for (Index i = 0; i < q.rows; ++i) {
    S sum(0);
    for (Index d = 0; d < v.cols; ++d) sum = multiply_add(sum, dout(i, d), numerator(i, d) / f.denominator(i, 0));
    denominator(i, 0) = -sum / f.denominator(i, 0);
    for (Index d = 0; d < v.cols; ++d) numerator(i, d) = dout(i, d) / f.denominator(i, 0);
  }
  const Matrix<S> d_phi_q = product_onto(product(numerator, transposed(f.state)), denominator, f.sum);
  const Matrix<S> d_state = product(transposed(phi_q), numerator), d_sum = product(transposed(denominator), phi_q);
  Matrix<S> d_phi_k = product(v, transposed(d_state));
  for (Index j = 0; j < k.rows; ++j)
    for (Index d = 0; d < k.cols; ++d) d_phi_k(j, d) = d_phi_k(j, d) + d_sum(0, d);
  return {features_backward(phi_q, d_phi_q), features_backward(phi_k, d_phi_k), product(phi_k, d_state)};
}

/// One query after the other with running sums over the keys it sees, as the library does under a causal mask.
template <typename S>
Linear<S> causal_linear(const Matrix<S>& q, const Matrix<S>& k, const Matrix<S>& v, S epsilon) {
  Linear<S> f{features(q),          features(k),          Matrix<S>(q.cols, v.cols),
              Matrix<S>(1, q.cols), Matrix<S>(q.rows, 1), Matrix<S>(q.rows, v.cols)};
  for (Index i = 0; i < q.rows; ++i) {
    for (Index d = 0; i < k.rows && d < q.cols; ++d) {
      f.sum(0, d) = f.sum(0, d) + f.phi_k(i, d);
      for (Index e = 0; e < v.cols; ++e) f.state(d, e) = multiply_add(f.state(d, e), f.phi_k(i, d), v(i, e));
    }
    for (Index d = 0; d < q.cols; ++d) {
      f.denominator(i, 0) = multiply_add(f.denominator(i, 0), f.phi_q(i, d), f.sum(0, d));
      for (Index e = 0; e < v.cols; ++e) f.out(i, e) = multiply_add(f.out(i, e), f.phi_q(i, d), f.state(d, e));
    }
    f.denominator(i, 0) = f.denominator(i, 0) + epsilon;
    for (Index e = 0; e < v.cols; ++e) f.out(i, e) = f.out(i, e) / f.denominator(i, 0);
  }
  return f;
}

/// Going back the sums over past keys are formed again, query by query; then keys from the last to the first, with what
/// the queries that see them send.
template <typename S>
Gradients<S> causal_linear_gradients(const Matrix<S>& q, const Matrix<S>& k, const Matrix<S>& v, const Linear<S>& f,
                                     const Matrix<S>& dout) {
  const Matrix<S> phi_q = features(q), phi_k = features(k);
  Matrix<S> state(q.cols, v.cols), sum(1, q.cols), numerator(q.rows, v.cols), denominator(q.rows, 1);
  Matrix<S> d_phi_q(q.rows, q.cols), d_phi_k(k.rows, k.cols), dv(v.rows, v.cols), d_state = state, d_sum = sum;
  for (Index i = 0; i < q.rows; ++i) {
    for (Index d = 0; i < k.rows && d < q.cols; ++d) {
      sum(0, d) = sum(0, d) + phi_k(i, d);
      for (Index e = 0; e < v.cols; ++e) state(d, e) = multiply_add(state(d, e), phi_k(i, d), v(i, e));
    }
    S total(0);
    for (Index e = 0; e < v.cols; ++e) {
      for (Index d = 0; d < q.cols; ++d) numerator(i, e) = multiply_add(numerator(i, e), phi_q(i, d), state(d, e));
      total = multiply_add(total, dout(i, e), numerator(i, e) / f.denominator(i, 0));
      numerator(i, e) = dout(i, e) / f.denominator(i, 0);
    }
    denominator(i, 0) = -total / f.denominator(i, 0);
    for (Index d = 0; d < q.cols; ++d) {
      for (Index e = 0; e < v.cols; ++e) d_phi_q(i, d) = multiply_add(d_phi_q(i, d), numerator(i, e), state(d, e));
      d_phi_q(i, d) = multiply_add(d_phi_q(i, d), denominator(i, 0), sum(0, d));
    }
  }
  Index query = q.rows;
  for (Index j = k.rows - 1; j >= 0; --j) {
    for (; query > j; --query)
      for (Index d = 0; d < q.cols; ++d) {
        d_sum(0, d) = multiply_add(d_sum(0, d), denominator(query - 1, 0), phi_q(query - 1, d));
        for (Index e = 0; e < v.cols; ++e)
          d_state(d, e) = multiply_add(d_state(d, e), phi_q(query - 1, d), numerator(query - 1, e));
      }
    for (Index d = 0; d < q.cols; ++d) {
      for (Index e = 0; e < v.cols; ++e) {
        d_phi_k(j, d) = multiply_add(d_phi_k(j, d), v(j, e), d_state(d, e));
        dv(j, e) = multiply_add(dv(j, e), phi_k(j, d), d_state(d, e));
      }
      d_phi_k(j, d) = d_phi_k(j, d) + d_sum(0, d);
    }
  }
  return {features_backward(phi_q, d_phi_q), features_backward(phi_k, d_phi_k), dv};
}

}  // namespace attest::attention::plain
