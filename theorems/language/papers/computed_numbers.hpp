// Numbers of a sentence that are computed as it is read: {= 100*(1 - 3/4)}.
#pragma once

#include <string>
#include <string_view>

namespace attest::language {

/// `prose` with each `{= FORMULA}` replaced by the value of the formula, which has no variables: rounded to three
/// significant digits or, `{= FORMULA to N digits}`, to N of 1 to 9, all digits before the point in any case, zeros
/// after the last other decimal left out. The rounding is certain: the value is enclosed by balls. Errors: `Problem`,
/// at its place in `prose`, for braces that do not close, a formula that cannot be read or is not one number, and one
/// too near to the middle between two numbers of so many digits.
std::string with_computed_numbers(std::string_view prose);

}  // namespace attest::language
