// Vocabularies of language models: characters, bytes or words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attest::data {

/// What one token of a text is.
enum class TokenUnit {
  character,  ///< a Unicode character
  byte,       ///< a byte of the UTF-8 text
  word,       ///< what stands between blanks, as in WikiText; every line end is the token <eos>
};

/// The unit of that name ("character", "byte" or "word"). Errors: std::invalid_argument naming the three.
TokenUnit token_unit(std::string_view name);

/// Token `i` is spelled tokens[i].
struct TokenVocabulary {
  TokenUnit unit = TokenUnit::character;
  std::vector<std::string> tokens;
  std::unordered_map<std::string, std::int32_t> index;
  std::int32_t unknown = -1;  ///< the index of <unk>; -1 where the vocabulary has none

  /// The tokens of well-formed UTF-8 text; `name` stands for the text in messages. Tokens outside the vocabulary are
  /// <unk> where there is one. Errors: MalformedData naming line and token where there is none.
  std::vector<std::int32_t> encode(std::string_view text, const std::string& name) const;

  /// The text that these tokens spell: words with a blank between them, <eos> as a line end. Errors: std::out_of_range.
  std::string decode(const std::vector<std::int32_t>& ids) const;
};

/// All distinct characters of the text in the order of their code points, as nanoGPT's character level has them.
TokenVocabulary character_vocabulary(std::string_view text);

/// The 256 bytes; byte b is token b.
TokenVocabulary byte_vocabulary();

/// The words of the text in the order of their first appearance; <unk> (added when the text has none) and <eos> too.
/// At most `largest_size` of them, the most frequent, when that is not 0. Memory: a few times the distinct words.
TokenVocabulary word_vocabulary(std::string_view text, std::size_t largest_size = 0);

/// A vocabulary of exactly these words, without <unk> and <eos>. Errors: std::invalid_argument when one occurs twice.
TokenVocabulary fixed_words(const std::vector<std::string>& words);

}  // namespace attest::data
