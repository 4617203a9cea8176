// The largest eigenvalue of diag(b)/s - b b^T/s^2 from sums over b that may be too many to keep.
#pragma once

#include <functional>

namespace attest::softmax {

/// Over the b below the second largest value, at a point x: `rest` = sum b/(x - b), `slope` = sum b/(x - b)^2, and how
/// many b are at least as large as the second largest.
struct SecularTerms {
  double rest = 0, slope = 0, above = 0;
};

/// The root x of sum_i b_i/(b_i - x) = 0 between the second largest and the largest of b_1, ..., b_n >= 0, which is s
/// times the largest eigenvalue of diag(b/s) - (b/s)(b/s)^T, s = sum b.
///
/// Each step keeps the poles at the two largest values and replaces the other terms by their tangent, which converges
/// quadratically; `pass(x)` computes those terms. Stops when a step is at most `tolerance` x. Preconditions: largest >=
/// second >= 0, sum > 0.
double secular_root(double largest, double second, double sum, double tolerance,
                    const std::function<SecularTerms(double)>& pass);

}  // namespace attest::softmax
