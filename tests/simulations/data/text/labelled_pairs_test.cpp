#include "simulations/data/text/labelled_pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/data/files/malformed_data.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string complaint(const std::string& text) {
  return message_of<MalformedData>([&] { parse_paper_pairs(text, "pairs.tsv"); });
}

TEST(PaperPairs, are_lines_of_five_fields) {
  const LabelledPairs found = parse_paper_pairs("1.0\t7\t8\tone text\tanother\n0\t7\t9\ta\tb\r\n", "pairs.tsv");
  EXPECT_THAT(found.labels, ElementsAre(1, 0));
  EXPECT_THAT(found.first, ElementsAre("one text", "a"));
  EXPECT_THAT(found.second, ElementsAre("another", "b"));
  const std::vector<std::size_t> second = {1};
  EXPECT_THAT(select(found, second).first, ElementsAre("a"));
}

TEST(PaperPairs, say_where_a_line_is_wrong) {
  EXPECT_THAT(complaint("1\t7\t8\ta\tb\n1\t7\t8\ta\n"), HasSubstr("pairs.tsv, line 2: 4 fields where label"));
  EXPECT_THAT(complaint("2\t7\t8\ta\tb\n"), HasSubstr("label \"2\" where 0 or 1 is needed"));
  EXPECT_THAT(complaint("1\t7\t8\t\tb\n"), HasSubstr("a text is empty"));
  EXPECT_THAT(complaint("\n"), HasSubstr("1 field where"));
}

}  // namespace
}  // namespace attest::data
