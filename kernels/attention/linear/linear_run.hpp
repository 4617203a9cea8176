// Linear attention in double on rows that the caller brings and takes away, a chunk at a time: what comes before and
// after it needs no pass over whole arrays. For the files of this folder alone.
#pragma once

#include <functional>

#include "kernels/attention/linear/linear.hpp"
#include "kernels/attention/matrix/matrix.hpp"

namespace attest::attention {

/// Rows first .. first + count - 1 of a head of one sequence.
struct RowsPlace {
  Index b = 0, h = 0, first = 0, count = 0;
};

/// Writes the rows of a place into the first rows of a matrix, or takes them from there. Called for one head by one
/// thread at a time. A chunk may be loaded more than once and is stored once: queries from the first chunk to the last,
/// and keys too unless the mask is causal.
using LoadRows = std::function<void(const RowsPlace&, Matrix&)>;
using StoreRows = std::function<void(const RowsPlace&, const Matrix&)>;

/// The arguments of linear_attend.
struct LinearProblem {
  Index batch = 0, heads = 0, queries = 0, keys = 0, dim = 0, value_dim = 0;
  LoadRows q, k, v;
  LinearOptions options;
};

/// What the way back needs: as in LinearAttended.
struct LinearSums {
  Tensor<double> state, denominator;
};

/// linear_attend: gives the rows of its output to `out`.
LinearSums run_linear(const LinearProblem& problem, const StoreRows& out);

/// linear_attend_backward.
struct LinearGradientRows {
  StoreRows q, k, v;
};
void run_linear_backward(const LinearProblem& problem, const LinearSums& sums, const LoadRows& dout,
                         const LinearGradientRows& gradients);

/// The rows of an array of tokens.
template <typename T>
LoadRows rows_of(const Tensor<T>& x) {
  return [&x](const RowsPlace& at, Matrix& to) {
    load_rows(&x.at(at.b, at.h, at.first, 0), x.extent(3), at.count, x.extent(3), to);
  };
}
template <typename T>
StoreRows rows_into(Tensor<T>& x) {
  return [&x](const RowsPlace& at, const Matrix& from) {
    store_rows(from, at.count, x.extent(3), &x.at(at.b, at.h, at.first, 0), x.extent(3));
  };
}

/// The problem of three arrays.
template <typename T>
LinearProblem linear_problem(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v, const LinearOptions& options) {
  return {.batch = q.extent(0),
          .heads = q.extent(1),
          .queries = q.extent(2),
          .keys = k.extent(2),
          .dim = q.extent(3),
          .value_dim = v.extent(3),
          .q = rows_of(q),
          .k = rows_of(k),
          .v = rows_of(v),
          .options = options};
}

}  // namespace attest::attention
