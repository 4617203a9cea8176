// Average pooling of one head as a formula.
#pragma once

#include "tests/kernels/attention/plain/matrix.hpp"

namespace attest::attention::plain {

/// Averages of `factor` successive rows of the first `length`; a remainder over its own count, or dropped (its window
/// 0).
template <typename S>
Matrix<S> pooled(const Matrix<S>& x, Index factor, bool keeps_remainder, Index length) {
  const Index windows = keeps_remainder ? (x.rows + factor - 1) / factor : x.rows / factor;
  Matrix<S> means(windows, x.cols);
  for (Index w = 0; w < windows; ++w) {
    Index count = 0;
    for (Index n = w * factor; n < (w + 1) * factor && n < length; ++n) ++count;
    if (count == 0 || (count < factor && !keeps_remainder)) continue;
    for (Index d = 0; d < x.cols; ++d) {
      for (Index n = w * factor; n < w * factor + count; ++n) means(w, d) = means(w, d) + x(n, d);
      means(w, d) = means(w, d) / S(static_cast<double>(count));
    }
  }
  return means;
}

/// Gradient of sum(pooled(x) * dmeans) with respect to x of `rows` rows, all of them real.
template <typename S>
Matrix<S> pooled_gradient(const Matrix<S>& dmeans, Index factor, Index rows) {
  Matrix<S> dx(rows, dmeans.cols);
  for (Index w = 0; w < dmeans.rows; ++w) {
    const Index end = w * factor + factor < rows ? w * factor + factor : rows;
    for (Index d = 0; d < dmeans.cols; ++d) {
      const S share = dmeans(w, d) / S(static_cast<double>(end - w * factor));
      for (Index n = w * factor; n < end; ++n) dx(n, d) = share;
    }
  }
  return dx;
}

inline Index pooled_count(Index length, Index factor, bool keeps_remainder) {
  return keeps_remainder ? (length + factor - 1) / factor : length / factor;
}

/// The first `rows` rows.
template <typename S>
Matrix<S> top(const Matrix<S>& x, Index rows) {
  Matrix<S> result(rows, x.cols);
  for (Index i = 0; i < rows; ++i)
    for (Index d = 0; d < x.cols; ++d) result(i, d) = x(i, d);
  return result;
}

}  // namespace attest::attention::plain
