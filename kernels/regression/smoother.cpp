#include "kernels/regression/smoother.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/parallel/fold_blocks.hpp"
#include "kernels/simd/lanes.hpp"
#include "kernels/statistics/compensated_sum.hpp"
#include "kernels/streams/chunks.hpp"

namespace attest::regression {
namespace {

using V = simd::Lanes<double, 32>;
constexpr std::size_t width = static_cast<std::size_t>(streams::columns<double>);
constexpr std::int64_t kept_blocks = 128;
constexpr std::uint64_t device_blocks = 1 << 16;  // a launch
constexpr double roundoff = 0x1p-53;

void check(const Smoother& s) {
  if (s.n == 0 || s.n > std::uint64_t{1} << 40)
    throw std::invalid_argument(fmt::format("smoother_risks: {} observations; give 1 to 2^40", s.n));
  if (!(s.x >= -1 && s.x <= 1))
    throw std::invalid_argument(fmt::format("smoother_risks: x is {}, give a point of [-1, 1]", s.x));
  if (!(s.h > 0 && s.h <= 2))
    throw std::invalid_argument(fmt::format("smoother_risks: the bandwidth is {}, give one in (0, 2]", s.h));
}

struct BlockRange {
  std::uint64_t first = 0, count = 0;
};

/// All blocks of random observations; of a grid those that the reach touches.
BlockRange touched(const Smoother& s, double reach) {
  const std::uint64_t blocks = (s.n + streams::block_elements - 1) / streams::block_elements;
  if (s.observations == Observations::random) return {0, blocks};
  const auto n = static_cast<double>(s.n);
  // One observation more on each side than rounding could miss.
  const double from = (s.x - reach + 1) * n / 2 - 2, to = (s.x + reach + 1) * n / 2 + 2;
  const auto block = [&](double i) {
    return static_cast<std::uint64_t>(std::clamp(i, 0.0, n - 1)) / streams::block_elements;
  };
  return {block(from), block(to) - block(from) + 1};
}

SmootherSums block_sums(const Smoother& s, double reach, double at_x, std::uint64_t block) {
  alignas(64) std::array<double, streams::chunk_elements> position;
  const V centre(s.x), inverse(1 / s.h), limit(reach / s.h), one(1.0), zero(0.0);
  const std::uint64_t end = std::min(s.n, (block + 1) * streams::block_elements);
  SmootherSums total{};
  for (std::uint64_t first = block * streams::block_elements; first < end; first += streams::chunk_elements) {
    const std::uint64_t count = std::min(end - first, streams::chunk_elements),
                        padded = (count + width - 1) / width * width;
    if (s.observations == Observations::random) {
      streams::operations<double>().back()->draw(random::Law::uniform(), s.stream, first, position.data(), padded);
      for (std::uint64_t i = 0; i < padded; ++i) position[i] *= 1 / std::numbers::sqrt3;
    } else {
      for (std::uint64_t i = 0; i < padded; ++i)
        position[i] = static_cast<double>(2 * (first + i) + 1) / static_cast<double>(s.n) - 1;
    }
    // Out of everyone's reach.
    std::fill(position.begin() + static_cast<std::ptrdiff_t>(count),
              position.begin() + static_cast<std::ptrdiff_t>(padded), 1e3);
    std::array<std::array<double, width>, smoother_rows> rows{};
    for (std::size_t column = 0; column < width; column += V::count) {
      std::array<V, smoother_rows> sums{};
      for (std::uint64_t i = column; i < padded; i += width) {
        const V x = V::load(position.data() + i), u = (x - centre) * inverse;
        const V near = if_less(limit, simd::magnitude<double>(u), zero, one);
        const auto bits = to_bits(near);
        if ((bits[0] | bits[1] | bits[2] | bits[3]) == 0) continue;
        // A compact kernel vanishes by itself; what is out of the gaussian's reach is moved out of sight.
        add_observation(s.kernel, s.curve, if_less(zero, near, x, centre), if_less(zero, near, u, V(1e3)), at_x,
                        sums.data());
      }
      for (std::size_t r = 0; r < rows.size(); ++r) sums[r].store(rows[r].data() + column);
    }
    for (std::size_t r = 0; r < rows.size(); ++r) total[r] += streams::column_sum(rows[r].data());
  }
  return total;
}

class Total {
 public:
  void add(const SmootherSums& block) {
    for (std::size_t r = 0; r < block.size(); ++r) rows_[r].add(block[r]);
  }
  SmootherRisks risks(double at_x, double largest, double n_within) const {
    return {risk(plain_weight, at_x, largest, n_within), risk(twiced_weight, at_x, largest, n_within)};
  }

 private:
  SmootherRisk risk(int row, double at_x, double largest, double count) const {
    const auto r = static_cast<std::size_t>(row);
    const double weight = rows_[r].value(), error = rows_[r + 1].value(), squares = rows_[r + 2].value();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    if (!(weight != 0)) return {nan, nan, nan};
    // sum |w| <= sqrt(count sum w^2); each term of `error` is off by a few roundings of w (|m(X)| + |m(x)|), and a
    // column of 128 terms, the trees and the blocks add at most 2^8 more: of both sums.
    const double sizes = std::sqrt(count * squares);
    const double rounding = 0x1p9 * roundoff * sizes * (largest + std::fabs(at_x)) / std::fabs(weight);
    const double left_out = roundoff * (largest + std::fabs(at_x)) / std::fabs(weight);
    return {error / weight, squares / (weight * weight), rounding + left_out};
  }

  std::array<statistics::CompensatedSum, smoother_rows> rows_;
};

struct Preparation {
  double reach, at_x, largest;
  BlockRange blocks;

  explicit Preparation(const Smoother& s)
      : reach((check(s), cut_off(s.kernel, s.n) * s.h)),
        at_x(curve_steps(s.curve, s.x)),
        largest(s.curve == SmoothedCurve::bump ? 1 : std::numbers::e),
        blocks(touched(s, reach)) {}

  double elements() const { return static_cast<double>(blocks.count * streams::block_elements); }
};

}  // namespace

double cut_off(SmoothingKernel kernel, std::uint64_t n) {
  if (kernel != SmoothingKernel::gaussian) return 2;
  // 2 K + K*K < e^(-u^2/4) beyond u = 2.
  return 2 * std::sqrt(std::log(static_cast<double>(n)) + 53 * std::numbers::ln2);
}

SmootherRisks smoother_risks(const Smoother& smoother, unsigned threads) {
  const Preparation at(smoother);
  Total total;
  parallel::fold_blocks<SmootherSums>(
      static_cast<std::int64_t>(at.blocks.count), threads, kept_blocks,
      [&](std::int64_t block) {
        return block_sums(smoother, at.reach, at.at_x, at.blocks.first + static_cast<std::uint64_t>(block));
      },
      [&](const SmootherSums& block) { total.add(block); });
  return total.risks(at.at_x, at.largest, at.elements());
}

SmootherRisks smoother_risks_by_blocks(const Smoother& smoother, const SmootherBlocks& block_sums) {
  const Preparation at(smoother);
  Total total;
  for (std::uint64_t done = 0; done < at.blocks.count; done += device_blocks)
    for (const SmootherSums& block :
         block_sums(at.reach, at.at_x, at.blocks.first + done, std::min(device_blocks, at.blocks.count - done)))
      total.add(block);
  return total.risks(at.at_x, at.largest, at.elements());
}

SmootherRisks smoother_risks_on_cuda(const Smoother& smoother) {
  return smoother_risks_by_blocks(smoother, [&](double reach, double at_x, std::uint64_t first, std::uint64_t blocks) {
    return smoother_sums_on_cuda(smoother, reach, at_x, first, blocks);
  });
}

}  // namespace attest::regression
