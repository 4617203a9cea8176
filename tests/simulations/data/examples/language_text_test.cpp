#include "simulations/data/examples/language_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/data/files/malformed_data.hpp"
#include "tests/simulations/scratch_folder.hpp"
#include "tests/simulations/shared_data.hpp"

namespace attest::data {
namespace {

TEST(CutText, cuts_between_characters_and_loses_none) {
  const std::string text = "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9z";
  const auto two = cut_text(text, {0.9, 0.1}, TokenUnit::character);
  EXPECT_EQ(two.train.size(), 18U);
  EXPECT_EQ(two.validation, "z");
  EXPECT_EQ(two.test, "");
  const auto three = cut_text(text, {0.5, 0.25}, TokenUnit::character);
  EXPECT_EQ(three.train + three.validation + three.test, text);
  EXPECT_EQ(three.validation.size(), 4U);
  EXPECT_THROW(cut_text(text, {0.9, 0.2}, TokenUnit::character), std::invalid_argument);
}

TEST(CutText, cuts_words_between_lines) {
  const auto cut = cut_text("a b\nc d\ne\nf", {0.5, 0.25}, TokenUnit::word);
  EXPECT_EQ(cut.train, "a b\nc d\n");
  EXPECT_EQ(cut.validation, "e\n");
  EXPECT_EQ(cut.test, "f");
}

TEST(LanguageText, of_three_files_keeps_its_splits_and_learns_words_from_the_first) {
  const ScratchFolder scratch;
  scratch.write("wikitext-2/train.txt", " a <unk> \n");
  scratch.write("wikitext-2/valid.txt", " a b \n");
  scratch.write("wikitext-2/test.txt", " b \n");
  const LanguageText text = load_language_text("wikitext-2", TokenUnit::word, {}, scratch.path());
  EXPECT_THAT(text.tokens.train, testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(text.tokens.validation, testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(text.tokens.test, testing::ElementsAre(1, 2));
}

TEST(LanguageText, without_a_training_part_is_refused) {
  EXPECT_THROW(encode_text("text", {"", "a", ""}, TokenUnit::byte), MalformedData);
}

TEST(TinyShakespeare, has_nanogpts_counts) {
  ATTEST_NEEDS_DATA("tinyshakespeare");
  const LanguageText text = load_language_text("tinyshakespeare", TokenUnit::character, {0.9, 0.1}, "");
  EXPECT_EQ(text.vocabulary.tokens.size(), 65U);
  EXPECT_EQ(text.tokens.train.size(), 1003854U);
  EXPECT_EQ(text.tokens.validation.size(), 111540U);
}

TEST(WikiText2, has_the_published_token_counts) {
  ATTEST_NEEDS_DATA("wikitext-2");
  const auto file = find_data_file(*find_data_set("wikitext-2"), "test.txt", "");
  const LanguageText text = load_language_text(file->string(), TokenUnit::word, {1, 0}, "");
  EXPECT_EQ(text.tokens.train.size(), 245569U);      // with one <eos> a line
  EXPECT_EQ(text.vocabulary.tokens.size(), 14143U);  // with <eos>
}

}  // namespace
}  // namespace attest::data
