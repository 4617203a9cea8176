#include "simulations/judge/diagnosis/hypothesis_list.hpp"

namespace attest::judge {

void add_gradient_hypotheses(HypothesisList& list) {
  using Scale = Semantics::GradientScale;
  using Group = Semantics::Group;
  const auto add = [&](const char* name, const char* text, const Applies& applies, const auto& change) {
    list.add(name, text, applies, change, Hypothesis::Of::gradient);
  };
  add(
      "gradient of lse ignored", "dlse has no effect", [](const CaseSpec& s) { return s.lse_gradient; },
      [](Semantics& s) { s.no_lse_gradient = true; });
  add(
      "gradient of lse wrong", "dlse has the other sign", [](const CaseSpec& s) { return s.lse_gradient; },
      [](Semantics& s) { s.lse_gradient_negated = true; });
  add(
      "gradient of lse wrong", "dlse counts half", [](const CaseSpec& s) { return s.lse_gradient; },
      [](Semantics& s) { s.lse_gradient_halved = true; });
  add("dk and dv not summed over the group", "the first query head's alone", is_grouped,
      [](Semantics& s) { s.group = Group::first; });
  add("dk and dv not summed over the group", "the last query head's alone", is_grouped,
      [](Semantics& s) { s.group = Group::last; });
  add("dk and dv not summed over the group", "the mean over the group", is_grouped,
      [](Semantics& s) { s.group = Group::mean; });
  add("softcap missing in the gradients", "no factor 1 - tanh^2", has_softcap,
      [](Semantics& s) { s.no_softcap_derivative = true; });
  add("dropout wrong in the gradients", "dV is formed without dropout", has_dropout,
      [](Semantics& s) { s.dropout_missing_in_dv = true; });
  add("dropout wrong in the gradients", "dP is formed without dropout", has_dropout,
      [](Semantics& s) { s.dropout_missing_in_dp = true; });
  add("dropout wrong in the gradients", "no dropout in the backward pass", has_dropout,
      [](Semantics& s) { s.dropout = Semantics::Dropout::ignored; });
  add(
      "wrong gradients with bias", "weights are recomputed without bias and additive mask",
      [](const CaseSpec& s) { return has_bias(s) || has_additive(s) || s.alibi; },
      [](Semantics& s) { s.logits_without_bias = true; });
  add(
      "wrong gradients with bias", "weights are recomputed without bias and additive mask, from the saved lse",
      [](const CaseSpec& s) { return has_bias(s) || has_additive(s) || s.alibi; },
      [](Semantics& s) { s.logits_without_bias = s.saved_forward = true; });
  add("wrong gradients with sinks", "weights are recomputed without the sink", has_sinks,
      [](Semantics& s) { s.sinks = Semantics::Sinks::ignored; });
  add("wrong dq and dk", "dS = P dP, without the row sum", always, [](Semantics& s) { s.no_row_sum = true; });
  add("wrong dq and dk", "the row sum is an unweighted mean", always, [](Semantics& c) { c.row_sum_is_mean = true; });
  add("wrong dq and dk", "1 - tanh^2 multiplies one of two terms", has_softcap,
      [](Semantics& c) { c.softcap_derivative_on_dp = true; });
  add("wrong dq and dk", "the row sum has the other sign", always, [](Semantics& s) { s.row_sum_negated = true; });
  add("wrong dq and dk", "no scale", always, [](Semantics& s) { s.gradient_scale = Scale::missing; });
  add("wrong dq and dk", "the scale is applied twice", always, [](Semantics& s) { s.gradient_scale = Scale::squared; });
  add("sequences or heads are mixed up in the gradients", "every head reads head 0", many_heads,
      [](Semantics& s) { s.heads = Semantics::Heads::first; });
  add("sequences or heads are mixed up in the gradients", "every head reads head 0, with the saved lse", many_heads,
      [](Semantics& s) { s.heads = Semantics::Heads::first, s.saved_forward = true; });
  add("wrong gradients with packed sequences", "the bounds have no effect in the backward pass", is_packed,
      [](Semantics& s) { s.packed = Semantics::Packed::ignored; });
  for (const bool saved : {false, true}) {
    add("wrong gradients with this mask", "the diagonal ends at the other corner in the backward pass", is_causal,
        [saved](Semantics& s) { s.causal = Semantics::Causal::other_corner, s.saved_forward = saved; });
    add("wrong gradients with this mask", "no causal mask in the backward pass", is_causal,
        [saved](Semantics& s) { s.causal = Semantics::Causal::ignored, s.saved_forward = saved; });
    add("wrong gradients with this mask", "no window in the backward pass", has_window,
        [saved](Semantics& s) { s.window = Semantics::WindowIs::ignored, s.saved_forward = saved; });
    add("wrong gradients with this mask", "no mask in the backward pass", has_mask,
        [saved](Semantics& s) { s.mask = Semantics::Mask::ignored, s.saved_forward = saved; });
  }
}

}  // namespace attest::judge
