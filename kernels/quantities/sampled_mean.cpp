#include "kernels/quantities/sampled_mean.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <boost/math/distributions/students_t.hpp>

#include "kernels/parallel/fold_blocks.hpp"

namespace attest::quantities {
namespace {

constexpr std::uint64_t block_samples = 16;
constexpr std::int64_t kept_blocks = 64;
constexpr std::uint64_t large_sample = 1 << 20;  // elements

struct Block {
  std::array<double, block_samples> values;
  std::uint64_t count = 0;
};

}  // namespace

statistics::Welford sampled_moments(const Effort& effort, const std::function<double(std::uint64_t)>& statistic,
                                    const std::function<void(double)>& see) {
  statistics::Welford all;
  parallel::fold_blocks<Block>(
      static_cast<std::int64_t>((effort.budget + block_samples - 1) / block_samples), effort.threads, kept_blocks,
      [&](std::int64_t number) {
        const std::uint64_t begin = static_cast<std::uint64_t>(number) * block_samples;
        Block block;
        block.count = std::min(block_samples, effort.budget - begin);
        for (std::uint64_t i = 0; i < block.count; ++i) block.values[i] = statistic(begin + i);
        return block;
      },
      [&](const Block& block) {
        statistics::Welford part;
        for (std::uint64_t i = 0; i < block.count; ++i) {
          part.add(block.values[i]);
          if (see) see(block.values[i]);
        }
        all.merge(part);
      });
  return all;
}

Outcome mean_outcome(const statistics::Welford& moments) {
  if (moments.count() < 2) return {moments.mean(), {}};
  const auto n = static_cast<double>(moments.count());
  const boost::math::students_t law(n - 1);
  const double half = boost::math::quantile(complement(law, error_level / 2)) * std::sqrt(moments.variance() / n);
  return {moments.mean(), {moments.mean() - half, moments.mean() + half}};
}

ThreadShare::ThreadShare(const Effort& effort, std::uint64_t elements)
    : samples(elements >= large_sample ? 1 : effort.threads), inner(elements >= large_sample ? effort.threads : 1) {}

}  // namespace attest::quantities
