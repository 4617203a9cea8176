#include "simulations/outcomes/relative_metrics.hpp"

#include <gtest/gtest.h>

namespace attest::outcomes {
namespace {

TEST(AddCorruptionError, is_the_mean_of_ratios_to_the_baseline_with_the_same_seed) {
  Experiment e;
  e.comparison.baseline = "plain";
  e.evaluation.corruptions = {"fog", "snow"};
  AllResults results = {{{"plain", 1}, {{"corrupted_fog_error", 0.5}, {"corrupted_snow_error", 0.2}}},
                        {{"other", 1}, {{"corrupted_fog_error", 0.25}, {"corrupted_snow_error", 0.3}}},
                        {{"plain", 2}, {{"corrupted_fog_error", 0.5}, {"corrupted_snow_error", 0.0}}},
                        {{"other", 2}, {{"corrupted_fog_error", 0.4}, {"corrupted_snow_error", 0.1}}}};
  add_corruption_error(e, results);
  EXPECT_DOUBLE_EQ(results.at({"plain", 1}).at("mean_corruption_error"), 1);
  EXPECT_DOUBLE_EQ(results.at({"other", 1}).at("mean_corruption_error"), (0.5 + 1.5) / 2);
  // A corruption under which the baseline errs nowhere has no ratio.
  EXPECT_DOUBLE_EQ(results.at({"other", 2}).at("mean_corruption_error"), 0.8);
}

TEST(AddCorruptionError, adds_nothing_where_nothing_was_corrupted) {
  AllResults results = {{{"plain", 1}, {{"test_loss", 0.5}}}};
  add_corruption_error({}, results);
  EXPECT_EQ(results.at({"plain", 1}).size(), 1U);
}

}  // namespace
}  // namespace attest::outcomes
