#include <algorithm>

#include <fmt/core.h>

#include "reports/text/numbers.hpp"
#include "simulations/data/files/csv.hpp"
#include "simulations/data/files/lines.hpp"
#include "simulations/data/text/labelled_texts.hpp"
#include "simulations/data/text/text.hpp"

namespace attest::data {
namespace {

LabelVocabulary sentiments() { return {{"negative", "positive"}}; }

std::vector<std::filesystem::path> reviews(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  if (error || files.empty()) refuse(folder.string(), "holds no review (*.txt); name IMDb's folder with neg and pos");
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

LabelledTexts select(const LabelledTexts& texts, std::span<const std::size_t> indices) {
  LabelledTexts chosen;
  chosen.classes = texts.classes;
  for (const std::size_t index : indices) {
    chosen.texts.push_back(texts.texts.at(index));
    chosen.labels.push_back(texts.labels.at(index));
  }
  return chosen;
}

Splits<LabelledTexts> parse_imdb_csv(std::string_view bytes, const std::string& name) {
  check_text(bytes, name);
  CsvReader reader(bytes, name);
  std::vector<std::string> fields;
  std::size_t line = 0;
  reader.next(fields, line);
  if (fields != std::vector<std::string>{"label", "text", "is_valid"})
    refuse(place_of(name, 1), "the header is not label,text,is_valid; name a file of IMDb reviews in this form");
  Splits<LabelledTexts> splits;
  for (LabelledTexts* part : {&splits.train, &splits.validation, &splits.test}) part->classes = sentiments();
  while (reader.next(fields, line)) {
    const std::string place = place_of(name, line);
    if (fields.size() != 3) {
      refuse(place, fmt::format("{} where label, text and is_valid are needed; the file may be cut: fetch it again",
                                reports::counted(std::ssize(fields), "field")));
    }
    const auto label = splits.train.classes.find(fields[0]);
    if (!label) refuse(place, fmt::format("label {} where negative or positive is needed; fix it", cited(fields[0])));
    if (fields[1].empty()) refuse(place, "the review is empty; fetch the file again");
    if (fields[2] != "True" && fields[2] != "False") {
      refuse(place, fmt::format("is_valid is {} where True or False is needed; the file may be cut: fetch it again",
                                cited(fields[2])));
    }
    LabelledTexts& part = fields[2] == "True" ? splits.validation : splits.train;
    part.labels.push_back(*label);
    part.texts.push_back(std::move(fields[1]));
  }
  if (splits.train.texts.empty()) refuse(name, "holds no review to train on; fetch it again");
  return splits;
}

LabelledTexts read_imdb_folder(const std::filesystem::path& folder) {
  LabelledTexts texts;
  texts.classes = sentiments();
  std::int32_t label = 0;
  for (const char* sentiment : {"neg", "pos"}) {
    for (const auto& file : reviews(folder / sentiment)) {
      texts.texts.push_back(read_text(file));
      texts.labels.push_back(label);
    }
    ++label;
  }
  return texts;
}

}  // namespace attest::data
