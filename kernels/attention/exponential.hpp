// The exponential of the softmax kernels.
#pragma once

#include "kernels/random/elementary.hpp"

namespace attest::attention {

/// exp(x) for x <= 700 with relative error below 2^-51 where x >= -708, free of branches so that loops over it
/// vectorise, with the same bits on every target. Below -709.1, also at -infinity, the result is exactly 0 (the true
/// value is under 1e-307); NaN gives NaN; above 700 the result is unspecified.
inline double exponential(double x) {
  // At -709.1 exp_moderate scales by 2^-1023, whose exponent field is that of zero.
  return random::exp_moderate(x < -709.1 ? -709.1 : x);
}

}  // namespace attest::attention
