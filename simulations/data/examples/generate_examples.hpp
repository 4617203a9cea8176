// Generated examples in three parts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulations/data/files/splits.hpp"
#include "simulations/data/text/labelled_pairs.hpp"
#include "simulations/data/text/labelled_texts.hpp"
#include "simulations/data/text/passages.hpp"

namespace attest::data {

/// How many examples each part has.
struct PartCounts {
  std::size_t train = 0, validation = 0, test = 0;
};

/// Passages of the installed King James Bible, `part` aside as `options` say. Errors: those of read_kjv.
Splits<LabelledTexts> passages(const PartCounts& counts, const PassageOptions& options, std::uint64_t seed = 1);
Splits<LabelledPairs> passage_pairs(const PartCounts& counts, const PassageOptions& options, std::uint64_t seed = 1);

}  // namespace attest::data
