#include "kernels/residual/grc_scan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/parallel/fold_blocks.hpp"
#include "kernels/residual/grc_steps.hpp"
#include "kernels/simd/lanes.hpp"

namespace attest::residual {
namespace {

using V = simd::Lanes<double, 32>;
constexpr std::size_t registers = 4, group = registers * V::count;  // enough chains to hide a product's latency
constexpr std::uint64_t block_pairs = 128;
constexpr std::int64_t kept_blocks = 1024;
constexpr std::uint64_t device_blocks = 1 << 16;

void check(const GrcGrid& grid) {
  const auto refuse = [](const std::string& sentence) { throw std::invalid_argument("scan_grc: " + sentence); };
  const auto within = [&](const char* name, const GrcAxis& axis, double least, double most) {
    if (axis.points == 0 || !(axis.from >= least && axis.from <= axis.to && axis.to <= most))
      refuse(fmt::format("{} has {} points from {} to {}; give some from {} to {}, the smaller end first", name,
                         axis.points, axis.from, axis.to, least, most));
  };
  within("L", grid.lipschitz, 0, 1e6);
  within("t", grid.weight, 0, 1);
  if (!(grid.constant > 0 && std::isfinite(grid.constant)))
    refuse(fmt::format("the constant is {}, give a positive one", grid.constant));
  if (grid.layers == 0 || grid.layers > std::uint64_t{1} << 30)
    refuse(fmt::format("{} layers; give 1 to 2^30", grid.layers));
  if (static_cast<double>(grid.lipschitz.points) * static_cast<double>(grid.weight.points) *
          static_cast<double>(grid.layers) >
      0x1p52)
    refuse("the grid has more than 2^52 points; make it smaller");
}

std::uint64_t pairs_of(const GrcGrid& grid) { return grid.lipschitz.points * grid.weight.points; }
std::uint64_t blocks_of(const GrcGrid& grid) { return (pairs_of(grid) + block_pairs - 1) / block_pairs; }

/// Up to `group` pairs from `first` on; those past the end repeat the last one and are not counted.
GrcScan scan_group(const GrcGrid& grid, std::uint64_t first, std::uint64_t count) {
  std::array<double, group> lipschitz, weight;
  for (std::uint64_t i = 0; i < group; ++i) {
    const std::uint64_t pair = first + std::min(i, count - 1);
    lipschitz[i] = grid.lipschitz.at(pair / grid.weight.points);
    weight[i] = grid.weight.at(pair % grid.weight.points);
  }
  std::array<GrcRecursion<V>, registers> recursions;
  std::array<GrcTally<V>, registers> tallies;
  for (std::size_t r = 0; r < registers; ++r) {
    recursions[r] =
        GrcRecursion<V>::first_layer(V::load(lipschitz.data() + r * V::count), V::load(weight.data() + r * V::count));
    tallies[r] = GrcRecursion<V>::nothing_seen();
  }
  const double margin = grc_rounding(grid.layers);
  const V low(grid.constant * (1 - margin)), high(grid.constant * (1 + margin));
  for (std::uint64_t n = 1; n <= grid.layers; ++n) {
    const V number(static_cast<double>(n));
    for (std::size_t r = 0; r < registers; ++r) {
      if (n > 1) recursions[r].next_layer();
      recursions[r].count(number, low, high, tallies[r]);
    }
  }
  GrcScan all;
  for (std::uint64_t i = 0; i < count; ++i) {
    const GrcTally<V>& t = tallies[i / V::count];
    const auto lane = static_cast<int>(i % V::count);
    const auto whole = [lane](const V& v) { return static_cast<std::uint64_t>(v.value[lane]); };
    join(all, {grid.layers,
               whole(t.printed_above),
               whole(t.printed_open),
               whole(t.sharp_above),
               whole(t.sharp_open),
               {t.largest.value[lane], lipschitz[i], weight[i], whole(t.largest_at)},
               {t.least.value[lane], lipschitz[i], weight[i], whole(t.least_at)}});
  }
  return all;
}

GrcScan scan_block(const GrcGrid& grid, std::uint64_t block) {
  GrcScan all;
  const std::uint64_t end = std::min((block + 1) * block_pairs, pairs_of(grid));
  for (std::uint64_t first = block * block_pairs; first < end; first += group)
    join(all, scan_group(grid, first, std::min<std::uint64_t>(group, end - first)));
  return all;
}

}  // namespace

GrcScan scan_grc(const GrcGrid& grid, unsigned threads) {
  check(grid);
  GrcScan all;
  parallel::fold_blocks<GrcScan>(
      static_cast<std::int64_t>(blocks_of(grid)), threads, kept_blocks,
      [&](std::int64_t block) { return scan_block(grid, static_cast<std::uint64_t>(block)); },
      [&](const GrcScan& block) { join(all, block); });
  return all;
}

GrcScan scan_grc_by_blocks(
    const GrcGrid& grid,
    const std::function<std::vector<GrcScan>(std::uint64_t first, std::uint64_t blocks)>& block_scans) {
  check(grid);
  GrcScan all;
  for (std::uint64_t done = 0; done < blocks_of(grid); done += device_blocks)
    for (const GrcScan& block : block_scans(done, std::min(device_blocks, blocks_of(grid) - done))) join(all, block);
  return all;
}

GrcScan scan_grc_on_cuda(const GrcGrid& grid) {
  return scan_grc_by_blocks(
      grid, [&](std::uint64_t first, std::uint64_t blocks) { return grc_blocks_on_cuda(grid, first, blocks); });
}

}  // namespace attest::residual
