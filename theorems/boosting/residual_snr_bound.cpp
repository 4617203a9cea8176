// Proposition 3.1, first inequality of Eq 3.4, with the steps of its proof in Eqs 3.5 to 3.7.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "theorems/boosting/denoising_step.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"

namespace attest::boosting {

using namespace engine;
using rigor::Ball;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double unit_roundoff = 0x1p-53;

// The printed bound and the ways in which a near-miss departs from it.
struct Bound {
  double factor = 1;          // of the whole bound
  double cross_factor = 1;    // of 2 alpha beta
  double alpha_exponent = 2;  // of alpha^2
  double gamma_factor = 1;    // of gamma
  bool needs_cosine = true;   // cos(u, u_hat) >= beta is assumed
  bool reversed = false;
};

// sigma(y + y_hat) / sigma(y) >= sqrt(1 + 2 alpha beta + alpha^2) / (1 + gamma) over steps in R^d.
Check bound_on_vectors(int dimension, Bound bound) {
  const StepBox box = step_box(dimension, bound.needs_cosine ? Beta::tight : Beta::free);
  InequalityProblem problem;
  problem.relation = bound.reversed ? Relation::less_equal : Relation::greater_equal;
  problem.lower = box.lower;
  problem.upper = box.upper;
  problem.decode = box.decode;
  problem.corners = box.corners;
  problem.sides = [bound](const Inputs& in) {
    const StepNumbers s = step_numbers(in);
    const double beta = in.scalar("beta");
    const bool holds = bound.needs_cosine
                           ? s.hypothesis(beta)
                           : s.alpha <= 1 - StepNumbers::edge && std::min(s.alpha, beta) - s.gamma >= StepNumbers::edge;
    if (!holds) return Sides{nan, nan};
    const double signal = 1 + 2 * bound.cross_factor * s.alpha * beta + std::pow(s.alpha, bound.alpha_exponent);
    return Sides{s.residual_gain(), bound.factor * std::sqrt(signal) / (1 + bound.gamma_factor * s.gamma)};
  };
  problem.ball_sides = [bound](const Inputs& in) {
    const StepBalls step(in);
    const Ball beta = in.scalar("beta");
    const Ball alpha = step.alpha();
    const Ball signal = 1 + 2 * Ball(bound.cross_factor) * alpha * beta + pow(alpha, Ball(bound.alpha_exponent));
    const bool assumed = bound.needs_cosine ? step.hypothesis(beta)
                                            : step.is_proper() && certainly_less_equal(alpha, Ball(1)) &&
                                                  certainly_less(step.gamma(), min(alpha, beta));
    return BallSides{step.residual_snr() / step.input_snr(),
                     bound.factor * sqrt(signal) / (1 + bound.gamma_factor * step.gamma()), assumed};
  };
  problem.evaluations = 6000;
  return inequality(std::move(problem));
}

// The same as a polynomial inequality in alpha, beta, gamma, c = cos(u, u_hat) = beta + s (1 - beta) and
// rho = cos(eta, eta_hat) = 1 - r, squared and cleared of denominators. The difference of the two sides is
// (1 + 2 alpha beta + alpha^2) 2 gamma r + 2 alpha s (1 - beta) (1 + gamma)^2, a sum of products of nonnegative
// factors.
Check bound_on_parameters(double factor) {
  BoxProblem problem;
  problem.domain =
      "alpha, beta, gamma, s in [0, 1], r in [0, 2] with cos(u, u_hat) = beta + s (1 - beta) and "
      "cos(eta, eta_hat) = 1 - r";
  problem.coordinates = {"alpha", "beta", "gamma", "s", "r"};
  problem.lower = {0, 0, 0, 0, 0};
  problem.upper = {1, 1, 1, 1, 2};
  problem.margin = [factor](std::span<const Ball> x) {
    const auto& [alpha, beta, gamma, s, r] = std::tie(x[0], x[1], x[2], x[3], x[4]);
    const Ball signal = 1 + 2 * alpha * beta + square(alpha);
    const Ball gap = signal * 2 * gamma * r + 2 * alpha * s * (1 - beta) * square(1 + gamma);
    if (factor == 1) return gap;
    return gap + (1 - square(Ball(factor))) * signal * (square(1 + gamma) - 2 * gamma * r);
  };
  return certify_on_box(std::move(problem));
}

Check bound(Bound bound) {
  std::vector<Part> parts;
  for (const int d : {1, 2, 8}) {
    parts.push_back({"in R^" + std::to_string(d), Kind::universal_inequality, bound_on_vectors(d, bound)});
  }
  return composite(std::move(parts));
}

// sigma(y + y_hat)^2 / sigma(y)^2 = (1 + 2 alpha c + alpha^2) / (1 + 2 gamma rho + gamma^2).
Check exact_ratio(double cross_factor) {
  const StepBox box = step_box(3, Beta::free);
  IdentityProblem problem;
  problem.lower = box.lower;
  problem.upper = box.upper;
  problem.decode = box.decode;
  problem.corners = box.corners;
  problem.sides = [cross_factor](const Inputs& in) {
    const StepNumbers s = step_numbers(in);
    std::vector<double> signal(in["u"].begin(), in["u"].end());
    std::vector<double> noise(in["eta"].begin(), in["eta"].end());
    for (std::size_t i = 0; i < signal.size(); ++i) {
      signal[i] += in["u_hat"][i];
      noise[i] += in["eta_hat"][i];
    }
    // Cleared of the denominator, so that the residual is relative to terms that do not cancel.
    const double eta2 = dot(in["eta"], in["eta"]);
    const double u2 = dot(in["u"], in["u"]);
    const double lhs = dot(signal, signal) / u2 * (1 + 2 * s.gamma * s.noise_cosine + s.gamma * s.gamma);
    const double rhs =
        (1 + 2 * cross_factor * s.alpha * s.signal_cosine + s.alpha * s.alpha) * dot(noise, noise) / eta2;
    const double scale = (1 + s.alpha) * (1 + s.alpha) * (1 + s.gamma) * (1 + s.gamma);
    return IdentitySides{{lhs}, {rhs}, scale};
  };
  problem.ball_sides = [cross_factor](const Inputs& in) {
    const StepBalls s(in);
    const Ball alpha = s.alpha();
    const Ball gamma = s.gamma();
    IdentityBallSides sides;
    sides.assumptions_hold = s.is_proper() && rigor::norm2(s.u_hat).is_positive() &&
                             rigor::norm2(s.eta_hat).is_positive() && s.residual_snr().is_finite();
    sides.lhs = {square(s.residual_snr() / s.input_snr())};
    sides.rhs = {(1 + 2 * Ball(cross_factor) * alpha * s.signal_cosine() + square(alpha)) /
                 (1 + 2 * gamma * s.noise_cosine() + square(gamma))};
    return sides;
  };
  // Each side is a product of two factors of size at most (1 + alpha)^2 or (1 + gamma)^2, made of 3-term products:
  // below 16 units each, relative to that size.
  problem.rounding_bound = 64 * unit_roundoff;
  return identity(std::move(problem));
}

// Eq 3.5, last step: in the denominator 2 eta . eta_hat is replaced by `factor` times 2 |eta| |eta_hat|.
Check cauchy_schwarz_step(double factor, bool reversed) {
  std::vector<Part> parts;
  for (const int d : {1, 3}) {
    const StepBox box = step_box(d, Beta::free);
    InequalityProblem problem;
    problem.relation = reversed ? Relation::less_equal : Relation::greater_equal;
    problem.lower = box.lower;
    problem.upper = box.upper;
    problem.decode = box.decode;
    problem.corners = box.corners;
    problem.sides = [factor](const Inputs& in) {
      const StepNumbers s = step_numbers(in);
      const double gain = s.residual_gain();
      const double signal = 1 + 2 * s.alpha * s.signal_cosine + s.alpha * s.alpha;
      return Sides{gain * gain, signal / (1 + 2 * factor * s.gamma + s.gamma * s.gamma)};
    };
    problem.ball_sides = [factor](const Inputs& in) {
      const StepBalls s(in);
      const Ball u2 = rigor::dot(s.u, s.u);
      const Ball u_hat2 = rigor::dot(s.u_hat, s.u_hat);
      const Ball eta2 = rigor::dot(s.eta, s.eta);
      const Ball eta_hat2 = rigor::dot(s.eta_hat, s.eta_hat);
      // |u| |u_hat| cos(u, u_hat) is u . u_hat, also where u_hat = 0.
      const Ball signal = u2 + u_hat2 + 2 * rigor::dot(s.u, s.u_hat);
      const Ball noise = eta2 + eta_hat2 + 2 * Ball(factor) * rigor::norm2(s.eta) * rigor::norm2(s.eta_hat);
      return BallSides{square(s.residual_snr() / s.input_snr()), signal * eta2 / (noise * u2),
                       s.is_proper() && s.residual_snr().is_finite()};
    };
    problem.evaluations = 4000;
    parts.push_back({"in R^" + std::to_string(d), Kind::universal_inequality, inequality(std::move(problem))});
  }
  return composite(std::move(parts));
}

}  // namespace

Claims residual_snr_bound() {
  const std::string bound_tex =
      R"(\frac{\sigma(\mathbf y+\hat{\mathbf y})}{\sigma(\mathbf y)} \ge \frac{\sqrt{1+2\alpha\beta+\alpha^2}}{1+\gamma})";
  return {
      {{.id = "boosting/residual-snr-bound",
        .label = "Prop 3.1 / Eq 3.4 (first inequality)",
        .title = "Lower bound of the SNR gain of a residual connection",
        .kind = Kind::universal_inequality,
        .tex = bound_tex,
        .assumptions = {"alpha, beta, gamma in [0, 1] and min(alpha, beta) > gamma.",
                        "|u_hat| = alpha |u|, cos(u, u_hat) >= beta, |eta_hat| = gamma |eta|.",
                        "u and eta are not 0 (silent)."},
        .expected = Verdict::supported,
        .note = "The first inequality is right, and attained in every dimension from 2 on: cos(u, u_hat) = beta and "
                "eta_hat = gamma eta.",
        .depends_on = {"boosting/residual-snr-cauchy-schwarz", "boosting/residual-snr-denominator"}},
       bound({}),
       {{"bound multiplied by 1.0001", 0.0001, bound({.factor = 1.0001})},
        {"2 alpha beta multiplied by 1.001", 0.001, bound({.cross_factor = 1.001})},
        {"alpha^2 replaced by alpha^1.99", 0.005, bound({.alpha_exponent = 1.99})},
        {"gamma multiplied by 0.999", 0.001, bound({.gamma_factor = 0.999})},
        {"cos(u, u_hat) >= beta dropped", 1, bound({.needs_cosine = false})},
        {"direction reversed", 1, bound({.reversed = true})}}},
      {{.id = "boosting/residual-snr-bound-on-parameters",
        .label = "Prop 3.1 / Eq 3.4 (first inequality, on all parameters)",
        .title = "The bound proved for every admissible alpha, beta, gamma and every pair of angles",
        .kind = Kind::universal_inequality,
        .tex =
            R"((1+2\alpha c+\alpha^2)(1+\gamma)^2 \ge (1+2\alpha\beta+\alpha^2)(1+2\gamma\rho+\gamma^2) \text{ for } c \ge \beta,\ \rho \le 1)",
        .assumptions =
            {"alpha, beta, gamma in [0, 1]; c = cos(u, u_hat) in [beta, 1]; rho = cos(eta, eta_hat) in [-1, 1].",
             "The reduction of the vectors to these five numbers is boosting/residual-snr-exact-ratio."},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/residual-snr-bound",
        .note = "min(alpha, beta) > gamma is not needed for this inequality.",
        .depends_on = {"boosting/residual-snr-exact-ratio"}},
       bound_on_parameters(1),
       {{"bound multiplied by 1.001", 0.001, bound_on_parameters(1.001)}}},
      {{.id = "boosting/residual-snr-exact-ratio",
        .label = "Prop 3.1 (exact gain)",
        .title = "The gain as a function of two sizes and two angles",
        .kind = Kind::identity,
        .tex =
            R"(\frac{\sigma(\mathbf y+\hat{\mathbf y})^2}{\sigma(\mathbf y)^2} = \frac{1+2\alpha\cos(\mathbf u,\hat{\mathbf u})+\alpha^2}{1+2\gamma\cos(\boldsymbol\eta,\hat{\boldsymbol\eta})+\gamma^2})",
        .assumptions = {"u, u_hat, eta, eta_hat and eta + eta_hat are not 0."},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/residual-snr-bound",
        .note =
            "Makes the gain an equality: it exceeds 1 exactly where alpha (alpha + 2 cos(u, u_hat)) > "
            "gamma (gamma + 2 cos(eta, eta_hat)). With independent noise (cosine about 0) the printed hypothesis is "
            "more than enough; the worst case of the proposition is noise that the block only rescales."},
       exact_ratio(1),
       {{"cross term multiplied by 1.000001", 1e-6, exact_ratio(1.000001)}}},
      {{.id = "boosting/residual-snr-cauchy-schwarz",
        .label = "Eq 3.5",
        .title = "Cauchy-Schwarz in the denominator",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\frac{\sigma(\mathbf y+\hat{\mathbf y})^2}{\sigma(\mathbf y)^2} \ge \frac{\|\mathbf u\|^2+\|\hat{\mathbf u}\|^2+2\|\mathbf u\|\|\hat{\mathbf u}\|\cos(\mathbf u\mid\hat{\mathbf u})}{\|\boldsymbol\eta\|^2+\|\hat{\boldsymbol\eta}\|^2+2\|\boldsymbol\eta\|\|\hat{\boldsymbol\eta}\|}\,\frac{\|\boldsymbol\eta\|^2}{\|\mathbf u\|^2})",
        .assumptions = {"u, eta and eta + eta_hat are not 0 (silent)."},
        .expected = Verdict::supported,
        .note =
            "The text copy prints the second and third line without the parentheses around the sums; read with them.",
        .depends_on = {"boosting/snr-definition"}},
       cauchy_schwarz_step(1, false),
       {{"2 |eta| |eta_hat| multiplied by 0.999", 0.001, cauchy_schwarz_step(0.999, false)},
        {"direction reversed", 1, cauchy_schwarz_step(1, true)}}},
  };
}

}  // namespace attest::boosting
