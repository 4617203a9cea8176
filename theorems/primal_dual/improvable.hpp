// Which expansions cannot be solutions of Eq 5: a coefficient beyond C, or one at a sample inside the tube.
#pragma once

#include "theorems/engine/claim.hpp"

namespace attest::primal_dual {

/// The check of: for every keys, targets, beta and j with |beta_j| > C, moving w = sum_i beta_i Psi_i against the
/// direction u_j with <u_j, Psi_i> = [i = j] lowers Eq 5 (b = 0) by at least factor * (|beta_j| - C)^2 / (2 |u_j|^2).
///
/// Proof for factor 1: along -t sign(beta_j) u_j the first term changes by -t |beta_j| + t^2 |u_j|^2 / 2 and the loss
/// by at most C t; take t = (|beta_j| - C) / |u_j|^2. Attained when the residual at k_j lies beyond the tube.
engine::Check improvable_outside_the_box(double factor);

/// The check of: for every keys, beta and j with beta_j != 0 and a residual rho at k_j inside the tube, |rho| <
/// epsilon, moving w along -sign(beta_j) t u_j, t = min(epsilon - |rho|, |beta_j| / |u_j|^2), lowers Eq 5 (b = 0) by at
/// least factor * (t |beta_j| - t^2 |u_j|^2 / 2) > 0. So a solution has no value v_j != 0 where its residual is inside
/// the tube.
engine::Check improvable_inside_the_tube(double factor);

}  // namespace attest::primal_dual
