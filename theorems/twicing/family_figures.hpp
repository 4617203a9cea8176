// Figures of random attention matrices, one curve or cloud a family.
#pragma once

#include <vector>

#include "theorems/engine/evidence.hpp"

namespace attest::twicing {

/// Eigenvalues in the complex plane, with the edge |2z - z^2| = 1 of where twicing keeps powers bounded.
std::vector<engine::Figure> spectra_of_families();

/// Mean of |p(lambda)|^n over the eigenvalues of A and of 2A - A^2 against the two eigencapacities.
std::vector<engine::Figure> capacity_of_families();

}  // namespace attest::twicing
