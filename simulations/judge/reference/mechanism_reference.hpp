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
/// rounded to the spec's type; V = identity for the family `identity`, and 17/16 Q for `queries times 17/16`. Errors: std::invalid_argument when the
/// mechanism does not take these extents or settings.
attention::Call<double> call_of(const CaseSpec& spec);

/// As it is handed to a target: arrays by their names, settings as numbers, true or false, or text; R as dout.
Request mechanism_request(const CaseSpec& spec, const attention::Call<double>& call, const Conventions& conventions,
                          const attention::Tensor<double>* dout);

/// The output's gradient that a case with gradients asks for.
attention::Tensor<double> weights_of(const CaseSpec& spec, const attention::Shape& out);

/// out and, with gradients, dq, dk, dv, with bounds: 16 (N_k + D) u (the largest change of the entry under eight random
/// relative perturbations of the inputs, divided by their size, plus the output's largest entry, plus
/// for gradients of weights D_v max|dout| max|v| max(1, |q|, |k|), the size of the terms whose differences they are).
/// The perturbations measure the condition; the factor allows every operation of a row its rounding.
std::map<std::string, Judged> expected_mechanism(const CaseSpec& spec, const Precision& precision);

}  // namespace attest::judge
