#include "simulations/judge/reference/mechanism_reference.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "simulations/arrays/rounding.hpp"
#include "simulations/judge/activations/activations.hpp"
#include "simulations/judge/case/catalogue.hpp"
#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {
namespace {

constexpr ElementType types[] = {ElementType::float64, ElementType::float32, ElementType::float16,
                                 ElementType::bfloat16};

/// Ours, with float64 or float32 sums, rounded once to the case's type: a right implementation of each type.
template <typename T>
std::map<std::string, std::vector<double>> ours(const CaseSpec& spec) {
  const attention::Call<double> wide = call_of(spec);
  attention::Call<T> call;
  call.settings = wide.settings, call.mask = wide.mask;
  const auto narrowed = [](const attention::Tensor<double>& tensor) {
    return attention::Tensor<T>(tensor.shape(), {tensor.values().begin(), tensor.values().end()});
  };
  for (const auto& [name, tensor] : wide.inputs) call.inputs.emplace(name, narrowed(tensor));
  const attention::Evaluation<T> evaluation = attention::evaluate(attention::find_mechanism(spec.mechanism), call);
  std::map<std::string, std::vector<double>> results;
  const auto put = [&](const std::string& name, const attention::Tensor<T>& tensor) {
    for (const T value : tensor.values()) results[name].push_back(rounded(static_cast<double>(value), spec.type));
  };
  put("out", evaluation.out);
  if (spec.gradient)
    for (const auto& [name, tensor] : evaluation.backward(narrowed(weights_of(spec, evaluation.out.shape()))))
      put("d" + name, tensor);
  return results;
}

TEST(CallOf, takes_activations_from_the_trained_model) {
  CatalogueRequest request;
  request.mechanism = "twicing";
  int seen = 0;
  for (const CaseSpec& spec : catalogue(request)) {
    if (spec.family != "activations") continue;
    ++seen;
    const attention::Tensor<double> q = call_of(spec).inputs.at("q");
    const Activations& from = activations();
    const auto first = static_cast<attention::Index>(spec.number % static_cast<std::uint64_t>(from.tokens));
    const attention::Index entry = (q.extent(2) + 2) * q.extent(3) + 3;  // head 1, token 2, feature 3
    EXPECT_EQ(q.data()[entry], rounded(from.at(from.q, 1, first + 2, 3), spec.type));
  }
  EXPECT_GT(seen, 0);
}

TEST(MechanismReference, IsItselfWithinItsBoundsWhereFewKeysMakeASmallVariance) {
  // The gradient passes through 1/(variance + eps) of two keys, and cancels. dk[4] of this case to 18 digits, by
  // differences in 60 digits (mpmath).
  const CaseSpec spec = case_from_json({{"mechanism", "attention-bn"},
                                        {"queries", 2},
                                        {"keys", 2},
                                        {"value_width", 1},
                                        {"family", "integers"},
                                        {"number", 235},
                                        {"causal", true},
                                        {"gradient", true},
                                        {"dtype", "float64"}});
  constexpr double exact = 8.82265413910163617e-4;
  const Judged dk = expected_mechanism(spec, precision_for(spec, TrialSettings{})).at("dk");
  EXPECT_LE(std::abs(dk.values[4] - exact), dk.bounds[4]);
  EXPECT_LE(dk.bounds[4], exact) << "what is wrong altogether would be found";
}

class EveryMechanismJudged : public testing::TestWithParam<std::string> {};

TEST_P(EveryMechanismJudged, OursIsWithinTheBoundsInFourTypesAndATruncatedOneIsNot) {
  CatalogueRequest request;
  request.mechanism = GetParam();
  request.types = {std::begin(types), std::end(types)};
  if (request.mechanism == "nystromformer") request.settings["landmarks"] = "2";
  int judged_cases = 0;
  for (const CaseSpec& spec : catalogue(request)) {
    std::map<std::string, std::vector<double>> results;
    try {
      results = spec.type == ElementType::float64 ? ours<double>(spec) : ours<float>(spec);
    } catch (const std::invalid_argument&) {
      continue;  // extents that the mechanism does not take
    }
    ++judged_cases;
    const TrialSettings settings;
    const std::map<std::string, Judged> expected = expected_mechanism(spec, precision_for(spec, settings));
    for (const auto& [name, judged] : expected) {
      const Distance worst = distance(judged, results.at(name));
      EXPECT_LE(worst.ratio, 1) << name << " of " << text_of(spec);
    }
    if (spec.type != ElementType::float64) continue;
    // What has lost four fifths of its digits is outside in some entry.
    std::vector<double> narrow = results.at("out");
    for (double& value : narrow) value = rounded(value, ElementType::bfloat16);
    EXPECT_GT(distance(expected.at("out"), narrow).ratio, 1) << text_of(spec);
  }
  EXPECT_GT(judged_cases, 20);
}

INSTANTIATE_TEST_SUITE_P(Judge, EveryMechanismJudged,
                         testing::Values("twicing", "graph-diffusion", "alibi", "linear", "sparse", "nystromformer",
                                         "linformer", "bilateral", "attention-bn", "kernel-regression", "neutreno"),
                         [](const testing::TestParamInfo<std::string>& one) {
                           std::string name = one.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace attest::judge
