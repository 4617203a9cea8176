#include "simulations/judge/diagnosis/hypothesis_list.hpp"

namespace attest::judge {

void add_gradient_hypotheses(HypothesisList& list) {
  using Scale = Semantics::GradientScale;
  using Group = Semantics::Group;
  const auto add = [&](const Fault& fault, const char* text, const Applies& applies, const auto& change) {
    list.add(fault, text, applies, change, Hypothesis::Of::gradient);
  };
  add(
      fault::gradient_of_lse_ignored, "dlse has no effect", [](const CaseSpec& s) { return s.lse_gradient; },
      [](Semantics& s) { s.no_lse_gradient = true; });
  add(
      fault::gradient_of_lse_wrong, "dlse has the other sign", [](const CaseSpec& s) { return s.lse_gradient; },
      [](Semantics& s) { s.lse_gradient_negated = true; });
  add(
      fault::gradient_of_lse_wrong, "dlse counts half", [](const CaseSpec& s) { return s.lse_gradient; },
      [](Semantics& s) { s.lse_gradient_halved = true; });
  add(fault::dk_and_dv_not_summed_over_the_group, "the first query head's alone", is_grouped,
      [](Semantics& s) { s.group = Group::first; });
  add(fault::dk_and_dv_not_summed_over_the_group, "the last query head's alone", is_grouped,
      [](Semantics& s) { s.group = Group::last; });
  add(fault::dk_and_dv_not_summed_over_the_group, "the mean over the group", is_grouped,
      [](Semantics& s) { s.group = Group::mean; });
  add(fault::softcap_missing_in_the_gradients, "no factor 1 - tanh^2", has_softcap,
      [](Semantics& s) { s.no_softcap_derivative = true; });
  add(fault::dropout_wrong_in_the_gradients, "dV is formed without dropout", has_dropout,
      [](Semantics& s) { s.dropout_missing_in_dv = true; });
  add(fault::dropout_wrong_in_the_gradients, "dP is formed without dropout", has_dropout,
      [](Semantics& s) { s.dropout_missing_in_dp = true; });
  add(fault::dropout_wrong_in_the_gradients, "no dropout in the backward pass", has_dropout,
      [](Semantics& s) { s.dropout = Semantics::Dropout::ignored; });
  add(
      fault::wrong_gradients_with_bias, "weights are recomputed without bias and additive mask",
      [](const CaseSpec& s) { return has_bias(s) || has_additive(s) || s.alibi; },
      [](Semantics& s) { s.logits_without_bias = true; });
  add(
      fault::wrong_gradients_with_bias, "weights are recomputed without bias and additive mask, from the saved lse",
      [](const CaseSpec& s) { return has_bias(s) || has_additive(s) || s.alibi; },
      [](Semantics& s) { s.logits_without_bias = s.saved_forward = true; });
  add(fault::wrong_gradients_with_sinks, "weights are recomputed without the sink", has_sinks,
      [](Semantics& s) { s.sinks = Semantics::Sinks::ignored; });
  add(fault::wrong_dq_and_dk, "dS = P dP, without the row sum", always, [](Semantics& s) { s.no_row_sum = true; });
  add(fault::wrong_dq_and_dk, "the row sum is an unweighted mean", always,
      [](Semantics& c) { c.row_sum_is_mean = true; });
  add(fault::wrong_dq_and_dk, "1 - tanh^2 multiplies one of two terms", has_softcap,
      [](Semantics& c) { c.softcap_derivative_on_dp = true; });
  add(fault::wrong_dq_and_dk, "the row sum has the other sign", always, [](Semantics& s) { s.row_sum_negated = true; });
  add(fault::wrong_dq_and_dk, "no scale", always, [](Semantics& s) { s.gradient_scale = Scale::missing; });
  add(fault::wrong_dq_and_dk, "the scale is applied twice", always,
      [](Semantics& s) { s.gradient_scale = Scale::squared; });
  add(fault::mixed_up_in_gradients, "every head reads head 0", many_heads,
      [](Semantics& s) { s.heads = Semantics::Heads::first; });
  add(fault::mixed_up_in_gradients, "every head reads head 0, with the saved lse", many_heads,
      [](Semantics& s) { s.heads = Semantics::Heads::first, s.saved_forward = true; });
  add(fault::wrong_gradients_with_packed_sequences, "the bounds have no effect in the backward pass", is_packed,
      [](Semantics& s) { s.packed = Semantics::Packed::ignored; });
  for (const bool saved : {false, true}) {
    add(fault::wrong_gradients_with_this_mask, "the diagonal ends at the other corner in the backward pass", is_causal,
        [saved](Semantics& s) { s.causal = Semantics::Causal::other_corner, s.saved_forward = saved; });
    add(fault::wrong_gradients_with_this_mask, "no causal mask in the backward pass", is_causal,
        [saved](Semantics& s) { s.causal = Semantics::Causal::ignored, s.saved_forward = saved; });
    add(fault::wrong_gradients_with_this_mask, "no window in the backward pass", has_window,
        [saved](Semantics& s) { s.window = Semantics::WindowIs::ignored, s.saved_forward = saved; });
    add(fault::wrong_gradients_with_this_mask, "no mask in the backward pass", has_mask,
        [saved](Semantics& s) { s.mask = Semantics::Mask::ignored, s.saved_forward = saved; });
  }
}

}  // namespace attest::judge
