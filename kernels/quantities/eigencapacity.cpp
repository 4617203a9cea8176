// What is left of a spectrum after n steps of smoothing, plain and twiced.
#include <cmath>

#include <boost/math/special_functions/gamma.hpp>

#include "kernels/quantity/quantity.hpp"

namespace attest::quantities {
namespace {

/// B(n + 1, b) = Gamma(b) Gamma(n + 1) / Gamma(n + 1 + b), by the quotient of gamma functions, which are never formed.
double beta(double n, double b) { return std::tgamma(b) * boost::math::tgamma_delta_ratio(n + 1, b); }

}  // namespace

namespace definitions {

Quantity eigencapacity() {
  Quantity q;
  q.name = "eigencapacity";
  q.title = "Eigencapacity of n steps of smoothing";
  q.formula = R"(\kappa_n(p) = \int_0^1 p(x)^n (1-x)^s\,dx,\quad p(x) = x,\ 2x - x^2)";
  q.source = "Transformer Meets Twicing, Definition 1, Proposition 1 and Eqs 16-21; the density (1-x)^s is ours";
  q.parameters = {
      Parameter::real("n", 12, 0, 1e12, "smoothing steps"),
      Parameter::real("s", 0, -0.9, 10, "order to which the density of eigenvalues vanishes at 1; 0 is the paper's"),
  };
  q.results = {
      {"plain", "capacity of x^n"},
      {"twiced", "capacity of (2x - x^2)^n"},
      {"plain_limit", "Gamma(s+1) n^-(s+1), printed as 1/n for s = 0", Role::reference},
      {"twiced_limit", "Gamma((s+1)/2) n^-((s+1)/2) / 2, printed as sqrt(pi)/(2 sqrt n) for s = 0", Role::reference},
  };
  q.evaluate = [](const Arguments& at, const Execution&) {
    const double n = at.real("n"), order = at.real("s") + 1;
    // With y = 1 - x, 2x - x^2 = 1 - y^2, and the substitution z = y^2 gives a beta function again.
    return Outcomes{{"plain", Outcome::exact(beta(n, order))},
                    {"twiced", Outcome::exact(beta(n, order / 2) / 2)},
                    {"plain_limit", Outcome::exact(std::tgamma(order) * std::pow(n, -order))},
                    {"twiced_limit", Outcome::exact(std::tgamma(order / 2) * std::pow(n, -order / 2) / 2)}};
  };
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
