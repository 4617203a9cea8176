#include "theorems/engine/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::engine {

Inputs::Inputs(std::initializer_list<Entry> entries) {
  for (const auto& [entry_name, values] : entries) add(entry_name, values);
}

void Inputs::add(std::string name, std::vector<double> values) {
  if (name.empty()) throw std::invalid_argument("an input needs a name");
  if (has(name)) throw std::invalid_argument(fmt::format("the input '{}' is given twice", name));
  entries_.emplace_back(std::move(name), std::move(values));
}

std::span<const double> Inputs::operator[](std::string_view name) const {
  for (const auto& [entry_name, values] : entries_)
    if (entry_name == name) return values;
  throw std::invalid_argument(fmt::format("the input '{}' is missing", name));
}

double Inputs::scalar(std::string_view name) const {
  const auto values = (*this)[name];
  if (values.size() != 1)
    throw std::invalid_argument(
        fmt::format("the input '{}' has {} numbers where one is expected", name, values.size()));
  return values.front();
}

bool Inputs::has(std::string_view name) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.first == name; });
}

bool Inputs::all_finite() const {
  for (const auto& [entry_name, values] : entries_)
    if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) return false;
  return true;
}

}  // namespace attest::engine
