#include "kernels/monte_carlo/control_variate.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"
#include "kernels/statistics/compensated_sum.hpp"

namespace attest::monte_carlo {
namespace {

constexpr std::uint64_t block_samples = 256;

// Sums of deviations from a fixed point near the means, so that nothing cancels.
struct Sums {
  double v = 0, c = 0, vv = 0, vc = 0, cc = 0, plain = 0, plain2 = 0;
};

struct Origin {
  double value = 0, control = 0;
};

Sums sums(const SignedStatistic& statistic, Origin origin, std::uint64_t first, std::uint64_t count, bool antithetic,
          unsigned threads) {
  std::vector<Sums> blocks((count + block_samples - 1) / block_samples);
  parallel::for_each_block(static_cast<std::int64_t>(blocks.size()), threads, [&](std::int64_t b) {
    const std::uint64_t begin = static_cast<std::uint64_t>(b) * block_samples;
    Sums& s = blocks[static_cast<std::size_t>(b)];
    for (std::uint64_t i = begin; i < std::min(count, begin + block_samples); ++i) {
      ControlledSample x = statistic(first + i, 1);
      const double plain = x.value - origin.value;
      if (antithetic) {
        const ControlledSample mirrored = statistic(first + i, -1);
        x = {(x.value + mirrored.value) / 2, (x.control + mirrored.control) / 2};
      }
      const double v = x.value - origin.value, c = x.control - origin.control;
      s.v += v;
      s.c += c;
      s.vv += v * v;
      s.vc += v * c;
      s.cc += c * c;
      s.plain += plain;
      s.plain2 += plain * plain;
    }
  });
  const auto total = [&](double Sums::*member) {
    statistics::CompensatedSum sum;
    for (const Sums& s : blocks) sum.add(s.*member);
    return sum.value();
  };
  return {total(&Sums::v),  total(&Sums::c),     total(&Sums::vv),    total(&Sums::vc),
          total(&Sums::cc), total(&Sums::plain), total(&Sums::plain2)};
}

double standard_error(double variance_sum, double n) { return std::sqrt(std::max(variance_sum, 0.0) / (n - 1) / n); }

}  // namespace

ReducedMean reduced_mean(const SignedStatistic& statistic, double control_mean, std::uint64_t samples,
                         std::uint64_t pilot, bool antithetic, unsigned threads) {
  if (samples < 2 || pilot < 8)
    throw std::invalid_argument(
        fmt::format("reduced_mean: {} samples and a pilot of {}; give at least 2 and 8", samples, pilot));
  const Origin origin{statistic(0, 1).value, control_mean};
  const Sums p = sums(statistic, origin, 0, pilot, antithetic, threads);
  const auto m = static_cast<double>(pilot), n = static_cast<double>(samples);
  const double control_spread = p.cc - p.c * p.c / m;
  const double b = control_spread > 0 ? (p.vc - p.v * p.c / m) / control_spread : 0;
  const Sums s = sums(statistic, origin, pilot, samples, antithetic, threads);
  const double spread = (s.vv - s.v * s.v / n) - 2 * b * (s.vc - s.v * s.c / n) + b * b * (s.cc - s.c * s.c / n);
  ReducedMean result;
  result.coefficient = b;
  result.mean = origin.value + s.v / n - b * s.c / n;
  result.standard_error = standard_error(spread, n);
  result.plain_mean = origin.value + s.plain / n;
  result.plain_standard_error = standard_error(s.plain2 - s.plain * s.plain / n, n);
  return result;
}

}  // namespace attest::monte_carlo
