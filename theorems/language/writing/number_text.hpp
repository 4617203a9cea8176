// How exact numbers are written.
#pragma once

#include <string>

#include "kernels/rigor/rational.hpp"

namespace attest::language {

/// "12", "1/2", "0.71", "1e-30": whole numbers as they are, halves to ninths but fifths as fractions, other finite
/// decimals as decimals or with an exponent where that is shorter, and everything else as a fraction in lowest terms.
/// The language reads each back as the same number.
std::string number_text(const rigor::Rational& value);

}  // namespace attest::language
