// What n steps of smoothing leave of one eigenvalue, plain and twiced.
#include <cmath>
#include <complex>

#include "kernels/quantity/quantity.hpp"

namespace attest::quantities::definitions {

Quantity smoothing_powers() {
  Quantity q;
  q.name = "smoothing_powers";
  q.title = "What n steps of smoothing leave of an eigenvalue";
  q.formula = R"(|\lambda|^n,\quad |2\lambda - \lambda^2|^n,\quad \lambda = x + iy)";
  q.source = "Transformer Meets Twicing, Section 3.2 and Figure 3; complex eigenvalues are ours";
  q.parameters = {
      Parameter::real("x", 0.5, -1, 1, "real part of the eigenvalue"),
      Parameter::real("y", 0, -1, 1, "imaginary part of the eigenvalue"),
      Parameter::integer("n", 1, 1, 1'000'000, "steps"),
  };
  q.results = {
      {"plain", "modulus of the eigenvalue of A^n"},
      {"twiced", "modulus of the eigenvalue of (2A - A^2)^n: above 1 twicing is not stable"},
      {"log10_gain", "decimal logarithm of twiced over plain, per step"},
  };
  q.evaluate = [](const Arguments& at, const Execution&) {
    const std::complex<double> lambda(at.real("x"), at.real("y"));
    const double n = at.real("n"), plain = std::abs(lambda), factor = std::abs(2.0 - lambda);
    return Outcomes{{"plain", Outcome::exact(std::pow(plain, n))},
                    {"twiced", Outcome::exact(std::pow(plain * factor, n))},
                    {"log10_gain", Outcome::exact(std::log10(factor))}};
  };
  return q;
}

}  // namespace attest::quantities::definitions
