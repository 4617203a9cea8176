#include "reports/text/readable_tex.hpp"

#include <algorithm>
#include <cctype>

#include "reports/text/greek.hpp"
#include "reports/text/terminal.hpp"
#include "reports/text/tex_symbols.hpp"

namespace attest::reports {
namespace {

/// Whether `text` reads as one thing without brackets round it: nothing binds loosely outside its own brackets.
bool is_one_term(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth == 0 && std::string_view(" +-=/,<>").find(c) != std::string_view::npos) return false;
  }
  return true;
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string grouped(const std::string& text) { return is_one_term(text) ? text : "(" + text + ")"; }

bool is_atom(const std::string& text) {
  return characters(text) == 1 ||
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// For what stands under a root: "√2N" would leave open how far the root reaches.
std::string under_root(const std::string& text) { return "√" + (is_atom(text) ? text : "(" + text + ")"); }

/// For a denominator: "1/2N" would leave open where N stands. A call such as "σ(y)" needs no more brackets.
std::string below_bar(const std::string& text) {
  const bool closed = is_one_term(text) && text.ends_with(')');
  return is_atom(text) || closed ? text : "(" + text + ")";
}

/// Reads TeX from left to right; every function consumes what it reads.
class Reader {
 public:
  explicit Reader(std::string_view tex) : rest_(tex) {}

  std::string all() {
    std::string text;
    while (!rest_.empty()) {
      if (rest_.front() == '}') rest_.remove_prefix(1);
      text += sequence();
    }
    return text;
  }

 private:
  /// Up to the brace that closes the current group, which is left.
  std::string sequence() {
    std::string text;
    while (!rest_.empty() && rest_.front() != '}') text += item();
    return text;
  }

  std::string item() {
    const char c = rest_.front();
    if (c == '\\') return command();
    if (c == '{') return argument();
    rest_.remove_prefix(1);
    if (c == '^' || c == '_') return script(c);
    if (c == '&') return "";
    return {c == '~' ? ' ' : c};
  }

  /// A braced group without its braces, a command, or a single (UTF-8) character.
  std::string argument() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    if (rest_.empty()) return "";
    if (rest_.front() == '\\') return command();
    if (rest_.front() != '{') {
      std::size_t length = 1;
      while (length < rest_.size() && (static_cast<unsigned char>(rest_[length]) & 0xC0U) == 0x80U) ++length;
      std::string character(rest_.substr(0, length));
      rest_.remove_prefix(length);
      return character;
    }
    rest_.remove_prefix(1);
    std::string text = sequence();
    if (!rest_.empty()) rest_.remove_prefix(1);
    return text;
  }

  std::string script(char kind) {
    const std::string text = argument();
    const std::string small = kind == '^' ? raised(text) : lowered(text);
    return small.empty() && !text.empty() ? kind + grouped(text) : small;
  }

  std::string command() {
    rest_.remove_prefix(1);
    std::size_t length = 0;
    while (length < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[length])) != 0) ++length;
    if (length == 0) return control_symbol();
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (!rest_.empty() && rest_.front() == '*') rest_.remove_prefix(word == "operatorname" ? 1 : 0);
    if (const auto letter = greek_letter(word); !letter.empty()) return std::string(letter);
    if (const auto* symbol = tex_symbol(word)) return std::string(*symbol);
    if (const auto* accent = tex_accent(word)) {
      const std::string text = argument();
      return characters(text) == 1 ? text + std::string(*accent) : std::string(word) + "(" + text + ")";
    }
    if (is_silent_tex(word)) return after_silent();
    if (word == "frac" || word == "tfrac" || word == "dfrac") {
      const std::string numerator = argument();
      return grouped(numerator) + "/" + below_bar(argument());
    }
    if (word == "sqrt") return under_root(argument());
    if (word == "binom") {
      const std::string top = argument();
      return "C(" + top + ", " + argument() + ")";
    }
    if (word == "mathbb") {
      const std::string letter = argument();
      const auto* drawn = double_struck(letter);
      return drawn != nullptr ? std::string(*drawn) : letter;
    }
    if (word == "begin" || word == "end") {
      argument();
      return " ";
    }
    return std::string(word);
  }

  /// TeX passes over spaces after a command; "\left." and "\right." stand for no bracket at all.
  std::string after_silent() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    if (!rest_.empty() && rest_.front() == '.') rest_.remove_prefix(1);
    return "";
  }

  std::string control_symbol() {
    if (rest_.empty()) return "";
    const char c = rest_.front();
    rest_.remove_prefix(1);
    switch (c) {
      case '\\':
        return "\n";
      case '|':
        return "‖";
      case ',':
      case ';':
      case ':':
      case ' ':
      case '>':
        return " ";
      case '!':
        return "";
      default:
        return {c};
    }
  }

  std::string_view rest_;
};

/// Single spaces, none at the ends or before a comma; line breaks stay.
std::string tidied(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool at_break = result.empty() || result.back() == '\n' || result.back() == ' ';
    if (c == ' ' && at_break) continue;
    if ((c == '\n' || c == ',') && !result.empty() && result.back() == ' ') result.pop_back();
    result += c;
  }
  while (!result.empty() && (result.back() == ' ' || result.back() == '\n')) result.pop_back();
  return result;
}

}  // namespace

std::string readable_tex(std::string_view tex) { return tidied(Reader(tex).all()); }

std::string readable_text(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t open = text.find('$');
    const std::size_t close = open == std::string_view::npos ? open : text.find('$', open + 1);
    if (close == std::string_view::npos) return printable(result + std::string(text));
    result += std::string(text.substr(0, open)) + readable_tex(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
}

}  // namespace attest::reports
