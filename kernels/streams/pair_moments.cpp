#include "kernels/streams/pair_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/parallel/fold_blocks.hpp"
#include "kernels/statistics/compensated_sum.hpp"
#include "kernels/streams/chunks.hpp"

namespace attest::streams {
namespace {

constexpr std::uint64_t largest_n = std::uint64_t{1} << 40;
constexpr std::int64_t kept_blocks = 128;
constexpr std::uint64_t device_blocks = 1 << 16;  // a launch

void check(std::uint64_t n, const Noise& x, const Noise& y) {
  if (n == 0 || n > largest_n)
    throw std::invalid_argument(fmt::format("pair_moments: vectors of {} elements; give 1 to 2^40", n));
  for (const Noise* noise : {&x, &y})
    if (!std::isfinite(noise->scale))
      throw std::invalid_argument(fmt::format("pair_moments: a scale is {}, give a finite one", noise->scale));
}

std::uint64_t blocks_of(std::uint64_t n) { return (n + block_elements - 1) / block_elements; }

PairMoments block_moments(std::uint64_t n, const Noise& x, const Noise& y, std::uint64_t sample, std::uint64_t block,
                          const Operations<double>& operations) {
  constexpr auto width = static_cast<std::size_t>(columns<double>);
  alignas(64) std::array<double, chunk_elements> a, b;
  PairMoments total;
  const std::uint64_t end = std::min(n, (block + 1) * block_elements);
  for (std::uint64_t first = block * block_elements; first < end; first += chunk_elements) {
    const std::uint64_t count = std::min(end - first, chunk_elements);
    const std::uint64_t padded = (count + width - 1) / width * width;
    for (const auto& [noise, to] : {std::pair{&x, &a}, std::pair{&y, &b}}) {
      operations.draw(noise->law, {noise->seed, noise->key, sample}, first, to->data(), padded);
      std::fill(to->begin() + static_cast<std::ptrdiff_t>(count), to->begin() + static_cast<std::ptrdiff_t>(padded), 0);
    }
    std::array<double, moment_rows * width> rows{};
    operations.moments(a.data(), b.data(), padded, rows.data());
    total.xx += column_sum(rows.data() + sum_xx * width);
    total.xy += column_sum(rows.data() + sum_xy * width);
    total.yy += column_sum(rows.data() + sum_yy * width);
  }
  return total;
}

/// Blocks added in order, then the scales.
class Total {
 public:
  void add(const PairMoments& block) {
    xx_.add(block.xx);
    xy_.add(block.xy);
    yy_.add(block.yy);
  }
  PairMoments scaled(double x, double y) const {
    return {xx_.value() * (x * x), xy_.value() * (x * y), yy_.value() * (y * y)};
  }

 private:
  statistics::CompensatedSum xx_, xy_, yy_;
};

}  // namespace

PairMoments pair_moments(std::uint64_t n, const Noise& x, const Noise& y, std::uint64_t sample, unsigned threads,
                         const Operations<double>& operations) {
  check(n, x, y);
  Total total;
  parallel::fold_blocks<PairMoments>(
      static_cast<std::int64_t>(blocks_of(n)), threads, kept_blocks,
      [&](std::int64_t block) { return block_moments(n, x, y, sample, static_cast<std::uint64_t>(block), operations); },
      [&](const PairMoments& block) { total.add(block); });
  return total.scaled(x.scale, y.scale);
}

PairMoments pair_moments_by_blocks(
    std::uint64_t n, const Noise& x, const Noise& y,
    const std::function<std::vector<PairMoments>(std::uint64_t first, std::uint64_t blocks)>& block_sums) {
  check(n, x, y);
  Total total;
  for (std::uint64_t first = 0; first < blocks_of(n); first += device_blocks)
    for (const PairMoments& block : block_sums(first, std::min(device_blocks, blocks_of(n) - first))) total.add(block);
  return total.scaled(x.scale, y.scale);
}

PairMoments pair_moments_on_cuda(std::uint64_t n, const Noise& x, const Noise& y, std::uint64_t sample) {
  return pair_moments_by_blocks(n, x, y, [&](std::uint64_t first, std::uint64_t blocks) {
    return block_moments_on_cuda(n, x, y, sample, first, blocks);
  });
}

}  // namespace attest::streams
