// Checks of bounds on the eigenvalues of attention matrices, shared by the statements on them.
#pragma once

#include "theorems/engine/claim.hpp"
#include "theorems/twicing/attention_point.hpp"

namespace attest::twicing {

/// u^T S u > -allowance |u|^2 (or >=, by `relation`) for S = D^-1/2 W D^-1/2, u not 0, with the diagonal of W
/// multiplied by `diagonal` first. For shared queries and keys the tokens must be distinct.
engine::Check definite(const AttentionShape& shape, engine::Relation relation, double diagonal, double allowance);

/// u^T S u <= bound u^T u.
engine::Check contraction(const AttentionShape& shape, double bound);

/// lambda_2 = A_11 + A_22 - 1 >= bound for two tokens with one feature.
engine::Check second_eigenvalue_at_least(double bound);

/// Three tokens: the two eigenvalues beside 1 are real, (tr A - 1)^2 >= 4 det A.
engine::Check real_spectrum();

/// The eigenvalue of second largest modulus is below `bound`.
engine::Check second_modulus_below(const AttentionShape& shape, double bound);

/// Over random members of a family with D = 4: the least real part of an eigenvalue is positive.
engine::Check least_eigenvalue_above(spectra::AttentionFamily family, int tokens, double bound);

/// |2 lambda - lambda^2| >= factor |lambda| in the closed unit disc.
engine::Check dominance_on_disc(double factor);

}  // namespace attest::twicing
