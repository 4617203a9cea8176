#include "theorems/boosting/noise_moments.hpp"

#include <stdexcept>

namespace attest::boosting {

using random::LawKind;
using rigor::Ball;

std::vector<random::Law> six_laws() {
  using random::Law;
  return {Law::gaussian(), Law::rademacher(), Law::uniform(),
          Law::laplace(),  Law::student_t(5), Law::sparse_three_point(0.1)};
}

Ball absolute_moment(const random::Law& law, int order) {
  const Ball r = order, half = Ball(0.5);
  switch (law.kind) {
    case LawKind::gaussian:
      return rigor::pow(Ball(2), r / 2) * rigor::gamma((r + 1) / 2) / rigor::sqrt(Ball::pi());
    case LawKind::rademacher:
      return 1;
    case LawKind::uniform:  // density 1/(2 sqrt 3) on (-sqrt 3, sqrt 3)
      return rigor::pow(Ball(3), r / 2) / (r + 1);
    case LawKind::laplace:  // scale 1/sqrt 2
      return rigor::pow(half, r / 2) * rigor::gamma(r + 1);
    case LawKind::student_t: {
      const Ball nu = law.parameter;
      if (!(law.parameter > order)) return Ball(1) / Ball(0);
      return rigor::pow(nu - 2, r / 2) * rigor::gamma((r + 1) / 2) * rigor::gamma((nu - r) / 2) /
             (rigor::sqrt(Ball::pi()) * rigor::gamma(nu / 2));
    }
    case LawKind::sparse_three_point:  // (1/sqrt p)^r with probability p
      return rigor::pow(Ball(law.parameter), 1 - r / 2);
  }
  throw std::logic_error("absolute_moment: a law without a density");
}

}  // namespace attest::boosting
