#include "kernels/attention/linear/linear.hpp"

#include <utility>

#include "kernels/attention/linear/linear_run.hpp"

namespace attest::attention {

template <typename T>
LinearAttended<T> linear_attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                const LinearOptions& options) {
  Tensor<T> out({q.extent(0), q.extent(1), q.extent(2), v.extent(3)});
  LinearSums sums = run_linear(linear_problem(q, k, v, options), rows_into(out));
  return {std::move(out), std::move(sums.state), std::move(sums.denominator)};
}

template <typename T>
LinearGradients<T> linear_attend_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                          const LinearOptions& options, const LinearAttended<T>& attended,
                                          const Tensor<T>& dout) {
  LinearGradients<T> g{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<T>(v.shape())};
  run_linear_backward(linear_problem(q, k, v, options), {attended.state, attended.denominator}, rows_of(dout),
                      {rows_into(g.q), rows_into(g.k), rows_into(g.v)});
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                              \
  template LinearAttended<T> linear_attend(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,           \
                                           const LinearOptions&);                                          \
  template LinearGradients<T> linear_attend_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                     const LinearOptions&, const LinearAttended<T>&,       \
                                                     const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
