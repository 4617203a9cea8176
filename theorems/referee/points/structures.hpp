// Structured arrays: what random draws would never meet, and what has broken claims about attention.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/random/stream.hpp"

namespace attest::referee {

enum class Structure : std::uint8_t {
  zeros,
  constant,       ///< all entries equal
  one_hot,        ///< one entry, the others 0
  one_hot_rows,   ///< each row has one entry, drawn
  same_row,       ///< all rows equal
  crowd,          ///< two or three distinct rows (entries), one of them with almost all multiplicities
  hub,            ///< one row near to all of many orthogonal ones
  leader,         ///< one or few entries lead the equal others by a multiple of log n
  two_leaders,    ///< two entries equal, all others far below
  near_tie,       ///< equal up to small noise
  alternating,    ///< signs alternate
  half_and_half,  ///< the first half +, the second half -
  signs,          ///< +-1 drawn
  ramp,           ///< 1, 2, 3, ... centred or not
  identity,       ///< orthogonal rows
  low_rank,       ///< an outer product
  circle,         ///< rows on a circle in the first two coordinates
  triangular,     ///< zero above the diagonal, as under a causal mask
  one_column,     ///< the first entry of every row 1, the others 0; of a vector the first entry
  wave,           ///< half a period of a cosine along the rows, or along the entries of each
  sparse,         ///< few entries, normal
  small_whole,    ///< whole numbers from -3 to 3
  normal,
  uniform,
  heavy_tailed  ///< Cauchy
};
inline constexpr int structure_count = 25;

std::string_view name(Structure structure);

/// A rows x cols array of that structure, entries of order 1 (a leader's of order log n). A vector of n entries is
/// n x 1: rows are its entries.
std::vector<double> structured(Structure structure, std::size_t rows, std::size_t cols, random::Stream& stream);

}  // namespace attest::referee
