// Running text: strict UTF-8, word tokens, and the vocabulary of the most frequent words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attest::data {

/// Reads a text file, plain or gzip-compressed.
/// Errors: std::runtime_error when it cannot be read; MalformedData naming the file, line, offset and fix when it is
/// empty, holds a NUL byte, or is not well-formed UTF-8.
std::string read_text(const std::filesystem::path& path);

/// Refuses bytes that are not text, as read_text does; `name` stands for the file in messages.
void check_text(std::string_view bytes, const std::string& name);

/// Length in bytes of the well-formed UTF-8 character at `offset`; 0 when there is none.
std::size_t character_length(std::string_view bytes, std::size_t offset);

/// Word tokens of well-formed UTF-8 text, in order: maximal runs of letters and digits, with apostrophes inside a word
/// (' and U+2019, written '), ASCII letters folded to lower case. All else separates words: ASCII punctuation and
/// control characters, the punctuation of Latin-1, and the blocks U+2000-U+206F and U+3000-U+303F.
std::vector<std::string> word_tokens(std::string_view text);

/// The most frequent words of a text; word `i` is the (i+1)-th most frequent, ties in alphabetical order.
struct Vocabulary {
  std::vector<std::string> words;
  std::vector<std::int64_t> counts;  ///< occurrences of words[i]
  std::unordered_map<std::string, std::int32_t> index;

  /// Tokens as indices of words; tokens outside the vocabulary are left out, so that their neighbours become adjacent.
  std::vector<std::int32_t> encode(const std::vector<std::string>& tokens) const;
};

/// The vocabulary of the `largest_size` most frequent words that occur at least `least_count` times.
/// Errors: std::invalid_argument when no word qualifies.
Vocabulary build_vocabulary(const std::vector<std::string>& tokens, std::size_t largest_size, std::int64_t least_count);

}  // namespace attest::data
