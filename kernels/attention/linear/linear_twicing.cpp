#include "kernels/attention/linear/linear_twicing.hpp"

#include <utility>

#include "kernels/attention/linear/linear_run.hpp"
#include "kernels/attention/linear/wide_rows.hpp"
#include "kernels/attention/real_tokens.hpp"

namespace attest::attention {

struct LinearTwicingRun {
  WideRows w;  // 2 v - A v
  LinearSums first, second;
};

namespace {

/// sum_d = a x_d + b y_d for rows of `width` numbers that lie side by side in x and in the result.
template <typename X, typename Y, typename Sum>
void combine(double a, const X* x, Index rows, Index width, double b, const Y& y, Sum* sum) {
  for (Index i = 0; i < rows; ++i) {
    const double* const other = y.at(i);
    for (Index d = 0; d < width; ++d)
      sum[i * width + d] = static_cast<Sum>(a * static_cast<double>(x[i * width + d]) + b * other[d]);
  }
}

/// A store that gives a x + b y, where y are the rows that it takes.
template <typename Sum>
StoreRows sums_with(double a, const WideRows& x, double b, Tensor<Sum>& to) {
  return [a, b, &x, &to](const RowsPlace& at, const Matrix& y) {
    combine(a, x.rows(at), at.count, x.width(), b, y, &to.at(at.b, at.h, at.first, 0));
  };
}

}  // namespace

template <typename T>
LinearTwiced<T> linear_twicing(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                               const LinearOptions& options) {
  LinearProblem problem = linear_problem(q, k, v, options);
  const Index width = problem.value_dim;
  auto run = std::make_shared<LinearTwicingRun>(
      LinearTwicingRun{WideRows(problem.batch, problem.heads, problem.queries, width), {}, {}});
  run->first = run_linear(problem, [&](const RowsPlace& at, const Matrix& smoothed) {
    combine(2, &v.at(at.b, at.h, at.first, 0), at.count, width, -1, smoothed, run->w.rows(at));
  });
  Tensor<T> out({problem.batch, problem.heads, problem.queries, width});
  problem.v = rows_of(run->w);
  run->second = run_linear(problem, rows_into(out));
  return {std::move(out), std::move(run)};
}

template <typename T>
LinearGradients<T> linear_twicing_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                           const LinearOptions& options, const LinearTwiced<T>& twiced,
                                           const Tensor<T>& dout) {
  LinearProblem problem = linear_problem(q, k, v, options);
  const Index batch = problem.batch, heads = problem.heads, tokens = problem.queries, width = problem.value_dim;
  WideRows dq(batch, heads, tokens, problem.dim), dk(batch, heads, tokens, problem.dim),
      dw(batch, heads, tokens, width);
  for (Index b = 0; b < batch; ++b) dw.clear_from(b, real_tokens(options.key_lengths, b, tokens));
  problem.v = rows_of(twiced.run->w);
  run_linear_backward(problem, twiced.run->second, rows_of(dout), {rows_into(dq), rows_into(dk), rows_into(dw)});
  // The first pass gave -1 times its output to w, and v itself was there twice.
  LinearGradients<T> g{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<T>(v.shape())};
  problem.v = rows_of(v);
  const LoadRows negative = [&dw, width](const RowsPlace& at, Matrix& to) {
    const double* const from = dw.rows(at);
    for (Index i = 0; i < at.count; ++i)
      for (Index d = 0; d < width; ++d) to.at(i)[d] = -from[i * width + d];
  };
  run_linear_backward(problem, twiced.run->first, negative,
                      {sums_with(1, dq, 1, g.q), sums_with(1, dk, 1, g.k), sums_with(2, dw, 1, g.v)});
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                                          \
  template LinearTwiced<T> linear_twicing(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, const LinearOptions&); \
  template LinearGradients<T> linear_twicing_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,            \
                                                      const LinearOptions&, const LinearTwiced<T>&, const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
