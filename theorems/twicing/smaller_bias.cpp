// Proposition 2: "the kernel K^(u) yields a Nadaraya-Watson estimator with a smaller bias than that using K(u)".
#include <cmath>
#include <string>

#include "kernels/rigor/ball.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/bias_figures.hpp"
#include "theorems/twicing/bias_setting.hpp"
#include "theorems/twicing/illustrated.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using regression::find_kernel;
using regression::Form;
using regression::TrigonometricSum;
using rigor::Ball;

/// bias with K^ / bias with K ~ factor h^2 (-mu_2/2) D_4/D_2 with D_k the k-th design derivative, h = 1/n.
Check vanishing_ratio(double factor) {
  std::vector<Part> parts;
  for (const BiasSetting& setting : bias_settings()) {
    SequenceProblem p;
    p.claim = Asymptotics::equivalent;
    p.n = geometric_grid(8, 2, 7);
    p.value = [setting](double n) { return setting.bias(Form::twiced, n) / setting.bias(Form::plain, n); };
    p.reference = [setting, factor](double n) {
      return -factor * setting.kernel->moment_ball(2) / 2 * setting.design_derivative(4) /
             setting.design_derivative(2) / rigor::square(Ball(n));
    };
    p.resolution = 0.002;
    parts.push_back({setting.name, Kind::limit, sequence(std::move(p))});
  }
  return composite(std::move(parts));
}

/// The ratio tends to 0; near-miss: at a point with m'' = 0, where it tends to -2 for the Gaussian kernel.
/// m(t) = cos t - cos(2t)/4 has m''(0) = 0 and m''''(0) = -3, so the ratio tends to (-6 mu_2^2)/mu_4 = -2.
Check ratio_at_inflection() {
  const TrigonometricSum m({{1, 1, 0}, {-0.25, 2, 0}});
  const BiasSetting setting{"inflection", &find_kernel("gaussian"), m, TrigonometricSum({{1, 0, 0}}), 0};
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(8, 2, 7);
  p.value = [setting](double n) { return setting.bias(Form::twiced, n) / setting.bias(Form::plain, n); };
  p.reference = [](double) { return Ball(0); };
  return sequence(std::move(p));
}

std::vector<Figure> kernel_and_bias_figures() {
  std::vector<Figure> figures = kernel_figures();
  for (Figure& figure : smaller_bias_figures()) figures.push_back(std::move(figure));
  return figures;
}

}  // namespace

Claims smaller_bias() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/prop-2-small-bandwidth",
        .label = "Prop 2 (as the bandwidth tends to zero)",
        .title = "The ratio of the two biases tends to zero like the squared bandwidth, with this constant",
        .kind = Kind::limit,
        .tex = R"(\frac{\mathrm{Bias}[\hat m_{\hat K}(x)]}{\mathrm{Bias}[\hat m_K(x)]}\sim)"
               R"(-\frac{h^2\mu_2(K)}2\,\frac{(mf)''''-mf''''}{(mf)''-mf''}(x)\quad(h\to0))",
        .assumptions = {"mu_2(K) is finite", "m and f have four continuous derivatives near x, f(x) > 0",
                        "m'' f + 2 m' f' is not 0 at x"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/prop-2"},
       illustrated(vanishing_ratio(1), kernel_and_bias_figures),
       {{"constant one percent larger", 0.01, vanishing_ratio(1.01)},
        {"a point where the leading term of K vanishes", 1, ratio_at_inflection()}}});
  return claims;
}

}  // namespace attest::twicing
