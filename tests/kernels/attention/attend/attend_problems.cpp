#include "tests/kernels/attention/attend/attend_problems.hpp"

#include <gtest/gtest.h>

#include "kernels/attention/attend/attend_reference.hpp"

namespace attest::attention {

TermSizes gradient_term_sizes(const Tensor<double>& q, const Tensor<double>& k, const Tensor<double>& v, double scale,
                              const AttendedReference<double>& attended, const Tensor<double>& dout) {
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
  return {largest_entry(q_terms), largest_entry(k_terms)};
}

template <typename T>
void expect_agreement(const TestProblem<T>& p, const std::string& what, bool saturated) {
  const auto attended = attend(p.q, p.k, p.v, p.options);
  const auto gradients = attend_backward(p.q, p.k, p.v, p.options, attended, p.dout);
  const auto q = converted<double>(p.q), k = converted<double>(p.k), v = converted<double>(p.v);
  const auto options = in_double(p.options);
  const auto exact = attend_reference(q, k, v, options);
  const auto exact_gradients = attend_backward_reference(q, k, v, options, exact, converted<double>(p.dout));
  TermSizes lost;
  if (saturated) {
    const TermSizes sizes = gradient_term_sizes(q, k, v, options.scale, exact, converted<double>(p.dout));
    lost = {sizes.q / largest_entry(exact_gradients.q), sizes.k / largest_entry(exact_gradients.k)};
  }
  EXPECT_LE(relative_error(attended.out, exact.out), stated_error<T>) << what;
  EXPECT_LE(relative_error(gradients.q, exact_gradients.q), lost.q * stated_error<T>) << what << ", dq";
  EXPECT_LE(relative_error(gradients.k, exact_gradients.k), lost.k * stated_error<T>) << what << ", dk";
  EXPECT_LE(relative_error(gradients.v, exact_gradients.v), stated_error<T>) << what << ", dv";
  EXPECT_LE(relative_error(gradients.bias, exact_gradients.bias), stated_error<T>) << what << ", dbias";
}

template void expect_agreement(const TestProblem<float>&, const std::string&, bool);
template void expect_agreement(const TestProblem<double>&, const std::string&, bool);

}  // namespace attest::attention
