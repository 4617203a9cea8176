#include "theorems/language/reading/unexpected.hpp"

#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace attest::language {
namespace {

/// Offsets of the brackets that are open at `at`, outermost first. A bracket of an interval may close another kind.
std::vector<std::size_t> open_brackets(std::string_view text, std::size_t at) {
  std::vector<std::size_t> open;
  bool comment = false, quoted = false;
  for (std::size_t i = 0; i < at && i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') comment = quoted = false;
    if (!comment && c == '"') quoted = !quoted;
    if (!quoted && c == '#') comment = true;
    if (comment || quoted) continue;
    if (c == '(' || c == '[' || c == '{') open.push_back(i);
    if ((c == ')' || c == ']' || c == '}') && !open.empty()) open.pop_back();
  }
  return open;
}

/// What people write elsewhere, and how it is written here.
constexpr std::array habits = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"||", "write norm(x) for a norm, abs(x) for an absolute value and 'or' for a disjunction"},
    {"|", "write abs(x) for |x| and norm(x) for ||x||"},
    {"&", "write 'and' between conditions"},
    {"!", "write factorial(n) for n! and 'not' for a negation"},
    {"\\", "this is not TeX; write, for example, softmax(x), sqrt(x), <= and forall"},
    {"$", "leave out the dollar signs; this is not TeX"},
    {"%", "write mod(n, 2) for a remainder; comments begin with '#'"},
    {"..", "ranges such as 1..n stand without brackets after 'in', and in x[1..k]"},
    {".", "write A' for a transpose and .* ./ .^ between arrays entry by entry"},
    {"->", "a limit stands before the claim: limit n -> inf:"},
    {"{", "sets in braces stand only after 'in'"},
    {"~", "laws stand before the claim: random g ~ normal(0, 1)^n:"},
    {";", "one statement at a time; ';' stands only between the rows of [a, b; c, d]"},
    {"?", "write two statements, one for each case"},
    {"'", "the transpose ' stands after what it transposes"},
});

std::optional<std::string_view> habit_at(std::string_view rest) {
  for (const auto& [sign, advice] : habits)
    if (rest.starts_with(sign)) return advice;
  return std::nullopt;
}

constexpr std::array quantifiers = {"forall", "exists", "random", "best", "limit", "let"};

std::string_view word_at(std::string_view rest) {
  std::size_t length = 0;
  while (length < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[length])) != 0 || rest[length] == '_'))
    ++length;
  return rest.substr(0, length);
}

/// White space and comments only.
bool is_blank(std::string_view text) {
  bool comment = false;
  for (const char c : text) {
    if (c == '\n') comment = false;
    if (c == '#') comment = true;
    if (!comment && std::isspace(static_cast<unsigned char>(c)) == 0) return false;
  }
  return true;
}

/// The character or word at the front, for messages.
std::string shown(std::string_view rest) {
  if (const std::string_view word = word_at(rest); !word.empty()) return std::string(word.substr(0, 40));
  std::size_t length = 1;
  while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0U) == 0x80U) ++length;
  return std::string(rest.substr(0, length));
}

/// What is meant where a sign follows a name before the claim instead of 'in'; empty where that is not known.
std::string_view advice_after_a_name(char sign) {
  const auto is_one_of = [&](std::string_view signs) { return signs.find(sign) != std::string_view::npos; };
  if (sign == '[') return "a vector gets its length from its set, as in forall x in R^n or x in [-1, 1]^n";
  if (is_one_of("<>="))
    return "a name gets its set first and conditions after it: forall x in (0, inf): or forall n in 1..64 where n >= "
           "2:";
  if (is_one_of("^*/+-("))
    return "a comma before the claim goes on with names and sets; write ':' where the claim begins";
  return "";
}

/// What goes before the advice on what follows `before`: "sin(x)^2 for sin^2(x) and " where it ends in sin^2.
std::string power_of_a_call(std::string_view before) {
  const auto last_but = [&](const auto& belongs) {
    std::size_t length = before.size();
    while (length > 0 && belongs(static_cast<unsigned char>(before[length - 1]))) --length;
    return length;
  };
  const std::size_t digits = last_but([](unsigned char c) { return std::isdigit(c) != 0; });
  const std::string power(before.substr(digits));
  if (power.empty() || digits == 0 || before[digits - 1] != '^') return "";
  before = before.substr(0, digits - 1);
  const std::size_t start = last_but([](unsigned char c) { return std::isalpha(c) != 0; });
  const std::string name(before.substr(start));
  return name.size() < 2 ? "" : fmt::format("{0}(x)^{1} for {0}^{1}(x) and ", name, power);
}

}  // namespace

Problem unexpected(const SourceText& text, std::size_t at, const std::string& expected) {
  const std::string_view plain = text.plain();
  // Rules look for a sign after the white space before it.
  while (at < plain.size() && std::isspace(static_cast<unsigned char>(plain[at])) != 0) ++at;
  const std::string_view rest = plain.substr(at);
  const auto problem = [&](const std::string& sentence) { return Problem(text.place(at), sentence); };
  const std::vector<std::size_t> open = open_brackets(plain, at);
  const auto opener = [&] {
    const Place place = text.place(open.back());
    return fmt::format("'{}' at line {}, column {}", plain[open.back()], place.line, place.column);
  };
  if (rest.empty() || rest.front() == '#') {
    if (is_blank(plain)) return {Place{1, 1}, "the statement is empty; write one such as forall x in R: x^2 >= 0"};
    if (expected == "'\"'") return problem("the quotation mark of a string is missing; add '\"'");
    if (!open.empty())
      return problem(fmt::format("the statement ends while the {} is open; close it, or add {}", opener(),
                                 expected.empty() ? "what is missing" : expected));
    return problem(fmt::format("the statement ends where {} is expected; add it", expected));
  }
  const char next = rest.front();
  const bool ends_here = expected.starts_with("the end") || expected.starts_with("':'") || expected == "')'" ||
                         expected == "']'" || expected == "'}'" || expected == "')' or ']'";
  if (next == ')' || next == ']' || next == '}') {
    if (open.empty())
      return problem(fmt::format("this '{}' closes nothing; remove it, or open a bracket before", next));
    if (ends_here)
      return problem(fmt::format("{} is expected here instead of '{}', to close the {}", expected, next, opener()));
    return problem(fmt::format("{} is missing before '{}'; add it, or remove the sign before",
                               expected.empty() ? "something" : expected, next));
  }
  if (expected == "'\"'") return problem("the string does not end on its line; add the quotation mark '\"'");
  if (const std::string_view word = word_at(rest); !word.empty()) {
    for (const std::string_view quantifier : quantifiers)
      if (word == quantifier)
        return problem(
            fmt::format("'{}' stands before the claim, not inside it; move it to the front and end it with ':'", word));
    if (word == "in" && ends_here)
      return problem("'in' binds a name only before the claim, with commas between: forall n in 1..4, x in R^n:");
    if (word == "where" && ends_here && !open.empty())
      return problem(
          fmt::format("'where' stands at the end of the statement or of a binder; close the {} first", opener()));
    if (ends_here && word == "mod")
      return problem("'mod' is a function; write mod(n, 2) for the remainder, and mod(a - b, 2) = 0 for a congruence");
    if (ends_here && word != "where" && word != "in")
      return problem(fmt::format("an operator is missing before '{}'; write * for a product", shown(rest)));
  }
  if (expected.starts_with("'in'"))
    if (const std::string_view advice = advice_after_a_name(next); !advice.empty()) return problem(std::string(advice));
  if (expected == "a set" && plain.substr(0, at).ends_with(']'))
    return problem("a set of vectors is written R^n, one of matrices R^(m, n), not with square brackets");
  if (ends_here && next == ',' && open.empty())
    return problem(
        "',' cannot stand here; sets and laws stand before the claim (forall n in 1..64: random g ~ normal(0, 1)^n: "
        "...), and conditions are joined by 'and'");
  if (ends_here && next == '(')
    return problem(fmt::format("an operator is missing before '('; write {}* for a product",
                               power_of_a_call(plain.substr(0, at))));
  if (const auto advice = habit_at(rest); advice && !(next == '.' && expected == "a set"))
    return problem(fmt::format("'{}' cannot stand here; {}", rest.starts_with("..") ? ".." : shown(rest), *advice));
  if (expected == "a set")
    return problem(fmt::format(
        "a set is expected here, before '{}'; sets are R, R^n, R^(n + 1), R^(m, n), (0, 1], 1..64, {{1, 2, inf}}, "
        "simplex(n), ball(n, R), stochastic(m, n), ...",
        shown(rest)));
  if (static_cast<unsigned char>(next) >= 0x80)
    return problem(fmt::format("the character '{}' is not part of the language; spell it out in letters", shown(rest)));
  return problem(fmt::format("{} is expected here instead of '{}'; add it, or remove what stands here",
                             expected.empty() ? "something else" : expected, shown(rest)));
}

}  // namespace attest::language
