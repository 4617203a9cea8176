// The attentions that `staged` mechanisms end in.
#pragma once

#include <functional>
#include <vector>

#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/attention/mechanism/staged.hpp"
#include "kernels/attention/sparse/sparse_pattern.hpp"

namespace attest::attention::definitions {

/// One attention over some heads of a call.
struct HeadGroup {
  std::vector<Index> key_lengths;    ///< of the pooled keys; empty: all
  std::vector<Index> token_lengths;  ///< of the tokens before pooling; empty: all
  Index tokens = 0;                  ///< keys before pooling
  Index factor = 1;
  Index first_head = 0;
  bool single = false;  ///< one head of several, with its own dropout pattern
};

template <typename T>
struct FamilyResult {
  Tensor<T> out;
  std::function<AttendGradients<T>(const Tensor<T>&)> backward;
};

template <typename T>
FamilyResult<T> attend_as(Family family, const Call<T>& call, const OptionReader& read, const HeadGroup& group,
                          Kept<T> q, Kept<T> k, Kept<T> v);

/// Whether sparse attention over `keys` keys before pooling by `factor` runs in tiles, and so in the type of its
/// arrays: the strided pattern, whole and without dropout. Otherwise it is computed pair by pair, in double only.
template <typename T>
bool sparse_in_tiles(const Call<T>& call, const OptionReader& read, Index keys, Index factor);

/// Options beyond those of the stages; `with_statistics`: eps is taken by the recentring.
std::vector<OptionSpec> family_options(Family family, bool with_statistics);

/// Cost of the family's attention over keys pooled by `factor`; `pooled` has the pooled number of keys.
Cost family_cost(Family family, const CostShape& pooled, std::int64_t tokens, std::int64_t factor,
                 const OptionReader& read);

/// The pattern that the options `pattern`, `stride` and `summary` describe, cut by the mask.
SparsePattern pattern_of(const OptionReader& read, const Mask& mask, bool causal, Index queries, Index keys);

}  // namespace attest::attention::definitions
