#include "reports/files/json_place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/terminal.hpp"

namespace attest::reports {
namespace {

constexpr std::size_t longest_list_in_text = 12;

/// What stands at a place, short enough for an error message.
std::string shown(const nlohmann::ordered_json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  std::string text = value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

}  // namespace

void JsonPlace::reject(std::string_view complaint) const {
  throw MalformedResults(fmt::format("{}: {} {}; run 'attest check' again to rewrite it", source_,
                                     path_.empty() ? "the document" : path_, complaint));
}

JsonPlace JsonPlace::at(const std::string& key) const {
  if (!value_->is_object()) reject(fmt::format("is {}, expected an object with a member \"{}\"", shown(*value_), key));
  const auto member = value_->find(key);
  if (member == value_->end()) reject(fmt::format("lacks the member \"{}\"", key));
  return {*member, source_, path_.empty() ? key : path_ + "." + key};
}

std::optional<JsonPlace> JsonPlace::find(const std::string& key) const {
  if (!value_->is_object()) reject(fmt::format("is {}, expected an object", shown(*value_)));
  const auto member = value_->find(key);
  if (member == value_->end() || member->is_null()) return std::nullopt;
  return at(key);
}

std::vector<JsonPlace> JsonPlace::elements() const {
  if (!value_->is_array()) reject(fmt::format("is {}, expected a list", shown(*value_)));
  std::vector<JsonPlace> places;
  places.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) {
    places.push_back({(*value_)[i], source_, fmt::format("{}[{}]", path_, i)});
  }
  return places;
}

std::vector<std::pair<std::string, JsonPlace>> JsonPlace::members() const {
  if (!value_->is_object()) reject(fmt::format("is {}, expected an object", shown(*value_)));
  std::vector<std::pair<std::string, JsonPlace>> places;
  for (const auto& [key, value] : value_->items()) places.emplace_back(key, at(key));
  return places;
}

std::string JsonPlace::string() const {
  if (!value_->is_string()) reject(fmt::format("is {}, expected a string", shown(*value_)));
  return value_->get<std::string>();
}

bool JsonPlace::boolean() const {
  if (!value_->is_boolean()) reject(fmt::format("is {}, expected true or false", shown(*value_)));
  return value_->get<bool>();
}

double JsonPlace::number() const {
  if (value_->is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value_->is_number()) reject(fmt::format("is {}, expected a number", shown(*value_)));
  return value_->get<double>();
}

std::int64_t JsonPlace::count() const {
  constexpr double exact = 0x1p53;
  if (value_->is_number_float()) {
    const auto number = value_->get<double>();
    if (number >= 0 && number <= exact && number == std::floor(number)) return static_cast<std::int64_t>(number);
  } else if (value_->is_number_unsigned()) {
    const auto number = value_->get<std::uint64_t>();
    if (std::in_range<std::int64_t>(number)) return static_cast<std::int64_t>(number);
  } else if (value_->is_number_integer() && value_->get<std::int64_t>() >= 0) {
    return value_->get<std::int64_t>();
  }
  reject(fmt::format("is {}, expected a whole number from 0 on", shown(*value_)));
}

std::vector<std::string> JsonPlace::strings() const {
  std::vector<std::string> list;
  for (const JsonPlace& place : elements()) list.push_back(place.string());
  return list;
}

std::vector<double> JsonPlace::numbers() const {
  std::vector<double> list;
  for (const JsonPlace& place : elements()) list.push_back(place.number());
  return list;
}

std::string JsonPlace::string_or_empty(const std::string& key) const {
  const auto place = find(key);
  return place ? place->string() : std::string();
}

std::optional<double> JsonPlace::number_if_any(const std::string& key) const {
  const auto place = find(key);
  return place ? std::optional(place->number()) : std::nullopt;
}

std::optional<std::int64_t> JsonPlace::count_if_any(const std::string& key) const {
  const auto place = find(key);
  return place ? std::optional(place->count()) : std::nullopt;
}

std::vector<std::string> JsonPlace::strings_if_any(const std::string& key) const {
  const auto place = find(key);
  return place ? place->strings() : std::vector<std::string>();
}

std::string JsonPlace::text() const {
  if (value_->is_string()) return value_->get<std::string>();
  if (value_->is_boolean()) return value_->get<bool>() ? "yes" : "no";
  if (value_->is_number_integer()) return value_->dump();
  if (value_->is_number()) return readable_number(value_->get<double>(), 6);
  if (value_->is_array()) {
    const auto places = elements();
    if (places.size() == 1) return places.front().text();
    std::string list = "(";
    for (std::size_t i = 0; i < places.size() && i < longest_list_in_text; ++i) {
      list += (i == 0 ? "" : ", ") + places[i].text();
    }
    if (places.size() > longest_list_in_text) list += fmt::format(", …, {} in all", places.size());
    return list + ")";
  }
  if (value_->is_object()) {
    std::string list;
    for (const auto& [key, place] : members()) list += (list.empty() ? "" : "; ") + key + " = " + place.text();
    return list;
  }
  return "none";
}

bool JsonPlace::is_null() const { return value_->is_null(); }
bool JsonPlace::is_number() const { return value_->is_number(); }
bool JsonPlace::is_string() const { return value_->is_string(); }
bool JsonPlace::is_array() const { return value_->is_array(); }
bool JsonPlace::is_object() const { return value_->is_object(); }

std::shared_ptr<const nlohmann::ordered_json> parse_json_file(const std::filesystem::path& file) {
  const std::string content = read_whole_file(file);
  // The error that follows says nothing of the place when a number is beyond double precision.
  const auto out_of_range = [&](const nlohmann::ordered_json::exception& error) {
    const std::string_view what = error.what();
    const std::size_t quote = what.find('\'');
    const std::size_t end = what.find('\'', quote + 1);
    const bool named = quote != std::string_view::npos && end != std::string_view::npos;
    return MalformedResults(
        fmt::format("{}: holds {}, which is beyond double precision; run 'attest check' again to "
                    "rewrite it",
                    file.string(), named ? cut_to(what.substr(quote + 1, end - quote - 1), 40) : "a number"));
  };
  try {
    return std::make_shared<const nlohmann::ordered_json>(nlohmann::ordered_json::parse(content));
  } catch (const nlohmann::ordered_json::parse_error& error) {
    const auto upto = static_cast<std::ptrdiff_t>(std::min(error.byte, content.size()));
    const auto line = 1 + std::count(content.begin(), content.begin() + upto, '\n');
    throw MalformedResults(
        fmt::format("{}: not valid JSON at line {} (byte {} of {}); run 'attest check' again to "
                    "rewrite it",
                    file.string(), line, error.byte, content.size()));
  } catch (const nlohmann::ordered_json::out_of_range& error) {
    throw out_of_range(error);
  }
}

}  // namespace attest::reports
