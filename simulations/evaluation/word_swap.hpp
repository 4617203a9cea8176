// The word-swap attack on language models: random words of the text become "AAA".
#pragma once

#include <cstdint>
#include <string>

#include "simulations/training/trained_model.hpp"

namespace attest::training {

/// Replaces each word by "AAA" with probability `share` ("Transformer Meets Twicing", Appendix on the word swap
/// attack). A word is a run of letters; the rest stays. A pure function of (text, share, seed).
std::string with_swapped_words(const std::string& text, double share, std::uint64_t seed);

/// The part's first tokens as a language model reads them, `tokens` of them, with words swapped.
/// Errors: simulations::MalformedData when the vocabulary cannot spell "AAA".
Part swapped_part(const Task& task, const Part& part, std::size_t tokens, double share, std::uint64_t seed);

/// Mean loss a token over the first `examples` windows of a part, in nats.
double window_loss(const TrainedModel& model, const Task& task, const Part& part, Index examples, unsigned threads);

}  // namespace attest::training
