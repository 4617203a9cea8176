#include "kernels/quantities/sampled_mean.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

#include "kernels/parallel/blocks.hpp"

namespace attest::quantities {
namespace {

constexpr std::uint64_t block_samples = 16;
constexpr std::uint64_t blocks_at_once = 4096;  // what is kept in memory before it is merged

}  // namespace

statistics::Welford sampled_moments(const Effort& effort, const std::function<double(std::uint64_t)>& statistic) {
  statistics::Welford all;
  const std::uint64_t blocks = (effort.budget + block_samples - 1) / block_samples;
  for (std::uint64_t first = 0; first < blocks; first += blocks_at_once) {
    std::vector<statistics::Welford> parts(std::min(blocks_at_once, blocks - first));
    parallel::for_each_block(static_cast<std::int64_t>(parts.size()), effort.threads, [&](std::int64_t part) {
      const std::uint64_t begin = (first + static_cast<std::uint64_t>(part)) * block_samples;
      const std::uint64_t end = std::min(begin + block_samples, effort.budget);
      for (std::uint64_t sample = begin; sample < end; ++sample)
        parts[static_cast<std::size_t>(part)].add(statistic(sample));
    });
    for (const statistics::Welford& part : parts) all.merge(part);
  }
  return all;
}

Outcome mean_outcome(const statistics::Welford& moments) {
  if (moments.count() < 2) return {moments.mean(), {}};
  const auto n = static_cast<double>(moments.count());
  const boost::math::students_t law(n - 1);
  const double half = boost::math::quantile(complement(law, error_level / 2)) * std::sqrt(moments.variance() / n);
  return {moments.mean(), {moments.mean() - half, moments.mean() + half}};
}

}  // namespace attest::quantities
