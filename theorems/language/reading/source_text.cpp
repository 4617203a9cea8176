#include "theorems/language/reading/source_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "theorems/language/problem.hpp"

namespace attest::language {
namespace {

/// Length of the well-formed character at the front of `text` (RFC 3629); 0 where there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    // No overlong form, no surrogate.
    if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F)) return 0;
    return continues(1) && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) return 0;
    return continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

/// How a character is spelt in the language. Words get spaces, so that they do not grow into their neighbours.
constexpr std::array spellings = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"≤", "<="},      {"≥", ">="},      {"≠", "!="},     {"∈", " in "},  {"∀", " forall "}, {"∃", " exists "},
    {"→", "->"},      {"⇒", "=>"},      {"⟹", "=>"},     {"∧", " and "}, {"∨", " or "},     {"¬", " not "},
    {"−", "-"},       {"–", "-"},       {"·", "*"},      {"×", "*"},     {"∗", "*"},        {"⊙", " .* "},
    {"÷", "/"},       {"∼", "~"},       {"′", "'"},      {"’", "'"},     {"ᵀ", "'"},        {"⊤", "'"},
    {"²", "^2"},      {"³", "^3"},      {"ⁿ", "^n"},     {"“", "\""},    {"”", "\""},       {"∞", "inf"},
    {"ℝ", "R"},       {"ℕ", "N"},       {"…", ".."},     {"‥", ".."},    {"\u00A0", " "},   {"\u2009", " "},
    {"\u202F", " "},  {"\uFEFF", " "},  {"α", "alpha"},  {"β", "beta"},  {"γ", "gamma"},    {"δ", "delta"},
    {"ε", "epsilon"}, {"ϵ", "epsilon"}, {"ζ", "zeta"},   {"η", "eta"},   {"θ", "theta"},    {"ϑ", "theta"},
    {"ι", "iota"},    {"κ", "kappa"},   {"λ", "lambda"}, {"μ", "mu"},    {"µ", "mu"},       {"ν", "nu"},
    {"ξ", "xi"},      {"π", "pi"},      {"ρ", "rho"},    {"σ", "sigma"}, {"τ", "tau"},      {"υ", "upsilon"},
    {"φ", "phi"},     {"ϕ", "phi"},     {"χ", "chi"},    {"ψ", "psi"},   {"ω", "omega"},    {"Γ", "Gamma"},
    {"Δ", "Delta"},   {"Θ", "Theta"},   {"Λ", "Lambda"}, {"Ξ", "Xi"},    {"Π", "Pi"},       {"Σ", "Sigma"},
    {"Φ", "Phi"},     {"Ψ", "Psi"},     {"Ω", "Omega"},
});

std::string_view spelling_of(std::string_view character) {
  if (character.size() == 1) return character;
  const auto found = std::ranges::find(spellings, character, [](const auto& entry) { return entry.first; });
  return found == spellings.end() ? character : found->second;
}

/// Brackets bound how deep the reading recurses.
void check_depth(const SourceText& text) {
  int depth = 0;
  bool comment = false, quoted = false;
  for (std::size_t i = 0; i < text.plain().size(); ++i) {
    const char c = text.plain()[i];
    if (c == '\n') comment = quoted = false;
    if (comment) continue;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '#') comment = true;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth > deepest_brackets)
      throw Problem(text.place(i), fmt::format("brackets are nested more than {} deep; name a part of the formula with "
                                               "'let' to take it out",
                                               deepest_brackets));
  }
}

}  // namespace

std::size_t first_malformed_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

SourceText::SourceText(std::string_view text, Place begins) {
  Place here = begins;
  if (text.size() > longest_text)
    throw Problem(here, fmt::format("the statement is longer than {} bytes; is this the right file?", longest_text));
  Place end = here;  // just after the last character that is not white space
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text.substr(at));
    if (length == 0) throw Problem(here, "the text is not UTF-8 from here on; save it in that encoding");
    const std::string_view character = text.substr(at, length);
    if (character.size() == 1 && static_cast<unsigned char>(character[0]) < 0x20 && character != "\n" &&
        character != "\r" && character != "\t")
      throw Problem(here, fmt::format("a control character (byte {}) stands here; remove it", int{character[0]}));
    append(spelling_of(character), here);
    at += length;
    if (character == "\n")
      here = {here.line + 1, 1};
    else
      ++here.column;
    if (character != " " && character != "\n" && character != "\r" && character != "\t") end = here;
  }
  places_.push_back(end);
  check_depth(*this);
}

Place SourceText::place(std::size_t at) const {
  // White space at the end of the text belongs to what stands before it.
  if (plain_.find_first_not_of(" \t\r\n", at) == std::string::npos) return places_.back();
  return places_[at];
}

void SourceText::append(std::string_view spelling, Place place) {
  plain_ += spelling;
  places_.insert(places_.end(), spelling.size(), place);
}

}  // namespace attest::language
