// The memory of streamed kernels and of sampled quantities does not grow with what streams through them.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/quantity/quantity.hpp"
#include "kernels/regression/smoother.hpp"
#include "kernels/residual/grc_scan.hpp"
#include "kernels/softmax/jacobian_iteration.hpp"
#include "kernels/softmax/streamed_perturbation.hpp"
#include "kernels/streams/pair_moments.hpp"
#include "kernels/streams/random_matrix_norms.hpp"
#include "tests/support/counted_allocations.hpp"

namespace attest {
namespace {

using quantities::Quantity;

constexpr std::uint64_t growth = 64;

/// On one thread: the allocations of several overlap by chance.
constexpr unsigned threads = 1;

/// What the first block of a longer list may need more: less than one number for each of what has been added.
constexpr std::size_t noise = 16 << 10;

std::size_t peak(const std::function<void()>& work) {
  work();  // What is made once stays.
  return tests::peak_of_allocations(work);
}

TEST(CountedAllocations, see_a_vector_of_samples) {
  const auto kept = [](std::size_t n) { return peak([n] { std::vector<double> all(n, 1.0); }); };
  EXPECT_GE(kept(growth * 1024), kept(1024) + 8 * (growth - 1) * 1024 - noise);
}

class MemoryOfQuantity : public testing::TestWithParam<std::string> {};

/// The smallest arguments: time goes into many samples.
std::map<std::string, quantities::Value, std::less<>> smallest(const Quantity& quantity) {
  std::map<std::string, quantities::Value, std::less<>> given;
  for (const auto& parameter : quantity.parameters)
    if (parameter.name == "N" || parameter.name == "D" || parameter.name == "n" || parameter.name == "d" ||
        parameter.name == "ascents" || parameter.name == "eigenvalues")
      given.emplace(parameter.name, parameter.least);
  return given;
}

TEST_P(MemoryOfQuantity, does_not_grow_with_the_number_of_samples) {
  const Quantity& quantity = quantities::find_quantity(GetParam());
  const quantities::Arguments arguments = complete(quantity, smallest(quantity));
  // As many as are kept at once where blocks of samples wait for their turn.
  constexpr std::uint64_t samples = 1024;
  const auto of = [&](std::uint64_t budget) {
    return tests::peak_of_allocations([&] { quantity.evaluate(arguments, {1, budget, threads}); });
  };
  of(samples);
  EXPECT_LE(of(growth * samples), of(samples) + noise);
}

std::vector<std::string> sampled() {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities::quantities())
    if (!quantity.deterministic()) names.push_back(quantity.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Quantities, MemoryOfQuantity, testing::ValuesIn(sampled()),
                         [](const auto& instance) { return instance.param; });

using random::Law;
using streams::Noise;

const Noise x{Law::gaussian(), 1, 1, 1}, y{Law::gaussian(), 1, 1, 2};

/// Peaks at `size` and at 64 times that.
void expect_no_growth(std::uint64_t size, const std::function<void(std::uint64_t)>& kernel) {
  const std::size_t small = peak([&] { kernel(size); }), large = peak([&] { kernel(growth * size); });
  EXPECT_LE(large, small + noise);
}

TEST(MemoryOfKernels, does_not_grow_with_the_dimension_of_residual_sums) {
  expect_no_growth(1 << 18, [](std::uint64_t n) { streams::pair_moments(n, x, y, 0, threads); });
}

TEST(MemoryOfKernels, does_not_grow_with_the_observations_of_a_smoother) {
  expect_no_growth(1 << 18, [](std::uint64_t n) { regression::smoother_risks({.n = n, .h = 1e-3}, threads); });
}

TEST(MemoryOfKernels, does_not_grow_with_the_grid_of_the_ratio_laws) {
  expect_no_growth(512, [](std::uint64_t n) { residual::scan_grc({{0, 2, n}, {0, 1, 300}, 3, 10}, threads); });
}

TEST(MemoryOfKernels, does_not_grow_with_the_rows_of_a_random_matrix) {
  expect_no_growth(1 << 16, [](std::uint64_t n) { streams::random_matrix_norms(n, 16, x, 0, threads); });
}

// Four numbers are kept of every block of 2^14 logits.
TEST(MemoryOfKernels, grows_by_less_than_a_thousandth_of_the_logits_of_a_softmax) {
  constexpr std::uint64_t size = 1 << 16;
  const auto of = [](std::uint64_t n) {
    return peak([n] {
      const softmax::StreamedPerturbation<double> perturbation(n, x, threads);
      double norm = 0;
      perturbation.norms(y, 0, {&norm, 1}, threads);
      perturbation.jacobian_norm(y, 0, threads);
    });
  };
  EXPECT_LE(of(growth * size), of(size) + noise + growth * size * sizeof(double) / 1000);
}

TEST(MemoryOfKernels, of_power_iteration_is_the_one_vector_that_the_caller_gives) {
  std::vector<double> v(growth << 14, 1.0);
  v.front() = 2;
  expect_no_growth(1 << 14, [&](std::uint64_t n) {
    softmax::jacobian_power_iteration(x, 0, std::span(v).first(n), {1e-6, 3, threads});
  });
}

}  // namespace
}  // namespace attest
