#include "kernels/attention/attend/attend.hpp"

#include <cmath>
#include <stdexcept>

#include "kernels/attention/attend/attend_cuda.hpp"
#include "kernels/attention/attend/attend_problem.hpp"
#include "kernels/attention/attend/attend_rows.hpp"

namespace attest::attention {
template <typename T>
Attended<T> attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v, const AttendOptions<T>& options) {
  if (options.device == Device::cuda) return attend_cuda(q, k, v, options);
  const AttendProblem<T> p = checked_problem(q, k, v, options);
  if (!runs_in_tiles(q.shape(), k.shape(), options)) return attend_rows(q, k, v, options);
  const Shape rows{p.batch, p.heads, p.queries};
  Attended<T> result{Tensor<T>::unfilled({p.batch, p.heads, p.queries, p.value_dim}), Tensor<T>::unfilled(rows),
                     Tensor<T>::unfilled(rows)};
  attend_view(p, heads_view(result.out), result.largest.data(), result.normaliser.data());
  return result;
}

template <typename T>
Tensor<T> log_sum_exp(const Attended<T>& attended) {
  Tensor<T> lse(attended.largest.shape());
  for (Index i = 0; i < lse.size(); ++i)
    lse.data()[i] = static_cast<T>(static_cast<double>(attended.largest.data()[i]) +
                                   std::log(static_cast<double>(attended.normaliser.data()[i])));
  return lse;
}

template <typename T>
AttendGradients<T> attend_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                   const AttendOptions<T>& options, const Attended<T>& attended, const Tensor<T>& dout,
                                   const Tensor<T>* dlse) {
  if (options.device == Device::cuda) {
    if (dlse != nullptr)
      throw std::invalid_argument("attend: the gradient of lse is computed on the processor alone; leave cuda out");
    return attend_backward_cuda(q, k, v, options, attended, dout);
  }
  const AttendProblem<T> p = checked_problem(q, k, v, options);
  require_backward_shapes(p, attended, dout);
  if (dlse != nullptr) require_shape("dlse", dlse->shape(), attended.largest.shape());
  if (!runs_in_tiles(q.shape(), k.shape(), options)) return attend_rows_backward(q, k, v, options, dout, dlse);
  AttendGradients<T> result{Tensor<T>::unfilled(q.shape()), Tensor<T>::unfilled(k.shape()),
                            Tensor<T>::unfilled(v.shape()), Tensor<T>::unfilled(options.bias.dense.shape())};
  attend_backward_view<T>(p, heads_view(attended.out), attended.largest.data(), attended.normaliser.data(),
                          heads_view(dout),
                          {heads_view(result.q), heads_view(result.k), heads_view(result.v),
                           p.dense_bias != nullptr ? result.bias.data() : nullptr},
                          nullptr, dlse != nullptr ? dlse->data() : nullptr);
  return result;
}

#define ATTEST_INSTANTIATE(T)                                                                                 \
  template Attended<T> attend(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, const AttendOptions<T>&); \
  template Tensor<T> log_sum_exp(const Attended<T>&);                                                         \
  template AttendGradients<T> attend_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,           \
                                              const AttendOptions<T>&, const Attended<T>&, const Tensor<T>&,  \
                                              const Tensor<T>*);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
