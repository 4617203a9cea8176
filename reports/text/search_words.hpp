// Search as people type it: "theorem 3.1", "Lipschitz-ratio", "equation 2.3".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest::reports {

/// Spellings of one word; the first stands for all.
using Synonyms = std::span<const std::string_view>;

/// The words that labels abbreviate and readers may spell out, and a few that mean the same here.
std::span<const Synonyms> all_synonyms();

/// How many of them, from the front, are kinds of labels: "eq", "thm", ...
std::size_t label_kinds();

/// The words of `text` as a search compares them: lower case, split where a character is not an ASCII letter or digit,
/// a dot between two of them or beyond ASCII; each synonym as the first of its kind. Hyphens split; the hyphenated
/// whole, joined, follows its parts.
std::vector<std::string> search_words(std::string_view text);

/// The words with a space before, between and after: what `matches_search`, and the report's script, look into. Every
/// number of a list gets its label's kind ("eq 11 eq 12"), and synonyms follow as they are spelled out, so that half of
/// a word finds something too.
std::string searchable(std::string_view text);

/// True when every word of `query` is in `text`, which `searchable` made: a word with a digit as the beginning of a
/// word that goes on without a digit ("3.1" finds "3.1a", not "3.12"), any other word anywhere inside one. A kind of
/// label ("eq", "thm") before a word with a digit must stand directly before it. An empty query is in every text.
bool matches_search(std::string_view text, std::string_view query);

}  // namespace attest::reports
