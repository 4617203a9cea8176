#include "kernels/regression/kernel.hpp"

#include <array>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/regression/line_kernels.hpp"
#include "kernels/regression/polynomial_kernel.hpp"
#include "kernels/rigor/ball.hpp"

namespace attest::regression {

rigor::Ball Kernel::moment_ball(int k) const {
  if (k < 0 || k > 4) throw std::invalid_argument(fmt::format("Kernel::moment: order k = {} must lie in 0..4", k));
  if (k == 0) return 1;
  return k % 2 == 1 ? rigor::Ball(0) : even_moment(k);
}

double Kernel::moment(int k) const {
  const rigor::Ball ball = moment_ball(k);
  return ball.is_finite() ? ball.mid() : std::numeric_limits<double>::infinity();
}

rigor::Ball Kernel::twicing(const rigor::Ball& u) const { return 2 * value(u) - self_convolution(u); }

double Kernel::operator()(Form form, double u) const {
  if (form == Form::plain) return value(u);
  return form == Form::self_convolved ? self_convolution(u) : twicing(u);
}

std::span<const PolynomialKernel* const> polynomial_kernels() {
  static const PolynomialKernel uniform("uniform", {1}, 1, 2);
  static const PolynomialKernel triangular("triangular", {1, -1}, 1, 1);
  static const PolynomialKernel epanechnikov("epanechnikov", {1, 0, -1}, 3, 4);
  static const PolynomialKernel biweight("biweight", {1, 0, -2, 0, 1}, 15, 16);
  static const PolynomialKernel triweight("triweight", {1, 0, -3, 0, 3, 0, -1}, 35, 32);
  static const PolynomialKernel tricube("tricube", {1, 0, 0, -3, 0, 0, 3, 0, 0, -1}, 70, 81);
  static const std::array<const PolynomialKernel*, 6> kernels{&uniform,  &triangular, &epanechnikov,
                                                              &biweight, &triweight,  &tricube};
  return kernels;
}

std::span<const Kernel* const> all_kernels() {
  static const NormalMixtureKernel gaussian("gaussian", 0.0, 1.0);
  static const NormalMixtureKernel bimodal("bimodal", 1.0, 0.25);
  static const LogisticKernel logistic;
  static const LaplaceKernel laplace;
  static const StudentKernel student;
  static const CauchyKernel cauchy;
  static const std::vector<const Kernel*> kernels = [] {
    std::vector<const Kernel*> all(polynomial_kernels().begin(), polynomial_kernels().end());
    all.insert(all.end(), {&gaussian, &logistic, &laplace, &bimodal, &student, &cauchy});
    return all;
  }();
  return kernels;
}

const Kernel& find_kernel(std::string_view name) {
  std::string known;
  for (const Kernel* kernel : all_kernels()) {
    if (kernel->name() == name) return *kernel;
    known += fmt::format(" {}", kernel->name());
  }
  throw std::invalid_argument(fmt::format("no kernel is called '{}'; the known ones are{}", name, known));
}

}  // namespace attest::regression
