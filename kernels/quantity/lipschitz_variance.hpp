// How much a smooth function of many independent draws can vary.
#pragma once

#include "kernels/random/laws.hpp"

namespace attest::quantities {

/// An upper bound of Var f(X_1, ..., X_n) for independent X_i of the law (mean 0, variance 1) and every convex f with
/// Lipschitz constant 1, for every n: the constant of Poincaré's inequality Var f <= C E |grad f|^2, which tensorises.
/// - gaussian: 1; uniform on an interval of length D: D^2/pi^2 = 12/pi^2; laplace: 4 b^2 = 2 (S. Bobkov and M. Ledoux,
///   "Poincaré's inequalities and Talagrand's concentration phenomenon for the exponential distribution", 1997); for
///   these f need not be convex.
/// - rademacher and sparse_three_point(p), on an interval of length D: D^2 = 4 and 4/p (S. Boucheron, G. Lugosi and
///   P. Massart, "Concentration Inequalities", 2013, Theorem 3.17, convex Poincaré inequality).
/// - student_t: infinite; no such inequality holds with a constant for all n.
double lipschitz_variance(const random::Law& law);

}  // namespace attest::quantities
