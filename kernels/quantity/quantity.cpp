#include "kernels/quantity/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"

namespace attest::quantities {

std::vector<Quantity> build_all_quantities();  // in the generated file

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

constexpr double largest_integer = 0x1p53;

}  // namespace

std::string text(const Value& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  const double number = std::get<double>(value);
  if (number == std::floor(number) && std::abs(number) < 1e15) return fmt::format("{:.0f}", number);
  return fmt::format("{}", number);
}

Parameter Parameter::real(std::string name, double fallback, double least, double largest, std::string meaning) {
  return {std::move(name), std::move(meaning), Kind::real, fallback, least, largest};
}

Parameter Parameter::integer(std::string name, std::int64_t fallback, std::int64_t least, std::int64_t largest,
                             std::string meaning) {
  return {std::move(name),
          std::move(meaning),
          Kind::integer,
          static_cast<double>(fallback),
          static_cast<double>(least),
          static_cast<double>(largest)};
}

Parameter Parameter::word(std::string name, std::string fallback, std::vector<std::string> words, std::string meaning) {
  return {std::move(name), std::move(meaning), Kind::word, std::move(fallback), 0, 0, std::move(words)};
}

void Parameter::check(const Value& value) const {
  const auto* as_word = std::get_if<std::string>(&value);
  if (kind == Kind::word) {
    if (as_word == nullptr)
      refuse(fmt::format("{} = {}: it is a word, one of {}", name, text(value), fmt::join(words, ", ")));
    if (std::find(words.begin(), words.end(), *as_word) != words.end() || (also && also(*as_word))) return;
    refuse(fmt::format("{} = \"{}\": use one of {}", name, *as_word, fmt::join(words, ", ")));
  }
  const char* what = kind == Kind::integer ? "an integer" : "a number";
  if (as_word != nullptr)
    refuse(fmt::format("{} = \"{}\": it is {} from {} to {}", name, *as_word, what, text(least), text(largest)));
  const double number = std::get<double>(value);
  const bool whole = kind != Kind::integer || (number == std::floor(number) && std::abs(number) <= largest_integer);
  if (!(number >= least && number <= largest) || !whole)
    refuse(fmt::format("{} = {}: it is {} from {} to {}", name, text(value), what, text(least), text(largest)));
}

const Value& Arguments::at(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::logic_error(fmt::format("no parameter is called {}", name));
  return found->second;
}

double Arguments::real(std::string_view name) const {
  if (const auto* number = std::get_if<double>(&at(name))) return *number;
  throw std::logic_error(fmt::format("the parameter {} is a word", name));
}

std::int64_t Arguments::integer(std::string_view name) const { return static_cast<std::int64_t>(real(name)); }

const std::string& Arguments::word(std::string_view name) const {
  if (const auto* word = std::get_if<std::string>(&at(name))) return *word;
  throw std::logic_error(fmt::format("the parameter {} is a number", name));
}

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all = build_all_quantities();
  return all;
}

const Quantity& find_quantity(std::string_view name) {
  const auto& all = quantities();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Quantity& q) { return q.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string> known;
  known.reserve(all.size());
  for (const Quantity& quantity : all) known.push_back(quantity.name);
  refuse(fmt::format("no quantity is called {}{}", name,
                     names::did_you_mean(known, name, "`attest list --quantities` shows all")));
}

Arguments complete(const Quantity& quantity, const std::map<std::string, Value, std::less<>>& given) {
  std::map<std::string, Value, std::less<>> values;
  for (const Parameter& parameter : quantity.parameters) {
    const auto found = given.find(parameter.name);
    const Value& value = found == given.end() ? parameter.fallback : found->second;
    parameter.check(value);
    values.emplace(parameter.name, value);
  }
  for (const auto& [name, value] : given) {
    if (values.contains(name)) continue;
    std::vector<std::string> known;
    for (const Parameter& parameter : quantity.parameters) known.push_back(parameter.name);
    refuse(fmt::format("{} has no parameter {}; it takes {}", quantity.name, name, fmt::join(known, ", ")));
  }
  return Arguments(std::move(values));
}

const ResultSpec& result_named(const Quantity& quantity, std::string_view name) {
  const auto found = std::ranges::find(quantity.results, name, &ResultSpec::name);
  if (found == quantity.results.end())
    throw std::logic_error(fmt::format("{} has no result called {}", quantity.name, name));
  return *found;
}

std::optional<statistics::LawClass> interval_class(const Quantity& quantity, const ResultSpec& result,
                                                   const Arguments& arguments) {
  if (quantity.deterministic() || result.role == Role::reference) return std::nullopt;
  return result.known ? result.known(arguments) : statistics::LawClass::asymptotic();
}

const char* interval_word(const std::optional<statistics::LawClass>& known) {
  return known ? statistics::name(known->promise) : "enclosure";
}

Outcomes evaluate(const Quantity& quantity, const Arguments& arguments, const Execution& execution) {
  Outcomes outcomes = quantity.evaluate(arguments, execution);
  if (outcomes.size() != quantity.results.size())
    throw std::logic_error(
        fmt::format("{} gave {} outcomes for {} results", quantity.name, outcomes.size(), quantity.results.size()));
  for (const auto& [name, outcome] : outcomes) {
    result_named(quantity, name);
    if (!std::isnan(outcome.value) && !outcome.interval.contains(outcome.value))
      throw std::logic_error(fmt::format("{}: the interval of {} misses its value", quantity.name, name));
  }
  return outcomes;
}

}  // namespace attest::quantities
