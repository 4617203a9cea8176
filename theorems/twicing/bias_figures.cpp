#include "theorems/twicing/bias_figures.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "theorems/twicing/bias_setting.hpp"

namespace attest::twicing {
namespace {

using engine::Figure;
using engine::Series;
using regression::find_kernel;
using regression::Form;
using regression::TrigonometricSum;
using rigor::Ball;

std::vector<double> geometric(double first, double last, int places) {
  std::vector<double> grid;
  grid.reserve(static_cast<std::size_t>(places));
  for (int i = 0; i < places; ++i)
    grid.push_back(first * std::pow(last / first, static_cast<double>(i) / (places - 1)));
  return grid;
}

Series curve(std::string name, const std::vector<double>& x, const std::function<double(double)>& f) {
  Series series{std::move(name), x, {}};
  for (const double at : x) series.y.push_back(f(at));
  return series;
}

double bias_size(const regression::Kernel& kernel, Form form, const TrigonometricSum& m, double h) {
  return std::abs(regression::population_bias(kernel, form, m, TrigonometricSum({{1, 0, 0}}), 0, h).mid());
}

}  // namespace

std::vector<Figure> kernel_figures() {
  std::vector<double> u;
  for (int i = -120; i <= 120; ++i) u.push_back(i / 20.0);
  const auto& gaussian = find_kernel("gaussian");
  Figure figure{.name = "twicing-kernel",
                .title = "The Gaussian kernel and its twicing kernel",
                .x_label = "u",
                .y_label = "kernel",
                .series = {}};
  figure.series = {curve("K", u, [&](double t) { return gaussian(Form::plain, t); }),
                   curve("K*K", u, [&](double t) { return gaussian(Form::self_convolved, t); }),
                   curve("2K - K*K", u, [&](double t) { return gaussian(Form::twiced, t); })};
  figure.caption =
      fmt::format("2K - K*K is negative beyond sqrt(6 log 2) = {:.2f} bandwidths.", std::sqrt(6 * std::numbers::ln2));
  return {figure};
}

std::vector<Figure> smaller_bias_figures() {
  const auto h = geometric(0.05, 5, 121);
  const TrigonometricSum one({{1, 1, 0}});
  const TrigonometricSum two({{1, 1, 0}, {-0.5, 2, 0}});
  Figure figure{.name = "twicing-smaller-bias",
                .title = "Bias of the two estimators against the bandwidth",
                .x_label = "bandwidth h",
                .y_label = "|bias| at x = 0",
                .x_log = true,
                .y_log = true,
                .series = {}};
  const auto add = [&](const std::string& name, const char* kernel, const TrigonometricSum& m) {
    figure.series.push_back(
        curve(name + ", K", h, [&](double at) { return bias_size(find_kernel(kernel), Form::plain, m, at); }));
    figure.series.push_back(
        curve(name + ", 2K - K*K", h, [&](double at) { return bias_size(find_kernel(kernel), Form::twiced, m, at); }));
  };
  add("gaussian, two waves", "gaussian", two);
  add("uniform, one wave", "uniform", one);
  figure.caption =
      "m = cos t - cos(2t)/2 with the Gaussian kernel, m = cos t with the uniform kernel; uniform design. Twicing "
      "has the smaller bias for small h, not for every h.";
  return {figure};
}

std::vector<Figure> expansion_figures() {
  const auto h = geometric(0.01, 1, 81);
  const BiasSetting setting = sloping_setting(find_kernel("gaussian"));
  Figure figure{.name = "twicing-bias-expansion",
                .title = "Bias under a sloping design over its leading terms",
                .x_label = "bandwidth h",
                .y_label = "bias / leading term",
                .x_log = true,
                .series = {}};
  const auto over = [&](Form form, const Ball& coefficient, int order) {
    return [&setting, form, order, value = coefficient.mid()](double at) {
      return setting.bias(form, 1 / at).mid() / (value * std::pow(at, order));
    };
  };
  figure.series = {curve("K, printed term", h, over(Form::plain, setting.derivative(2) / 2, 2)),
                   curve("K, with the design", h, over(Form::plain, setting.design_derivative(2) / 2, 2)),
                   curve("2K - K*K, printed term", h, over(Form::twiced, -setting.derivative(4) / 4, 4)),
                   curve("2K - K*K, with the design", h, over(Form::twiced, -setting.design_derivative(4) / 4, 4))};
  figure.caption = "Gaussian kernel, f = 1 + cos(t)/2: a leading term is one whose curve tends to 1 as h tends to 0.";
  return {figure};
}

std::vector<Figure> sensitivity_figures() {
  std::vector<double> s;
  for (int i = 1; i <= 120; ++i) s.push_back(i / 40.0);
  Figure figure{.name = "twicing-bandwidth-sensitivity",
                .title = "Sensitivity of the bias to the bandwidth, 2K - K*K over K",
                .x_label = "bandwidth times frequency",
                .y_label = "ratio of the derivatives",
                .series = {}};
  figure.series = {curve("ratio", s, [](double at) { return -2 * std::expm1(-at * at / 2); }),
                   curve("one", s, [](double) { return 1.0; })};
  figure.caption =
      fmt::format("Gaussian kernel, uniform design, one wave: below one only up to sqrt(2 log 2) = {:.2f}.",
                  std::sqrt(2 * std::numbers::ln2));
  return {figure};
}

std::vector<Figure> mean_squared_error_figures() {
  const auto h = geometric(0.03, 2, 121);
  constexpr double n = 1000;
  const double roughness = 0.5 / std::sqrt(std::numbers::pi);
  const double price = 4 - 8 / std::sqrt(6.0) + 1 / std::numbers::sqrt2;
  Figure figure{.name = "twicing-mean-squared-error",
                .title = "Mean squared error against the bandwidth",
                .x_label = "bandwidth h",
                .y_label = "mean squared error",
                .x_log = true,
                .y_log = true,
                .series = {}};
  figure.series = {
      curve("K", h, [=](double at) { return std::pow(std::expm1(-at * at / 2), 2) + roughness / (n * at); }),
      curve("2K - K*K", h,
            [=](double at) { return std::pow(std::expm1(-at * at / 2), 4) + price * roughness / (n * at); })};
  figure.caption =
      "Gaussian kernel, m = cos t at 0, a thousand observations per unit length, noise of variance 1: twicing is "
      "better at its own best bandwidth and worse at that of K.";
  return {figure};
}

}  // namespace attest::twicing
