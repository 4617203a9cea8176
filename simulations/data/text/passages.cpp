#include "simulations/data/text/passages.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "kernels/random/stream.hpp"
#include "simulations/data/text/text.hpp"

namespace attest::data {
namespace {

constexpr std::size_t block_verses = 20, blocks = 10;

/// "1Sm" of "1Sm3:4": digits, then letters.
std::string book_of(const Verse& verse) {
  std::size_t end = 0;
  const auto is_digit = [&] { return verse.reference[end] >= '0' && verse.reference[end] <= '9'; };
  while (end < verse.reference.size() && is_digit()) ++end;
  while (end < verse.reference.size() && !is_digit()) ++end;
  return verse.reference.substr(0, end);
}

/// Verses of one part, by their books.
struct Books {
  std::vector<std::size_t> starts;     ///< verses that a passage may begin with
  std::vector<std::size_t> block_end;  ///< of every verse: after the last of its block
  std::vector<std::size_t> book;       ///< of every verse: the number of its book
  std::vector<std::vector<std::size_t>> starts_of;
  std::size_t first_new = SIZE_MAX;  ///< the number of the first book of the New Testament
};

Books books_of(std::span<const Verse> verses, PassagePart part) {
  Books books;
  std::map<std::string, std::size_t> numbers;
  std::size_t begin = 0;
  for (std::size_t v = 0; v < verses.size(); ++v) {
    const std::string name = book_of(verses[v]);
    if (numbers.try_emplace(name, numbers.size()).second) {
      begin = v;
      books.starts_of.emplace_back();
      if (name == "Mat") books.first_new = numbers.at(name);
    }
    books.book.push_back(numbers.at(name));
    const std::size_t block = (v - begin) / block_verses, turn = block % blocks;
    const PassagePart of = turn + 2 < blocks    ? PassagePart::train
                           : turn + 2 == blocks ? PassagePart::validation
                                                : PassagePart::test;
    books.block_end.push_back(begin + (block + 1) * block_verses);
    if (of != part) continue;
    books.starts.push_back(v);
    books.starts_of[books.book.back()].push_back(v);
  }
  // The last block of a book ends with the book.
  for (std::size_t v = verses.size(); v-- > 0;) {
    std::size_t& end = books.block_end[v];
    end = std::min(end, verses.size());
    while (end > v + 1 && books.book[end - 1] != books.book[v]) --end;
  }
  return books;
}

std::string passage(std::span<const Verse> verses, const Books& books, std::size_t from, std::size_t bytes) {
  std::string text;
  for (std::size_t v = from; v < books.block_end[from] && text.size() < bytes; ++v)
    text += (text.empty() ? "" : " ") + verses[v].text;
  if (text.size() <= bytes) return text;
  // Between characters.
  std::size_t end = 0;
  while (end + character_length(text, end) <= bytes) end += character_length(text, end);
  return text.substr(0, end);
}

}  // namespace

LabelledTexts generate_passages(std::span<const Verse> verses, const PassageOptions& options, std::uint64_t seed,
                                std::uint64_t first, std::size_t count) {
  const Books books = books_of(verses, options.part);
  std::vector<std::size_t> testaments[2];
  for (const std::size_t v : books.starts) testaments[books.book[v] >= books.first_new ? 1 : 0].push_back(v);
  if (testaments[0].empty() || testaments[1].empty())
    throw std::invalid_argument("a Testament has no verse in this part; give the whole Bible");
  LabelledTexts out;
  out.classes = {{"Old Testament", "New Testament"}};
  for (std::size_t i = 0; i < count; ++i) {
    random::Stream stream(seed, random::stream_key("data/passages"), first + i);
    const std::size_t testament = stream.integer(2);
    const auto& starts = testaments[testament];
    out.texts.push_back(passage(verses, books, starts[stream.integer(starts.size())], options.bytes));
    out.labels.push_back(static_cast<std::int32_t>(testament));
  }
  return out;
}

LabelledPairs generate_passage_pairs(std::span<const Verse> verses, const PassageOptions& options, std::uint64_t seed,
                                     std::uint64_t first, std::size_t count) {
  const Books books = books_of(verses, options.part);
  // Books with a single verse in this part have no pair of their own: they are left out of both classes.
  std::vector<std::size_t> starts;
  for (const std::size_t v : books.starts)
    if (books.starts_of[books.book[v]].size() > 1) starts.push_back(v);
  if (starts.empty() || books.starts_of[books.book[starts.front()]].size() == starts.size())
    throw std::invalid_argument("fewer than two books have two verses in this part; give the whole Bible");
  LabelledPairs out;
  out.classes = {{"different books", "same book"}};
  for (std::size_t i = 0; i < count; ++i) {
    random::Stream stream(seed, random::stream_key("data/passage-pairs"), first + i);
    const std::size_t a = starts[stream.integer(starts.size())];
    const bool same = stream.integer(2) == 1;
    const auto& own = books.starts_of[books.book[a]];
    std::size_t b = a;
    while (b == a || (books.book[b] == books.book[a]) != same)
      b = same ? own[stream.integer(own.size())] : starts[stream.integer(starts.size())];
    out.first.push_back(passage(verses, books, a, options.bytes));
    out.second.push_back(passage(verses, books, b, options.bytes));
    out.labels.push_back(same ? 1 : 0);
  }
  return out;
}

}  // namespace attest::data
