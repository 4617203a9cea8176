// Which keys a query sees in a case, under the truth or a hypothesis.
#pragma once

#include <vector>

#include "simulations/judge/case/problem.hpp"
#include "simulations/judge/reference/semantics.hpp"

namespace attest::judge {

class Visibility {
 public:
  explicit Visibility(const Problem& problem, const Semantics& semantics = {});

  /// Whether query i of sequence b and head h sees key j.
  bool sees(Index b, Index h, Index i, Index j) const;
  /// The query's position less the key's, for ALiBi; under some hypotheses that of the first or last key less it.
  Index distance(Index i, Index j) const { return alibi_position_[at(i)] - key_position_[at(j)]; }

 private:
  static std::size_t at(Index n) { return static_cast<std::size_t>(n); }
  bool causal_sees(Index b, Index h, Index i, Index j) const;
  bool window_sees(Index i, Index j) const;
  bool mask_sees(Index b, Index h, Index i, Index j) const;

  const Problem& problem_;
  Semantics semantics_;
  std::vector<Index> query_sequence_, key_sequence_;
  std::vector<Index> query_position_, other_position_, whole_position_, alibi_position_, key_position_, whole_key_,
      last_key_;
};

}  // namespace attest::judge
