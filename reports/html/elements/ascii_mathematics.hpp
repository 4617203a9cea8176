// Mathematics as people type it in plain text, set as HTML.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports::html {

/// Whether long decimals are shortened for reading.
enum class Digits { exact, rounded };

/// Escaped text with symbols for what is plainly meant as mathematics: names of Greek letters, `_` and `^` after a
/// symbol, <=, >=, !=, ->, +/-, ||, sqrt, a tilde after a symbol, exponents of decimal numbers, minus signs. Words and
/// identifiers ("snr_boosting", "0x1e3") stay as they are. With `Digits::rounded`, enclosures [m +/- r] shrink to the
/// digits of m that are certain (six at most) and decimals of twelve digits and more to six.
std::string set_ascii_mathematics(std::string_view text, Digits digits);

}  // namespace attest::reports::html
