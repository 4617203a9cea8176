// The sweeps' CUDA kernels, run on the processor, against the processor's own: the same bits.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/attention/emulated_cuda/emulation.hpp"
// After the stand-ins for CUDA's words:
#include "kernels/streamed/chunks.hpp"
#include "kernels/streamed/cuda/sweeps.cuh"
#include "kernels/streamed/softmax_perturbation.hpp"

namespace attest::streamed {
namespace {

using random::Law;

template <typename T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

std::int64_t thread_blocks(std::uint64_t blocks) {
  return static_cast<std::int64_t>((blocks + cuda::thread_blocks - 1) / cuda::thread_blocks);
}

/// A block's sums by the processor's operations, chunk by chunk (SoftmaxPerturbation's are not for others to see).
PerturbationSums sums_by_operations(const CudaPerturbation& at, std::uint64_t sample, std::uint64_t block) {
  constexpr auto width = static_cast<std::size_t>(columns<double>);
  const auto& set = *operations<double>().back();
  PerturbationSums total;
  const std::uint64_t end = std::min(at.n, (block + 1) * block_elements);
  for (std::uint64_t first = block * block_elements; first < end; first += chunk_elements) {
    const std::uint64_t count = std::min(end - first, chunk_elements), padded = (count + width - 1) / width * width;
    std::vector<double> a(padded), z(padded), rows(perturbation_rows * width, 0.0);
    set.draw(at.logits.law, {at.logits.seed, at.logits.claim, 0}, first, a.data(), padded);
    set.weights(a.data(), at.logits.scale, at.logit_shift, a.data(), padded);
    set.draw(at.noise.law, {at.noise.seed, at.noise.claim, sample}, first, z.data(), padded);
    std::fill(a.begin() + static_cast<std::ptrdiff_t>(count), a.end(), 0.0);
    std::fill(z.begin() + static_cast<std::ptrdiff_t>(count), z.end(), z.front());
    std::fill_n(rows.begin() + largest_eta * width, width, -HUGE_VAL);
    set.perturbation({a.data(), z.data(), padded, at.noise.scale, 0, true}, rows.data());
    total.aw += column_sum(rows.data() + sum_aw * width);
    total.a2w += column_sum(rows.data() + sum_a2w * width);
    total.a2w2 += column_sum(rows.data() + sum_a2w2 * width);
    for (std::size_t i = 0; i < width; ++i) total.largest = std::max(total.largest, rows[largest_eta * width + i]);
  }
  return total;
}

TEST(SweepsCudaEmulation, the_perturbation_has_the_bits_of_the_processor) {
  constexpr std::uint64_t blocks = 3, samples = 2;
  const CudaPerturbation at{40'001, {Law::laplace(), 1, 4, 3}, 2.5, {Law::gaussian(), 0.5, 9, 1}};
  std::vector<double> room(3 * blocks * samples);
  std::vector<PerturbationSums> emulated(blocks * samples);
  emulation::launch(thread_blocks(blocks) * static_cast<std::int64_t>(samples),
                    [&] { cuda::perturbation_kernel(at, 7, blocks, room.data(), emulated.data()); });
  for (std::uint64_t i = 0; i < emulated.size(); ++i)
    EXPECT_TRUE(same_bits(emulated[i], sums_by_operations(at, 7 + i / blocks, i % blocks))) << i;
}

TEST(SweepsCudaEmulation, pair_moments_have_the_bits_of_the_processor) {
  constexpr std::uint64_t n = 40'001;  // an odd number of blocks, the last one short
  for (const Law& law : {Law::gaussian(), Law::rademacher(), Law::uniform(), Law::laplace(), Law::student_t(2.5),
                         Law::sparse_three_point(0.2)}) {
    const Noise x{law, 1.5, 5, 1}, y{Law::gaussian(), 1, 5, 2};
    const PairMoments emulated = pair_moments_by_blocks(n, x, y, [&](std::uint64_t first, std::uint64_t blocks) {
      std::vector<double> sums(3 * blocks);
      emulation::launch(thread_blocks(blocks),
                        [&] { cuda::pair_moments_kernel(n, x, y, 7, first, blocks, sums.data()); });
      std::vector<PairMoments> all(blocks);
      for (std::size_t i = 0; i < blocks; ++i) all[i] = {sums[3 * i], sums[3 * i + 1], sums[3 * i + 2]};
      return all;
    });
    EXPECT_TRUE(same_bits(emulated, pair_moments(n, x, y, 7, 2))) << name(law);
  }
}

TEST(SweepsCudaEmulation, the_smoother_has_the_bits_of_the_processor) {
  for (const SmoothingKernel kernel :
       {SmoothingKernel::gaussian, SmoothingKernel::epanechnikov, SmoothingKernel::uniform})
    for (const Observations observations : {Observations::grid, Observations::random}) {
      const Smoother s{kernel, SmoothedCurve::bump, observations, 40'001, 0.3, 0.01, {4, 5, 6}};
      const SmootherRisks emulated =
          smoother_risks_by_blocks(s, [&](double reach, double at_x, std::uint64_t first, std::uint64_t blocks) {
            std::vector<SmootherSums> sums(blocks);
            emulation::launch(thread_blocks(blocks),
                              [&] { cuda::smoother_kernel(s, reach, at_x, first, blocks, sums.front().data()); });
            return sums;
          });
      EXPECT_TRUE(same_bits(emulated, smoother_risks(s, 2)));
    }
}

TEST(SweepsCudaEmulation, the_scan_of_the_recursion_is_that_of_the_processor) {
  const GrcGrid grid{{0, 2, 17}, {0, 1, 19}, 40, 3};
  const GrcScan emulated = scan_grc_by_blocks(grid, [&](std::uint64_t first, std::uint64_t blocks) {
    std::vector<GrcScan> scans(blocks);
    emulation::launch(static_cast<std::int64_t>(blocks), [&] { cuda::grc_kernel(grid, first, scans.data()); });
    return scans;
  });
  EXPECT_TRUE(same_bits(emulated, scan_grc(grid, 2)));
}

TEST(SweepsCudaEmulation, the_jacobian_has_the_bits_of_the_processor) {
  constexpr std::uint64_t n = 20'001, sample = 3;
  const SoftmaxPerturbation<double> equal(n, {Law::rademacher(), 0, 1, 1});
  for (const Noise& logits : {Noise{Law::gaussian(), 3, 5, 1}, Noise{Law::rademacher(), 1, 5, 1}}) {
    const auto top = [&](bool weights, double shift, std::uint64_t first, std::uint64_t blocks) {
      std::vector<double> sums(blocks);
      std::vector<TopOfBlock> tops(blocks);
      emulation::launch(thread_blocks(blocks), [&] {
        cuda::top_kernel(n, logits, sample, weights, shift, first, blocks, sums.data(), tops.data());
      });
      return tops;
    };
    const JacobianBlocks emulated{
        [&](std::uint64_t first, std::uint64_t blocks) { return top(false, 0, first, blocks); },
        [&](double shift, std::uint64_t first, std::uint64_t blocks) { return top(true, shift, first, blocks); },
        [&](double shift, double second, double at, std::uint64_t first, std::uint64_t blocks) {
          std::vector<double> sums(3 * blocks);
          emulation::launch(thread_blocks(blocks), [&] {
            cuda::secular_kernel(n, logits, sample, shift, second, at, first, blocks, sums.data());
          });
          std::vector<SecularTerms> terms(blocks);
          for (std::size_t i = 0; i < blocks; ++i) terms[i] = {sums[3 * i], sums[3 * i + 1], sums[3 * i + 2]};
          return terms;
        }};
    EXPECT_EQ(jacobian_norm_by_blocks(n, emulated), equal.jacobian_norm(logits, sample, 2)) << name(logits.law);
  }
}

TEST(SweepsCudaEmulation, gram_matrices_of_rows_have_the_bits_of_the_processor) {
  for (const auto& [n, d, law] : {std::tuple{100U, 5U, Law::gaussian()}, {4116U, 70U, Law::student_t(3)}}) {
    const Noise entries{law, 1.5, 5, 1};
    const GramOfRows emulated = gram_by_blocks(n, d, entries, [&](std::uint64_t first, std::uint64_t blocks) {
      const cuda::GramTiles tiles(d);
      RowBlocks made{std::vector<double>(blocks * tiles.stride * tiles.stride), std::vector<double>(blocks)};
      emulation::launch(static_cast<std::int64_t>(blocks * tiles.a_row_block()), [&] {
        cuda::row_gram_kernel(n, tiles, entries, 7, first, made.grams.data(), made.largest_row_squares.data());
      });
      return made;
    });
    const GramOfRows expected = gram_of_random_rows(n, d, entries, 7, 2);
    EXPECT_EQ(emulated.gram, expected.gram) << name(law);
    EXPECT_EQ(emulated.largest_row_square, expected.largest_row_square) << name(law);
  }
}

}  // namespace
}  // namespace attest::streamed
