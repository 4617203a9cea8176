// Mathematics as people type it in plain text, set as HTML.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports::html {

/// Whether long decimals are shortened for reading.
enum class Digits { exact, rounded };

/// Escaped text with symbols for what is plainly meant as mathematics: names of Greek letters, indices, powers, primes
/// and accents after a symbol, relations and arrows (<=, !=, ->, =>, <~), +/-, ||, sqrt, int_, sum_ and prod_,
/// exponents of decimal numbers ("1.02e+03" as 1020, beyond 10^5 and below 1 as powers of ten), minus signs. Words and
/// identifiers
/// ("snr_boosting", "0x1e3") stay as they are. With `Digits::rounded`, enclosures [m +/- r] shrink to the digits of m
/// that are certain (six at most) and decimals of twelve digits and more to six; with `Digits::exact` no digit goes.
std::string set_ascii_mathematics(std::string_view text, Digits digits);

}  // namespace attest::reports::html
