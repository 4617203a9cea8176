#include "simulations/spec/spec_reader.hpp"

#include <cmath>
#include <variant>

#include <fmt/format.h>

namespace attest::spec {

using attention::Index;

Index SpecReader::count(std::string_view key, Index fallback, Index least, Index most) {
  if (!has(key)) return fallback;
  return static_cast<Index>(place_.count(key, static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most)));
}

double SpecReader::number(std::string_view key, double fallback, double least, double most) {
  if (!has(key)) return fallback;
  const double value = place_.number(key);
  if (!(value >= least && value <= most))
    place_.reject(key, fmt::format("{} is {}; give a number from {} to {}", key, value, least, most));
  return value;
}

bool SpecReader::flag(std::string_view key, bool fallback) { return has(key) ? place_.flag(key) : fallback; }

std::optional<SpecReader> SpecReader::table(const std::string& key) {
  auto found = place_.table(key, "[" + key + "]");
  return found ? std::optional<SpecReader>(std::move(*found)) : std::nullopt;
}

SpecReader SpecReader::required_table(const std::string& key) {
  auto found = table(key);
  if (!found) place_.reject(key, fmt::format("the experiment lacks [{}]; give it", key));
  return *found;
}

std::vector<SpecReader> SpecReader::tables(const std::string& key) {
  std::vector<SpecReader> all;
  for (TomlPlace& one : place_.tables(key, key)) all.emplace_back(std::move(one));
  if (all.empty()) place_.reject(key, fmt::format("the experiment lacks [[{}]]; give at least one", key));
  return all;
}

std::vector<Index> SpecReader::indices(std::string_view key) {
  std::vector<Index> all;
  if (!has(key)) return all;
  for (const auto& value : place_.values(key)) {
    const double* number = std::get_if<double>(&value);
    if (number == nullptr || *number < 0 || *number != std::floor(*number) || *number > 1e6)
      place_.reject(key, fmt::format("{} is not a list of whole numbers from 0 on", key));
    all.push_back(static_cast<Index>(*number));
  }
  return all;
}

std::vector<std::string> SpecReader::names(std::string_view key) {
  return has(key) ? place_.strings(key) : std::vector<std::string>();
}

}  // namespace attest::spec
