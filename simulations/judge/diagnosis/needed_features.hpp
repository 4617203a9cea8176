// What a failing case cannot do without.
#pragma once

#include <set>
#include <string>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// Parts of a case that can be left out while the rest stays.
enum class Part {
  sinks,
  dropout,
  packed,
  alibi,
  bias,
  softcap,
  window,
  mask,
  padding,  ///< of mechanisms other than softmax
  causal,
  scale,
  settings,      ///< of mechanisms other than softmax
  grouped_keys,  ///< fewer heads of keys than of queries
  wide_heads,    ///< more than 64 features
  value_width,   ///< another one than that of keys
  batch,
  heads,
  partial_vector,
  large_logits,  ///< families whose logits go beyond the usual
  family         ///< any but plain normal entries
};

/// A failing case from which everything is left out that its failure does not need.
struct Needed {
  CaseSpec spec;
  std::set<Part> parts;  ///< without any one of these the rest passes
  bool has(Part part) const { return parts.contains(part); }
};

/// Whether a case has the part.
bool has_part(const CaseSpec& spec, Part part);

/// Leaves out one part after the other, as long as `output` (out, lse or a gradient) still fails without a class of its
/// own. Puts at most one call per part to the target. Precondition: the case fails.
Needed needed_features(const CaseSpec& spec, const std::string& output, Target& target, const TrialSettings& settings);

}  // namespace attest::judge
