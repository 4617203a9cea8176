#include "kernels/attention/twicing/twicing.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "kernels/attention/attend/attend_problem.hpp"
#include "kernels/attention/attend/attend_rows.hpp"

namespace attest::attention {
namespace {

// to_i = left a_i + right b_i, row by row, for every sequence, head and token of the values.
template <typename T>
void combine(const AttendProblem<T>& p, const HeadsView<T>& to, T left, const HeadsView<const T>& a, T right,
             const HeadsView<const T>& b) {
  for (Index i = 0; i < p.batch * p.heads * p.keys; ++i) {
    const Index sequence = i / p.keys / p.heads, head = i / p.keys % p.heads, token = i % p.keys;
    T* const row = to.row(sequence, head, token);
    const T* const row_a = a.row(sequence, head, token);
    const T* const row_b = b.row(sequence, head, token);
    for (Index d = 0; d < p.value_dim; ++d) row[d] = left * row_a[d] + right * row_b[d];
  }
}

template <typename T>
AttendProblem<T> checked_square_problem(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                        const AttendOptions<T>& options) {
  const AttendProblem<T> problem = checked_problem(q, k, v, options);
  if (problem.queries != problem.keys)
    throw std::invalid_argument(fmt::format(
        "twicing: there are {} queries and {} keys, but A V must have one row per key", problem.queries, problem.keys));
  require_shape("v", v.shape(), {problem.batch, problem.heads, problem.keys, problem.value_dim});
  return problem;
}

template <typename T>
bool runs_on_tiles(const Tensor<T>& q, const Tensor<T>& k, const AttendOptions<T>& options) {
  return options.device == Device::cpu && runs_in_tiles(q.shape(), k.shape(), options);
}

}  // namespace

template <typename T>
void twicing_view(const AttendProblem<T>& p, HeadsView<T> out, HeadsView<T> smoothed, T* largest, T* normaliser) {
  attend_view(p, smoothed, largest, normaliser);
  Tensor<T> reflected({p.batch, p.heads, p.keys, p.value_dim});
  combine(p, heads_view(reflected), T(2), p.v, T(-1), smoothed.read_only());
  AttendProblem<T> second = p;
  second.v = heads_view(std::as_const(reflected));
  attend_view(second, out, largest, normaliser);
}

template <typename T>
void twicing_backward_view(const AttendProblem<T>& p, HeadsView<const T> out, HeadsView<const T> smoothed,
                           const T* largest, const T* normaliser, HeadsView<const T> dout,
                           const AttendGradientViews<T>& gradients) {
  Tensor<T> reflected({p.batch, p.heads, p.keys, p.value_dim}), dsmoothed(reflected.shape());
  combine(p, heads_view(reflected), T(2), p.v, T(-1), smoothed);

  // dW = A^T dout, dU = -dW.
  AttendGradientViews<T> values_alone;
  values_alone.v = heads_view(dsmoothed);
  attend_backward_view(p, out, largest, normaliser, dout, values_alone);
  for (T& entry : dsmoothed.values()) entry = -entry;

  const SecondUse<T> second{heads_view(std::as_const(reflected)), out, dout};
  attend_backward_view(p, smoothed, largest, normaliser, heads_view(std::as_const(dsmoothed)), gradients, &second);
  combine(p, gradients.v, T(1), gradients.v.read_only(), T(-2), heads_view(std::as_const(dsmoothed)));
}

template <typename T>
Twiced<T> twicing(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v, const AttendOptions<T>& options) {
  const AttendProblem<T> p = checked_square_problem(q, k, v, options);
  if (!runs_on_tiles(q, k, options)) return twicing_by_calls(q, k, v, options);
  const Shape rows{p.batch, p.heads, p.queries};
  Twiced<T> result{Tensor<T>::unfilled(v.shape()), Tensor<T>::unfilled(v.shape()), Tensor<T>::unfilled(rows),
                   Tensor<T>::unfilled(rows)};
  twicing_view(p, heads_view(result.out), heads_view(result.smoothed), result.largest.data(), result.normaliser.data());
  return result;
}

template <typename T>
AttendGradients<T> twicing_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                    const AttendOptions<T>& options, const Twiced<T>& twiced, const Tensor<T>& dout) {
  const AttendProblem<T> p = checked_square_problem(q, k, v, options);
  const Shape rows{p.batch, p.heads, p.queries};
  require_shape("dout", dout.shape(), v.shape());
  require_shape("twiced.out", twiced.out.shape(), v.shape());
  require_shape("twiced.smoothed", twiced.smoothed.shape(), v.shape());
  require_shape("twiced.largest", twiced.largest.shape(), rows);
  require_shape("twiced.normaliser", twiced.normaliser.shape(), rows);
  if (!runs_on_tiles(q, k, options)) return twicing_by_calls_backward(q, k, v, options, twiced, dout);
  AttendGradients<T> result{Tensor<T>::unfilled(q.shape()), Tensor<T>::unfilled(k.shape()),
                            Tensor<T>::unfilled(v.shape()), Tensor<T>::unfilled(options.bias.dense.shape())};
  twicing_backward_view(p, heads_view(twiced.out), heads_view(twiced.smoothed), twiced.largest.data(),
                        twiced.normaliser.data(), heads_view(dout),
                        {heads_view(result.q), heads_view(result.k), heads_view(result.v),
                         p.dense_bias != nullptr ? result.bias.data() : nullptr});
  return result;
}

#define ATTEST_INSTANTIATE(T)                                                                                    \
  template void twicing_view(const AttendProblem<T>&, HeadsView<T>, HeadsView<T>, T*, T*);                       \
  template void twicing_backward_view(const AttendProblem<T>&, HeadsView<const T>, HeadsView<const T>, const T*, \
                                      const T*, HeadsView<const T>, const AttendGradientViews<T>&);              \
  template Twiced<T> twicing(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, const AttendOptions<T>&);     \
  template AttendGradients<T> twicing_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,             \
                                               const AttendOptions<T>&, const Twiced<T>&, const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
