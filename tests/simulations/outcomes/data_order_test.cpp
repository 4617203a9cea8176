#include "simulations/outcomes/data_order.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace attest::outcomes {
namespace {

Experiment two_variants() {
  Experiment e;
  e.seed = 1;
  e.seeds = 2;
  e.training.steps = 10;
  e.variants = {{"softmax", {}, 0}, {"twicing", {}, 0}, {"again", {}, 1000}};
  return e;
}

AllResults equal_orders() {
  AllResults results;
  for (const std::uint64_t seed : {1, 2})
    for (const char* name : {"softmax", "twicing", "again"})
      results[{name, seed}] = {{"data_order", static_cast<double>(seed + (name[0] == 'a' ? 1000 : 0))}, {"steps", 10}};
  return results;
}

TEST(EqualOrder, is_asked_of_variants_that_start_from_one_seed) {
  EXPECT_NO_THROW(require_equal_order(two_variants(), equal_orders()));
}

TEST(EqualOrder, names_the_first_pair_that_saw_other_batches) {
  AllResults results = equal_orders();
  results[{"twicing", 2}]["data_order"] = 5;
  const std::string sentence =
      test_support::message_of<std::invalid_argument>([&] { require_equal_order(two_variants(), results); });
  EXPECT_NE(sentence.find("softmax and twicing with seed 2 were trained on other batches"), std::string::npos)
      << sentence;
}

TEST(EqualOrder, leaves_out_runs_that_stopped_early) {
  AllResults results = equal_orders();
  results[{"twicing", 2}] = {{"data_order", 5}, {"steps", 7}};
  EXPECT_NO_THROW(require_equal_order(two_variants(), results));
}

}  // namespace
}  // namespace attest::outcomes
