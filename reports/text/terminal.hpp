// What a terminal can show: its width, its colours, and text cut to fit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attest::reports {

/// How to write for whoever reads the output.
struct Terminal {
  int columns = 100;
  bool colour = false;
};

/// The terminal behind a file descriptor (1 is standard output). Columns: the COLUMNS variable, else what the terminal
/// says, else 100; never below 40. Colour: only on a terminal, and not when NO_COLOR is set or TERM is "dumb".
Terminal terminal_of(int file_descriptor);

/// How many columns UTF-8 `text` takes: one per character, none for a combining accent.
std::size_t display_width(std::string_view text);

/// `text` without what a terminal would obey: control characters other than the line break become spaces, and so do the
/// marks that turn the direction of writing.
std::string printable(std::string_view text);

/// `text` on one line (line breaks become spaces), cut to `width` columns with an ellipsis where it is longer.
std::string cut_to(std::string_view text, std::size_t width);

/// The same, filled up with spaces on the right.
std::string fit_to(std::string_view text, std::size_t width);

/// `text` broken at spaces into lines of at most `width` columns (a longer word stays whole). Its own line breaks are
/// kept; there is at least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Colours and weights of the eight-colour terminal.
enum class Style { plain, bold, dim, red, green, yellow, magenta };

/// `text` in that style, or as it is when `colour` is false.
std::string styled(std::string_view text, Style style, bool colour);

}  // namespace attest::reports
