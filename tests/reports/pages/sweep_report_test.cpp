#include "reports/pages/sweep_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/files/atomic_file.hpp"
#include "reports/files/malformed_results.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

using test_support::ScratchFolder;
using testing::HasSubstr;

std::string example() { return test_support::content_of(ATTEST_TEST_DATA "/points_example.json"); }

/// Without gnuplot and KaTeX, which are not what is tested.
ReportTools no_tools(const ScratchFolder& folder) { return {"no-such-gnuplot", {folder.path()}}; }

TEST(SweepReport, shows_points_fits_and_meanings_from_the_file_alone) {
  const ScratchFolder folder;
  folder.write("points.json", example());
  const std::string page = read_whole_file(write_sweep_report(folder.path(), no_tools(folder)).page);
  EXPECT_THAT(page, HasSubstr("How it grows"));
  EXPECT_THAT(page, HasSubstr("a count"));
  EXPECT_THAT(page, HasSubstr("exponent"));
  EXPECT_THAT(page, HasSubstr("2 points of 3; the others are not finished"));
  EXPECT_THAT(page, HasSubstr("seed 7"));
}

TEST(SweepReport, refuses_what_is_not_a_sweep) {
  const ScratchFolder folder;
  folder.write("points.json", R"({"schema": "attest-sweep-0"})");
  EXPECT_THROW(write_sweep_report(folder.path(), no_tools(folder)), MalformedResults);
  EXPECT_THROW(write_sweep_report(folder.path() / "nowhere", no_tools(folder)), MalformedResults);
}

}  // namespace
}  // namespace attest::reports
