// Passages of the Bible as examples: in which Testament one stands, and whether two stand in one book.
#pragma once

#include <cstdint>
#include <span>

#include "simulations/data/text/kjv.hpp"
#include "simulations/data/text/labelled_pairs.hpp"
#include "simulations/data/text/labelled_texts.hpp"

namespace attest::data {

/// Which verses a passage may come from: each book is cut into blocks of twenty verses, of which the blocks 0, 1, ...,
/// 7 of ten are for training, 8 for validation and 9 for testing. Passages never leave their block.
enum class PassagePart { train, validation, test };

struct PassageOptions {
  std::size_t bytes = 400;  ///< passages are cut after this many
  PassagePart part = PassagePart::train;
};

/// Passages first, ..., first + count - 1: verses from a random one of the part on, blanks between them, to the end of
/// their block or options.bytes. Class 0: Old Testament, 1: New Testament, each with probability 1/2. Passage `sample`
/// is a pure function of verses, options, seed and sample, from the stream (seed, "data/passages", sample). Errors:
/// std::invalid_argument when a Testament has no verse in that part.
LabelledTexts generate_passages(std::span<const Verse> verses, const PassageOptions& options, std::uint64_t seed,
                                std::uint64_t first, std::size_t count);

/// Pairs of such passages. Class 1 ("same book"), with probability 1/2: two that begin at different verses of one book;
/// class 0: of two books. The first is drawn from all verses of the part; so is the second, from those of the same book
/// or of all others. Errors: as generate_passages, when fewer than two books have two verses in that part.
LabelledPairs generate_passage_pairs(std::span<const Verse> verses, const PassageOptions& options, std::uint64_t seed,
                                     std::uint64_t first, std::size_t count);

}  // namespace attest::data
