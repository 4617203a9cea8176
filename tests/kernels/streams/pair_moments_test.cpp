#include "kernels/streams/pair_moments.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/device/devices.hpp"

namespace attest::streams {
namespace {

using random::Law;

const std::vector<Law> laws = {Law::gaussian(), Law::rademacher(),   Law::uniform(),
                               Law::laplace(),  Law::student_t(2.1), Law::sparse_three_point(0.01)};

std::vector<double> drawn(const Noise& noise, std::uint64_t sample, std::size_t n) {
  std::vector<double> x((n + 31) / 32 * 32);
  operations<double>().back()->draw(noise.law, {noise.seed, noise.key, sample}, 0, x.data(), x.size());
  x.resize(n);
  return x;
}

bool same_bits(const PairMoments& a, const PairMoments& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(PairMoments, are_the_sums_of_the_drawn_vectors) {
  for (const Law& law : laws)
    for (const std::size_t n : {1U, 15U, 2049U, 16384U, 40001U}) {
      const Noise x{law, 2, 5, 1}, y{Law::gaussian(), 0.5, 5, 2};
      const std::vector<double> a = drawn(x, 3, n), b = drawn(y, 3, n);
      long double xx = 0, xy = 0, yy = 0, sizes = 0;
      for (std::size_t i = 0; i < n; ++i) {
        xx += 4.0L * a[i] * a[i];
        xy += 1.0L * a[i] * b[i];
        yy += 0.25L * b[i] * b[i];
        sizes += std::fabs(1.0L * a[i] * b[i]);
      }
      const PairMoments m = pair_moments(n, x, y, 3, 2);
      EXPECT_LE(std::fabs(m.xx - static_cast<double>(xx)), pair_moments_error * static_cast<double>(xx)) << n;
      EXPECT_LE(std::fabs(m.xy - static_cast<double>(xy)), pair_moments_error * static_cast<double>(sizes)) << n;
      EXPECT_LE(std::fabs(m.yy - static_cast<double>(yy)), pair_moments_error * static_cast<double>(yy)) << n;
    }
}

TEST(PairMoments, have_the_same_bits_for_any_number_of_threads_and_any_instructions) {
  for (const Law& law : laws) {
    const Noise x{law, 1, 5, 1}, y{law, 1, 5, 2};
    const PairMoments expected = pair_moments(100'003, x, y, 7, 1);
    for (const unsigned threads : {2U, 7U})
      for (const auto* set : operations<double>())
        EXPECT_TRUE(same_bits(pair_moments(100'003, x, y, 7, threads, *set), expected)) << name(law) << set->name;
  }
}

TEST(PairMoments, of_a_vector_with_itself_are_equal) {
  const Noise x{Law::laplace(), 1, 5, 1};
  const PairMoments m = pair_moments(5000, x, x, 0, 1);
  EXPECT_EQ(m.xx, m.xy);
  EXPECT_EQ(m.xx, m.yy);
}

TEST(PairMoments, have_the_same_bits_on_a_device) {
  const auto found = device::cuda_devices();
  if (found.devices.empty()) GTEST_SKIP() << "nothing was compared: " << found.absence;
  for (const Law& law : laws) {
    const Noise x{law, 1, 5, 1}, y{law, 1, 5, 2};
    EXPECT_TRUE(same_bits(pair_moments_on_cuda(100'003, x, y, 7), pair_moments(100'003, x, y, 7, 2))) << name(law);
  }
}

TEST(PairMoments, refuse_no_elements_and_a_scale_that_is_not_finite) {
  EXPECT_THROW(pair_moments(0, {}, {}, 0, 1), std::invalid_argument);
  EXPECT_THROW(pair_moments(1, {Law::gaussian(), std::numeric_limits<double>::infinity()}, {}, 0, 1),
               std::invalid_argument);
}

}  // namespace
}  // namespace attest::streams
