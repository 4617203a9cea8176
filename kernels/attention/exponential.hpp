// The exponential of the softmax kernels.
#pragma once

#include "kernels/random/elementary.hpp"

namespace attest::attention {

/// exp(x) for x <= 700 with relative error below 2^-51, free of branches so that loops over it vectorise, with the same
/// bits on every target. Below -700 the result is 0 (the true value is under 1e-304), also at -infinity; NaN gives NaN;
/// above 700 the result is unspecified.
inline double exponential(double x) {
  const double value = random::exp_moderate(x < -700.0 ? -700.0 : x);
  return x < -700.0 ? 0.0 : value;
}

}  // namespace attest::attention
