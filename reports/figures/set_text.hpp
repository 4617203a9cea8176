// Labels of figures: their mathematics set, and how wide they become.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest::reports {

/// Prose with formulas between dollars, in gnuplot's enhanced text: single Latin letters of a formula in italics,
/// indices and powers set below and above. Outside of them what is plainly typed as mathematics: "sigma", "W_Q",
/// "2^24", "<=". Every other character stands for itself.
std::string enhanced_text(std::string_view prose);

/// A tick's label ("2×10^{−7}") in enhanced text.
std::string enhanced_tick(std::string_view label);

/// The width of the set text in em of a sans serif font, estimated from above for what is usual in Latin text: from the
/// plain text's characters, by classes of their widths in DejaVu Sans.
double text_width(std::string_view plain);

/// Plain text cut with an ellipsis where it is wider than `most` em.
std::string cut_to_width(std::string_view plain, double most);

/// `prose` as enhanced text of at most `most` em, cut with an ellipsis where it is wider; what fits keeps its formulas.
std::string label_within(std::string_view prose, double most);

/// The same on up to `lines` lines, broken at spaces; no line for no text.
std::vector<std::string> lines_within(std::string_view prose, double most, std::size_t lines);

}  // namespace attest::reports
