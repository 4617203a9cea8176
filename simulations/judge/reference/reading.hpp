// Where the numbers of a row come from, under the truth or a hypothesis: heads, sequences, the scale, what is added.
#pragma once

#include "simulations/judge/case/problem.hpp"
#include "simulations/judge/reference/precision.hpp"
#include "simulations/judge/reference/semantics.hpp"
#include "simulations/judge/reference/visibility.hpp"

namespace attest::judge {

/// A problem as an implementation with these semantics reads it. Holds references: the problem must outlive it.
class Reading {
 public:
  Reading(const Problem& problem, const Precision& allowed, const Semantics& semantics)
      : p(problem), is(semantics), precision(allowed), visibility(problem, semantics) {}

  /// The head of keys that query head h reads.
  Index kv_head(Index h) const;
  /// Where key j of sequence b and key head g begins in k: its D features are contiguous.
  std::size_t key_at(Index b, Index g, Index j) const {
    if (is.keys == Semantics::Keys::index_of_16_bits) j %= 65536;
    return p.key_offset(sequence(b), g, j, 0);
  }
  /// Where feature d of value j is in v.
  std::size_t value_at(Index b, Index g, Index j, Index d) const {
    return plain_values_ ? p.value_offset(b, g, j, d) : odd_value_at(b, g, j, d);
  }
  /// The factor of q k^T.
  double scale() const;
  /// What is added to the scaled, capped logit: bias, mask, ALiBi.
  double added(Index b, Index h, Index i, Index j) const;
  /// The factor of a weight: 0 or 1/(1 - rate), 1 without dropout.
  double drop_factor(Index b, Index h, Index i, Index j) const;
  /// The head's logit that joins the denominator alone; -infinity without one.
  double sink(Index h) const;

  const Problem& p;
  const Semantics is;
  const Precision precision;
  const Visibility visibility;

 private:
  std::size_t odd_value_at(Index b, Index g, Index j, Index d) const;
  bool values_are_plain() const {
    return is.batches == Semantics::Batches::right && is.keys != Semantics::Keys::index_of_16_bits &&
           is.keys != Semantics::Keys::values_of_16_bits && is.value_heads == Semantics::ValueHeads::right &&
           !is.values_next_key && !is.values_by_key_width;
  }
  Index sequence(Index b) const {
    if (is.batches == Semantics::Batches::first) return 0;
    return is.batches == Semantics::Batches::next ? (b + 1) % p.batch : b;
  }

  const bool plain_values_ = values_are_plain();  // this is asked for every feature of every value
};

}  // namespace attest::judge
