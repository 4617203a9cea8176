// A list of hypotheses under construction, and what cases they speak of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "simulations/judge/diagnosis/hypotheses.hpp"

namespace attest::judge {

using Applies = std::function<bool(const CaseSpec&)>;

inline bool always(const CaseSpec&) { return true; }
inline bool is_causal(const CaseSpec& s) { return s.causal; }
inline bool has_window(const CaseSpec& s) { return s.window.has_value(); }
inline bool has_mask(const CaseSpec& s) { return !s.mask.empty(); }
inline bool has_additive(const CaseSpec& s) { return s.mask.starts_with("float"); }
inline bool has_bias(const CaseSpec& s) { return !s.bias.empty(); }
inline bool has_softcap(const CaseSpec& s) { return s.softcap != 0; }
inline bool has_sinks(const CaseSpec& s) { return s.sinks; }
inline bool has_dropout(const CaseSpec& s) { return s.dropout != 0; }
inline bool is_packed(const CaseSpec& s) { return !s.packed.empty(); }
inline bool is_grouped(const CaseSpec& s) { return s.heads != s.kv_heads; }
inline bool many_heads(const CaseSpec& s) { return s.heads > 1; }

class HypothesisList {
 public:
  std::vector<Hypothesis> all;

  template <typename Change>
  void add(const Fault& fault, std::string text, const Applies& applies, const Change& change,
           Hypothesis::Of of = Hypothesis::Of::both) {
    Hypothesis hypothesis{fault, std::move(text), {}, of, applies};
    change(hypothesis.semantics);
    all.push_back(std::move(hypothesis));
  }
};

/// Those about the backward pass alone.
void add_gradient_hypotheses(HypothesisList& list);

}  // namespace attest::judge
