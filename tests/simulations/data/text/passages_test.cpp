#include "simulations/data/text/passages.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace attest::data {
namespace {

using test_support::message_of;
using testing::HasSubstr;

/// Three books of 200 verses, each verse naming itself; the New Testament begins with Mat.
std::vector<Verse> bible() {
  std::vector<Verse> verses;
  for (const char* book : {"Ge", "1Sm", "Mat"})
    for (int v = 1; v <= 200; ++v) verses.push_back({fmt::format("{}1:{}", book, v), fmt::format("{}{:03}", book, v)});
  return verses;
}

/// The numbers of the verses that begin the words of a passage.
std::vector<int> verses_in(const std::string& text) {
  std::vector<int> numbers;
  for (std::size_t at = 0; at + 3 <= text.size(); ++at)
    if (std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(at) + 3,
                    [](char c) { return c >= '0' && c <= '9'; }))
      numbers.push_back(std::stoi(text.substr(at, 3)));
  return numbers;
}

TEST(Passages, of_one_part_share_no_verse_with_another_part) {
  const auto verses = bible();
  for (const auto& [part, least, greatest] :
       {std::tuple{PassagePart::train, 1, 160}, {PassagePart::validation, 161, 180}, {PassagePart::test, 181, 200}}) {
    const LabelledTexts found = generate_passages(verses, {.bytes = 40, .part = part}, 1, 0, 200);
    for (const std::string& text : found.texts) {
      EXPECT_LE(text.size(), 40U);
      for (const int verse : verses_in(text)) {
        EXPECT_GE(verse, least);
        EXPECT_LE(verse, greatest);
      }
    }
  }
}

TEST(Passages, know_their_testament) {
  const LabelledTexts found = generate_passages(bible(), {.bytes = 40}, 1, 0, 200);
  for (std::size_t i = 0; i < found.count(); ++i)
    EXPECT_EQ(found.labels[i] == 1, found.texts[i].starts_with("Mat")) << found.texts[i];
  const auto of_new = std::count(found.labels.begin(), found.labels.end(), 1);
  // Binomial(200, 1/2) is within six standard deviations.
  EXPECT_NEAR(static_cast<double>(of_new), 100, 6 * std::sqrt(50.0));
  EXPECT_EQ(generate_passages(bible(), {.bytes = 40}, 1, 5, 1).texts[0], found.texts[5]);
}

TEST(PassagePairs, know_whether_their_books_are_the_same) {
  const LabelledPairs found = generate_passage_pairs(bible(), {.bytes = 30}, 1, 0, 200);
  const auto book = [](const std::string& text) { return text.substr(0, 2); };
  for (std::size_t i = 0; i < found.count(); ++i) {
    EXPECT_EQ(found.labels[i] == 1, book(found.first[i]) == book(found.second[i]));
    EXPECT_NE(found.first[i], found.second[i]);
  }
}

TEST(Passages, refuse_a_bible_without_a_testament) {
  auto verses = bible();
  verses.resize(400);
  EXPECT_THAT(message_of<std::invalid_argument>([&] { generate_passages(verses, {}, 1, 0, 1); }),
              HasSubstr("a Testament has no verse"));
  verses.resize(200);
  EXPECT_THAT(message_of<std::invalid_argument>([&] { generate_passage_pairs(verses, {}, 1, 0, 1); }),
              HasSubstr("fewer than two books"));
}

}  // namespace
}  // namespace attest::data
