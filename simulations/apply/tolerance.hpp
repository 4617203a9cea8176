// How far a correct implementation may lie from the exact result, derived from its type, the lengths and the condition
// of the case.
//
// The model. An implementation in floating-point arithmetic of unit roundoff u returns the exact result of inputs that
// are perturbed entry by entry, and rounds it: every product and every partial sum rounds, and a term of a sum of n
// terms passes through at most n roundings. For roundings that are independent and have mean zero, a chain of n of them
// is a relative perturbation of standard deviation at most sqrt(n) u (Higham and Mary, "A new approach to
// probabilistic rounding error analysis", SIAM J. Sci. Comput. 41, 2019, Theorem 2.4: below lambda sqrt(n) u with
// probability at least 1 - 2 exp(-lambda^2/2) each). Here
//
//   n = max(D, D_v) + max(N_q, N_k) + 10,
//
// the dot product, the sum over tokens, and ten for scale, exponential, normaliser and the like. How the perturbation
// reaches an entry of the result, its condition, is measured: the mechanism is evaluated in float64 at inputs
// x (1 + sqrt(n) u s) with independent signs s = +-1, and the root mean square of the changes is the standard deviation
// of the entry's error to first order. An entry is right when it is within
//
//   6 sigma + u_stored |entry| + N eta M                             (6: a chance of 3e-8 by the bound above)
//
// of ours, where sigma is the larger of the entry's own and the root mean square over its last axis, so that few draws
// do not give a small one by luck. The last term is underflow: each of the N = max(N_q, N_k) terms of a sum may lose
// eta, the least normal number (float16: 2^-24, its least number), times what the term is multiplied with, at most M,
// the product of the largest |entry| of each input, none taken below 1.
//
// One rounding does not act like a perturbed input: the gradient of a logit is A_ij (dA_ij - sum_l A_il dA_il), a
// difference that vanishes for a row with one weight near 1, whatever the inputs. The subtracted mean, sum_d R_id
// out_id, is the gradient that lse would get; so where the mechanism gives lse, R_lse is moved by sqrt(n) u sum_d |R_id
// out_id| besides. Other mechanisms lack this term: their tolerance is too narrow for gradients of saturated rows.
//
// Types. float64 and float32 accumulate in themselves, u = 2^-53 and 2^-24. float16 and bfloat16 accumulate in float32,
// u = 2^-24, and round the weights, their gradients and the result once to the type: all inputs but q and k are
// perturbed by 2 u_stored more, as the products with rounded weights are.
//
// What is not covered: arithmetic that rounds towards zero, accumulation in half types, and algorithms less stable than
// their inputs' condition, such as a softmax without subtracting the maximum.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/apply/apply_mechanism.hpp"

namespace attest::simulations {

/// sqrt(n) u of the model, what inputs other than q and k are perturbed by besides, and N eta M.
struct Perturbation {
  double of_all = 0, of_values = 0, underflow = 0;
};
/// Of an implementation whose results are of this type, for inputs with these arrays. Precondition: is_floating(type).
Perturbation perturbation_of(const NamedArrays& inputs, ElementType type);

/// sigma of every entry of every result that `plan` asks for, for the perturbation; `exact` is the evaluation in
/// float64 at the inputs themselves. A pure function of the arguments. Errors: as apply_mechanism.
std::map<std::string, std::vector<double>> standard_deviations(const attention::Mechanism& mechanism,
                                                               const NamedArrays& inputs, const ApplyPlan& plan,
                                                               const NamedArrays& exact,
                                                               const Perturbation& perturbation);

/// 6 sigma + u_stored |exact| + N eta M.
double tolerance(double sigma, double exact, ElementType type, const Perturbation& perturbation);

}  // namespace attest::simulations
