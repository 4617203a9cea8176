// What is trained is what is judged: the LibTorch form of every residual rule against the library's.
#include "simulations/models/residual_layer.hpp"

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/residual/residual.hpp"
#include "simulations/models/torch.hpp"

namespace attest::models {
namespace {

constexpr std::int64_t depth = 4;  // states Y_0, ..., Y_3

attention::Tensor<double> to_library(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.detach().contiguous();
  return {std::vector<attention::Index>(tensor.sizes().begin(), tensor.sizes().end()),
          std::vector<double>(flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel())};
}

residual::ResidualRule rule_of(const ResidualSpec& spec) {
  switch (spec.kind) {
    case ResidualSpec::Kind::standard:
      return {};
    case ResidualSpec::Kind::generalised:
      return {.kind = residual::ResidualRule::generalised, .sources = {spec.source}, .factors = {spec.t}};
    case ResidualSpec::Kind::boosting:
      return residual::boosting_rule(spec.t);
  }
  return {};
}

/// Largest difference, relative to entries below about 10 in size.
double distance(const attention::Tensor<double>& a, const at::Tensor& b) {
  const attention::Tensor<double> other = to_library(b);
  double largest = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i)
    largest = std::max(largest, std::abs(a.values()[i] - other.values()[i]));
  return largest;
}

/// Sums of at most four terms below 10 in size, in another order; the gradient of t sums 24 products more.
constexpr double value_rounding = 10 * 8 * 0x1p-53, sum_rounding = 100 * 2 * 24 * 0x1p-53;

class TrainedResidual : public testing::TestWithParam<std::tuple<ResidualSpec::Kind, double, bool, std::int64_t>> {};

TEST_P(TrainedResidual, IsTheLibrarysInValueAndGradient) {
  const auto [kind, t, learned, source] = GetParam();
  const ResidualSpec spec{.kind = kind, .t = t, .learned = learned, .source = source};
  at::manual_seed(7);
  const auto drawn = [](at::IntArrayRef shape) { return at::randn(shape, at::kDouble).requires_grad_(true); };
  std::vector<at::Tensor> states;
  std::vector<attention::Tensor<double>> library_states, library_gradients;
  for (std::int64_t l = 0; l < depth; ++l) {
    states.push_back(drawn({2, 3, 4}));
    library_states.push_back(to_library(states.back()));
    library_gradients.emplace_back(attention::Shape{2, 3, 4});
  }
  const at::Tensor output = drawn({2, 3, 4}), dnext = at::randn({2, 3, 4}, at::kDouble);
  const at::Tensor weight = at::full({1}, t, at::kDouble).requires_grad_(true);
  const at::Tensor next = add_residual(spec, weight, output, states);
  std::vector<at::Tensor> inputs = states;
  inputs.push_back(output);
  inputs.push_back(weight);
  const auto gradients = torch::autograd::grad({(next * dnext).sum()}, inputs, {}, false, false, true);

  const residual::ResidualRule rule = rule_of(spec);
  EXPECT_LE(distance(residual::residual(rule, depth - 1, to_library(output), library_states), next), value_rounding);
  const double dt = residual::residual_backward(rule, depth - 1, library_states, to_library(dnext), library_gradients);
  for (std::int64_t l = 0; l < depth; ++l) {
    const at::Tensor gradient = gradients[static_cast<std::size_t>(l)].defined()
                                    ? gradients[static_cast<std::size_t>(l)]
                                    : at::zeros_like(states.front());
    EXPECT_LE(distance(library_gradients[static_cast<std::size_t>(l)], gradient), value_rounding) << "of Y_" << l;
  }
  EXPECT_LE(distance(to_library(dnext), gradients[depth]), value_rounding);
  if (learned && kind != ResidualSpec::Kind::standard) {
    EXPECT_NEAR(dt, gradients[depth + 1].item<double>(), sum_rounding);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryKind, TrainedResidual,
                         testing::Combine(testing::Values(ResidualSpec::Kind::standard, ResidualSpec::Kind::generalised,
                                                          ResidualSpec::Kind::boosting),
                                          testing::Values(-0.5, 0.0, 0.3, 1.0, 1.7), testing::Bool(),
                                          testing::Values(0, 2, 3)));

TEST(TrainedResidualRule, ThatWereAnotherRuleWouldBeSeen) {
  // Boosting with t and 1 - t exchanged, as a planted fault.
  at::manual_seed(7);
  const std::vector<at::Tensor> states = {at::randn({2, 3, 4}, at::kDouble), at::randn({2, 3, 4}, at::kDouble)};
  const at::Tensor output = at::randn({2, 3, 4}, at::kDouble);
  const ResidualSpec exchanged{.kind = ResidualSpec::Kind::boosting, .t = 0.7};
  const at::Tensor next = add_residual(exchanged, {}, output, states);
  const std::vector<attention::Tensor<double>> library = {to_library(states[0]), to_library(states[1])};
  EXPECT_GT(distance(residual::residual(residual::boosting_rule(0.3), 1, to_library(output), library), next), 0.1);
}

}  // namespace
}  // namespace attest::models
