// What is known of the law of observations: the class of laws for which an interval keeps its promise.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/statistics/confidence_sequence.hpp"

namespace attest::statistics {

/// What an interval's promise rests on.
enum class Promise : std::uint8_t {
  range,       ///< every observation lies in a known range
  variance,    ///< a known bound of the variance
  kurtosis,    ///< a known bound of E (X - mean)^4 / variance^2; the variance is not known
  symmetric,   ///< the law is symmetric about its centre
  asymptotic,  ///< nothing is known: the interval is that of normal observations, which means of many approach
};

/// A class of laws of independent observations with a common mean.
struct LawClass {
  Promise promise = Promise::asymptotic;
  Range within{};    ///< of Promise::range
  double bound = 0;  ///< of Promise::variance and Promise::kurtosis

  static LawClass asymptotic() { return {}; }
  static LawClass in_range(double lower, double upper) { return {Promise::range, {lower, upper}}; }
  static LawClass variance_below(double bound) { return {Promise::variance, {}, bound}; }
  static LawClass kurtosis_below(double bound) { return {Promise::kurtosis, {}, bound}; }
};

/// "range", "variance", "kurtosis", "symmetric" or "asymptotic": the word in files.
const char* name(Promise promise);

/// What an interval of the class promises, as a clause that follows "the interval": "holds for every law on [0, 1]",
/// ..., "is asymptotic: ...".
std::string promise_clause(const LawClass& known);

}  // namespace attest::statistics
