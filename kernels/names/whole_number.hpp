// Whole numbers of a user's JSON.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace attest::names {

/// The value as a whole number; 4.0 is one. `Json` is a type of nlohmann's library, whose own conversion casts 1e20,
/// cuts 4.5 and wraps 2^64 - 1 without a word: what others may have written is read by this. Errors:
/// std::invalid_argument, beginning with `what` ("'seeds' of table.json"), where `Whole` does not hold the value.
template <std::integral Whole, typename Json>
Whole whole_number(const Json& value, std::string_view what) {
  constexpr double exact = 0x1p53;
  if (value.is_number_unsigned()) {
    const auto number = value.template get<std::uint64_t>();
    if (std::in_range<Whole>(number)) return static_cast<Whole>(number);
  } else if (value.is_number_integer()) {
    const auto number = value.template get<std::int64_t>();
    if (std::in_range<Whole>(number)) return static_cast<Whole>(number);
  } else if (value.is_number_float()) {
    const auto number = value.template get<double>();
    if (std::abs(number) <= exact && number == std::floor(number) &&
        std::in_range<Whole>(static_cast<std::int64_t>(number)))
      return static_cast<Whole>(number);
  }
  constexpr std::size_t most_quoted = 60;
  throw std::invalid_argument(
      fmt::format("{} is {} where a whole number from {} to {} belongs", what,
                  value.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, most_quoted),
                  std::numeric_limits<Whole>::min(), std::numeric_limits<Whole>::max()));
}

}  // namespace attest::names
