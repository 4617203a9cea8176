#include "simulations/data/examples/language_text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/data/files/lines.hpp"
#include "simulations/data/text/text.hpp"

namespace attest::data {
namespace {

// Offsets at which the units of the text begin, and its end.
std::vector<std::size_t> boundaries(const std::string& text, TokenUnit unit) {
  std::vector<std::size_t> starts;
  for (std::size_t offset = 0; offset < text.size();) {
    starts.push_back(offset);
    if (unit == TokenUnit::word) {
      const std::size_t end = text.find('\n', offset);
      offset = end == std::string::npos ? text.size() : end + 1;
    } else {
      offset += unit == TokenUnit::byte ? 1 : std::max<std::size_t>(character_length(text, offset), 1);
    }
  }
  starts.push_back(text.size());
  return starts;
}

// The part of that name, if its file is there.
std::optional<std::string> part_text(const DataSet& data_set, std::string_view part,
                                     const std::filesystem::path& data_dir) {
  for (const DataPart& candidate : data_set.parts) {
    if (candidate.name != part) continue;
    if (const auto file = find_data_file(data_set, candidate.file, data_dir)) return read_text(*file);
  }
  return std::nullopt;
}

}  // namespace

Splits<std::string> cut_text(const std::string& text, const TextFractions& fractions, TokenUnit unit) {
  const double both = fractions.train + fractions.validation;
  if (!(fractions.train > 0 && fractions.validation >= 0 && both <= 1 + 1e-12)) {
    throw std::invalid_argument(
        fmt::format("a text cannot be cut into {} for training and {} for validation; give "
                    "fractions whose sum is at most 1",
                    fractions.train, fractions.validation));
  }
  const std::vector<std::size_t> starts = boundaries(text, unit);
  const auto count = static_cast<double>(starts.size() - 1);
  // 0.9 + 0.1 may fall short of 1 by rounding; a last character must not go astray for it.
  const auto first = starts[static_cast<std::size_t>(std::floor(fractions.train * count))];
  const auto second = both >= 1 - 1e-12 ? text.size() : starts[static_cast<std::size_t>(std::floor(both * count))];
  return {text.substr(0, first), text.substr(first, second - first), text.substr(second)};
}

LanguageText encode_text(std::string name, const Splits<std::string>& texts, TokenUnit unit) {
  if (texts.train.empty()) refuse(name, "its training part is empty; give a longer text");
  LanguageText result;
  switch (unit) {
    case TokenUnit::character:
      result.vocabulary = character_vocabulary(texts.train + texts.validation + texts.test);
      break;
    case TokenUnit::byte:
      result.vocabulary = byte_vocabulary();
      break;
    case TokenUnit::word:
      result.vocabulary = word_vocabulary(texts.train);
      break;
  }
  result.tokens.train = result.vocabulary.encode(texts.train, name);
  result.tokens.validation = result.vocabulary.encode(texts.validation, name);
  result.tokens.test = result.vocabulary.encode(texts.test, name);
  result.name = std::move(name);
  return result;
}

LanguageText load_language_text(const std::string& name_or_path, TokenUnit unit, const TextFractions& fractions,
                                const std::filesystem::path& data_dir) {
  const DataSet* data_set = find_data_set(name_or_path);
  if (data_set != nullptr && data_set->format == DataFormat::text) {
    auto train = part_text(*data_set, "train", data_dir);
    auto validation = part_text(*data_set, "valid", data_dir);
    auto test = part_text(*data_set, "test", data_dir);
    if (train && validation && test) return encode_text(name_or_path, {*train, *validation, *test}, unit);
  }
  const Data data = load_data(name_or_path, data_dir, false);
  if (!std::holds_alternative<std::string>(data.content))
    refuse(data.origin, "holds images where a text is needed; name a text");
  return encode_text(data.name, cut_text(std::get<std::string>(data.content), fractions, unit), unit);
}

}  // namespace attest::data
