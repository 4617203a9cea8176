#include "simulations/data/text/kjv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulations/scratch_folder.hpp"

namespace attest::data {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refusal(std::string_view output) {
  return message_of<std::runtime_error>([&] { parse_verses(output, "output"); });
}

TEST(Verses, are_lines_of_reference_and_text) {
  const std::vector<Verse> verses =
      parse_verses("Ge1:1 In the beginning\n1Sm2:10 The adversaries\nSSol1:1 The song", "output");
  ASSERT_EQ(verses.size(), 3U);
  EXPECT_EQ(verses[1].reference, "1Sm2:10");
  EXPECT_EQ(verses[1].text, "The adversaries");
  EXPECT_EQ(running_text(verses), "In the beginning\nThe adversaries\nThe song\n");
}

TEST(Verses, of_another_shape_are_refused_with_the_line) {
  EXPECT_THAT(refusal("Ge1:1 In\nno verse\n"), AllOf(HasSubstr("output, line 2"), HasSubstr("no verse")));
  for (const char* line :
       {"", "Ge1:1", "Ge1:1 ", "Ge1 text", "Ge1: text", "1:1 text", "Ge:1 text", "Ge1:1x text", " text"}) {
    refusal(line);
  }
}

TEST(Kjv, has_31102_verses_from_genesis_to_revelation) {
  if (!kjv_is_installed()) GTEST_SKIP() << "the Debian packages bible-kjv and bible-kjv-text are not installed";
  const std::vector<Verse> verses = read_kjv();
  ASSERT_EQ(verses.size(), 31102U);
  EXPECT_EQ(verses.front().reference, "Ge1:1");
  EXPECT_EQ(verses.front().text, "In the beginning God created the heaven and the earth.");
  EXPECT_EQ(verses.back().reference, "Rev22:21");
}

}  // namespace
}  // namespace attest::data
