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

}  // namespace
}  // namespace attest::judge
