// The word-swap attack on models of texts: random words become "AAA".
#pragma once

#include <cstdint>
#include <string>

#include "simulations/evaluation/scored.hpp"

namespace attest::evaluation {

/// What becomes of a swapped word.
inline constexpr const char* swapped_word = "AAA";

/// Replaces each word by "AAA" with probability `share` ("Transformer Meets Twicing", Appendix on the word swap
/// attack). A word is a run of letters; the rest stays. A pure function of (text, share, seed, number).
std::string with_swapped_words(const std::string& text, double share, std::uint64_t seed, std::uint64_t number = 0);

/// The first `examples` examples of the part with words swapped, each by its own number. A language model's are windows
/// of one text; texts of a sequence model keep their classes, and what they have beyond the task's longest is cut.
/// Errors: data::MalformedData when the vocabulary cannot spell "AAA".
Part swapped_part(const Task& task, const Part& part, Index examples, double share, std::uint64_t seed);

}  // namespace attest::evaluation
