#include "simulations/sweeping/run.hpp"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace attest::sweeps {
namespace {

using test_support::ScratchFolder;

const OnProgress no_progress = [](std::uint64_t, std::uint64_t, const std::string&) {};

/// grc_ratio with another body, over L = 1, ..., 20.
struct Example {
  quantities::Quantity quantity = quantities::find_quantity("grc_ratio");
  Spec spec =
      read_spec("quantity = 'grc_ratio'\n[axes]\nL = {from = 1, to = 20, points = 20}\n", "sweep.toml", "sweep");
  std::vector<Point> points = points_of(spec);
  std::atomic<bool> stop{false};
  std::atomic<int> evaluations{0};

  Example() { spec.quantity = &quantity; }
  RunEnd run(const ScratchFolder& folder, bool resume) {
    journal::Ranks ranks;
    return run_points(spec, points, {folder.path(), resume, {}, 2}, ranks, stop, no_progress);
  }
};

TEST(Run, evaluates_only_what_is_missing_after_an_interrupt) {
  const ScratchFolder folder;
  Example example;
  example.quantity.evaluate = [&, real = example.quantity.evaluate](const auto& at, const auto& execution) {
    if (++example.evaluations == 7) example.stop = true;
    return real(at, execution);
  };
  const RunEnd first = example.run(folder, false);
  EXPECT_FALSE(first.complete());
  EXPECT_GE(first.computed, 7U);
  example.stop = false;
  const RunEnd second = example.run(folder, true);
  EXPECT_TRUE(second.complete());
  EXPECT_EQ(second.taken, first.computed);
  EXPECT_EQ(example.evaluations, 20);
}

TEST(Run, names_the_point_that_failed_and_keeps_the_others) {
  const ScratchFolder folder;
  Example example;
  example.quantity.evaluate = [real = example.quantity.evaluate](const auto& at, const auto& execution) {
    if (at.real("L") == 15) throw std::invalid_argument("no such thing");
    return real(at, execution);
  };
  EXPECT_THAT([&] { example.run(folder, false); },
              testing::ThrowsMessage<std::invalid_argument>(testing::StrEq("L = 15: no such thing")));
  Journal journal(folder.path(), true);
  EXPECT_GE(journal.finished(example.quantity, example.points).size(), 14U);
}

TEST(Shards, share_all_points_without_overlap) {
  const std::vector<Point> all = Example().points;
  std::vector<std::string> ids;
  for (const std::uint64_t index : {1, 2, 3})
    for (const Point& point : shard_of(all, index, 3)) ids.push_back(point.id);
  std::vector<std::string> expected;
  for (const Point& point : all) expected.push_back(point.id);
  EXPECT_THAT(ids, testing::UnorderedElementsAreArray(expected));
}

}  // namespace
}  // namespace attest::sweeps
