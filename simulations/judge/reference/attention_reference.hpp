// Softmax attention written for reading, with a bound on what rounding may do to each of its results: the reference.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "simulations/judge/case/problem.hpp"
#include "simulations/judge/reference/precision.hpp"
#include "simulations/judge/reference/semantics.hpp"

namespace attest::judge {

/// One result of the reference and how far a correct implementation may be from it, entry by entry.
struct Judged {
  std::vector<double> values;
  std::vector<double> bounds;
  bool present() const { return !values.empty(); }
};

/// What a correct implementation returns.
struct Expected {
  Judged out;  ///< [B][H][N_q][D_v]
  Judged lse;  ///< [B][H][N_q]: log of the sum of exp(logit) over seen keys and sink; -inf for an empty row
  Judged dq, dk, dv, dbias;  ///< of sum(out dout) + sum(lse dlse); absent without dout

  /// By the name it is returned under; nullptr for another name.
  const Judged* find(const std::string& name) const;
};

/// softmax(softcap(scale q k^T) + bias + mask) v over the keys that a query sees, each sequence and head by itself,
/// with dropout after the softmax, and its exact gradients; under a hypothesis when `semantics` is not the truth.
///
/// Evaluated as plain loops: in long double (2^-64) when the arrays are float64 and in double (2^-53) otherwise, so
/// that its own error is at most 2^-11 of the bounds. A row that sees no key gives out = 0 and lse = -infinity.
///
/// The bounds (u: roundoff of sums, w: of arrays between steps, o: of outputs, tiny: what may be flushed to 0; n = N_k;
/// all per entry, first order but for the exponential, where the factor is exp(e) - 1):
///   logit      e_j    = scale sum_d |q_d k_jd| ((D + 3) u + 3 w) + 3 (u + w) (|s_j| + |added|)
///   weight     g_j    = exp(e_j + u |s_j - max| + 4 u + w) - 1; row: g = sum_j p_j g_j
///   out        sum_j p_j (g_j + g) |v_j| + ((2 n + 16) u + w) sum_j p_j |v_j| + o |out| + tiny sum_j (1 + c_j |v_j|),
///              and never more than the values' hull allows; c_j: the dropout mask's factor, at least 1
///   lse        min(g, max_j log(1 + g_j)) + (n + 8) u + u (3 |max| + 3 |log sum| + 4) + o |lse|
///   dS_j       p_j (r_j |dP_j - D| + E_dP + E_D + 3 (u + w)(|dP_j| + |D|)) + w |dS_j|, where r_j adds to g_j + g the
///              rounding of lse, from which fused kernels form the weights again, and E_D is that of the row sum,
///              formed from the output or from the weights
///   dQ, dK, dV the sums of these bounds with |k|, |q|, |dout|, plus the rounding of the sum itself
///              and tiny for each of its terms
/// They hold for any order of summation, for tiles with an online softmax, and for splits over keys.
///
/// `truth`, the Expected under the default semantics, is needed when semantics.saved_forward. `goes_on` is asked after
/// each row of out and lse, the number of the row [B][H][N_q] among those that are filled in; after its first false the
/// rest is not computed. `first_row` is computed and asked about before all others, and again in its place. Neither
/// changes a number; both are for problems without dout.
using GoesOn = std::function<bool(const Expected& until_now, std::size_t row)>;
Expected expected_attention(const Problem& problem, const Precision& precision, const Semantics& semantics = {},
                            const Expected* truth = nullptr, const GoesOn& goes_on = nullptr,
                            std::size_t first_row = 0);

}  // namespace attest::judge
