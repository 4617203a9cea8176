#include "kernels/softmax/secular_root.hpp"

#include <cmath>
#include <numeric>

namespace attest::softmax {
namespace {

// The x in (second, largest) where largest/(largest - x) = multiplicity second/(x - second) + rest - slope (x - at), by
// bisection down to neighbouring numbers: the left side rises and the right side falls.
double model_root(double largest, double second, double multiplicity, double at, const SecularTerms& terms) {
  double low = second, high = largest;
  for (;;) {
    const double x = std::midpoint(low, high);
    if (!(low < x && x < high)) return x;
    const double excess =
        largest / (largest - x) - multiplicity * second / (x - second) - terms.rest + terms.slope * (x - at);
    (excess < 0 ? low : high) = x;
  }
}

}  // namespace

double secular_root(double largest, double second, double sum, double tolerance,
                    const std::function<SecularTerms(double)>& pass) {
  if (second == 0) return 0;  // A softmax with one positive entry: its Jacobian is 0.
  if (second == largest) return largest;
  // To begin with, all that is not at the top is taken to be far below it.
  double x = model_root(largest, second, 1, largest, {(sum - largest - second) / largest, 0, 0});
  constexpr int most_passes = 40;
  for (int i = 0; i < most_passes; ++i) {
    const SecularTerms terms = pass(x);
    const double next = model_root(largest, second, terms.above - 1, x, terms);
    const double step = std::fabs(next - x);
    x = next;
    if (!(step > tolerance * x)) break;
  }
  return x;
}

}  // namespace attest::softmax
