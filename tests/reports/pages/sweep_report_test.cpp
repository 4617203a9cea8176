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

constexpr const char* example = R"({"schema": "attest-sweep-2", "name": "growth", "title": "How it grows",
  "text": "", "version": "0.1.0", "seed": "7", "samples": 40, "points_in_all": 3,
  "quantity": {"name": "g", "title": "Growth", "formula": "n^2", "source": "Our own", "version": 1,
    "sample_unit": "samples", "parameters": [{"name": "n", "meaning": "a count", "swept": true}],
    "results": [{"name": "size", "meaning": "its square", "role": "estimate"}]},
  "points": [{"parameters": {"n": 2}, "results": {"size": [4, 3.9, 4.1]}},
             {"parameters": {"n": 3}, "results": {"size": [9, 9, 9]}}],
  "fits": [{"figure": "growth-1", "series": "size", "law": "constant x^exponent",
            "terms": {"exponent": [2, 1.9, 2.1]}, "points": 2, "largest_residual": 0.01}],
  "figures": [{"name": "growth-1", "title": "Growth", "caption": "", "x": {"label": "n", "scale": "linear"},
    "y": {"label": "size", "scale": "linear"}, "series": [{"name": "size", "points": [[2, 4, 3.9, 4.1], [3, 9, 9, 9]]}],
    "references": []}]})";

/// Without gnuplot and KaTeX, which are not what is tested.
ReportTools no_tools(const ScratchFolder& folder) { return {"no-such-gnuplot", {folder.path()}}; }

TEST(SweepReport, shows_points_fits_and_meanings_from_the_file_alone) {
  const ScratchFolder folder;
  folder.write("points.json", example);
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
