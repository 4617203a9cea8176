#include "theorems/boosting/lipschitz_recurrence.hpp"

namespace attest::boosting {

using rigor::Ball;

Ball LipschitzRecurrence::step_by_step(std::span<const double> layers, const Ball& t) const {
  Ball bound = Ball(layers[0]) + first;
  for (const double layer : layers.subspan(1)) bound = (layer + stay * (1 - t)) * bound + carried * t;
  return bound;
}

double LipschitzRecurrence::unrolled(std::span<const double> layers, double t) const {
  double product = 1;  // of a_l over the layers after the j-th
  double sum = 0;
  for (std::size_t j = layers.size() - 1; j >= 1; --j) {
    sum += product;
    product *= layers[j] + stay * (1 - t);
  }
  return (layers[0] + first) * product + carried * t * sum;
}

}  // namespace attest::boosting
