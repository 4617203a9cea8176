// What TeX's commands look like as characters.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports {

/// The characters of a command without its backslash, with the spaces round a relation; nullptr where there are none.
const std::string_view* tex_symbol(std::string_view command);

/// Whether a command only changes how things look or are spaced: it is dropped, its argument stays.
bool is_silent_tex(std::string_view command);

/// The combining character of an accent such as "hat"; nullptr for what is none.
const std::string_view* tex_accent(std::string_view command);

/// The double-struck form of a letter; nullptr where there is none.
const std::string_view* double_struck(std::string_view letter);

/// `text` in raised or lowered characters; empty when one of them does not exist.
std::string raised(std::string_view text);
std::string lowered(std::string_view text);

}  // namespace attest::reports
