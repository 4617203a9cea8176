#include "reports/text/search_words.hpp"

#include <algorithm>
#include <array>

namespace attest::reports {
namespace {

using namespace std::string_view_literals;

// Kinds of labels first: `number_of_label_kinds` counts them.
constexpr std::array<std::string_view, 4> equation = {"eq"sv, "equation"sv, "eqn"sv, "eqs"sv};
constexpr std::array<std::string_view, 4> theorem = {"thm"sv, "theorem"sv, "theo"sv, "thms"sv};
constexpr std::array<std::string_view, 3> proposition = {"prop"sv, "proposition"sv, "props"sv};
constexpr std::array<std::string_view, 3> corollary = {"cor"sv, "corollary"sv, "coro"sv};
constexpr std::array<std::string_view, 3> lemma = {"lemma"sv, "lem"sv, "lemmas"sv};
constexpr std::array<std::string_view, 3> definition = {"def"sv, "definition"sv, "defn"sv};
constexpr std::array<std::string_view, 3> remark = {"remark"sv, "rem"sv, "rmk"sv};
constexpr std::array<std::string_view, 4> section = {"sec"sv, "section"sv, "sect"sv, "§"sv};
constexpr std::array<std::string_view, 3> appendix = {"app"sv, "appendix"sv, "appx"sv};
constexpr std::array<std::string_view, 3> figure = {"fig"sv, "figure"sv, "figs"sv};
constexpr std::array<std::string_view, 3> table = {"table"sv, "tab"sv, "tables"sv};
constexpr std::array<std::string_view, 2> inequality = {"bound"sv, "inequality"sv};
constexpr std::array<std::string_view, 2> eigenvalue = {"eigenvalue"sv, "eigenvalues"sv};

constexpr std::array<Synonyms, 13> synonyms = {
    Synonyms(equation),   Synonyms(theorem),    Synonyms(proposition), Synonyms(corollary), Synonyms(lemma),
    Synonyms(definition), Synonyms(remark),     Synonyms(section),     Synonyms(appendix),  Synonyms(figure),
    Synonyms(table),      Synonyms(inequality), Synonyms(eigenvalue)};
constexpr std::size_t number_of_label_kinds = 11;

bool is_letter(unsigned char c) { return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_character(unsigned char c) { return is_letter(c) || is_digit(static_cast<char>(c)); }
bool has_digit(std::string_view word) { return std::any_of(word.begin(), word.end(), is_digit); }

std::string canonical(std::string word) {
  for (const Synonyms& kind : synonyms)
    if (std::find(kind.begin(), kind.end(), word) != kind.end()) return std::string(kind.front());
  return word;
}

bool is_label_kind(std::string_view word) {
  return std::any_of(synonyms.begin(), synonyms.begin() + number_of_label_kinds,
                     [&](const Synonyms& kind) { return kind.front() == word; });
}

/// Whether `words`, "eq 2.3" or "2.3" or "lipsch", is in `text`; numbered ones as the beginning of a word, as declared.
bool finds(std::string_view text, const std::string& words, bool numbered) {
  if (!numbered) return text.find(words) != std::string_view::npos;
  const std::string begins = " " + words;
  for (std::size_t at = text.find(begins); at != std::string_view::npos; at = text.find(begins, at + 1)) {
    const char next = text[std::min(at + begins.size(), text.size() - 1)];
    if (!is_digit(next)) return true;
  }
  return false;
}

}  // namespace

std::span<const Synonyms> all_synonyms() { return synonyms; }

std::size_t label_kinds() { return number_of_label_kinds; }

std::vector<std::string> search_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word, joined;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(canonical(word));
    joined += word;
    word.clear();
  };
  std::size_t parts = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : ' ');
    const bool inner_dot = c == '.' && !word.empty() && is_word_character(next);
    if (is_word_character(static_cast<unsigned char>(c)) || inner_dot) {
      word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    } else if (c == '-' && !word.empty() && is_word_character(next)) {
      end_word();
      ++parts;
    } else {
      end_word();
      if (parts > 0 && !has_digit(joined)) words.push_back(joined);
      joined.clear();
      parts = 0;
    }
  }
  return words;
}

std::string searchable(std::string_view text) {
  std::string line = " ", kind, spelled_out;
  for (const std::string& word : search_words(text)) {
    if (is_label_kind(word)) kind = word;
    // "Eqs 11, 12" is found by "eq 12" too.
    const bool numbered = has_digit(word);
    if (numbered && !kind.empty() && !line.ends_with(" " + kind + " ")) line += kind + " ";
    if (!numbered && !is_label_kind(word)) kind.clear();
    line += word + " ";
    for (const Synonyms& each : synonyms)
      if (each.front() == word) spelled_out += std::string(each[1]) + " ";
  }
  return line + spelled_out;
}

bool matches_search(std::string_view text, std::string_view query) {
  std::string spaced(query);
  std::replace(spaced.begin(), spaced.end(), '-', ' ');
  const std::vector<std::string> words = search_words(spaced);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool labelled = is_label_kind(words[i]) && i + 1 < words.size() && has_digit(words[i + 1]);
    if (!finds(text, labelled ? words[i] + " " + words[i + 1] : words[i], labelled || has_digit(words[i])))
      return false;
    if (labelled) ++i;
  }
  return true;
}

}  // namespace attest::reports
