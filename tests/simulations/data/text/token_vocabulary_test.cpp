#include "simulations/data/text/token_vocabulary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/data/files/malformed_data.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(CharacterVocabulary, is_sorted_by_code_point_and_spells_the_text_again) {
  const std::string text =
      "b\xc3\xa9"
      "a\nb";
  const TokenVocabulary vocabulary = character_vocabulary(text);
  EXPECT_THAT(vocabulary.tokens, ElementsAre("\n", "a", "b", "\xc3\xa9"));
  const auto ids = vocabulary.encode(text, "text");
  EXPECT_THAT(ids, ElementsAre(2, 3, 1, 0, 2));
  EXPECT_EQ(vocabulary.decode(ids), text);
  EXPECT_THAT(message_of<MalformedData>([&] { vocabulary.encode("a\nz", "other"); }),
              AllOf(HasSubstr("other, line 2"), HasSubstr("\"z\"")));
}

TEST(ByteVocabulary, has_every_byte) {
  const TokenVocabulary vocabulary = byte_vocabulary();
  EXPECT_EQ(vocabulary.tokens.size(), 256U);
  EXPECT_THAT(vocabulary.encode("\xc3\xa9", "text"), ElementsAre(0xc3, 0xa9));
}

TEST(WordVocabulary, splits_at_blanks_and_ends_lines) {
  const TokenVocabulary vocabulary = word_vocabulary(" = A = \n \n the <unk> the \n");
  EXPECT_THAT(vocabulary.tokens, ElementsAre("=", "A", "<eos>", "the", "<unk>"));
  EXPECT_THAT(vocabulary.encode(" the new \n A", "text"), ElementsAre(3, 4, 2, 1));
  EXPECT_EQ(vocabulary.decode({3, 4, 2, 1}), "the <unk>\nA");
}

TEST(WordVocabulary, keeps_the_most_frequent_when_asked) {
  const TokenVocabulary vocabulary = word_vocabulary("a b b c c c", 2);
  EXPECT_THAT(vocabulary.tokens, ElementsAre("c", "b", "<unk>", "<eos>"));
}

TEST(TokenUnit, has_three_names) {
  EXPECT_EQ(token_unit("byte"), TokenUnit::byte);
  EXPECT_THAT(message_of<std::invalid_argument>([] { token_unit("letter"); }), HasSubstr("letter"));
}

}  // namespace
}  // namespace attest::data
