#include "kernels/regression/smoother_window.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "kernels/regression/design.hpp"
#include "kernels/regression/nadaraya_watson.hpp"

namespace attest::regression {
namespace {

struct Data {
  std::vector<double> design, responses, points;

  explicit Data(std::int64_t n) : design(fixed_grid(uniform_interval(-1, 1), n)) {
    random::Stream stream(1, 2, 3);
    for (const double x : design) responses.push_back(std::sin(3 * x) + stream.normal());
    points = fixed_grid(uniform_interval(-1, 1), 41);
  }
};

constexpr double h = 0.02;

TEST(SmootherWindow, leaves_out_no_more_than_its_bound_says) {
  const Data data(3000);
  for (const Kernel* kernel : all_kernels())
    for (const Form form : {Form::plain, Form::twiced})
      for (const double weight : {1e-4, 1e-20}) {
        const CutOff cut = cut_off(*kernel, form, weight);
        const WindowedFit fit =
            nadaraya_watson_within(cut, *kernel, form, data.design, data.responses, data.points, h, 2);
        const auto all = nadaraya_watson(*kernel, form, data.design, data.responses, data.points, h);
        // 3000 additions of weights, of which the twicing kernel has negative ones, and of their products with |Y| < 5.
        constexpr double rounding = 3000 * 1e-15;
        for (std::size_t i = 0; i < all.size(); ++i)
          EXPECT_LE(std::fabs(fit.fitted[i] - all[i]), fit.bounds[i] + rounding) << kernel->name();
      }
}

TEST(SmootherWindow, of_a_light_tail_is_exact_to_rounding_and_visits_few) {
  const Data data(3000);
  for (const char* name : {"gaussian", "epanechnikov", "tricube"}) {
    const Kernel& kernel = find_kernel(name);
    const WindowedFit fit = nadaraya_watson_within(cut_off(kernel, Form::twiced, 1e-20), kernel, Form::twiced,
                                                   data.design, data.responses, data.points, h, 1);
    // 3000 weights of 1e-20 and |Y| < 5, twice: in the numerator and the normaliser, which is above 1.
    constexpr double left_out = 2 * 3000 * 5 * 1e-20;
    for (const double bound : fit.bounds) EXPECT_LE(bound, left_out) << name;
    EXPECT_LT(fit.visited, 41U * 3000U / 3) << name;
  }
}

TEST(SmootherWindow, says_that_a_heavy_tail_cannot_be_cut_off) {
  const Data data(3000);
  const Kernel& cauchy = find_kernel("cauchy");
  const WindowedFit fit = nadaraya_watson_within(cut_off(cauchy, Form::plain, 1e-3), cauchy, Form::plain, data.design,
                                                 data.responses, data.points, h, 1);
  for (const double bound : fit.bounds) EXPECT_GT(bound, 1e-3);
}

TEST(SmootherWindow, has_the_same_bits_for_any_number_of_threads) {
  Data data(3000);
  data.points = fixed_grid(uniform_interval(-1, 1), 1000);
  const Kernel& kernel = find_kernel("gaussian");
  const auto fit = [&](unsigned threads) {
    return nadaraya_watson_within(cut_off(kernel, Form::twiced, 1e-20), kernel, Form::twiced, data.design,
                                  data.responses, data.points, h, threads);
  };
  const WindowedFit once = fit(1);
  for (const unsigned threads : {2U, 7U}) {
    EXPECT_EQ(fit(threads).fitted, once.fitted);
    EXPECT_EQ(fit(threads).visited, once.visited);
  }
}

// A million points, each estimated from its own window: a thousand million pairs would not be waited for.
TEST(SmootherWindow, estimates_at_every_one_of_many_points) {
  Data data(1'000'000);
  const Kernel& kernel = find_kernel("epanechnikov");
  const WindowedFit fit = nadaraya_watson_within(cut_off(kernel, Form::plain, 1), kernel, Form::plain, data.design,
                                                 data.responses, data.design, 1e-5, 2);
  EXPECT_LE(fit.visited, 12U * 1'000'000U);
  EXPECT_EQ(fit.fitted.size(), data.design.size());
  double error = 0;
  for (std::size_t i = 0; i < fit.fitted.size(); ++i)
    error += std::pow(fit.fitted[i] - std::sin(3 * data.design[i]), 2);
  // The variance of eleven weights 1 - (k/5)^2; the mean square over 10^5 disjoint windows is within 5/sqrt(10^5 / 2)
  // of it.
  EXPECT_NEAR(error / 1e6, 5.3328 / (6.6 * 6.6), 0.0224 * 5.3328 / (6.6 * 6.6));
}

TEST(SmootherWindow, refuses_what_the_estimator_refuses) {
  const Kernel& kernel = find_kernel("gaussian");
  const std::vector<double> two{0, 1}, falling{1, 0}, one{1};
  EXPECT_THROW(nadaraya_watson_within({1, 0}, kernel, Form::plain, two, two, one, 0, 1), std::invalid_argument);
  EXPECT_THROW(nadaraya_watson_within({1, 0}, kernel, Form::plain, falling, two, one, 1, 1), std::invalid_argument);
  EXPECT_THROW(nadaraya_watson_within({1, 0}, kernel, Form::plain, two, one, one, 1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace attest::regression
