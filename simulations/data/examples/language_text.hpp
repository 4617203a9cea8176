// Text for language modelling: one stream of tokens per split.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "simulations/data/files/splits.hpp"
#include "simulations/data/text/token_vocabulary.hpp"

namespace attest::data {

/// A text as tokens. A word vocabulary is made of the training part alone, character vocabularies of the whole text.
struct LanguageText {
  std::string name;
  TokenVocabulary vocabulary;
  Splits<std::vector<std::int32_t>> tokens;
};

/// How a text that is one file is cut: its first characters (lines for words) train, the next validate, the rest is the
/// test part. nanoGPT's Shakespeare has 0.9 and 0.1 and no test part.
struct TextFractions {
  double train = 0.9;
  double validation = 0.05;
};

/// Cuts a text at character (for words: line) boundaries into three parts: floor(train n) characters, the next
/// floor((train + validation) n) - floor(train n), and the rest, for n characters; words: the same for lines.
/// Errors: std::invalid_argument unless 0 < train, 0 <= validation and train + validation <= 1.
Splits<std::string> cut_text(const std::string& text, const TextFractions& fractions, TokenUnit unit);

/// Encodes three texts. Errors: MalformedData when the training part is empty, or validation or test hold a character
/// that is in no part.
LanguageText encode_text(std::string name, const Splits<std::string>& texts, TokenUnit unit);

/// The text of a catalogue entry, or of a file by its path. Entries with parts train, valid and test keep those splits
/// when all three files are there; otherwise the first part that is there is cut by `fractions`.
/// Memory: the text and 4 bytes per token. Errors: MissingData; MalformedData.
LanguageText load_language_text(const std::string& name_or_path, TokenUnit unit, const TextFractions& fractions,
                                const std::filesystem::path& data_dir);

}  // namespace attest::data
