#include "simulations/data/text/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulations/scratch_folder.hpp"

namespace attest::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(std::string_view bytes) {
  return message_of<std::runtime_error>([&] { check_text(bytes, "file"); });
}

TEST(Text, is_read_plain_and_compressed) {
  const ScratchFolder scratch;
  EXPECT_EQ(read_text(scratch.write("a.txt", "caf\u00e9\n")), "caf\u00e9\n");
  EXPECT_EQ(read_text(scratch.write_gzip("a.gz", "words")), "words");
}

TEST(Text, that_is_empty_or_binary_or_no_utf8_is_refused_with_line_and_offset) {
  EXPECT_THAT(refusal(""), HasSubstr("file is empty"));
  EXPECT_THAT(refusal(std::string_view("ab\nc\0", 5)), AllOf(HasSubstr("line 2"), HasSubstr("offset 4")));
  EXPECT_THAT(refusal("a\n\nb\xff"), AllOf(HasSubstr("0xff"), HasSubstr("line 3"), HasSubstr("offset 4")));
  for (const char* malformed :
       {"\x80", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf0\x9f\x98"}) {
    EXPECT_THAT(refusal(malformed), HasSubstr("offset 0"));
  }
  check_text("\u00e9 \u20ac \U0001F600", "file");
}

TEST(WordTokens, are_letters_and_digits_folded_with_inner_apostrophes) {
  EXPECT_THAT(word_tokens("The LORD's 12 sheep, o'er-much 'quoted' it''s."),
              ElementsAre("the", "lord's", "12", "sheep", "o'er", "much", "quoted", "it", "s"));
  EXPECT_THAT(word_tokens("na\u00efve \u201cquote\u201d\u2014dash don\u2019t \u00abx\u00bb"),
              ElementsAre("na\u00efve", "quote", "dash", "don't", "x"));
  EXPECT_THAT(word_tokens("'"), ElementsAre());
  EXPECT_THAT(word_tokens(""), ElementsAre());
}

TEST(Vocabulary, ranks_by_count_then_alphabet_and_leaves_rare_words_out) {
  const std::vector<std::string> tokens = word_tokens("b a c b a d b e");
  const Vocabulary vocabulary = build_vocabulary(tokens, 3, 1);
  EXPECT_THAT(vocabulary.words, ElementsAre("b", "a", "c"));
  EXPECT_THAT(vocabulary.counts, ElementsAre(3, 2, 1));
  EXPECT_THAT(vocabulary.encode(tokens), ElementsAre(0, 1, 2, 0, 1, 0));
  EXPECT_THAT(build_vocabulary(tokens, 10, 2).words, ElementsAre("b", "a"));
  EXPECT_THROW(build_vocabulary(tokens, 10, 4), std::invalid_argument);
}

}  // namespace
}  // namespace attest::data
