// Our own ListOps examples, by the Long Range Arena's published grammar.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulations/data/files/splits.hpp"
#include "simulations/data/text/labelled_texts.hpp"

namespace attest::data {

/// The Long Range Arena's settings (Tay et al. 2021); lengths count the tokens without round brackets.
struct ListOpsOptions {
  std::size_t train = 96000;
  std::size_t validation = 2000;
  std::size_t test = 2000;
  std::size_t deepest = 10;         ///< nodes at this depth are digits; the root has depth 1
  std::size_t most_arguments = 10;  ///< an operator has 2 to this many
  std::size_t above = 500;          ///< every expression is longer than this
  std::size_t below = 2000;         ///< and shorter than this
};

/// A node above the deepest level is an operator with probability 1/4, else a digit; operators, numbers of arguments
/// and digits are uniform. Trees are drawn until their length fits, and no two expressions are equal.
///
/// Try i is the tree of the stream (seed, "data/listops", i): deterministic, and the first n examples do not depend on
/// how many follow. Memory: the texts, twice. Errors: std::invalid_argument when the options leave no tree, or after
/// 10^5 tries per example.
Splits<LabelledTexts> generate_listops(const ListOpsOptions& options, std::uint64_t seed);

}  // namespace attest::data
