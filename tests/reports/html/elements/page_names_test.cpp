#include "reports/html/elements/page_names.hpp"

#include <gtest/gtest.h>

#include "tests/reports/example.hpp"

namespace attest::reports::html {
namespace {

TEST(PageNames, are_file_names_whatever_a_paper_is_called) {
  Results results;
  results.papers = {{"boosting", ""}, {"../etc", ""}, {"a b", ""}, {"a/b", ""}, {"errata", ""}};
  EXPECT_EQ(paper_page_name(results, "boosting"), "report-paper-boosting.html");
  EXPECT_EQ(paper_page_name(results, "../etc"), "report-paper----etc-2.html");
  EXPECT_NE(paper_page_name(results, "a b"), paper_page_name(results, "a/b"));
  EXPECT_NE(paper_page_name(results, "errata"), errata_page_name);
  EXPECT_EQ(paper_page_name(results, "unknown"), index_page_name);
}

TEST(PageNames, give_a_statement_its_place_and_an_address_that_stays) {
  const Results results = example();
  const Claim& claim = *find_claim(results, "boosting/snr-strict-gain");
  EXPECT_EQ(address(results, claim), "report-paper-boosting.html#boosting/snr-strict-gain");
  EXPECT_EQ(permanent_address(claim), "report.html#boosting/snr-strict-gain");
}

TEST(Anchor, is_a_fragment_without_escapes) {
  EXPECT_EQ(anchor("boosting/eq-3.4"), "boosting/eq-3.4");
  EXPECT_EQ(anchor("a b\"<>&"), "a-b----");
}

TEST(QueryValue, escapes_what_would_end_it) { EXPECT_EQ(query_value("a b&c\"é"), "a%20b%26c%22%C3%A9"); }

}  // namespace
}  // namespace attest::reports::html
