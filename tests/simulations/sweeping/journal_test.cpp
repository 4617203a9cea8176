#include "simulations/sweeping/journal.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/files/atomic_file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::sweeps {
namespace {

using quantities::Outcome;
using test_support::ScratchFolder;

/// A sweep of two points of grc_ratio.
struct Example {
  Spec spec = read_spec("quantity = 'grc_ratio'\n[axes]\nL = [1, 2]\n", "sweep.toml", "sweep");
  std::vector<Point> points = points_of(spec);
  const quantities::Quantity& quantity = *spec.quantity;
  quantities::Outcomes outcomes = [this] {
    quantities::Outcomes all;
    for (const quantities::ResultSpec& result : quantity.results) all[result.name] = Outcome::exact(0.1);
    return all;
  }();
};

TEST(Journal, keeps_every_double_and_what_is_not_a_number) {
  const ScratchFolder folder;
  Example example;
  example.outcomes["per_layer"] = {0.1, {-std::numeric_limits<double>::infinity(), 0x1.fffffffffffffp+1023}};
  example.outcomes["log10_ratio"] = Outcome::exact(std::nan(""));
  {
    Journal journal(folder.path(), false);
    journal.add(example.quantity, example.points[0], example.outcomes);
    journal.commit();
  }
  Journal journal(folder.path(), true);
  const Finished finished = journal.finished(example.quantity, example.points);
  ASSERT_EQ(finished.size(), 1U);
  const auto& read = finished.at(example.points[0].id);
  EXPECT_EQ(read.at("per_layer").value, 0.1);
  EXPECT_EQ(read.at("per_layer").interval.lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(read.at("per_layer").interval.upper, 0x1.fffffffffffffp+1023);
  EXPECT_TRUE(std::isnan(read.at("log10_ratio").value));
}

TEST(Journal, tells_a_changed_byte_from_a_result) {
  const ScratchFolder folder;
  const Example example;
  {
    Journal journal(folder.path(), false);
    journal.add(example.quantity, example.points[0], example.outcomes);
    journal.commit();
  }
  std::string bytes = test_support::content_of(folder.path() / "run.db");
  const std::size_t tenth = bytes.find("\x3F\xB9\x99\x99\x99\x99\x99\x9A");  // 0.1 as SQLite stores it
  ASSERT_NE(tenth, std::string::npos);
  bytes[tenth + 5] ^= 0x10;
  folder.write("run.db", bytes);
  Journal journal(folder.path(), true);
  EXPECT_THAT(
      test_support::message_of<std::invalid_argument>([&] { journal.finished(example.quantity, example.points); }),
      testing::HasSubstr("is damaged: the numbers of the point " + example.points[0].id));
}

TEST(Journal, forgets_what_was_not_committed) {
  const ScratchFolder folder;
  const Example example;
  {
    Journal journal(folder.path(), false);
    journal.add(example.quantity, example.points[0], example.outcomes);
    journal.commit();
    // Directly after a commit the next point waits for others.
    journal.add(example.quantity, example.points[1], example.outcomes);
  }
  Journal journal(folder.path(), true);
  EXPECT_TRUE(journal.finished(example.quantity, example.points).contains(example.points[0].id));
}

TEST(Journal, wants_to_be_asked_before_it_goes_on_with_a_run) {
  const ScratchFolder folder;
  const Example example;
  {
    Journal journal(folder.path(), false);
    journal.add(example.quantity, example.points[0], example.outcomes);
    journal.commit();
  }
  EXPECT_THROW(Journal(folder.path(), false), std::invalid_argument);
}

TEST(Journal, is_open_in_one_place_at_a_time) {
  const ScratchFolder folder;
  const Journal journal(folder.path(), false);
  EXPECT_THAT([&] { Journal(folder.path(), true); },
              testing::ThrowsMessage<reports::IoError>(testing::HasSubstr("in use by another process")));
}

TEST(Journal, takes_points_from_another_run) {
  const ScratchFolder folder;
  const Example example;
  {
    Journal other(folder.path() / "other", false);
    other.add(example.quantity, example.points[1], example.outcomes);
    other.commit();
  }
  Journal journal(folder.path() / "mine", false);
  EXPECT_EQ(journal.take_from(folder.path() / "other", example.quantity, example.points), 1U);
  EXPECT_TRUE(journal.finished(example.quantity, example.points).contains(example.points[1].id));
  EXPECT_THROW(journal.take_from(folder.path() / "nowhere", example.quantity, example.points), reports::IoError);
  EXPECT_THAT(
      [&] { journal.take_from(folder.path() / "other", example.quantity, {example.points[0]}); },
      testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("none of its points is one of this sweep's")));
}

TEST(Journal, goes_on_with_the_points_of_its_own_sweep_alone) {
  const ScratchFolder folder;
  const Example example;
  Journal journal(folder.path(), false);
  journal.add(example.quantity, example.points[1], example.outcomes);
  EXPECT_NO_THROW(journal.require_only(example.points));
  EXPECT_THAT(
      [&] { journal.require_only({example.points[0]}); },
      testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("holds points that are not this sweep's")));
}

}  // namespace
}  // namespace attest::sweeps
