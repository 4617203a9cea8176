// A short exact number near a computed one.
#pragma once

#include <optional>
#include <string>

namespace attest::referee {

/// A number as the language writes it, "1/8" or "sqrt(2)/2", and its value.
struct ClosedForm {
  std::string text;
  double value = 0;
  int complexity = 0;  ///< numerator times denominator, twice that with a root or a constant
};

/// The simplest p/q times 1, a root, pi, e or log 2 (q up to 48) within `relative` of `value` (> 0), if any is so
/// simple that chance would not give it: expected number of such forms in the window below 1e-2.
std::optional<ClosedForm> closed_form(double value, double relative);

}  // namespace attest::referee
