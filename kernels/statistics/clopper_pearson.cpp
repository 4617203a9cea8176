#include "kernels/statistics/clopper_pearson.hpp"

#include <stdexcept>

#include <boost/math/special_functions/beta.hpp>
#include <fmt/format.h>

namespace attest::statistics {

Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials, double alpha, Sides sides) {
  if (trials == 0 || successes > trials)
    throw std::invalid_argument(fmt::format("clopper_pearson: {} successes in {} trials", successes, trials));
  if (!(alpha > 0 && alpha < 1))
    throw std::invalid_argument(fmt::format("clopper_pearson: alpha = {} is not in (0, 1)", alpha));
  const double level = level_per_side(alpha, sides);
  const auto hits = static_cast<double>(successes);
  const auto misses = static_cast<double>(trials - successes);
  Interval result{0, 1};
  if (sides != Sides::upper_only && successes > 0) result.lower = boost::math::ibeta_inv(hits, misses + 1, level);
  if (sides != Sides::lower_only && successes < trials) result.upper = boost::math::ibetac_inv(hits + 1, misses, level);
  return result;
}

}  // namespace attest::statistics
