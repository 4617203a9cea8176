// Mechanisms other than softmax: the library's evaluation in double precision, with bounds from the case's condition.
#pragma once

#include <map>
#include <string>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/judge/case/case_spec.hpp"
#include "simulations/judge/reference/attention_reference.hpp"
#include "simulations/judge/target/conventions.hpp"

namespace attest::judge {

/// The call that a spec stands for: arrays as attention::example_call makes them for the spec's extents, each entry
/// rounded to the spec's type; V = identity for the family `identity`, q, k and v of a trained model for those of
/// activations, and 17/16 Q for `queries times 17/16`; with the spec's boolean mask and padding. Errors:
/// std::invalid_argument when the mechanism does not take these extents or settings.
attention::Call<double> call_of(const CaseSpec& spec);

/// As it is handed to a target: arrays by their names, settings as numbers, true or false, or text; R as dout.
Request mechanism_request(const CaseSpec& spec, const attention::Call<double>& call, const Conventions& conventions,
                          const attention::Tensor<double>* dout);

/// The output's gradient that a case with gradients asks for.
attention::Tensor<double> weights_of(const CaseSpec& spec, const attention::Shape& out);

/// out and, with gradients, dq, dk, dv, with bounds by the model of simulations/apply/tolerance.hpp: an implementation
/// returns the exact result of inputs that are perturbed entry by entry, and rounds it. Each entry x of an input
/// becomes x (1 + u (a random walk along the features + one along the tokens + sqrt(10) s) + 2 w (s' + s'')), s = +-1,
/// s'' one sign for a row, which is how rounded logits differ (u: roundoff of sums, w: of arrays between steps, o: of
/// outputs). How that reaches an entry of the result is measured: sigma is the root mean square of the changes over
/// eight draws, or that over the entry's row where it is larger. The bound is
///
///   6 (sigma + T) + o |entry| + max(N_q, N_k) tiny M + tiny_stored
///
/// T = (2 u + w) max|v| for out and (2 u + w) max|dout| for dv: what a mean of values loses when it is formed and
/// stored, which no perturbed input shows where something is subtracted from it. M is the product of the inputs'
/// largest entries, none below 1. For gradients of weights T = (sqrt(N_k + max(D, D_v) + 10) u + 2 w) D_v max|dout|
/// max|v| max(1, |q|, |k|): they are differences of terms of that size, whose rounding no perturbed input shows when
/// they cancel; and the reference's own, formed in double: sqrt(...) 2^-53 times that size, divided by the least
/// variance of keys + eps where the mechanism divides by it (in attention-bn under a causal mask two equal keys make of
/// the gradient of a saturated weight 1/eps times its rounding).
std::map<std::string, Judged> expected_mechanism(const CaseSpec& spec, const Precision& precision);

/// The same of other arrays than the spec's own; dout is not read without spec.gradient.
std::map<std::string, Judged> expected_mechanism(const CaseSpec& spec, const attention::Call<double>& call,
                                                 const attention::Tensor<double>& dout, const Precision& precision);

}  // namespace attest::judge
