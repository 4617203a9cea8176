#include "theorems/twicing/bias_setting.hpp"

namespace attest::twicing {

using regression::TrigonometricSum;
using rigor::Ball;

namespace {

constexpr double judged_point = 0.75;

TrigonometricSum regression_function() { return TrigonometricSum({{1, 1, 0.5}, {0.25, 2, -1}}); }

}  // namespace

Ball BiasSetting::bias(regression::Form form, double n) const {
  return regression::population_bias(*kernel, form, m, f, x, 1 / Ball(n));
}

Ball BiasSetting::design_derivative(int k) const {
  return ((m * f).derivative(x, k) - m.derivative(x, 0) * f.derivative(x, k)) / f.derivative(x, 0);
}

BiasSetting uniform_setting(const regression::Kernel& kernel) {
  return {std::string(kernel.name()) + ", uniform design", &kernel, regression_function(),
          TrigonometricSum({{1, 0, 0}}), judged_point};
}

BiasSetting sloping_setting(const regression::Kernel& kernel) {
  return {std::string(kernel.name()) + ", sloping design", &kernel, regression_function(),
          TrigonometricSum({{1, 0, 0}, {0.5, 1, 0}}), judged_point};
}

std::vector<BiasSetting> bias_settings() {
  std::vector<BiasSetting> settings;
  for (const char* name : {"gaussian", "epanechnikov", "triangular", "logistic", "laplace", "bimodal"}) {
    settings.push_back(uniform_setting(regression::find_kernel(name)));
    settings.push_back(sloping_setting(regression::find_kernel(name)));
  }
  return settings;
}

}  // namespace attest::twicing
