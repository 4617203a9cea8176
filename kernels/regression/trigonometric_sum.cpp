#include "kernels/regression/trigonometric_sum.hpp"

namespace attest::regression {

using rigor::Ball;

Ball TrigonometricSum::derivative(const Ball& t, int k) const {
  Ball total = 0;
  for (const Term& term : terms_) {
    const Ball angle = term.frequency * t + term.phase;
    const Ball wave = k % 2 == 0 ? rigor::cos(angle) : rigor::sin(angle);
    const int sign = (k + 1) / 2 % 2 == 0 ? 1 : -1;  // cos, -sin, -cos, sin
    total += sign * term.amplitude * rigor::pow(term.frequency, k) * wave;
  }
  return total;
}

Ball TrigonometricSum::smoothed(const Kernel& kernel, Form form, const Ball& t, const Ball& h) const {
  Ball total = 0;
  for (const Term& term : terms_) {
    total +=
        term.amplitude * characteristic(kernel, form, h * term.frequency) * rigor::cos(term.frequency * t + term.phase);
  }
  return total;
}

TrigonometricSum operator*(const TrigonometricSum& a, const TrigonometricSum& b) {
  std::vector<TrigonometricSum::Term> terms;
  for (const auto& p : a.terms_) {
    for (const auto& q : b.terms_) {
      const Ball amplitude = p.amplitude * q.amplitude / 2;
      terms.push_back({amplitude, p.frequency + q.frequency, p.phase + q.phase});
      terms.push_back({amplitude, p.frequency - q.frequency, p.phase - q.phase});
    }
  }
  return TrigonometricSum(std::move(terms));
}

Ball characteristic(const Kernel& kernel, Form form, const Ball& s) {
  Ball phi = kernel.characteristic(s);
  if (form == Form::plain) return phi;
  return form == Form::self_convolved ? rigor::square(phi) : 2 * phi - rigor::square(phi);
}

Ball population_bias(const Kernel& kernel, Form form, const TrigonometricSum& m, const TrigonometricSum& f,
                     const Ball& x, const Ball& h) {
  return (m * f).smoothed(kernel, form, x, h) / f.smoothed(kernel, form, x, h) - m.derivative(x, 0);
}

}  // namespace attest::regression
