#include "kernels/attention/twicing/twicing.hpp"

#include <gtest/gtest.h>

#include "kernels/attention/attend/attend_reference.hpp"
#include "tests/kernels/attention/attend/attend_problems.hpp"

namespace attest::attention {
namespace {

template <typename T>
class Twicing : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Twicing, Precisions);

using Array = Tensor<double>;

Array combined(double left, const Array& a, double right, const Array& b) {
  Array result(a.shape());
  for (Index i = 0; i < a.size(); ++i) result.data()[i] = left * a.data()[i] + right * b.data()[i];
  return result;
}

// A V + A (V - A V) by the reference, and its gradients by the chain rule through the two passes as they are written.
struct Reference {
  Array out;
  AttendGradients<double> gradients;
  TermSizes sizes;  // of the terms of both passes
};

Reference reference(const Array& q, const Array& k, const Array& v, const AttendOptions<double>& options,
                    const Array& dout) {
  const auto first = attend_reference(q, k, v, options);
  const Array residual = combined(1, v, -1, first.out);
  const auto second = attend_reference(q, k, residual, options);
  auto of_second = attend_backward_reference(q, k, residual, options, second, dout);
  const Array dsmoothed = combined(1, dout, -1, of_second.v);
  const auto of_first = attend_backward_reference(q, k, v, options, first, dsmoothed);
  const auto first_sizes = gradient_term_sizes(q, k, v, options.scale, first, dsmoothed),
             second_sizes = gradient_term_sizes(q, k, residual, options.scale, second, dout);
  return {combined(1, first.out, 1, second.out),
          {combined(1, of_first.q, 1, of_second.q), combined(1, of_first.k, 1, of_second.k),
           combined(1, of_first.v, 1, of_second.v), combined(1, of_first.bias, 1, of_second.bias)},
          {first_sizes.q + second_sizes.q, first_sizes.k + second_sizes.k}};
}

// `few`: so few tokens that the two passes' terms of dq and dk can cancel.
template <typename T>
void expect_twicing_agreement(const TestProblem<T>& p, const std::string& what, bool few = false) {
  const auto twiced = twicing(p.q, p.k, p.v, p.options);
  const auto gradients = twicing_backward(p.q, p.k, p.v, p.options, twiced, p.dout);
  const Reference exact = reference(converted<double>(p.q), converted<double>(p.k), converted<double>(p.v),
                                    in_double(p.options), converted<double>(p.dout));
  const double lost_q = few ? exact.sizes.q / largest_entry(exact.gradients.q) : 1;
  const double lost_k = few ? exact.sizes.k / largest_entry(exact.gradients.k) : 1;
  EXPECT_LE(relative_error(twiced.out, exact.out), stated_error<T>) << what;
  EXPECT_LE(relative_error(gradients.q, exact.gradients.q), lost_q * stated_error<T>) << what << ", dq";
  EXPECT_LE(relative_error(gradients.k, exact.gradients.k), lost_k * stated_error<T>) << what << ", dk";
  EXPECT_LE(relative_error(gradients.v, exact.gradients.v), stated_error<T>) << what << ", dv";
  EXPECT_LE(relative_error(gradients.bias, exact.gradients.bias), stated_error<T>) << what << ", dbias";
}

TYPED_TEST(Twicing, agrees_with_the_reference) {
  for (const Index n : {1, 2, 3, 12, 17, 64, 257}) {
    auto p = random_problem<TypeParam>({1, 2, n, n, 32, 20}, static_cast<std::uint64_t>(n));
    expect_twicing_agreement(p, std::to_string(n) + " tokens", n == 2 || n == 3);
    p.options.mask.causal = true;
    expect_twicing_agreement(p, std::to_string(n) + " tokens, causal", n == 2 || n == 3);
  }
}

TYPED_TEST(Twicing, agrees_with_the_reference_under_every_option) {
  auto p = random_problem<TypeParam>({2, 3, 75, 75, 8, 16}, 1);
  turn_everything_on(p, 2);
  expect_twicing_agreement(p, "everything");
}

TYPED_TEST(Twicing, returns_the_values_where_every_token_sees_itself_alone) {
  auto p = random_problem<TypeParam>({1, 1, 40, 40, 4, 4}, 3);
  p.options.mask.visible.assign(1600, 0);
  for (std::size_t i = 0; i < 40; ++i) p.options.mask.visible[41 * i] = 1;
  EXPECT_EQ(twicing(p.q, p.k, p.v, p.options).out, p.v);
}

TEST(TwicingBackward, agrees_with_central_differences) {
  auto p = random_problem<double>({1, 1, 5, 5, 2, 3}, 4);
  turn_everything_on(p, 5);
  const auto gradients = twicing_backward(p.q, p.k, p.v, p.options, twicing(p.q, p.k, p.v, p.options), p.dout);
  // A central difference of step h errs by h^2 |f'''|/6 + 2^-53 |f|/h: below 1e-8 for terms of order one to ten.
  constexpr double step = 1e-5, difference_error = 1e-8;
  const auto expect_gradient = [&](Array& input, const Array& gradient, const char* name) {
    for (Index i = 0; i < input.size(); ++i) {
      const double value = input.data()[i];
      input.data()[i] = value + step;
      const double above = inner_product(twicing(p.q, p.k, p.v, p.options).out, p.dout);
      input.data()[i] = value - step;
      const double below = inner_product(twicing(p.q, p.k, p.v, p.options).out, p.dout);
      input.data()[i] = value;
      ASSERT_NEAR(gradient.data()[i], (above - below) / (2 * step), difference_error) << name << " entry " << i;
    }
  };
  expect_gradient(p.q, gradients.q, "q");
  expect_gradient(p.k, gradients.k, "k");
  expect_gradient(p.v, gradients.v, "v");
  expect_gradient(p.options.bias.dense, gradients.bias, "bias");
}

TYPED_TEST(Twicing, is_the_same_by_calls_of_attention_alone) {
  auto p = random_problem<TypeParam>({2, 3, 20, 20, 5, 4}, 7);
  turn_everything_on(p, 8);
  const auto twiced = twicing(p.q, p.k, p.v, p.options);
  const auto by_calls = twicing_by_calls(p.q, p.k, p.v, p.options);
  // Both add the same terms, in another order.
  const double rounding = std::is_same_v<TypeParam, float> ? 2e-6 : 1e-13;
  EXPECT_LE(relative_error(by_calls.out, converted<double>(twiced.out)), rounding);
  const auto gradients = twicing_backward(p.q, p.k, p.v, p.options, twiced, p.dout);
  const auto others = twicing_by_calls_backward(p.q, p.k, p.v, p.options, by_calls, p.dout);
  EXPECT_LE(relative_error(others.q, converted<double>(gradients.q)), rounding);
  EXPECT_LE(relative_error(others.k, converted<double>(gradients.k)), rounding);
  EXPECT_LE(relative_error(others.v, converted<double>(gradients.v)), rounding);
  EXPECT_LE(relative_error(others.bias, converted<double>(gradients.bias)), rounding);
}

TEST(TwicingForward, needs_a_key_for_every_query) {
  const auto p = random_problem<double>({1, 1, 3, 4, 2, 2}, 6);
  EXPECT_THROW(twicing(p.q, p.k, p.v, p.options), std::invalid_argument);
}

}  // namespace
}  // namespace attest::attention
