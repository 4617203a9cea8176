// What is asked of a target: the trial that is made of a case.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace attest::judge {

/// The first three compare values with what belongs, as does `rounding_bias`; the others, described in
/// trial/properties.hpp, compare calls with each other.
enum class Property : std::uint8_t {
  values,
  strides,
  far_strides,
  leak,
  causality,
  padding,
  permutation,
  shift,
  linearity,
  heads,
  sequences,
  alone,
  mates,
  repeat,
  other_options,
  own_differences,
  rounding_bias,
  drawn_dropout
};

/// In files and messages.
inline constexpr auto property_words = std::to_array<std::pair<Property, std::string_view>>({
    {Property::values, "values"},
    {Property::strides, "strides"},
    {Property::far_strides, "far strides"},
    {Property::leak, "leak"},
    {Property::causality, "causality"},
    {Property::padding, "padding"},
    {Property::permutation, "permutation"},
    {Property::shift, "shift"},
    {Property::linearity, "linearity"},
    {Property::heads, "heads"},
    {Property::sequences, "sequences"},
    {Property::alone, "alone"},
    {Property::mates, "mates"},
    {Property::repeat, "repeat"},
    {Property::other_options, "other options"},
    {Property::own_differences, "own differences"},
    {Property::rounding_bias, "bias of rounding"},
    {Property::drawn_dropout, "drawn dropout"},
});

constexpr std::string_view name(Property property) {
  return std::find_if(property_words.begin(), property_words.end(),
                      [&](const auto& row) { return row.first == property; })
      ->second;
}

/// Errors: std::invalid_argument when there is no such property.
inline Property property_named(std::string_view word) {
  for (const auto& [property, each] : property_words)
    if (each == word) return property;
  throw std::invalid_argument("the case's property '" + std::string(word) + "' is unknown");
}

/// Whether the case's own numbers are compared with what belongs, at whatever strides.
constexpr bool compares_values(Property property) {
  return property == Property::values || property == Property::strides || property == Property::far_strides;
}

}  // namespace attest::judge
