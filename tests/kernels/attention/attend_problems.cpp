#include "tests/kernels/attention/attend_problems.hpp"

#include <gtest/gtest.h>

#include "kernels/attention/attend_reference.hpp"

namespace attest::attention {
namespace {

// max_id sum_j scale A_ij (|dA_ij| + |sum_l A_il dA_il|) |k_jd|, which is what rounding the terms of dq is relative
// to, over max |dq|; for dk with queries in the place of keys. Without dropout and bias, for one sequence.
struct Cancellation {
  double q = 1, k = 1;
};

Cancellation cancellation(const Tensor<double>& q, const Tensor<double>& k, const Tensor<double>& v, double scale,
                          const AttendedReference<double>& attended, const Tensor<double>& dout,
                          const AttendGradients<double>& gradients) {
  Tensor<double> q_terms(q.shape()), k_terms(k.shape());
  for (Index h = 0; h < q.extent(1); ++h)
    for (Index i = 0; i < q.extent(2); ++i) {
      double mean = 0;
      for (Index d = 0; d < v.extent(3); ++d) mean += attended.out.at(0, h, i, d) * dout.at(0, h, i, d);
      for (Index j = 0; j < k.extent(2); ++j) {
        double dweight = 0;
        for (Index d = 0; d < v.extent(3); ++d) dweight += dout.at(0, h, i, d) * v.at(0, h, j, d);
        const double term = scale * attended.weights.at(0, h, i, j) * (std::abs(dweight) + std::abs(mean));
        for (Index d = 0; d < q.extent(3); ++d) {
          q_terms.at(0, h, i, d) += term * std::abs(k.at(0, h, j, d));
          k_terms.at(0, h, j, d) += term * std::abs(q.at(0, h, i, d));
        }
      }
    }
  const auto largest = [](const Tensor<double>& array) {
    double size = 0;
    for (const double value : array.values()) size = std::max(size, std::abs(value));
    return size;
  };
  return {largest(q_terms) / largest(gradients.q), largest(k_terms) / largest(gradients.k)};
}

}  // namespace

template <typename T>
void expect_agreement(const TestProblem<T>& p, const std::string& what, bool saturated) {
  const auto attended = attend(p.q, p.k, p.v, p.options);
  const auto gradients = attend_backward(p.q, p.k, p.v, p.options, attended, p.dout);
  const auto q = converted<double>(p.q), k = converted<double>(p.k), v = converted<double>(p.v);
  const auto options = in_double(p.options);
  const auto exact = attend_reference(q, k, v, options);
  const auto exact_gradients = attend_backward_reference(q, k, v, options, exact, converted<double>(p.dout));
  Cancellation lost;
  if (saturated) lost = cancellation(q, k, v, options.scale, exact, converted<double>(p.dout), exact_gradients);
  EXPECT_LE(relative_error(attended.out, exact.out), stated_error<T>) << what;
  EXPECT_LE(relative_error(gradients.q, exact_gradients.q), lost.q * stated_error<T>) << what << ", dq";
  EXPECT_LE(relative_error(gradients.k, exact_gradients.k), lost.k * stated_error<T>) << what << ", dk";
  EXPECT_LE(relative_error(gradients.v, exact_gradients.v), stated_error<T>) << what << ", dv";
  EXPECT_LE(relative_error(gradients.bias, exact_gradients.bias), stated_error<T>) << what << ", dbias";
}

template void expect_agreement(const TestProblem<float>&, const std::string&, bool);
template void expect_agreement(const TestProblem<double>&, const std::string&, bool);

}  // namespace attest::attention
