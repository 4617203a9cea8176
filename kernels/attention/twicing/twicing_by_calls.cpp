#include <utility>

#include "kernels/attention/twicing/twicing.hpp"

namespace attest::attention {
namespace {

/// a x + b y, entry by entry.
template <typename T>
Tensor<T> combined(T a, const Tensor<T>& x, T b, const Tensor<T>& y) {
  Tensor<T> result(x.shape());
  for (Index i = 0; i < x.size(); ++i) result.data()[i] = a * x.data()[i] + b * y.data()[i];
  return result;
}

}  // namespace

template <typename T>
Twiced<T> twicing_by_calls(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                           const AttendOptions<T>& options) {
  Attended<T> first = attend(q, k, v, options);
  Tensor<T> out = attend(q, k, combined(T(2), v, T(-1), first.out), options).out;
  return {std::move(out), std::move(first.out), std::move(first.largest), std::move(first.normaliser)};
}

template <typename T>
AttendGradients<T> twicing_by_calls_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                             const AttendOptions<T>& options, const Twiced<T>& twiced,
                                             const Tensor<T>& dout) {
  const Attended<T> second{twiced.out, twiced.largest, twiced.normaliser};
  const AttendGradients<T> of_second =
      attend_backward(q, k, combined(T(2), v, T(-1), twiced.smoothed), options, second, dout);
  const Attended<T> first{twiced.smoothed, twiced.largest, twiced.normaliser};
  const AttendGradients<T> of_first =
      attend_backward(q, k, v, options, first, combined(T(-1), of_second.v, T(0), of_second.v));
  return {combined(T(1), of_first.q, T(1), of_second.q), combined(T(1), of_first.k, T(1), of_second.k),
          combined(T(1), of_first.v, T(2), of_second.v), combined(T(1), of_first.bias, T(1), of_second.bias)};
}

#define ATTEST_INSTANTIATE(T)                                                                                         \
  template Twiced<T> twicing_by_calls(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, const AttendOptions<T>&); \
  template AttendGradients<T> twicing_by_calls_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,         \
                                                        const AttendOptions<T>&, const Twiced<T>&, const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
