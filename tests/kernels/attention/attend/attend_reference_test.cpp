#include "kernels/attention/attend/attend_reference.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/attention/random_arrays.hpp"

namespace attest::attention {
namespace {

using Array = Tensor<double>;

struct Problem {
  Array q, k, v, dout;
  AttendOptions<double> options;
};

// Two sequences, two heads, five queries, seven keys; every option is on.
Problem problem_with_everything() {
  Problem p{random_array<double>({2, 2, 5, 3}, 1),
            random_array<double>({2, 2, 7, 3}, 2),
            random_array<double>({2, 2, 7, 4}, 3),
            random_array<double>({2, 2, 5, 4}, 4),
            {}};
  p.options.scale = 0.7;
  p.options.mask.causal = true;
  p.options.mask.key_lengths = {7, 4};
  p.options.mask.visible.assign(35, 1);
  p.options.mask.visible[8] = 0;
  p.options.mask.visible[0] = 0;  // Query 0 sees no key at all.
  p.options.bias.slopes = {0.5, 0.25};
  p.options.bias.dense = random_array<double>({2, 5, 7}, 5);
  p.options.dropout = {0.3, 42};
  return p;
}

double loss(const Problem& p) { return inner_product(attend_reference(p.q, p.k, p.v, p.options).out, p.dout); }

// A central difference of step h errs by h^2 |f'''|/6 + 2^-53 |f|/h: below 1e-9 for h = 1e-5 and terms of order 1 - 10.
constexpr double step = 1e-5, difference_error = 1e-8;

void expect_gradient(Problem& p, Array& input, const Array& gradient, const char* name) {
  ASSERT_EQ(input.shape(), gradient.shape()) << name;
  for (Index i = 0; i < input.size(); ++i) {
    const double value = input.data()[i];
    input.data()[i] = value + step;
    const double above = loss(p);
    input.data()[i] = value - step;
    const double below = loss(p);
    input.data()[i] = value;
    ASSERT_NEAR(gradient.data()[i], (above - below) / (2 * step), difference_error) << name << " entry " << i;
  }
}

TEST(AttendReference, gradients_agree_with_central_differences_under_every_option) {
  Problem p = problem_with_everything();
  const auto gradients =
      attend_backward_reference(p.q, p.k, p.v, p.options, attend_reference(p.q, p.k, p.v, p.options), p.dout);
  expect_gradient(p, p.q, gradients.q, "q");
  expect_gradient(p, p.k, gradients.k, "k");
  expect_gradient(p, p.v, gradients.v, "v");
  expect_gradient(p, p.options.bias.dense, gradients.bias, "bias");
}

TEST(AttendReference, equals_a_hand_computed_case) {
  // Logits of query 1: ln 3 and 0, so its weights are 3/4 and 1/4; query 0 sees key 0 alone.
  const Array q({1, 1, 2, 1}, {5, std::log(3.0)}), k({1, 1, 2, 1}, {1, 0}), v({1, 1, 2, 1}, {8, 4});
  AttendOptions<double> options;
  options.mask.causal = true;
  const auto attended = attend_reference(q, k, v, options);
  EXPECT_DOUBLE_EQ(attended.out.data()[0], 8);
  EXPECT_DOUBLE_EQ(attended.out.data()[1], 7);
}

TEST(AttendReference, gives_zeros_to_a_query_without_keys) {
  const Problem p = problem_with_everything();
  const auto attended = attend_reference(p.q, p.k, p.v, p.options);
  const auto gradients = attend_backward_reference(p.q, p.k, p.v, p.options, attended, p.dout);
  for (Index d = 0; d < 4; ++d) EXPECT_EQ(attended.out.at(0, 0, 0, d), 0);
  for (Index d = 0; d < 3; ++d) EXPECT_EQ(gradients.q.at(0, 0, 0, d), 0);
}

TEST(AttendReference, drops_every_weight_at_the_stated_rate) {
  // 2^16 weights: the standard error of the rate is sqrt(0.21 / 65536) = 0.0018; a deviation of six of them has
  // probability 2e-9, and the pattern is fixed by its seed anyway.
  const std::uint32_t threshold = dropout_threshold(0.3);
  Index dropped = 0;
  for (Index i = 0; i < 256; ++i)
    for (Index j = 0; j < 256; ++j) dropped += survives_dropout(7, threshold, 1, 2, i, j) ? 0 : 1;
  EXPECT_NEAR(static_cast<double>(dropped) / 65536, 0.3, 6 * 0.0018);
  EXPECT_EQ(dropout_threshold(0), 0U);
}

}  // namespace
}  // namespace attest::attention
