#include "kernels/attention/stages/distance_sums.hpp"

namespace attest::attention {

// With S_0(i) and S_1(i) the sums of x(n) and n x(n) over n <= i, and T_0, T_1 those over all n,
// sum_n |i - n| x(n) = 2 (i S_0 - S_1) + T_1 - i T_0.
std::vector<double> distance_sums(std::span<const double> x, Index columns, Index rows) {
  const Index tokens = static_cast<Index>(x.size()) / columns;
  std::vector<double> y(static_cast<std::size_t>(rows * columns));
  for (Index r = 0; r < columns; ++r) {
    const auto entry = [&](Index n) { return x[static_cast<std::size_t>(n * columns + r)]; };
    double all = 0, moment = 0;
    for (Index n = 0; n < tokens; ++n) {
      all += entry(n);
      moment += static_cast<double>(n) * entry(n);
    }
    double seen = 0, seen_moment = 0;
    for (Index i = 0; i < rows; ++i) {
      const auto place = static_cast<double>(i);
      if (i < tokens) {
        seen += entry(i);
        seen_moment += place * entry(i);
      }
      y[static_cast<std::size_t>(i * columns + r)] = 2 * (place * seen - seen_moment) + moment - place * all;
    }
  }
  return y;
}

}  // namespace attest::attention
