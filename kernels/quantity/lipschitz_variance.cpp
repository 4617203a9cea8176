#include "kernels/quantity/lipschitz_variance.hpp"

#include <limits>
#include <numbers>

namespace attest::quantities {

double lipschitz_variance(const random::Law& law) {
  switch (law.kind) {
    case random::LawKind::gaussian:
      return 1;
    case random::LawKind::uniform:
      return 12 / (std::numbers::pi * std::numbers::pi);
    case random::LawKind::laplace:
      return 2;
    case random::LawKind::rademacher:
      return 4;
    case random::LawKind::sparse_three_point:
      return 4 / law.parameter;
    case random::LawKind::student_t:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace attest::quantities
