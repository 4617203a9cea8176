// The caller's results beside ours: what a correct implementation may differ by, and what is found.
#include "simulations/apply/expectation.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "simulations/arrays/rounding.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::apply {

using arrays::floating_array;
using arrays::floating_values;
using arrays::name;

namespace {

using testing::HasSubstr;

const attention::Mechanism& softmax() { return attention::find_mechanism("softmax"); }

/// q, k, v and R of one sequence and two heads, entries that float holds; queries and keys times `size`.
NamedArrays inputs(std::int64_t tokens, std::int64_t width, double size) {
  NamedArrays arrays;
  for (const char* name : {"q", "k", "v", "R"}) {
    random::Stream stream(3, random::stream_key(name), 0);
    std::vector<double> values(static_cast<std::size_t>(2 * tokens * width));
    const bool in_logits = name[0] == 'q' || name[0] == 'k';
    for (double& value : values) value = rounded((in_logits ? size : 1) * stream.normal(), ElementType::float32);
    arrays[name] = floating_array<double>({1, 2, tokens, width}, values);
  }
  return arrays;
}

/// Softmax attention and its gradients in plain loops, every operation in T: an implementation of somebody else's.
template <typename T>
NamedArrays plainly(const NamedArrays& arrays) {
  const auto of = [&](const char* name) { return floating_values<T>(arrays.at(name)); };
  const std::vector<T> q = of("q"), k = of("k"), v = of("v"), r = of("R");
  const auto n = static_cast<std::size_t>(arrays.at("q").shape[2]),
             d = static_cast<std::size_t>(arrays.at("q").shape[3]);
  const T scale = 1 / std::sqrt(static_cast<T>(d));
  std::vector<T> out(q.size()), dq(q.size()), dk(q.size()), dv(q.size());
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t row = (h * n + i) * d;
      std::vector<T> a(n), da(n);
      T largest = -HUGE_VALF, sum = 0, mean = 0;
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t f = 0; f < d; ++f) a[j] += q[row + f] * k[(h * n + j) * d + f];
        largest = std::max(largest, a[j] *= scale);
      }
      for (T& x : a) sum += x = std::exp(x - largest);
      for (std::size_t j = 0; j < n; ++j) {
        a[j] /= sum;
        for (std::size_t f = 0; f < d; ++f) {
          out[row + f] += a[j] * v[(h * n + j) * d + f];
          dv[(h * n + j) * d + f] += a[j] * r[row + f];
          da[j] += r[row + f] * v[(h * n + j) * d + f];
        }
        mean += a[j] * da[j];
      }
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t f = 0; f < d; ++f) {
          const T ds = scale * a[j] * (da[j] - mean);
          dq[row + f] += ds * k[(h * n + j) * d + f];
          dk[(h * n + j) * d + f] += ds * q[row + f];
        }
    }
  const std::vector<std::int64_t>& shape = arrays.at("q").shape;
  return {{"out", floating_array<T>(shape, out)},
          {"grad.q", floating_array<T>(shape, dq)},
          {"grad.k", floating_array<T>(shape, dk)},
          {"grad.v", floating_array<T>(shape, dv)}};
}

ApplyPlan with_gradients() {
  ApplyPlan plan;
  plan.gradients = true;
  return plan;
}

/// Gaussian, tiny, saturated logits; one token; more tokens than a tile.
const std::vector<std::tuple<std::int64_t, std::int64_t, double>> cases = {
    {17, 8, 1}, {100, 16, 20}, {40, 2, 60}, {1, 4, 1}, {130, 4, 1e-3}};

template <typename T>
void expect_right() {
  for (const auto& [tokens, width, size] : cases) {
    const NamedArrays arrays = inputs(tokens, width, size);
    for (const Comparison& c : compare_with(plainly<T>(arrays), softmax(), arrays, with_gradients())) {
      EXPECT_EQ(c.outside, 0) << c.name << " of " << tokens << " tokens, logits times " << size << ": "
                              << c.largest_ratio;
      EXPECT_EQ(c.entries, 2 * tokens * width);
    }
  }
}

TEST(Expectation, takes_plain_loops_for_right) {
  expect_right<double>();
  expect_right<float>();
}

/// Values of one sign, where the roundings of a running sum do not cancel.
TEST(Expectation, takes_a_long_running_sum_of_values_of_one_sign_for_right) {
  NamedArrays arrays = inputs(600, 2, 1e-2);
  for (const char* name : {"v", "R"}) {
    std::vector<double> values = floating_values<double>(arrays.at(name));
    for (double& value : values) value = 1 + std::abs(value);
    arrays[name] = rounded(floating_array<double>({1, 2, 600, 2}, values), ElementType::float32);
  }
  for (const Comparison& c : compare_with(plainly<float>(arrays), softmax(), arrays, with_gradients()))
    EXPECT_EQ(c.outside, 0) << c.name << " " << c.largest_ratio;
}

TEST(Expectation, takes_our_results_in_every_type_for_right) {
  for (const auto& [tokens, width, size] : cases)
    for (const ElementType type :
         {ElementType::float16, ElementType::bfloat16, ElementType::float32, ElementType::float64}) {
      ApplyPlan plan = with_gradients();
      plan.type = type;
      plan.lse = true;
      const NamedArrays arrays = inputs(tokens, width, size), ours = apply_mechanism(softmax(), arrays, plan);
      EXPECT_EQ(ours.at("out").type, type);
      for (const Comparison& c : compare_with(ours, softmax(), arrays, plan))
        EXPECT_EQ(c.outside, 0) << c.name << " in " << name(type) << ", logits times " << size;
    }
}

/// One fault at a time that a typed tolerance of 1e-3 or Gaussian inputs would let pass.
TEST(Expectation, finds_what_rounding_cannot_do) {
  const NamedArrays arrays = inputs(17, 8, 1);
  const auto outside = [&](const std::string& name, const auto& spoil) {
    NamedArrays results = plainly<float>(arrays);
    std::vector<float> values = floating_values<float>(results.at(name));
    spoil(values);
    results[name] = floating_array<float>(results.at(name).shape, values);
    for (const Comparison& c : compare_with(results, softmax(), arrays, with_gradients()))
      if (c.name == name) return c;
    return Comparison{};
  };
  constexpr float planted = 1e-4F;
  const Comparison off = outside("out", [](std::vector<float>& x) { x[150] += planted; });
  EXPECT_EQ(off.outside, 1);
  EXPECT_EQ(off.where, (std::vector<std::int64_t>{0, 1, 1, 6}));
  EXPECT_NEAR(off.largest_error, planted, off.tolerance);
  EXPECT_GT(off.largest_ratio, 1);
  EXPECT_EQ(outside("grad.k", [](std::vector<float>& x) { x[3] = std::nanf(""); }).outside, 1);
  EXPECT_EQ(outside("grad.v", [](std::vector<float>& x) { std::swap(x[0], x[8]); }).outside, 2);
  // A gradient without the mean subtracted, or a scale forgotten, is wrong nearly everywhere.
  EXPECT_GT(outside("grad.q",
                    [](std::vector<float>& x) {
                      for (float& e : x) e *= 1.001F;
                    })
                .outside,
            17 * 8);
}

TEST(Expectation, compares_in_the_callers_layout) {
  NamedArrays arrays = inputs(5, 4, 1);
  NamedArrays expected = plainly<double>(arrays);
  ApplyPlan plan = with_gradients();
  plan.layout = Layout::bnhd;
  for (NamedArrays* all : {&arrays, &expected})
    for (auto& [name, array] : *all) array = with_heads_and_tokens_exchanged(array);
  for (const Comparison& c : compare_with(expected, softmax(), arrays, plan)) EXPECT_EQ(c.outside, 0) << c.name;
  EXPECT_EQ(apply_mechanism(softmax(), arrays, plan).at("out").shape, (std::vector<std::int64_t>{1, 5, 2, 4}));
}

TEST(Expectation, refuses_by_a_sentence_what_it_cannot_compare) {
  const NamedArrays arrays = inputs(3, 4, 1);
  const auto refusal = [&](const NamedArrays& expected) {
    return message_of<std::invalid_argument>([&] { compare_with(expected, softmax(), arrays, {}); });
  };
  const std::vector<double> one = {1};
  EXPECT_THAT(refusal({{"output", floating_array<double>({1}, one)}}), HasSubstr("'output' is not a result"));
  EXPECT_THAT(refusal({{"out", floating_array<double>({1}, one)}}), HasSubstr("[1] where ours has [1][2][3][4]"));
  EXPECT_THAT(refusal({{"out", {ElementType::int32, {1}, std::string(4, '\0')}}}), HasSubstr("int32"));
  EXPECT_THAT(refusal({}), HasSubstr("no array"));
}

}  // namespace
}  // namespace attest::apply
