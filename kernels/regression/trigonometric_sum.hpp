// Finite sums of cosines, on which every kernel acts by its characteristic function: bias in closed form, in balls.
#pragma once

#include <vector>

#include "kernels/regression/kernel.hpp"
#include "kernels/rigor/ball.hpp"

namespace attest::regression {

/// g(t) = sum_j a_j cos(w_j t + p_j). A regression function or (where positive) a design density on the whole line.
class TrigonometricSum {
 public:
  struct Term {
    rigor::Ball amplitude;
    rigor::Ball frequency;
    rigor::Ball phase;
  };

  TrigonometricSum() = default;
  explicit TrigonometricSum(std::vector<Term> terms) : terms_(std::move(terms)) {}

  /// g^(k)(t), k >= 0.
  rigor::Ball derivative(const rigor::Ball& t, int k) const;

  /// (L_h * g)(t) = sum_j a_j L^(h w_j) cos(w_j t + p_j), with L the kernel's `form` and L^ its characteristic
  /// function.
  rigor::Ball smoothed(const Kernel& kernel, Form form, const rigor::Ball& t, const rigor::Ball& h) const;

  friend TrigonometricSum operator*(const TrigonometricSum& a, const TrigonometricSum& b);

  const std::vector<Term>& terms() const { return terms_; }

 private:
  std::vector<Term> terms_;
};

/// The characteristic function of the kernel's form: phi, phi^2 or 2 phi - phi^2.
rigor::Ball characteristic(const Kernel& kernel, Form form, const rigor::Ball& s);

/// The bias of the population Nadaraya-Watson estimator, (L_h * (m f))(x)/(L_h * f)(x) - m(x): the same quantity as
/// `population_bias`, by another path. Not finite where the denominator's ball contains 0.
rigor::Ball population_bias(const Kernel& kernel, Form form, const TrigonometricSum& m, const TrigonometricSum& f,
                            const rigor::Ball& x, const rigor::Ball& h);

}  // namespace attest::regression
