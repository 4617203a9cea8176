// Networks of linear layers, residual and boosted: what the bounds K_n promise and what they attain.
#pragma once

#include "theorems/boosting/lipschitz_recurrence.hpp"
#include "theorems/engine/claim.hpp"

namespace attest::boosting {

/// |Y_n - Y'_n| <= K_n |Y_0 - Y'_0| for n <= 12 layers Y_{l+1} = f_l(Y_l) + t Y_0 + (1 - t) Y_l, t in [0, largest_t],
/// with f_l(y) = L_l e^{i theta_l} y on the plane, L_l in [0, 4]: layers whose Lipschitz constant is L_l.
/// K_n follows `recurrence`. largest_t = 0 leaves the residual network.
engine::Check every_linear_network(LipschitzRecurrence recurrence, double largest_t);

/// |Y_n - Y'_n| = K_n |Y_0 - Y'_0| for the layers f_l(y) = L_l y: the network is run on both inputs.
engine::Check attained_by_scaling(LipschitzRecurrence recurrence, double largest_t);

}  // namespace attest::boosting
