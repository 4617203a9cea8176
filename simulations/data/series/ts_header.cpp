#include "simulations/data/series/ts_header.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/core.h>

namespace attest::data {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  for (const std::string_view word : split(text, ' ')) {
    if (!trimmed(word).empty()) found.emplace_back(trimmed(word));
  }
  return found;
}

bool truth(const std::vector<std::string>& parts, const std::string& place) {
  const std::string value = parts.size() > 1 ? lower(parts[1]) : "";
  if (value != "true" && value != "false")
    refuse(place, fmt::format("{} is {} where true or false is needed; correct it", parts[0], cited(value)));
  return value == "true";
}

std::size_t positive(const std::vector<std::string>& parts, const std::string& place) {
  const std::string value = parts.size() > 1 ? parts[1] : "";
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number == 0)
    refuse(place,
           fmt::format("{} is {} where a whole number of at least 1 is needed; correct it", parts[0], cited(value)));
  return number;
}

void set_classes(TsHeader& header, const std::vector<std::string>& parts, const std::string& place) {
  if (!truth(parts, place)) {
    header.regression = true;
    return;
  }
  header.classes.assign(parts.begin() + 2, parts.end());
  if (header.classes.empty()) refuse(place, "@classLabel true names no class; list them after it");
  const std::set<std::string> distinct(header.classes.begin(), header.classes.end());
  if (distinct.size() != header.classes.size()) refuse(place, "@classLabel names a class twice; list each once");
}

void set_key(TsHeader& header, const std::string& key, const std::vector<std::string>& parts,
             const std::string& place) {
  if (key == "@problemname") {
    header.problem = parts.size() > 1 ? parts[1] : "";
  } else if (key == "@timestamps") {
    if (truth(parts, place)) refuse(place, "the file has timestamps, which are not read; write it without them");
  } else if (key == "@missing") {
    header.missing = truth(parts, place);
  } else if (key == "@univariate") {
    header.univariate = truth(parts, place);
  } else if (key == "@equallength") {
    header.equal_length = truth(parts, place);
  } else if (key == "@dimensions" || key == "@dimension") {
    header.dimensions = positive(parts, place);
  } else if (key == "@serieslength") {
    header.series_length = positive(parts, place);
  } else if (key == "@classlabel") {
    set_classes(header, parts, place);
  } else if (key == "@targetlabel") {
    if (!truth(parts, place)) refuse(place, "@targetLabel false leaves nothing to predict; name a set with targets");
    header.regression = true;
  } else {
    refuse(place, fmt::format("{} is not a key of a .ts header; correct or remove it", cited(parts[0])));
  }
}

void check_header(const TsHeader& header, const std::string& place) {
  if (header.regression && !header.classes.empty())
    refuse(place, "the header has both class labels and targets; keep one of @classLabel and @targetLabel");
  if (!header.regression && header.classes.empty())
    refuse(place, "the header lacks @classLabel or @targetLabel; add the one that the last field is");
  if (header.univariate == true && header.dimensions.value_or(1) != 1)
    refuse(place, fmt::format("@univariate is true and @dimensions is {}; correct one", *header.dimensions));
  if (header.equal_length == false && header.series_length)
    refuse(place, "@equalLength is false and @seriesLength is given; remove one");
}

}  // namespace

TsHeader read_ts_header(LineReader& reader, const std::string& name) {
  TsHeader header;
  std::set<std::string> seen;
  Line line;
  while (reader.next(line)) {
    const std::string_view text = trimmed(line.text);
    if (text.empty() || text.front() == '#') continue;
    const std::string place = place_of(name, line.number);
    if (text.front() != '@') refuse(place, fmt::format("{} stands before @data; put @data before it", cited(text)));
    const std::vector<std::string> parts = words(text);
    const std::string key = lower(parts[0]);
    if (key == "@data") {
      check_header(header, place);
      return header;
    }
    if (!seen.insert(key).second) refuse(place, fmt::format("{} is given twice; keep one", parts[0]));
    set_key(header, key, parts, place);
  }
  refuse(name, fmt::format("is truncated: @data does not come in its {} lines; fetch it again", line.number));
}

}  // namespace attest::data
