#include "tests/kernels/attention/plain/comparison.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "tests/kernels/attention/random_arrays.hpp"

namespace attest::attention::plain {
namespace {

// The library's contract for values and gradients.
constexpr double double_tolerance = 1e-12, float_tolerance = 2e-6;

struct Expected {
  Tensor<double> out;
  Arrays<double> gradients;
};

Expected by_formula(const Call<double>& call, const Formula& formula) {
  Problem<Traced> problem{{}, call.mask};
  const auto causal = call.settings.find("causal");
  if (causal != call.settings.end() && causal->second == "true") problem.mask.causal = true;
  for (const auto& [name, array] : call.inputs) {
    Array<Traced> variables{array.shape(), {}};
    for (const double entry : array.values()) variables.entries.push_back(Traced::variable(entry));
    problem.inputs.emplace(name, std::move(variables));
  }
  const Array<Traced> out = formula(problem);
  Expected expected{Tensor<double>(out.shape), {}};
  const Tensor<double> r = normal_array("R", out.shape);
  Traced loss(0.0);
  for (std::size_t i = 0; i < out.entries.size(); ++i) {
    expected.out.values()[i] = out.entries[i].value();
    loss = loss + out.entries[i] * Traced(r.values()[i]);
  }
  const std::vector<double> adjoint = Traced::gradients(loss);
  for (const auto& [name, variables] : problem.inputs) {
    Tensor<double> gradient(variables.shape);
    for (std::size_t i = 0; i < variables.entries.size(); ++i)
      gradient.values()[i] = adjoint[static_cast<std::size_t>(variables.entries[i].node())];
    expected.gradients.emplace(name, std::move(gradient));
  }
  return expected;
}

template <typename T>
void expect_close(const Mechanism& mechanism, const Call<T>& call, const Expected& expected, double tolerance) {
  Evaluation<T> got = evaluate(mechanism, call);
  ASSERT_EQ(got.out.shape(), expected.out.shape());
  EXPECT_LE(scaled_difference(converted<double>(got.out), expected.out), tolerance) << "of the output";
  const Arrays<T> gradients = got.backward(converted<T>(normal_array("R", expected.out.shape())));
  EXPECT_EQ(gradients.size(), expected.gradients.size());
  for (const auto& [name, gradient] : expected.gradients) {
    const auto found = gradients.find(name);
    ASSERT_NE(found, gradients.end()) << "no gradient of " << name;
    ASSERT_EQ(found->second.shape(), gradient.shape()) << "of the gradient of " << name;
    EXPECT_LE(scaled_difference(converted<double>(found->second), gradient), tolerance)
        << "of the gradient of " << name;
  }
}

}  // namespace

Tensor<double> normal_array(const std::string& name, const Shape& shape) {
  Tensor<double> array(shape);
  random::Stream stream(7, random::stream_key(name), 0);
  for (double& entry : array.values()) entry = static_cast<float>(stream.normal());  // exact in both precisions
  return array;
}

Tensor<double> positive_array(const std::string& name, const Shape& shape) {
  Tensor<double> array = normal_array(name, shape);
  for (double& entry : array.values()) entry = static_cast<float>(std::abs(entry) + 0.5);
  return array;
}

Arrays<double> queries_keys_values(Index batch, Index heads, Index queries, Index keys, Index dim, Index value_dim) {
  Arrays<double> arrays;
  arrays.emplace("q", normal_array("q", {batch, heads, queries, dim}));
  arrays.emplace("k", normal_array("k", {batch, heads, keys, dim}));
  arrays.emplace("v", normal_array("v", {batch, heads, keys, value_dim}));
  return arrays;
}

double scaled_difference(const Tensor<double>& a, const Tensor<double>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i) {
    const double here = std::abs(a.values()[i] - b.values()[i]);
    if (!(here <= difference)) difference = here;  // keeps a NaN
    size = std::max(size, std::abs(b.values()[i]));
  }
  return size > 0 ? difference / size : difference;
}

void expect_formula(const std::string& mechanism, const Call<double>& call, const Formula& formula) {
  const Mechanism& m = find_mechanism(mechanism);
  const Expected expected = by_formula(call, formula);
  {
    const testing::ScopedTrace trace(__FILE__, __LINE__, mechanism + " in double");
    expect_close(m, call, expected, double_tolerance);
  }
  const testing::ScopedTrace trace(__FILE__, __LINE__, mechanism + " in float");
  Call<float> narrow{{}, call.settings, call.mask, call.dropout, call.threads};
  for (const auto& [name, array] : call.inputs) narrow.inputs.emplace(name, converted<float>(array));
  expect_close(m, narrow, expected, float_tolerance);
}

}  // namespace attest::attention::plain
