// Short witnesses: a violating point rounded as far as it still violates.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace attest::search {

/// Rounds the coordinates of `witness` to numbers with as few significant bits as possible (zero first, then powers of
/// two, then two bits, ...), greedily and only while `still_violates` holds at the rounded point.
///
/// Tries common roundings of all coordinates at once before it treats one after another, to nearest and toward zero,
/// and repeats until nothing changes. Deterministic. At most `evaluations` calls of the predicate; the best point found
/// so far is returned when they are spent. Binary digits, not decimal ones, since witnesses are stored as exact
/// hexadecimal floats. The predicate must also check the assumptions and the domain. Errors: std::invalid_argument if
/// `witness` itself does not satisfy the predicate or is not finite.
std::vector<double> shorten_witness(std::vector<double> witness,
                                    const std::function<bool(std::span<const double>)>& still_violates,
                                    std::int64_t evaluations = 10000);

/// `value` rounded to nearest (ties to even) with `bits` significant bits; 0 for no bits.
double round_to_bits(double value, int bits);

/// `value` cut off after `bits` significant bits: rounded toward zero; 0 for no bits.
double cut_to_bits(double value, int bits);

/// Significant bits of a finite number: the least b with round_to_bits(value, b) == value; 0 for zero.
int significant_bits(double value);

}  // namespace attest::search
