#include "theorems/language/papers/paper_lines.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "theorems/language/papers/paper_file.hpp"
#include "theorems/language/reading/source_text.hpp"

namespace attest::language {
namespace {

constexpr std::size_t longest_file = 16U << 20U;

/// Characters, not bytes, of UTF-8.
int characters(std::string_view text) {
  return static_cast<int>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void check_encoding(std::string_view text, const std::string& file) {
  if (text.size() > longest_file) throw PaperProblem(file, {1, 1}, "the file is longer than 16 MiB; split the paper");
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw PaperProblem(file, {1, 1}, "the file is empty; begin with a line such as paper \"Title\"");
  const std::size_t bad = std::min(first_malformed_byte(text), text.find('\0'));
  if (bad == std::string_view::npos) return;
  const std::string_view before = text.substr(0, bad);
  const std::size_t line_start = before.rfind('\n') + 1;
  throw PaperProblem(
      file, {static_cast<int>(std::ranges::count(before, '\n')) + 1, characters(before.substr(line_start)) + 1},
      "the text is not UTF-8 from here on; save it in that encoding");
}

Indentation measured(std::string_view white_space) {
  constexpr int widest_tab = 8;
  Indentation indentation;
  for (const char c : white_space) {
    ++indentation.at_least;
    indentation.at_most += c == '\t' ? widest_tab - indentation.at_most % widest_tab : 1;
  }
  return indentation;
}

bool comparable(const Indentation& a, const Indentation& b) { return a == b || a.deeper_than(b) || b.deeper_than(a); }

}  // namespace

std::vector<PaperEntry> paper_entries(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  check_encoding(text, file);
  std::vector<PaperEntry> entries;
  std::string skipped;  // blank lines and comments within a value, which keep its lines where they are
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string_view::npos || line[start] == '#') {
      skipped += '\n';
      continue;
    }
    const int column = static_cast<int>(start) + 1;
    const Indentation indentation = measured(line.substr(0, start));
    if (!entries.empty() && !comparable(indentation, entries.back().indentation))
      throw PaperProblem(file, {number, column},
                         fmt::format("tabs and spaces: how wide a tab is would decide whether this line is indented "
                                     "deeper than line {}; indent both by spaces, or both by tabs",
                                     entries.back().place.line));
    if (!entries.empty() && indentation.deeper_than(entries.back().indentation) &&
        !(entries.back().key == "claim" || entries.back().key == "paper")) {
      entries.back().value += skipped + '\n' + std::string(line);
      skipped.clear();
      continue;
    }
    skipped.clear();
    const std::string_view rest = line.substr(start);
    const std::size_t key_end = std::min(rest.find_first_of(" \t"), rest.size());
    const std::size_t value = std::min(rest.find_first_not_of(" \t", key_end), rest.size());
    entries.push_back({.key = std::string(rest.substr(0, key_end)),
                       .value = std::string(rest.substr(value)),
                       .indentation = indentation,
                       .place = {number, column},
                       .value_place = {number, column + characters(rest.substr(0, value))}});
  }
  if (entries.empty())
    throw PaperProblem(file, {1, 1}, "the file holds only comments; begin with a line such as paper \"Title\"");
  return entries;
}

std::string as_prose(const std::string& value) {
  std::string prose;
  for (const char c : value) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space)
      prose += c;
    else if (!prose.empty() && prose.back() != ' ')
      prose += ' ';
  }
  if (!prose.empty() && prose.back() == ' ') prose.pop_back();
  return prose;
}

Place in_file(const PaperEntry& entry, Place within) {
  if (within.line <= 1) return {entry.value_place.line, entry.value_place.column + std::max(within.column, 1) - 1};
  return {entry.value_place.line + within.line - 1, within.column};
}

}  // namespace attest::language
