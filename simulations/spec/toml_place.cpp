#include "simulations/spec/toml_place.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"

namespace attest::spec {

using quantities::Value;

std::string TomlPlace::place_of(std::string_view key) const {
  const toml::node* at = table_->get(key);
  const auto line = (at == nullptr ? table_->source() : at->source()).begin.line;
  return fmt::format("{}, line {}", source_, std::max(1U, line));
}

void TomlPlace::reject(std::string_view key, const std::string& sentence) const {
  throw std::invalid_argument(fmt::format("{}: {}", place_of(key), sentence));
}

const toml::node& TomlPlace::node(std::string_view key) {
  read_.emplace(key);
  const toml::node* found = table_->get(key);
  if (found == nullptr) reject(key, fmt::format("{} lacks the key {}; give it", what_, key));
  return *found;
}

std::string TomlPlace::string(std::string_view key) {
  const auto text = node(key).value_exact<std::string>();
  if (!text) reject(key, fmt::format("{} of {} is not text; write it in quotes", key, what_));
  return *text;
}

std::string TomlPlace::string_or(std::string_view key, const std::string& fallback) {
  return has(key) ? string(key) : fallback;
}

double TomlPlace::number(std::string_view key) {
  const Value read = value(key);
  if (const auto* number = std::get_if<double>(&read)) return *number;
  reject(key, fmt::format("{} of {} is a word; give a number", key, what_));
}

std::uint64_t TomlPlace::count(std::string_view key, std::uint64_t least, std::uint64_t most) {
  // 1e6 is a float in TOML, and what people write.
  const toml::node& at = node(key);
  const auto integer = at.value_exact<std::int64_t>();
  const auto floating = at.value_exact<double>();
  const bool whole = floating && *floating == std::floor(*floating) && std::abs(*floating) < 0x1p53;
  const std::int64_t read = integer ? *integer : (whole ? static_cast<std::int64_t>(*floating) : -1);
  if (read < 0 || static_cast<std::uint64_t>(read) < least || static_cast<std::uint64_t>(read) > most)
    reject(key, fmt::format("{} of {} is not an integer from {} to {}", key, what_, least, most));
  return static_cast<std::uint64_t>(read);
}

bool TomlPlace::flag(std::string_view key) {
  const auto value = node(key).value_exact<bool>();
  if (!value) reject(key, fmt::format("{} of {} is neither true nor false", key, what_));
  return *value;
}

std::string TomlPlace::choice(std::string_view key, const std::vector<std::string>& allowed,
                              const std::string& fallback) {
  std::string chosen = string_or(key, fallback);
  if (std::find(allowed.begin(), allowed.end(), chosen) == allowed.end())
    reject(key, fmt::format("{} of {} is \"{}\"; use one of {}", key, what_, chosen, fmt::join(allowed, ", ")));
  return chosen;
}

std::vector<std::string> TomlPlace::strings(std::string_view key) {
  if (!is_list(key)) return {string(key)};
  std::vector<std::string> all;
  for (const Value& one : values(key)) {
    const auto* word = std::get_if<std::string>(&one);
    if (word == nullptr) reject(key, fmt::format("{} of {} holds a number; write names in quotes", key, what_));
    all.push_back(*word);
  }
  return all;
}

std::vector<TomlPlace> TomlPlace::tables(std::string_view key, const std::string& each) {
  std::vector<TomlPlace> all;
  if (!has(key)) return all;
  const toml::node& at = node(key);
  if (const toml::table* one = at.as_table()) return {TomlPlace(*one, source_, each)};
  const toml::array* list = at.as_array();
  if (list == nullptr || !list->is_homogeneous(toml::node_type::table))
    reject(key, fmt::format("{} of {} is not a table; write it under [[{}]]", key, what_, key));
  for (const toml::node& element : *list)
    all.emplace_back(*element.as_table(), source_, fmt::format("{} {}", each, all.size() + 1));
  return all;
}

std::optional<TomlPlace> TomlPlace::table(std::string_view key, std::string what) {
  if (!has(key)) return std::nullopt;
  const toml::table* one = node(key).as_table();
  if (one == nullptr) reject(key, fmt::format("{} of {} is not a table; write it under [{}]", key, what_, key));
  return TomlPlace(*one, source_, std::move(what));
}

std::vector<std::string> TomlPlace::keys() const {
  std::vector<std::pair<toml::source_position, std::string>> placed;
  for (const auto& [key, node] : *table_) placed.emplace_back(key.source().begin, std::string(key.str()));
  std::sort(placed.begin(), placed.end());
  std::vector<std::string> all;
  for (auto& [place, key] : placed) all.push_back(std::move(key));
  return all;
}

Value TomlPlace::value_of(const toml::node& node, std::string_view key) const {
  if (const auto word = node.value_exact<std::string>()) return *word;
  if (const auto number = node.value_exact<double>()) return *number;
  if (const auto integer = node.value_exact<std::int64_t>()) {
    if (std::abs(*integer) > (std::int64_t{1} << 53))
      reject(key, fmt::format("{} of {} holds {}, which is beyond 2^53", key, what_, *integer));
    return static_cast<double>(*integer);
  }
  reject(key, fmt::format("{} of {} is neither a number nor a word", key, what_));
}

Value TomlPlace::value(std::string_view key) { return value_of(node(key), key); }

bool TomlPlace::is_list(std::string_view key) const {
  const toml::node* at = table_->get(key);
  return at != nullptr && at->is_array();
}

bool TomlPlace::is_table(std::string_view key) const {
  const toml::node* at = table_->get(key);
  return at != nullptr && at->is_table();
}

std::vector<Value> TomlPlace::values(std::string_view key) {
  const toml::array* list = node(key).as_array();
  if (list == nullptr || list->empty())
    reject(key, fmt::format("{} of {} is not a list with at least one entry", key, what_));
  std::vector<Value> all;
  for (const toml::node& element : *list) all.push_back(value_of(element, key));
  return all;
}

std::vector<std::pair<double, double>> TomlPlace::pairs(std::string_view key) {
  std::vector<std::pair<double, double>> all;
  const toml::array* list = node(key).as_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const toml::array* pair = list->get(i)->as_array();
    if (pair == nullptr || pair->size() != 2) break;
    const Value x = value_of(*pair->get(0), key), y = value_of(*pair->get(1), key);
    if (!std::holds_alternative<double>(x) || !std::holds_alternative<double>(y)) break;
    all.emplace_back(std::get<double>(x), std::get<double>(y));
  }
  if (all.empty() || all.size() != list->size())
    reject(key, fmt::format("{} of {} is not a list of pairs of numbers, such as [[0, 0], [1, 1]]", key, what_));
  return all;
}

toml::table parse_toml(std::string_view text, std::string_view source) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& failure) {
    throw std::invalid_argument(fmt::format("{}, line {}: this is not valid TOML: {}", source,
                                            failure.source().begin.line, failure.description()));
  }
}

std::string without_place(const std::string& complaint) {
  const std::size_t colon = complaint.find(": ");
  return colon == std::string::npos ? complaint : complaint.substr(colon + 2);
}

void TomlPlace::refuse_unread() const {
  for (const std::string& key : keys()) {
    if (read_.contains(key)) continue;
    const std::vector<std::string> known(read_.begin(), read_.end());
    reject(key, fmt::format("{} has no key {}{}", what_, key, names::did_you_mean(known, key)));
  }
}

}  // namespace attest::spec
