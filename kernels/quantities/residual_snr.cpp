// How a residual connection changes the signal-to-noise ratio.
#include <cmath>
#include <limits>

#include "kernels/quantity/quantity.hpp"

namespace attest::quantities::definitions {

Quantity residual_snr() {
  Quantity q;
  q.name = "residual_snr";
  q.title = "Gain in signal-to-noise ratio by a residual connection";
  q.formula =
      R"(\frac{\sigma(y + \hat y)}{\sigma(y)} = \sqrt{\frac{1 + 2\alpha\beta + \alpha^2}{1 + 2\gamma\rho + \gamma^2}})";
  q.source = "Revisiting Transformers with Insights from Image Filtering and Boosting, Proposition 3.1 and Eq 3.5";
  q.parameters = {
      Parameter::real("alpha", 0.5, 0, 1, "size of the output's signal against the input's"),
      Parameter::real("beta", 0.5, -1, 1, "cosine between the two signals"),
      Parameter::real("gamma", 0.25, 0, 1, "size of the output's noise against the input's"),
      Parameter::real("rho", 0, -1, 1, "cosine between the two noises; 0 where the block draws the noise afresh"),
  };
  q.results = {
      {"gain", "SNR after the residual connection over SNR before; below 1 the connection loses"},
      {"plain_gain", "alpha/gamma, the same without the residual connection; none for gamma = 0"},
      {"printed", "sqrt(1 + 2 alpha beta + alpha^2)/(1 + gamma), the printed lower bound", Role::reference},
  };
  q.evaluate = [](const Arguments& at, const Execution&) {
    const double a = at.real("alpha"), b = at.real("beta"), g = at.real("gamma"), rho = at.real("rho");
    const double signal = std::sqrt(1 + 2 * a * b + a * a), noise = std::sqrt(1 + 2 * g * rho + g * g);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    // gamma = 1 and rho = -1 leave no noise at all.
    return Outcomes{{"gain", Outcome::exact(noise > 0 ? signal / noise : nan)},
                    {"plain_gain", Outcome::exact(g > 0 ? a / g : nan)},
                    {"printed", Outcome::exact(signal / (1 + g))}};
  };
  return q;
}

}  // namespace attest::quantities::definitions
