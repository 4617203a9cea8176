#include "simulations/data/text/token_vocabulary.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "simulations/data/files/lines.hpp"
#include "simulations/data/text/text.hpp"

namespace attest::data {
namespace {

constexpr std::string_view end_of_line = "<eos>";
constexpr std::string_view unknown_word = "<unk>";

// Calls visit(token, line number) for every token of the text.
template <class Visit>
void for_each_token(std::string_view text, TokenUnit unit, Visit visit) {
  if (unit == TokenUnit::word) {
    LineReader reader(text);
    for (Line line; reader.next(line);) {
      std::string_view rest = line.text;
      while (!(rest = rest.substr(std::min(rest.find_first_not_of(" \t"), rest.size()))).empty()) {
        const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
        visit(rest.substr(0, end), line.number);
        rest.remove_prefix(end);
      }
      if (!reader.unfinished()) visit(end_of_line, line.number);
    }
    return;
  }
  std::size_t line = 1;
  for (std::size_t offset = 0; offset < text.size();) {
    const std::size_t length = unit == TokenUnit::byte ? 1 : std::max<std::size_t>(character_length(text, offset), 1);
    visit(text.substr(offset, length), line);
    if (text[offset] == '\n') ++line;
    offset += length;
  }
}

void add(TokenVocabulary& vocabulary, std::string_view token) {
  const auto next = static_cast<std::int32_t>(vocabulary.tokens.size());
  if (!vocabulary.index.emplace(token, next).second) return;
  vocabulary.tokens.emplace_back(token);
  if (vocabulary.unit == TokenUnit::word && token == unknown_word) vocabulary.unknown = next;
}

}  // namespace

TokenUnit token_unit(std::string_view name) {
  if (name == "character") return TokenUnit::character;
  if (name == "byte") return TokenUnit::byte;
  if (name == "word") return TokenUnit::word;
  throw std::invalid_argument(fmt::format("unknown token unit '{}': use character, byte or word", name));
}

std::vector<std::int32_t> TokenVocabulary::encode(std::string_view text, const std::string& name) const {
  std::vector<std::int32_t> ids;
  if (unit != TokenUnit::word) ids.reserve(text.size());
  std::string key;
  for_each_token(text, unit, [&](std::string_view token, std::size_t line) {
    key = token;
    const auto found = index.find(key);
    if (found == index.end() && unknown < 0) {
      refuse(place_of(name, line), fmt::format("{} is not in the vocabulary of {} tokens; build the vocabulary from a "
                                               "text that has it",
                                               cited(token), tokens.size()));
    }
    ids.push_back(found == index.end() ? unknown : found->second);
  });
  return ids;
}

std::string TokenVocabulary::decode(const std::vector<std::int32_t>& ids) const {
  std::string text;
  for (const std::int32_t id : ids) {
    const std::string& token = tokens.at(static_cast<std::size_t>(id));
    if (unit == TokenUnit::word && token == end_of_line) {
      text += '\n';
      continue;
    }
    if (unit == TokenUnit::word && !text.empty() && text.back() != '\n') text += ' ';
    text += token;
  }
  return text;
}

TokenVocabulary character_vocabulary(std::string_view text) {
  // UTF-8 sorts as its code points do.
  std::set<std::string_view> distinct;
  for_each_token(text, TokenUnit::character, [&](std::string_view token, std::size_t) { distinct.insert(token); });
  TokenVocabulary vocabulary;
  for (const std::string_view token : distinct) add(vocabulary, token);
  return vocabulary;
}

TokenVocabulary byte_vocabulary() {
  TokenVocabulary vocabulary;
  vocabulary.unit = TokenUnit::byte;
  for (int byte = 0; byte < 256; ++byte) add(vocabulary, std::string(1, static_cast<char>(byte)));
  return vocabulary;
}

TokenVocabulary word_vocabulary(std::string_view text, std::size_t largest_size) {
  std::unordered_map<std::string_view, std::size_t> place;
  std::vector<std::pair<std::string_view, std::int64_t>> counted;  // in the order of their first appearance
  for_each_token(text, TokenUnit::word, [&](std::string_view token, std::size_t) {
    const auto [found, added] = place.emplace(token, counted.size());
    if (added) counted.emplace_back(token, 0);
    ++counted[found->second].second;
  });
  if (largest_size != 0 && counted.size() > largest_size) {
    std::stable_sort(counted.begin(), counted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    counted.resize(largest_size);
  }
  TokenVocabulary vocabulary;
  vocabulary.unit = TokenUnit::word;
  for (const auto& entry : counted) add(vocabulary, entry.first);
  add(vocabulary, unknown_word);
  add(vocabulary, end_of_line);
  return vocabulary;
}

TokenVocabulary fixed_words(const std::vector<std::string>& words) {
  TokenVocabulary vocabulary;
  vocabulary.unit = TokenUnit::word;
  for (const std::string& word : words) {
    if (vocabulary.index.contains(word)) throw std::invalid_argument(fmt::format("the word {} occurs twice", word));
    add(vocabulary, word);
  }
  vocabulary.unknown = -1;
  return vocabulary;
}

}  // namespace attest::data
