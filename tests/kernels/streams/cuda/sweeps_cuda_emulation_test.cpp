// The sweeps' CUDA kernels, run on the processor, against the processor's own: the same bits.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/attention/cuda/emulated_cuda/emulation.hpp"
// After the stand-ins for CUDA's words:
#include "kernels/softmax/streamed_perturbation.hpp"
#include "kernels/streams/chunks.hpp"
#include "kernels/streams/cuda/gram.cuh"
#include "kernels/streams/cuda/sweeps.cuh"

namespace attest::streams {
namespace {

using random::Law;

template <typename T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

std::int64_t thread_blocks(std::uint64_t blocks) {
  return static_cast<std::int64_t>((blocks + cuda::thread_blocks - 1) / cuda::thread_blocks);
}

softmax::PerturbationBlocks emulated_perturbation_blocks() {
  const auto blocks_of = [](std::uint64_t n) { return (n + block_elements - 1) / block_elements; };
  return {[=](const softmax::CudaPerturbation& at, std::uint64_t first_sample, std::uint64_t samples) {
            const std::uint64_t blocks = blocks_of(at.n);
            std::vector<double> room(3 * blocks * samples);
            std::vector<PerturbationSums> sums(blocks * samples);
            emulation::launch(thread_blocks(blocks) * static_cast<std::int64_t>(samples),
                              [&] { cuda::perturbation_kernel(at, first_sample, blocks, room.data(), sums.data()); });
            return sums;
          },
          [=](std::uint64_t n, const Noise& logits, double shift) {
            const std::uint64_t blocks = blocks_of(n);
            std::vector<double> sums(2 * blocks);
            emulation::launch(thread_blocks(blocks),
                              [&] { cuda::weights_kernel(n, logits, shift, blocks, sums.data()); });
            std::vector<softmax::WeightSums> all(blocks);
            for (std::size_t i = 0; i < blocks; ++i) all[i] = {sums[2 * i], sums[2 * i + 1]};
            return all;
          }};
}

TEST(SweepsCudaEmulation, the_perturbation_has_the_bits_of_the_processor) {
  constexpr std::uint64_t n = 40'001;
  // The last two need second passes: exp would overflow, and sums would cancel.
  for (const auto& [law, scale, noise] : {std::tuple{Law::laplace(), 1.0, Noise{Law::gaussian(), 0.5, 9, 1}},
                                          {Law::gaussian(), 0.0, Noise{Law::student_t(3), 1, 9, 1}},
                                          {Law::gaussian(), 2.0, Noise{Law::laplace(), 200, 9, 1}},
                                          {Law::uniform(), 0.5, Noise{Law::rademacher(), 1e-9, 9, 1}},
                                          {Law::uniform(), 0.5, Noise{Law::sparse_three_point(1e-5), 40, 9, 1}}}) {
    const Noise logits{law, scale, 4, 3};
    const softmax::StreamedPerturbation<double> here(n, logits, 2), there(n, logits, emulated_perturbation_blocks());
    std::vector<double> expected(2), norms(2);
    here.norms(noise, 7, expected, 2);
    there.norms(noise, 7, norms, 1);
    EXPECT_EQ(norms, expected) << name(law) << ' ' << name(noise.law);
    EXPECT_TRUE(same_bits(here.means(noise, 8, 2), there.means(noise, 8, 1))) << name(noise.law);
  }
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
  for (const regression::SmoothingKernel kernel :
       {regression::SmoothingKernel::gaussian, regression::SmoothingKernel::epanechnikov,
        regression::SmoothingKernel::uniform})
    for (const regression::Observations observations :
         {regression::Observations::grid, regression::Observations::random}) {
      const regression::Smoother s{kernel, regression::SmoothedCurve::bump, observations, 40'001, 0.3, 0.01, {4, 5, 6}};
      const regression::SmootherRisks emulated = regression::smoother_risks_by_blocks(
          s, [&](double reach, double at_x, std::uint64_t first, std::uint64_t blocks) {
            std::vector<regression::SmootherSums> sums(blocks);
            emulation::launch(thread_blocks(blocks),
                              [&] { cuda::smoother_kernel(s, reach, at_x, first, blocks, sums.front().data()); });
            return sums;
          });
      EXPECT_TRUE(same_bits(emulated, regression::smoother_risks(s, 2)));
    }
}

TEST(SweepsCudaEmulation, the_scan_of_the_recursion_is_that_of_the_processor) {
  const residual::GrcGrid grid{{0, 2, 17}, {0, 1, 19}, 40, 3};
  const residual::GrcScan emulated = residual::scan_grc_by_blocks(grid, [&](std::uint64_t first, std::uint64_t blocks) {
    std::vector<residual::GrcScan> scans(blocks);
    emulation::launch(static_cast<std::int64_t>(blocks), [&] { cuda::grc_kernel(grid, first, scans.data()); });
    return scans;
  });
  EXPECT_TRUE(same_bits(emulated, residual::scan_grc(grid, 2)));
}

TEST(SweepsCudaEmulation, the_jacobian_and_the_largest_share_have_the_bits_of_the_processor) {
  constexpr std::uint64_t n = 20'001, sample = 3;
  const softmax::StreamedPerturbation<double> equal(n, {Law::rademacher(), 0, 1, 1});
  for (const Noise& logits : {Noise{Law::gaussian(), 3, 5, 1}, Noise{Law::rademacher(), 1, 5, 1}}) {
    const auto top = [&](bool weights, double shift, std::uint64_t first, std::uint64_t blocks) {
      std::vector<double> sums(blocks);
      std::vector<softmax::TopOfBlock> tops(blocks);
      emulation::launch(thread_blocks(blocks), [&] {
        cuda::top_kernel(n, logits, sample, weights, shift, first, blocks, sums.data(), tops.data());
      });
      return tops;
    };
    const softmax::JacobianBlocks emulated{
        [&](std::uint64_t first, std::uint64_t blocks) { return top(false, 0, first, blocks); },
        [&](double shift, std::uint64_t first, std::uint64_t blocks) { return top(true, shift, first, blocks); },
        [&](double shift, double second, double at, std::uint64_t first, std::uint64_t blocks) {
          std::vector<double> sums(3 * blocks);
          emulation::launch(thread_blocks(blocks), [&] {
            cuda::secular_kernel(n, logits, sample, shift, second, at, first, blocks, sums.data());
          });
          std::vector<softmax::SecularTerms> terms(blocks);
          for (std::size_t i = 0; i < blocks; ++i) terms[i] = {sums[3 * i], sums[3 * i + 1], sums[3 * i + 2]};
          return terms;
        }};
    EXPECT_EQ(softmax::jacobian_norm_by_blocks(n, emulated), equal.jacobian_norm(logits, sample, 2))
        << name(logits.law);
    EXPECT_EQ(softmax::largest_share_by_blocks(n, emulated), equal.largest_share(logits, sample, 2))
        << name(logits.law);
  }
}

TEST(SweepsCudaEmulation, gram_matrices_of_rows_have_the_bits_of_the_processor) {
  for (const auto& shape : {std::tuple{100U, 5U, Law::gaussian()}, {4116U, 70U, Law::student_t(3)}}) {
    const auto n = std::get<0>(shape), d = std::get<1>(shape);
    const Law& law = std::get<2>(shape);
    const Noise entries{law, 1.5, 5, 1};
    const GramOfRows emulated = gram_by_blocks(n, d, entries, [&](std::uint64_t first, std::uint64_t blocks) {
      const cuda::GramTiles tiles(d);
      RowBlocks made{std::vector<double>(blocks * tiles.stride * tiles.stride), std::vector<double>(blocks)};
      std::vector<cuda::Two> rows(blocks * tiles.entries() / 2);
      emulation::launch(3,
                        [&] { cuda::row_draws_kernel(n, tiles, entries, 7, first, blocks, 3, &rows.data()->first); });
      emulation::launch(static_cast<std::int64_t>(blocks * tiles.a_row_block()), [&] {
        cuda::row_gram_kernel(tiles, &rows.data()->first, made.grams.data(), made.largest_row_squares.data());
      });
      return made;
    });
    const GramOfRows expected = gram_of_random_rows(n, d, entries, 7, 2);
    EXPECT_EQ(emulated.gram, expected.gram) << name(law);
    EXPECT_EQ(emulated.largest_row_square, expected.largest_row_square) << name(law);
  }
}

}  // namespace
}  // namespace attest::streams
