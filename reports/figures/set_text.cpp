#include "reports/figures/set_text.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "reports/text/greek.hpp"
#include "reports/text/readable_tex.hpp"
#include "reports/text/relations.hpp"
#include "reports/text/terminal.hpp"

namespace attest::reports {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_plain(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::string escaped_character(char c) {
  if (std::string_view("\\{}^_@&~").find(c) != std::string_view::npos) return std::string("\\") + c;
  return {c};
}

std::string escaped_text(std::string_view text) {
  std::string result;
  for (const char c : text) result += escaped_character(c);
  return result;
}

/// The end of the group that opens at `open`, its bracket included; npos where it does not close.
std::size_t end_of_group(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

/// A formula as a line of Unicode text, set: deeper nesting than `most_nested` stays as it is.
std::string set_formula(std::string_view text, int depth = 0) {
  constexpr int most_nested = 8;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (is_letter(c)) {
      std::size_t end = at;
      while (end < text.size() && is_letter(text[end])) ++end;
      const std::string word(text.substr(at, end - at));
      result += word.size() == 1 ? "{/:Italic " + word + "}" : word;
      at = end;
      continue;
    }
    if ((c == '_' || c == '^') && at + 1 < text.size() && depth < most_nested) {
      const bool group = text[at + 1] == '(';
      std::size_t end = group ? end_of_group(text, at + 1) : at + 1;
      while (!group && end < text.size() && is_plain(text[end])) ++end;
      if (end != std::string_view::npos && end > at + 1) {
        const std::string_view inner = group ? text.substr(at + 2, end - at - 3) : text.substr(at + 1, end - at - 1);
        result += std::string(1, c) + "{" + set_formula(inner, depth + 1) + "}";
        at = end;
        continue;
      }
    }
    result += escaped_character(c);
    ++at;
  }
  return result;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// What stands raised or lowered after `at`, where `_` or `^` is: a group in brackets or a run of letters and digits,
/// with a sign before it. Moves `at` past it; empty, and `at` stays, where nothing follows.
std::string script_behind(std::string_view text, std::size_t& at) {
  std::size_t from = at + 1, end = from;
  if (from < text.size() && (text[from] == '(' || text[from] == '{')) {
    const std::size_t close = text[from] == '(' ? end_of_group(text, from) : text.find('}', from) + 1;
    if (close == std::string_view::npos || close == 0 || close < from + 3) return {};
    at = close;
    return escaped_text(text.substr(from + 1, close - from - 2));
  }
  if (end < text.size() && text[end] == '-') ++end;
  while (end < text.size() && is_plain(text[end])) ++end;
  if (end == from || (end == from + 1 && text[from] == '-')) return {};
  at = end;
  return escaped_text(text.substr(from, end - from));
}

/// Text with the mathematics that is typed in it: names of Greek letters, indices and powers after a letter or number,
/// and the usual signs. "snr_boosting" stays as it is.
std::string set_typed(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end == at)
      while (end < text.size() && is_digit(text[end])) ++end;
    if (end > at) {
      const std::string_view word = text.substr(at, end - at), greek = greek_letter(word);
      const bool symbol = !greek.empty() || word.size() == 1 || is_digit(word.front());
      const bool inside = at > 0 && (text[at - 1] == '_' || text[at - 1] == '^' || is_plain(text[at - 1]));
      result += greek.empty() || inside ? word : greek;
      at = end;
      while (symbol && !inside && at < text.size() && (text[at] == '_' || text[at] == '^')) {
        const char kind = text[at];
        const std::string script = script_behind(text, at);
        if (script.empty()) break;
        result += std::string(1, kind) + "{" + script + "}";
      }
      continue;
    }
    if (const std::string_view sign = sign_typed(text.substr(at, 2)); !sign.empty()) {
      result += sign;
      at += 2;
    } else {
      result += escaped_character(text[at++]);
    }
  }
  return result;
}

}  // namespace

std::string enhanced_text(std::string_view given) {
  const std::string clean = printable(given);
  std::string_view prose = clean;
  std::string result;
  while (true) {
    const std::size_t open = prose.find('$');
    const std::size_t close = open == std::string_view::npos ? open : prose.find('$', open + 1);
    if (close == std::string_view::npos) return result + set_typed(prose);
    result += set_typed(prose.substr(0, open)) + set_formula(readable_tex(prose.substr(open + 1, close - open - 1)));
    prose.remove_prefix(close + 1);
  }
}

std::string enhanced_tick(std::string_view label) {
  const std::size_t power = label.find("^{");
  if (power == std::string_view::npos || !label.ends_with('}')) return escaped_text(label);
  return escaped_text(label.substr(0, power)) + std::string(label.substr(power));
}

double text_width(std::string_view plain) {
  double width = 0;
  for (const char c : plain) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;  // the rest of a character that was counted
    if (static_cast<unsigned char>(c) >= 0x80)
      width += 0.84;
    else if (std::string_view("iljI.,:;'|! ").find(c) != std::string_view::npos)
      width += 0.34;
    else if (std::string_view("frt()[]/-").find(c) != std::string_view::npos)
      width += 0.41;
    else if (std::string_view("mwMW@%").find(c) != std::string_view::npos)
      width += 1.0;
    else
      width += std::isupper(static_cast<unsigned char>(c)) != 0 ? 0.76 : 0.64;
  }
  return width;
}

std::string cut_to_width(std::string_view plain, double most) {
  if (text_width(plain) <= most) return std::string(plain);
  std::string kept;
  double width = text_width("…");
  for (std::size_t at = 0; at < plain.size();) {
    std::size_t end = at + 1;
    while (end < plain.size() && (static_cast<unsigned char>(plain[end]) & 0xC0) == 0x80) ++end;
    const std::string_view character = plain.substr(at, end - at);
    width += text_width(character);
    if (width > most) break;
    kept += character;
    at = end;
  }
  return kept + "…";
}

std::string label_within(std::string_view prose, double most) {
  const std::string plain = readable_text(prose);
  return text_width(plain) <= most ? enhanced_text(prose) : set_typed(cut_to_width(plain, most));
}

std::vector<std::string> lines_within(std::string_view prose, double most, std::size_t lines) {
  const std::string plain = readable_text(prose);
  if (plain.find_first_not_of(" \n\t") == std::string::npos) return {};
  if (text_width(plain) <= most) return {enhanced_text(prose)};
  std::vector<std::string> result;
  std::string line;
  std::string_view rest = plain;
  while (!rest.empty()) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    const std::string longer = (line.empty() ? "" : line + " ") + std::string(rest.substr(0, space));
    if (!line.empty() && result.size() + 1 < lines && text_width(longer) > most) {
      result.push_back(std::move(line));
      line.clear();
      continue;
    }
    line = longer;
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  result.push_back(std::move(line));
  for (std::string& each : result) each = set_typed(cut_to_width(each, most));
  return result;
}

}  // namespace attest::reports
