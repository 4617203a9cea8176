// Remark 3.3 (b) and (c): the residual output against the plain denoised one, and the fate of the signal without
// residuals.
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::boosting {

using namespace engine;
using rigor::Ball;

namespace {

// There is a step under the hypothesis with sigma(y_hat) > sigma(y + y_hat); squared and cleared of denominators, with
// alpha = gamma + s (1 - gamma), beta = cos(u, u_hat) = gamma + t (1 - gamma), rho = cos(eta, eta_hat):
// gamma^2 (1 + 2 alpha beta + alpha^2) < alpha^2 (1 + 2 gamma rho + gamma^2).
Check plain_output_can_be_cleaner() {
  BoxProblem problem;
  problem.domain = "gamma, s, t in [0.001, 1], rho in [-1, 1]";
  problem.coordinates = {"gamma", "s", "t", "rho"};
  problem.lower = {0.001, 0.001, 0.001, -1};
  problem.upper = {1, 1, 1, 1};
  problem.margin = [](std::span<const Ball> x) {
    const Ball& gamma = x[0];
    const Ball alpha = gamma + x[1] * (1 - gamma);
    const Ball beta = gamma + x[2] * (1 - gamma);
    return square(gamma) * (1 + 2 * alpha * beta + square(alpha)) -
           square(alpha) * (1 + 2 * gamma * x[3] + square(gamma));
  };
  return exists_on_box(std::move(problem));
}

// There is a step with u_hat = alpha u, eta_hat = gamma eta, alpha >= gamma and sigma(y_hat) < sigma(y + y_hat): the
// difference alpha (1 + gamma) - gamma (1 + alpha) is alpha - gamma = s (1 - gamma).
Check reverse_for_aligned_steps() {
  BoxProblem problem;
  problem.domain = "gamma, s in [0, 1] with alpha = gamma + s (1 - gamma)";
  problem.coordinates = {"gamma", "s"};
  problem.lower = {0, 0};
  problem.upper = {1, 1};
  problem.margin = [](std::span<const Ball> x) { return x[1] * (1 - x[0]); };
  return exists_on_box(std::move(problem));
}

// With noise that the block only rescales: gamma (1 + alpha) factor <= alpha (1 + gamma) for alpha >= gamma.
Check plain_output_is_cleaner(double factor) {
  BoxProblem problem;
  problem.domain = "gamma, s in [0, 1] with alpha = gamma + s (1 - gamma)";
  problem.coordinates = {"gamma", "s"};
  problem.lower = {0, 0};
  problem.upper = {1, 1};
  problem.margin = [factor](std::span<const Ball> x) {
    const Ball above = x[1] * (1 - x[0]);
    return above - (Ball(factor) - 1) * x[0] * (1 + x[0] + above);
  };
  return certify_on_box(std::move(problem));
}

// |u_n| / |u| = alpha^n, claimed to tend to `limit`; with `depth_dependent`, alpha = 1 - 1/n in the network of n
// layers.
Part signal_without_residual(double alpha, bool depth_dependent, double limit = 0) {
  SequenceProblem problem;
  problem.claim = Asymptotics::limit;
  problem.n = geometric_grid(16, 4, 8);
  problem.resolution = 1e-3;
  problem.inputs = Inputs{{"alpha", {alpha}}};
  problem.value = [=](double n) { return pow(depth_dependent ? 1 - Ball(1) / Ball(n) : Ball(alpha), Ball(n)); };
  problem.reference = [limit](double) { return Ball(limit); };
  const std::string name = depth_dependent ? "alpha = 1 - 1/n" : fmt::format("alpha = {}", alpha);
  return {name, Kind::limit, sequence(std::move(problem))};
}

// prod_l alpha_l with alpha_l = 1 - 1 / (l + 1)^2 < 1 at every layer l = 1, ..., n, against its limit.
Check every_layer_below_one(double limit) {
  SequenceProblem problem;
  problem.claim = Asymptotics::limit;
  problem.n = geometric_grid(16, 2, 8);
  problem.resolution = 1e-4;
  problem.value = [](double n) {
    Ball product(1);
    for (double l = 1; l <= n; ++l) product *= 1 - 1 / square(Ball(l + 1));
    return product;
  };
  problem.reference = [limit](double) { return Ball(limit); };
  return sequence(std::move(problem));
}

// 1 - f sum delta_l <= prod (1 - delta_l) <= exp(-g sum delta_l), f = g = 1, for 32 layers.
Check loss_adds_up(double lower_factor, double upper_factor) {
  constexpr std::size_t layers = 32;
  std::vector<double> one_layer(layers, 0.0);
  one_layer[0] = 0.5;
  const auto side = [=](bool upper) {
    InequalityProblem problem;
    problem.lower.assign(layers, 0.0);
    problem.upper.assign(layers, 1.0);
    problem.corners = {std::vector<double>(layers, 0.0001), std::vector<double>(layers, 0.01), one_layer};
    problem.decode = [](std::span<const double> x) { return Inputs{{"delta", {x.begin(), x.end()}}}; };
    problem.sides = [=](const Inputs& in) {
      double product = 1;
      double sum = 0;
      for (const double delta : in["delta"]) {
        product *= 1 - delta;
        sum += delta;
      }
      return upper ? Sides{product, std::exp(-upper_factor * sum)} : Sides{1 - lower_factor * sum, product};
    };
    problem.ball_sides = [=](const Inputs& in) {
      Ball product(1);
      Ball sum;
      for (const double delta : in["delta"]) {
        product *= 1 - Ball(delta);
        sum += delta;
      }
      return upper ? BallSides{product, exp(-Ball(upper_factor) * sum)}
                   : BallSides{1 - Ball(lower_factor) * sum, product};
    };
    problem.evaluations = 3000;
    return inequality(std::move(problem));
  };
  return composite(
      {{"at least", Kind::universal_inequality, side(false)}, {"at most", Kind::universal_inequality, side(true)}});
}

}  // namespace

Claims residual_versus_plain() {
  const std::string hypothesis = "alpha, beta, gamma in [0, 1] and min(alpha, beta) > gamma.";
  return {
      {{.id = "boosting/plain-output-can-be-cleaner",
        .label = "Remark 3.3 (b): not always sigma(y+y_hat) >= sigma(y_hat)",
        .title = "The residual output may have the lower SNR of the two",
        .kind = Kind::existence,
        .tex = R"(\exists:\ \sigma(\hat{\mathbf y}) > \sigma(\mathbf y + \hat{\mathbf y}))",
        .assumptions = {hypothesis},
        .expected = Verdict::certified,
        .note = "Not only 'when a denoising step was almost perfect': see boosting/plain-output-is-cleaner."},
       plain_output_can_be_cleaner(),
       {{"the reverse, for aligned signal and noise", 1, reverse_for_aligned_steps()}}},
      {{.id = "boosting/plain-output-is-cleaner",
        .label = "Remark 3.3 (b) (always, for noise that is only rescaled)",
        .title = "With aligned noise the residual always costs SNR against the plain output",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\hat{\boldsymbol\eta} = \gamma\boldsymbol\eta,\ \alpha \ge \gamma \;\Rightarrow\; \sigma(\mathbf y+\hat{\mathbf y}) \le \frac{1+\alpha}{1+\gamma}\sigma(\mathbf y) \le \sigma(\hat{\mathbf y}))",
        .assumptions = {"alpha, gamma in [0, 1] and alpha >= gamma; eta_hat is a nonnegative multiple of eta."},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/plain-output-can-be-cleaner",
        .note =
            "Sharper than the remark: in the worst case that Proposition 3.1 is about, sigma(y + y_hat) never exceeds "
            "sigma(y_hat). Equality at alpha = gamma."},
       plain_output_is_cleaner(1),
       {{"by a factor 1.001", 0.001, plain_output_is_cleaner(1.001)}}},
      {{.id = "boosting/signal-vanishes-without-residual",
        .label = "Remark 3.3 (c): 'alpha<1 by assumption', alpha^n -> 0",
        .title = "One alpha below 1 at every layer makes the signal vanish",
        .kind = Kind::implication,
        .tex = R"(\|\tilde{\mathbf u}\| = \alpha^n\|\mathbf u\| \to 0)",
        .assumptions = {"alpha < 1, as the remark says; judged at 0.5, 0.9 and 0.99",
                        "the same alpha at every layer, no residual connection"},
        .expected = Verdict::supported,
        .note = "The remark takes 'by assumption ... alpha < 1'; the assumption of Proposition 3.1 is alpha in [0, 1], "
                "and Remark 3.2 names alpha = 1 as the ideal, where nothing shrinks: a slip of the remark that costs "
                "the conclusion only at alpha = 1."},
       composite({signal_without_residual(0.5, false), signal_without_residual(0.9, false),
                  signal_without_residual(0.99, false)}),
       {{"alpha = 1, which Proposition 3.1 allows", 0.01, composite({signal_without_residual(1, false)})},
        {"alpha below 1 but depending on the depth, 1 - 1/n", 1, composite({signal_without_residual(0, true)})},
        {"limit 0.01", 0.01,
         composite({signal_without_residual(0.5, false, 0.01), signal_without_residual(0.9, false, 0.01),
                    signal_without_residual(0.99, false, 0.01)})}}},
      {{.id = "boosting/signal-vanishes-layer-by-layer",
        .label = "Remark 3.3 (c, alpha below 1 at every layer)",
        .title = "alpha_l < 1 at every layer may leave half of the signal",
        .kind = Kind::limit,
        .tex = R"(\alpha_\ell = 1 - \frac{1}{(\ell+1)^2} < 1:\quad \prod_{\ell=1}^n \alpha_\ell \to \tfrac12)",
        .assumptions = {"layers have their own alpha_l, where the remark applies one alpha n times"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/signal-vanishes-without-residual",
        .note = "The factors telescope to (n + 2) / (2 n + 2). What decides is boosting/signal-vanishes-exactly-when."},
       every_layer_below_one(0.5),
       {{"limit 0.4995", 0.001, every_layer_below_one(0.4995)}}},
      {{.id = "boosting/signal-vanishes-exactly-when",
        .label = "Remark 3.3 (c) (corrected)",
        .title = "Without residuals the signal vanishes exactly when the losses have no finite sum",
        .kind = Kind::universal_inequality,
        .tex =
            R"(1 - \sum_\ell (1-\alpha_\ell) \le \prod_\ell \alpha_\ell \le \exp\Bigl(-\sum_\ell (1-\alpha_\ell)\Bigr))",
        .assumptions = {"alpha_l in [0, 1]; |u_{l+1}| = alpha_l |u_l|.",
                        "Searched for 32 layers; both sides follow for any "
                        "number by induction."},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/signal-vanishes-without-residual",
        .note = "The right side gives vanishing where the sum diverges, in particular for one alpha < 1 throughout; "
                "the left side, from a layer on after which less than 1 is left of the sum, gives survival where it "
                "converges and no alpha_l is 0."},
       loss_adds_up(1, 1),
       {{"at least, with the losses multiplied by 0.999", 0.001, loss_adds_up(0.999, 1)},
        {"at most, with the losses multiplied by 1.001", 0.001, loss_adds_up(1, 1.001)}}},
  };
}

}  // namespace attest::boosting
