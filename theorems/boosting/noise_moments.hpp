// The six noise laws of Appendix A and their moments in closed form.
#pragma once

#include <vector>

#include "kernels/random/laws.hpp"
#include "kernels/rigor/ball.hpp"

namespace attest::boosting {

/// Gaussian, Rademacher, uniform, Laplace, Student t_5 and sparse three-point (p = 0.1), all of mean 0 and variance 1.
std::vector<random::Law> six_laws();

/// E |eta|^order for the unit-variance law, from its density by Gamma functions; not finite where the moment is
/// infinite. Precondition: order > 0.
rigor::Ball absolute_moment(const random::Law& law, int order);

}  // namespace attest::boosting
