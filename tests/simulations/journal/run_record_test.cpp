#include "simulations/journal/run_record.hpp"

#include <gtest/gtest.h>

#include "simulations/journal/database.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::journal {
namespace {

using test_support::ScratchFolder;

TEST(RunRecord, knows_the_runs_that_are_finished) {
  const ScratchFolder folder;
  RunRecord record(folder.path(), "spec", false);
  EXPECT_TRUE(record.finished().empty());
  for (const std::uint64_t seed : {3U, 1U}) record.finish("softmax", seed, {{"test_loss", 1}, {"steps", 5}});
  record.add("softmax", 7, {{10, "training_loss", 2}});
  EXPECT_EQ(record.finished(), (FinishedRuns{{"softmax", 1}, {"softmax", 3}}));
}

TEST(RunRecord, keeps_warnings_and_forgets_those_that_a_run_will_meet_again) {
  const ScratchFolder folder;
  {
    RunRecord record(folder.path(), "spec", false);
    EXPECT_TRUE(record.warnings().empty());
    for (const std::int64_t step : {10, 30}) record.warn({"softmax", 1, step, "it diverges"});
    record.warn({"softmax", 1, 10, "it diverges"});  // once is enough
    record.warn({"softmax", 2, 30, "it diverges"});
    record.forget_after("softmax", 1, 20);
  }
  RunRecord again(folder.path(), "spec", true);
  const auto warnings = again.warnings();
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0].step, 10);
  EXPECT_EQ(warnings[1].seed, 2U);
  EXPECT_EQ(warnings[1].sentence, "it diverges");
}

TEST(RunRecord, takes_over_what_another_one_warns_of) {
  const ScratchFolder folder;
  RunRecord record(folder.path() / "all", "spec", false), other(folder.path() / "part", "spec", false);
  record.take_from(other);
  EXPECT_TRUE(record.warnings().empty());
  other.warn({"softmax", 4, 7, "a head is dead"});
  record.take_from(other);
  ASSERT_EQ(record.warnings().size(), 1U);
  EXPECT_EQ(record.warnings().front().step, 7);
}

TEST(RunRecord, holds_nothing_of_a_run_that_it_could_not_take_whole_and_goes_on) {
  const ScratchFolder folder;
  const auto part = folder.path() / "part";
  RunRecord(part, "spec", false).add("softmax", 4, {{10, "training_loss", 2}});
  Database(part / "run.db").execute("ALTER TABLE results RENAME COLUMN value TO worth");
  RunRecord record(folder.path() / "all", "spec", false), other(part, "spec", true);
  EXPECT_ANY_THROW(record.take_from(other));
  EXPECT_TRUE(record.measurements().empty());
  record.add("softmax", 5, {{20, "training_loss", 3}});
  EXPECT_EQ(record.measurements().size(), 1U);
}

}  // namespace
}  // namespace attest::journal
