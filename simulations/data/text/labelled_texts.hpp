// Texts with classes, as sentiment analysis and ListOps have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/data/files/labels.hpp"
#include "simulations/data/files/splits.hpp"

namespace attest::data {

/// Well-formed UTF-8 texts with one class each.
struct LabelledTexts {
  std::vector<std::string> texts;
  std::vector<std::int32_t> labels;
  LabelVocabulary classes;

  std::size_t count() const { return texts.size(); }
};

/// The examples of those indices, in that order. Errors: std::out_of_range.
LabelledTexts select(const LabelledTexts& texts, std::span<const std::size_t> indices);

/// SST-2 as GLUE has it, one header line and one sentence per line: "sentence<TAB>label", or the label first with the
/// header "label<TAB>sentence" or "label<TAB>content"; LF or CRLF. Labels 0 (negative) and 1 (positive). Blanks at the
/// sentence's ends are dropped. Memory: the file twice. `name` stands for the file in messages.
/// Errors: MalformedData naming line and fix when the header is another, a line does not have two fields, a label is
/// neither, a sentence is empty or not UTF-8; also when there is no sentence.
LabelledTexts parse_sst2(std::string_view bytes, const std::string& name);

/// IMDb reviews as comma-separated values (RFC 4180) with the header label,text,is_valid: negative or positive, the
/// review, True for the validation part. The test part is empty. Memory: the file twice.
/// Errors: MalformedData naming line and fix, as parse_sst2; also when a quotation has no end.
Splits<LabelledTexts> parse_imdb_csv(std::string_view bytes, const std::string& name);

/// One part of the original IMDb folder: FOLDER/neg/*.txt and FOLDER/pos/*.txt, one review per file, in the order of
/// the file names, negative first. Errors: MalformedData when a folder is missing or empty, or a file is not text.
LabelledTexts read_imdb_folder(const std::filesystem::path& folder);

}  // namespace attest::data
