// What is said where the grammar cannot go on.
#pragma once

#include <cstddef>
#include <string>

#include "theorems/language/problem.hpp"
#include "theorems/language/reading/source_text.hpp"

namespace attest::language {

/// The problem at byte `at` of the plain text, where `expected` ("')'", "a set") would have to stand: names what stands
/// there instead, the bracket that is still open, or how the thing that was probably meant is written.
Problem unexpected(const SourceText& text, std::size_t at, const std::string& expected);

}  // namespace attest::language
