// What every registered quantity must be.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "kernels/device/devices.hpp"
#include "kernels/device/failure.hpp"
#include "kernels/quantity/quantity.hpp"

namespace attest::quantities {
namespace {

class EveryQuantity : public testing::TestWithParam<std::string> {
 protected:
  const Quantity& quantity() const { return find_quantity(GetParam()); }
  /// At the defaults, with a budget that takes a moment.
  Outcomes at_defaults(std::uint64_t seed, unsigned threads) const {
    return evaluate(quantity(), complete(quantity(), {}), {seed, 64, threads});
  }
};

bool same_bits(const Outcomes& a, const Outcomes& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    return one.first == other.first && std::memcmp(&one.second, &other.second, sizeof(Outcome)) == 0;
  });
}

TEST_P(EveryQuantity, says_what_it_is) {
  const Quantity& q = quantity();
  EXPECT_FALSE(q.title.empty() || q.formula.empty() || q.source.empty() || q.parameters.empty() || q.results.empty());
  EXPECT_EQ(q.deterministic(), q.sample_unit.empty());
  EXPECT_GE(q.version, 1);
  std::set<std::string> names = {"quantity", "seed", "budget"};  // taken by the columns of a sweep
  for (const Parameter& parameter : q.parameters) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
    EXPECT_FALSE(parameter.meaning.empty()) << parameter.name;
  }
  for (const ResultSpec& result : q.results) {
    EXPECT_TRUE(names.insert(result.name).second) << result.name;
    EXPECT_FALSE(result.meaning.empty()) << result.name;
  }
}

TEST_P(EveryQuantity, has_finite_outcomes_at_its_defaults) {
  for (const auto& [name, outcome] : at_defaults(1, 1)) EXPECT_TRUE(std::isfinite(outcome.value)) << name;
}

TEST_P(EveryQuantity, gives_the_same_bits_for_any_number_of_threads) {
  const auto once = at_defaults(1, 1);
  EXPECT_TRUE(same_bits(once, at_defaults(1, 2)));
  EXPECT_TRUE(same_bits(once, at_defaults(1, 7)));
}

TEST_P(EveryQuantity, depends_on_the_seed_exactly_when_it_is_not_deterministic) {
  EXPECT_EQ(same_bits(at_defaults(1, 1), at_defaults(2, 1)), quantity().deterministic());
}

TEST_P(EveryQuantity, gives_the_same_bits_on_a_device_or_says_that_there_is_none) {
  if (!quantity().runs_on_cuda) GTEST_SKIP() << "it runs on the processor alone";
  const Arguments arguments = complete(quantity(), {});
  if (device::cuda_devices().devices.empty()) {
    EXPECT_THROW(evaluate(quantity(), arguments, {1, 64, 2, true}), device::CudaFailure);
    return;
  }
  EXPECT_TRUE(same_bits(at_defaults(1, 2), evaluate(quantity(), arguments, {1, 64, 2, true})));
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Quantity& q : quantities()) names.push_back(q.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Quantities, EveryQuantity, testing::ValuesIn(all_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace attest::quantities
