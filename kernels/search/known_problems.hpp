// Problems with a known infimum, on which the strength of the adversarial search is measured.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/search/adversarial.hpp"

namespace attest::search {

/// A problem that carries its own answer.
struct KnownProblem {
  std::string name;  ///< what it is, with its size
  Problem problem;   ///< slack, box; no corner that gives the answer away
  double infimum;    ///< greatest lower bound of the slack over the admissible points of the box
};

/// `softmax` is 1/2-Lipschitz in every l^p norm: slack(x, y) = 1/2 - |softmax(x) - softmax(y)|_p / |x - y|_p over pairs
/// in [-20, 20]^n each. Infimum 0: for p = 1 and infinity approached where one component is near 1/2 whatever the
/// others are, for p = 2 only where two components are near 1/2 and all others vanish (Nair, Softmax is
/// 1/2-Lipschitz). Pairs closer than `nearest` = 1e-3 are inadmissible (NaN), since rounding would dominate the ratio;
/// that leaves an unavoidable gap of at most nearest^2 / 16.
/// `p` is 1, 2 or infinity; n at least 2.
KnownProblem softmax_half_lipschitz(double p, std::size_t n);

/// A curved valley: sum over i of 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2 over [-5, 5]^d; infimum 0 at (1, ..., 1).
KnownProblem rosenbrock_valley(std::size_t d);

/// A flat floor with one hole: 1 - exp(-|x - c|^2 / (2 width^2)) over [0, 1]^d; infimum 0 at an irregular c. The slack
/// equals 1 to double precision further than about 8.6 widths from c, so only points drawn inside that ball see the
/// hole.
KnownProblem needle(std::size_t d, double width);

/// A non-smooth funnel in many coordinates: mean of |x_i - c_i| over [-1, 1]^d; infimum 0 at an irregular c.
KnownProblem absolute_deviation(std::size_t d);

/// Half of the box is inadmissible, and the infimum 0 lies at the admissible end of the border:
/// slack = |x| with NaN where x_1 < 0 over [-1, 1]^d, with +infinity where x_2 > 1/2; infimum 0 at the origin.
KnownProblem half_admissible(std::size_t d);

}  // namespace attest::search
