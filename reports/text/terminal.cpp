#include "reports/text/terminal.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

#include "reports/text/markup.hpp"

namespace attest::reports {
namespace {

constexpr int narrowest = 40;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The UTF-8 character at the front of `text` (a stray byte counts as one).
std::string_view first_character(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && is_continuation(text[length])) ++length;
  return text.substr(0, length);
}

/// Combining accents U+0300 to U+036F and U+20D0 to U+20FF take no column of their own.
bool is_combining(std::string_view character) {
  if (character.size() == 2) {
    const auto lead = static_cast<unsigned char>(character[0]);
    return lead == 0xCC || (lead == 0xCD && static_cast<unsigned char>(character[1]) < 0xB0);
  }
  return character.size() == 3 && character.substr(0, 2) == "\xE2\x83" &&
         static_cast<unsigned char>(character[2]) >= 0x90;
}

std::string on_one_line(std::string_view text) {
  std::string line = printable(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace

Terminal terminal_of(int file_descriptor) {
  Terminal terminal;
  const bool is_terminal = ::isatty(file_descriptor) == 1;
  const char* columns = std::getenv("COLUMNS");
  winsize size{};
  if (columns != nullptr && std::atoi(columns) > 0) {
    terminal.columns = std::atoi(columns);
  } else if (is_terminal && ::ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.columns = size.ws_col;
  }
  terminal.columns = std::max(terminal.columns, narrowest);
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  terminal.colour = is_terminal && (no_colour == nullptr || *no_colour == '\0') &&
                    (term == nullptr || std::string_view(term) != "dumb");
  return terminal;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    const auto byte = static_cast<unsigned char>(text.front());
    const bool control = (byte < 0x20 && byte != '\n') || byte == 0x7F || is_bidirectional_mark(character);
    if (control) {
      result += ' ';
    } else {
      result += character;
    }
    text.remove_prefix(character.size());
  }
  return result;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    if (!is_combining(character)) ++width;
    text.remove_prefix(character.size());
  }
  return width;
}

std::string cut_to(std::string_view text, std::size_t width) {
  std::string line = on_one_line(text);
  if (display_width(line) <= width) return line;
  std::string result;
  std::string_view rest = line;
  for (std::size_t used = 0; !rest.empty();) {
    const std::string_view character = first_character(rest);
    if (!is_combining(character) && ++used >= width) break;
    result += character;
    rest.remove_prefix(character.size());
  }
  return width == 0 ? "" : result + "…";
}

std::string fit_to(std::string_view text, std::size_t width) {
  std::string result = cut_to(text, width);
  result.append(width - std::min(width, display_width(result)), ' ');
  return result;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    if (text.front() == '\n') {
      lines.emplace_back();
      text.remove_prefix(1);
      continue;
    }
    const std::string_view word = text.substr(0, text.find_first_of(" \n", 1));
    const bool fits = display_width(lines.back()) + display_width(word) <= width;
    if (!fits && !lines.back().empty()) lines.emplace_back();
    lines.back() += lines.back().empty() && word.front() == ' ' ? word.substr(1) : word;
    text.remove_prefix(word.size());
  }
  return lines;
}

std::string styled(std::string_view text, Style style, bool colour) {
  static constexpr std::array<std::string_view, 7> codes = {"0", "1", "2", "31", "32", "33", "35"};
  if (!colour || style == Style::plain) return std::string(text);
  return "\x1b[" + std::string(codes[static_cast<std::size_t>(style)]) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace attest::reports
