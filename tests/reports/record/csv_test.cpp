#include "reports/record/csv.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/example.hpp"

namespace attest::reports {
namespace {

/// A reader of RFC 4180, written apart from the writer.
std::vector<std::vector<std::string>> parsed(const std::string& csv) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    std::string& field = rows.back().back();
    if (quoted) {
      if (csv[i] != '"')
        field += csv[i];
      else if (i + 1 < csv.size() && csv[i + 1] == '"')
        field += csv[i++];
      else
        quoted = false;
    } else if (csv[i] == '"') {
      quoted = true;
    } else if (csv[i] == ',') {
      rows.back().emplace_back();
    } else if (csv[i] == '\r' && csv[i + 1] == '\n') {
      ++i;
      rows.emplace_back(1);
    } else {
      field += csv[i];
    }
  }
  rows.pop_back();
  return rows;
}

TEST(Csv, has_a_header_and_one_row_a_claim_of_as_many_fields) {
  const Results results = example();
  const auto rows = parsed(claims_csv(results));
  ASSERT_EQ(rows.size(), results.claims.size() + 1);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  EXPECT_EQ(rows[0][0], "id");
  EXPECT_EQ(rows[0].back(), "reason");
}

TEST(Csv, gives_back_quotes_commas_and_line_breaks_as_they_were) {
  const Results results = example();
  const auto rows = parsed(claims_csv(results));
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [](const auto& r) { return r[0] == "primal-dual/<hostile> & \"quoted\""; });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ((*row)[3], "Line one\nline two, with \"quotes\" & <b>tags</b>");
}

TEST(Csv, keeps_all_digits_and_leaves_absent_numbers_empty) {
  const auto rows = parsed(claims_csv(example()));
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
  };
  EXPECT_EQ(rows[1][column("least_slack")], "2.2e-16");
  EXPECT_EQ(rows[1][column("bound")], "");
  EXPECT_EQ(rows[4][column("interval_upper")], "0.1344");
  EXPECT_EQ(rows[4][column("near_misses_refuted")], "1");
  EXPECT_EQ(rows[4][column("near_misses_undecided")], "0");
}

}  // namespace
}  // namespace attest::reports
