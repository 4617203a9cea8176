// Mechanisms that pool and recentre keys before one of three attentions: Attention-BN, -SH, -BN+SH and their linear and
// sparse forms.
#pragma once

#include "kernels/attention/mechanism/mechanism.hpp"

namespace attest::attention::definitions {

/// How the dot products become weights.
enum class Family { softmax, linear, sparse };

/// What is done with keys (and queries, values) before.
struct Stages {
  bool pools = false;  ///< scaled heads: keys and values averaged by a factor per head
  enum { none, full, simplified, either } recentres = none;  ///< Eq 22 or 26; `either`: the option `form` says which
};

/// `description` (name, title, formula, source) with the inputs, options, forward pass and cost of these stages before
/// this family's attention.
Mechanism staged(Mechanism description, Family family, Stages stages);

}  // namespace attest::attention::definitions
