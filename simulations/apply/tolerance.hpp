// How far a correct implementation may lie from the exact result, derived from its type, the lengths and the condition
// of the case.
//
// The model. An implementation in floating-point arithmetic of unit roundoff u returns the exact result of inputs that
// are perturbed entry by entry, and rounds it. In a sum x_1 + x_2 + ... of rounded partial sums, the term x_i is
// multiplied by 1 + (the sum of the roundings from its addition on) to first order: with independent roundings of mean
// zero and at most u each, the perturbations of the terms are a random walk of steps u along the sum. (Higham and Mary,
// "A new approach to probabilistic rounding error analysis", SIAM J. Sci. Comput. 41, 2019, Theorem 2.4: after n steps
// it stays below lambda sqrt(n) u with probability at least 1 - 2 exp(-lambda^2/2).) So every entry of q, k, v and R is
// multiplied by 1 + u (walk along the features + walk along the tokens + sqrt(10) s), s = +-1: the dot products, the
// sums over tokens, and ten roundings for scale, exponential, normaliser and the like. All other arrays are multiplied
// by 1 + sqrt(10) u s. How this reaches an entry of the result, its condition, is measured: the mechanism is evaluated
// in float64 at perturbed inputs, and the root mean square of the changes is the standard deviation of the entry's
// error. An entry is right when it is within
//
//   6 sigma + u_stored |entry| + N eta M                             (6: a chance of 3e-8 by the bound above)
//
// of ours, where sigma is the larger of the entry's own and the root mean square over its last axis, so that few draws
// do not give a small one by luck. The last term is underflow: each of the N = max(N_q, N_k) terms of a sum may lose
// eta, the least normal number (float16: 2^-24, its least number), times what the term is multiplied with, at most M,
// the product of the largest |entry| of each input, none taken below 1.
//
// Two roundings do not act like a perturbed input. The sum of exponentials is off by sqrt(N) u, relatively: that is
// added to sigma of lse. And the gradient of a logit is A_ij (dA_ij - sum_l A_il dA_il), a difference that vanishes for
// a row with one weight near 1, whatever the inputs. The subtracted mean, sum_d R_id out_id, is the gradient that lse
// would get; so where the mechanism gives lse, R_lse is moved by sqrt(n) u sum_d |R_id out_id| besides, where
// n = N + max(D, D_v) + 10. Other mechanisms lack this term: their tolerance is too narrow for gradients of saturated
// rows.
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

namespace attest::apply {

/// The numbers of the model.
struct Perturbation {
  double unit = 0;       ///< u
  double of_values = 0;  ///< what inputs other than q and k are perturbed by besides: half types
  double roundings = 0;  ///< n
  double tokens = 0;     ///< N
  double underflow = 0;  ///< N eta M
};
/// Of an implementation whose results are of this type, for inputs in the layout bhnd. Precondition: is_floating(type).
Perturbation perturbation_of(const NamedArrays& inputs, ElementType type);

/// sigma of every entry of every result that `plan` asks for; `exact` is the evaluation in float64 at the inputs
/// themselves. A pure function of the arguments. Preconditions: plan.type is float64, plan.layout bhnd. Errors: as
/// apply_mechanism.
std::map<std::string, std::vector<double>> standard_deviations(const attention::Mechanism& mechanism,
                                                               const NamedArrays& inputs, const ApplyPlan& plan,
                                                               const NamedArrays& exact,
                                                               const Perturbation& perturbation);

/// 6 sigma + u_stored |exact| + N eta M.
double tolerance(double sigma, double exact, ElementType type, const Perturbation& perturbation);

}  // namespace attest::apply
