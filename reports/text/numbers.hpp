// Numbers as a reader wants them: few digits, no false precision, no noise.
#pragma once

#include <cstdint>
#include <string>

namespace attest::reports {

/// `value` with `digits` significant digits and without trailing zeros: plain between 1e-4 and 1e6, as "1.5e-07"
/// beyond. Infinities are "∞" and "-∞", what is not a number is "not a number".
std::string readable_number(double value, int digits = 4);

/// A count, rounded to an integer, its digits grouped by thin spaces from five digits on: "12 000 000". Every count
/// that people read is written by this, `counted` or `out_of`; values of variables, seeds and what is typed again are
/// not counts, and files for programs have plain digits. Precondition: finite.
std::string readable_count(double value);

/// A duration: "0.03 s", "41 s", "3 min 05 s", "2 h 07 min".
std::string readable_seconds(double seconds);

/// "1 statement", "2 statements": the count and the noun, in the plural that takes an s.
std::string counted(std::int64_t count, const std::string& noun);

/// The same for other plurals: counted(2, "box", "boxes").
std::string counted(std::int64_t count, const std::string& noun, const std::string& plural);

/// A fraction of `total`, as "37 of 40".
std::string out_of(std::int64_t count, std::int64_t total);

/// The same with the noun of `counted`: "37 of 40 statements".
std::string out_of(std::int64_t count, std::int64_t total, const std::string& noun);

}  // namespace attest::reports
