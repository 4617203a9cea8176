// The words that files use for what a model may be: one list for reading and writing.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulations/models/model_kind.hpp"
#include "simulations/models/model_spec.hpp"

namespace attest::models {

inline constexpr auto model_kind_words = [] {
  std::array<std::pair<std::string_view, ModelKind>, model_kinds.size()> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = {model_kinds[i].word, model_kinds[i].kind};
  return words;
}();

inline constexpr auto residual_kinds =
    std::to_array<std::pair<std::string_view, ResidualSpec::Kind>>({{"standard", ResidualSpec::Kind::standard},
                                                                    {"boosting", ResidualSpec::Kind::boosting},
                                                                    {"generalised", ResidualSpec::Kind::generalised}});

/// The words of a list, as choices.
template <class List>
std::vector<std::string> words_of(const List& list) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : list) words.emplace_back(word);
  return words;
}

/// The word of a meaning. Precondition: the list has it.
template <class List>
std::string word_of(const List& list, typename List::value_type::second_type meaning) {
  for (const auto& [word, each] : list)
    if (each == meaning) return std::string(word);
  return {};
}

/// The meaning of a word. Precondition: the list has it.
template <class List>
auto meaning_of(const List& list, std::string_view word) {
  for (const auto& [each, meaning] : list)
    if (each == word) return meaning;
  return list.front().second;
}

}  // namespace attest::models
