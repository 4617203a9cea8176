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

}  // namespace

double jacobian_norm_by_blocks(std::uint64_t n, const JacobianBlocks& blocks) {
  check_size(n, "jacobian_norm_by_blocks");
  double shift = -HUGE_VAL;
  for_all_blocks(n, blocks.logits, [&](const TopOfBlock& block) { shift = std::max(shift, block.largest); });
  double largest = 0, second = 0;
  statistics::CompensatedSum sum;
  for_all_blocks(
      n, [&](std::uint64_t first, std::uint64_t count) { return blocks.weights(shift, first, count); },
      [&](const TopOfBlock& block) {
        second = std::max({second, block.second, std::min(largest, block.largest)});
        largest = std::max(largest, block.largest);
        sum.add(block.sum);
      });
  const auto pass = [&](double at) {
    statistics::CompensatedSum rest, slope, above;
    for_all_blocks(
        n, [&](std::uint64_t first, std::uint64_t count) { return blocks.secular(shift, second, at, first, count); },
        [&](const SecularTerms& block) {
          rest.add(block.rest);
          slope.add(block.slope);
          above.add(block.above);
        });
    return SecularTerms{rest.value(), slope.value(), above.value()};
  };
  constexpr double tolerance = 1e-14;
  return secular_root(largest, second, sum.value(), tolerance, pass) / sum.value();
}

double jacobian_norm_on_cuda(std::uint64_t n, const streams::Noise& logits, std::uint64_t sample) {
  check_size(n, "jacobian_norm_on_cuda");
  if (!std::isfinite(logits.scale))
    throw std::invalid_argument(
        fmt::format("jacobian_norm_on_cuda: the logits' scale is {}, give a finite one", logits.scale));
  return jacobian_norm_by_blocks(n, jacobian_blocks_on_cuda(n, logits, sample));
}

}  // namespace attest::softmax
