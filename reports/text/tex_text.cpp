#include "reports/text/tex_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "reports/text/terminal.hpp"

namespace attest::reports {
namespace {

using namespace std::string_view_literals;

constexpr std::array harmful = {"input"sv,
                                "include"sv,
                                "includeonly"sv,
                                "includegraphics"sv,
                                "verbatiminput"sv,
                                "lstinputlisting"sv,
                                "usepackage"sv,
                                "documentclass"sv,
                                "openin"sv,
                                "openout"sv,
                                "read"sv,
                                "readline"sv,
                                "write"sv,
                                "closein"sv,
                                "closeout"sv,
                                "immediate"sv,
                                "special"sv,
                                "catcode"sv,
                                "def"sv,
                                "edef"sv,
                                "gdef"sv,
                                "xdef"sv,
                                "let"sv,
                                "futurelet"sv,
                                "newcommand"sv,
                                "renewcommand"sv,
                                "providecommand"sv,
                                "DeclareMathOperator"sv,
                                "newenvironment"sv,
                                "csname"sv,
                                "endcsname"sv,
                                "expandafter"sv,
                                "noexpand"sv,
                                "the"sv,
                                "jobname"sv,
                                "meaning"sv,
                                "string"sv,
                                "scantokens"sv,
                                "directlua"sv,
                                "latelua"sv,
                                "pdffiledump"sv,
                                "pdfobj"sv,
                                "href"sv,
                                "url"sv,
                                "loop"sv,
                                "repeat"sv,
                                "newread"sv,
                                "newwrite"sv,
                                "lowercase"sv,
                                "uppercase"sv,
                                "char"sv,
                                "endinput"sv,
                                "stop"sv,
                                "errmessage"sv,
                                "message"sv,
                                "show"sv,
                                "begingroup"sv,
                                "aftergroup"sv,
                                "everymath"sv,
                                "output"sv,
                                "ifx"sv,
                                "fi"sv,
                                "else"sv,
                                "unless"sv,
                                "CatchFileDef"sv,
                                "par"sv,
                                "number"sv,
                                "romannumeral"sv,
                                "mathchardef"sv,
                                "chardef"sv,
                                "countdef"sv,
                                "primitive"sv};

constexpr std::array environments = {"aligned"sv, "alignedat"sv, "array"sv,  "bmatrix"sv, "Bmatrix"sv,
                                     "cases"sv,   "gathered"sv,  "matrix"sv, "pmatrix"sv, "smallmatrix"sv,
                                     "split"sv,   "vmatrix"sv,   "Vmatrix"sv};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// One line: what a line break or an empty line would do to a formula, a space does not.
std::string on_one_line(std::string_view text) {
  std::string line = printable(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace

std::string tex_escaped(std::string_view text) {
  std::string result;
  for (const char c : on_one_line(text)) {
    switch (c) {
      case '\\':
        result += "\\textbackslash{}";
        break;
      case '~':
        result += "\\textasciitilde{}";
        break;
      case '^':
        result += "\\textasciicircum{}";
        break;
      case '<':
        result += "\\textless{}";
        break;
      case '>':
        result += "\\textgreater{}";
        break;
      case '{':
      case '}':
      case '$':
      case '&':
      case '#':
      case '_':
      case '%':
        result += '\\';
        result += c;
        break;
      default:
        result += c;
    }
  }
  return result;
}

bool is_harmless_formula(std::string_view tex) {
  int depth = 0;
  for (std::size_t at = 0; at < tex.size(); ++at) {
    const char c = tex[at];
    if (c == '{') ++depth;
    if (c == '}' && --depth < 0) return false;
    if (c == '$' || c == '%' || c == '#' || (c == '^' && tex.substr(at, 2) == "^^")) return false;
    if (c != '\\') continue;
    std::size_t end = at + 1;
    while (end < tex.size() && is_letter(tex[end])) ++end;
    const std::string_view command = tex.substr(at + 1, end - at - 1);
    if (command.empty()) {
      // One character after the backslash: "\{" is not a brace, "\(" would leave the formula.
      if (end < tex.size() && (tex[end] == '(' || tex[end] == ')' || tex[end] == '[' || tex[end] == ']')) return false;
      at = end;
      continue;
    }
    if (is_one_of(command, harmful)) return false;
    if (command == "begin" || command == "end") {
      const std::size_t close = tex.find('}', end);
      if (close == std::string_view::npos || tex[end] != '{' ||
          !is_one_of(tex.substr(end + 1, close - end - 1), environments))
        return false;
    }
    at = end - 1;
  }
  return depth == 0;
}

std::string tex_inline(std::string_view formula) {
  if (!is_harmless_formula(formula)) return "\\texttt{" + tex_escaped(formula) + "}";
  return "\\(" + on_one_line(formula) + "\\)";
}

std::string tex_display(std::string_view formula) {
  if (!is_harmless_formula(formula)) return "\\begin{quote}\\texttt{" + tex_escaped(formula) + "}\\end{quote}\n";
  return "\\[ " + on_one_line(formula) + " \\]\n";
}

std::string tex_prose(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t open = text.find('$');
    const std::size_t close = open == std::string_view::npos ? open : text.find('$', open + 1);
    if (close == std::string_view::npos) return result + tex_escaped(text);
    result += tex_escaped(text.substr(0, open)) + tex_inline(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
}

}  // namespace attest::reports
