#include "kernels/softmax/jacobian_norm_cuda.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/statistics/compensated_sum.hpp"
#include "kernels/streams/chunks.hpp"

namespace attest::softmax {
namespace {

constexpr std::uint64_t blocks_at_once = 1 << 16;

/// make(first, blocks) for all blocks in order, some at a time.
template <typename Make, typename Absorb>
void for_all_blocks(std::uint64_t n, const Make& make, const Absorb& absorb) {
  const std::uint64_t blocks = (n + streams::block_elements - 1) / streams::block_elements;
  for (std::uint64_t first = 0; first < blocks; first += blocks_at_once)
    for (const auto& block : make(first, std::min(blocks_at_once, blocks - first))) absorb(block);
}

void check_size(std::uint64_t n, const char* function) {
  if (n < 2 || n > std::uint64_t{1} << 40)
    throw std::invalid_argument(fmt::format("{}: {} logits; give 2 to 2^40", function, n));
}

/// The largest logit, and of b_i = exp(c_i - it) the two largest and the sum.
struct WholeTop {
  double shift = -HUGE_VAL, largest = 0, second = 0, sum = 0;
};

WholeTop top_of(std::uint64_t n, const JacobianBlocks& blocks) {
  WholeTop top;
  for_all_blocks(n, blocks.logits, [&](const TopOfBlock& block) { top.shift = std::max(top.shift, block.largest); });
  statistics::CompensatedSum sum;
  for_all_blocks(
      n, [&](std::uint64_t first, std::uint64_t count) { return blocks.weights(top.shift, first, count); },
      [&](const TopOfBlock& block) {
        top.second = std::max({top.second, block.second, std::min(top.largest, block.largest)});
        top.largest = std::max(top.largest, block.largest);
        sum.add(block.sum);
      });
  top.sum = sum.value();
  return top;
}

void check_scale(double scale, const char* function) {
  if (!std::isfinite(scale))
    throw std::invalid_argument(fmt::format("{}: the logits' scale is {}, give a finite one", function, scale));
}

}  // namespace

double largest_share_by_blocks(std::uint64_t n, const JacobianBlocks& blocks) {
  check_size(n, "largest_share_by_blocks");
  const WholeTop top = top_of(n, blocks);
  return top.largest / top.sum;
}

double largest_share_on_cuda(std::uint64_t n, const streams::Noise& logits, std::uint64_t sample) {
  check_size(n, "largest_share_on_cuda");
  check_scale(logits.scale, "largest_share_on_cuda");
  return largest_share_by_blocks(n, jacobian_blocks_on_cuda(n, logits, sample));
}

double jacobian_norm_by_blocks(std::uint64_t n, const JacobianBlocks& blocks) {
  check_size(n, "jacobian_norm_by_blocks");
  const WholeTop top = top_of(n, blocks);
  const auto pass = [&](double at) {
    statistics::CompensatedSum rest, slope, above;
    for_all_blocks(
        n,
        [&](std::uint64_t first, std::uint64_t count) {
          return blocks.secular(top.shift, top.second, at, first, count);
        },
        [&](const SecularTerms& block) {
          rest.add(block.rest);
          slope.add(block.slope);
          above.add(block.above);
        });
    return SecularTerms{rest.value(), slope.value(), above.value()};
  };
  constexpr double tolerance = 1e-14;
  return secular_root(top.largest, top.second, top.sum, tolerance, pass) / top.sum;
}

double jacobian_norm_on_cuda(std::uint64_t n, const streams::Noise& logits, std::uint64_t sample) {
  check_size(n, "jacobian_norm_on_cuda");
  check_scale(logits.scale, "jacobian_norm_on_cuda");
  return jacobian_norm_by_blocks(n, jacobian_blocks_on_cuda(n, logits, sample));
}

}  // namespace attest::softmax
