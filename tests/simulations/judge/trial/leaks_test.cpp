// What may change where numbers that are not seen do.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "simulations/judge/trial/properties.hpp"
#include "tests/simulations/judge/imitation.hpp"

namespace attest::judge {
namespace {

/// Right, but rounds otherwise where a key or value is beyond what is usual, as one that steps around such numbers
/// does.
class RoundsOtherwise : public Imitation {
 public:
  RoundsOtherwise(bool of_finite, double by) : Imitation({}), of_finite_(of_finite), by_(by) {}
  Answer call(const Request& request) override {
    Answer answer = Imitation::call(request);
    const auto odd = [&](const char* name) {
      const std::vector<double> values = arrays::floating_values<double>(request.arrays.at(name));
      return std::any_of(values.begin(), values.end(),
                         [&](double x) { return of_finite_ ? std::isfinite(x) && x > 1e20 : !std::isfinite(x); });
    };
    if (!odd("k") && !odd("v")) return answer;
    arrays::Array& out = answer.arrays.at("out");
    std::vector<double> values = arrays::floating_values<double>(out);
    for (double& value : values) value *= 1 + by_;
    out = array_in(out.type, out.shape, values);
    return answer;
  }

 private:
  bool of_finite_;
  double by_;
};

bool leaks(bool of_finite, double by) {
  RoundsOtherwise target(of_finite, by);
  CaseSpec spec;
  spec.property = Property::leak;
  spec.queries = spec.keys = 6;
  spec.causal = true;
  TrialSettings settings;
  settings.conventions.signature = target.signature();
  return !run_leak(spec, target, settings).failures.empty();
}

TEST(Leak, keeps_values_within_rounding_under_nan_and_bits_under_large_numbers) {
  EXPECT_FALSE(leaks(false, 0x1p-52));
  EXPECT_TRUE(leaks(false, 0x1p-30));
  EXPECT_TRUE(leaks(true, 0x1p-52));
}

/// Multiplies whole matrices of weights and values: zero times what is not finite is NaN.
class Spreads : public Imitation {
 public:
  Spreads() : Imitation({}) {}
  Answer call(const Request& request) override {
    Answer answer = Imitation::call(request);
    const std::vector<double> given = arrays::floating_values<double>(request.arrays.at("v"));
    if (std::ranges::all_of(given, [](double x) { return std::isfinite(x); })) return answer;
    arrays::Array& out = answer.arrays.at("out");
    out = array_in(out.type, out.shape, std::vector<double>(arrays::floating_values<double>(out).size(), std::nan("")));
    return answer;
  }
};

TEST(Leak, hands_only_finite_numbers_of_any_type_to_one_whose_products_spread_nan) {
  for (const ElementType type :
       {ElementType::float64, ElementType::float32, ElementType::float16, ElementType::bfloat16}) {
    Spreads target;
    CaseSpec spec;
    spec.property = Property::leak;
    spec.type = type;
    spec.queries = spec.keys = 6;
    spec.causal = true;
    TrialSettings settings;
    settings.conventions.signature = target.signature();
    EXPECT_FALSE(run_leak(spec, target, settings).failures.empty()) << arrays::name(type);
    settings.conventions.masked_numbers_are_finite = true;
    EXPECT_TRUE(run_leak(spec, target, settings).failures.empty()) << arrays::name(type);
  }
}

}  // namespace
}  // namespace attest::judge
