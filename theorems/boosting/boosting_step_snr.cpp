// Section 4 on Eq 4.3: 'strengthening the signal by overlaying the residual and current signals (higher SNR due to
// Proposition 3.1)'.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "theorems/boosting/denoising_step.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"

namespace attest::boosting {

using namespace engine;
using rigor::Ball;

namespace {

// Y_{l+1} = f(Y_l) + t Y_0 + (1 - t) Y_l: a step (u, eta) -> (u_hat, eta_hat) and the first layer's signal u_0 = mu u
// and noise eta_0 (d numbers), with t <= largest_t. Coordinates: the step's, then mu, t, eta_0.
InequalityProblem boosted_step(int dimension, Beta beta, double largest_t) {
  const auto d = static_cast<std::size_t>(dimension);
  const StepBox box = step_box(dimension, beta);
  InequalityProblem problem;
  problem.relation = Relation::greater_equal;
  problem.lower = box.lower;
  problem.upper = box.upper;
  const std::size_t n = box.lower.size();
  problem.lower.insert(problem.lower.end(), {0, 0});
  problem.upper.insert(problem.upper.end(), {2, largest_t});
  problem.lower.insert(problem.lower.end(), d, -4.0);
  problem.upper.insert(problem.upper.end(), d, 4.0);
  for (const auto& corner : box.corners) {
    for (const double first_noise : {0.0, 1.0, 4.0}) {
      std::vector<double> x = corner;
      x.insert(x.end(), {1, largest_t / 2});
      x.insert(x.end(), d, 0.0);
      x[n + 2] = first_noise;
      problem.corners.push_back(std::move(x));
    }
  }
  problem.decode = [decode = box.decode, n](std::span<const double> x) {
    Inputs inputs = decode(x.first(n));
    inputs.add("mu", {x[n]});
    inputs.add("t", {x[n + 1]});
    inputs.add("eta_0", {x.begin() + static_cast<std::ptrdiff_t>(n) + 2, x.end()});
    return inputs;
  };
  problem.evaluations = 6000;
  return problem;
}

// sigma of the boosted output over sigma(y), in double precision and as a ball.
double boosted_gain(const Inputs& in) {
  const double t = in.scalar("t");
  const double mu = in.scalar("mu");
  double signal = 0;
  double noise = 0;
  for (std::size_t i = 0; i < in["u"].size(); ++i) {
    const double s = in["u_hat"][i] + (t * mu + 1 - t) * in["u"][i];
    const double e = in["eta_hat"][i] + t * in["eta_0"][i] + (1 - t) * in["eta"][i];
    signal += s * s;
    noise += e * e;
  }
  return std::sqrt(signal / noise) * norm(in["eta"]) / norm(in["u"]);
}

Ball boosted_gain(const StepBalls& step, const Inputs& in) {
  const Ball t = in.scalar("t");
  const auto u_0 = rigor::scale(Ball(in.scalar("mu")), step.u);
  const auto eta_0 = rigor::to_balls(in["eta_0"]);
  const auto overlay = [&](const rigor::BallVector& output, const rigor::BallVector& first,
                           const rigor::BallVector& now) {
    return rigor::norm2(rigor::add(output, rigor::add(rigor::scale(t, first), rigor::scale(1 - t, now))));
  };
  return overlay(step.u_hat, u_0, step.u) / overlay(step.eta_hat, eta_0, step.eta) / step.input_snr();
}

enum class Hypothesis { printed, corrected };

// sigma(Y_{l+1}) >= sigma(Y_l), under the printed hypothesis or the corrected one alpha (alpha + 2 beta) > gamma (gamma
// + 2).
Check boosting_raises_snr(Hypothesis hypothesis, double largest_t) {
  InequalityProblem problem = boosted_step(2, Beta::free, largest_t);
  problem.relation = Relation::greater;
  problem.evaluations *= 4;  // with a small t few steps violate it: a search of 6000 missed them for 1 seed in 20
  problem.sides = [=](const Inputs& in) {
    const StepNumbers s = step_numbers(in);
    const double beta = in.scalar("beta");
    const bool holds = hypothesis == Hypothesis::printed
                           ? s.hypothesis(beta)
                           : s.alpha * (s.alpha + 2 * beta) - s.gamma * (s.gamma + 2) >= StepNumbers::edge &&
                                 s.alpha <= 1 - StepNumbers::edge && s.cosine_at_least(beta);
    if (!holds) {
      const double nan = std::numeric_limits<double>::quiet_NaN();
      return Sides{nan, nan};
    }
    return Sides{boosted_gain(in), 1};
  };
  problem.ball_sides = [=](const Inputs& in) {
    const StepBalls step(in);
    const Ball beta = in.scalar("beta");
    const Ball alpha = step.alpha();
    const Ball gamma = step.gamma();
    const bool holds = hypothesis == Hypothesis::printed
                           ? step.hypothesis(beta)
                           : step.is_proper() && step.cosine_at_least(beta) && certainly_less_equal(alpha, Ball(1)) &&
                                 certainly_less(gamma * (gamma + 2), alpha * (alpha + 2 * beta));
    return BallSides{boosted_gain(step, in), Ball(1), holds};
  };
  return inequality(std::move(problem));
}

// sigma(Y_{l+1}) / sigma(Y_l) >= factor sqrt(a^2 + 2 a alpha beta + alpha^2) / (gamma + b), a = 1 - t + t mu,
// b = 1 - t + t nu, nu = |eta_0| / |eta|; with `first_noise` 0 the first layer's noise is left out of b.
Check boosted_bound(double factor, double first_noise) {
  std::vector<Part> parts;
  for (const int d : {1, 2}) {
    InequalityProblem problem = boosted_step(d, Beta::tight, 1);
    problem.sides = [=](const Inputs& in) {
      const StepNumbers s = step_numbers(in);
      const double t = in.scalar("t");
      const double a = 1 - t + t * in.scalar("mu");
      const double b = 1 - t + t * first_noise * norm(in["eta_0"]) / norm(in["eta"]);
      const double gain = boosted_gain(in);
      if (!s.cosine_at_least(in.scalar("beta"))) return Sides{std::nan(""), std::nan("")};
      return Sides{gain,
                   factor * std::sqrt(a * a + 2 * a * s.alpha * in.scalar("beta") + s.alpha * s.alpha) / (s.gamma + b)};
    };
    problem.ball_sides = [=](const Inputs& in) {
      const StepBalls step(in);
      const Ball beta = in.scalar("beta");
      const Ball t = in.scalar("t");
      const Ball alpha = step.alpha();
      const Ball a = 1 - t + t * Ball(in.scalar("mu"));
      const Ball nu = rigor::norm2(rigor::to_balls(in["eta_0"])) / rigor::norm2(step.eta);
      const Ball b = 1 - t + t * Ball(first_noise) * nu;
      return BallSides{boosted_gain(step, in),
                       Ball(factor) * sqrt(square(a) + 2 * a * alpha * beta + square(alpha)) / (step.gamma() + b),
                       step.is_proper() && step.cosine_at_least(beta)};
    };
    parts.push_back({"in R^" + std::to_string(d), Kind::universal_inequality, inequality(std::move(problem))});
  }
  return composite(std::move(parts));
}

}  // namespace

Claims boosting_step_snr() {
  return {
      {{.id = "boosting/boosting-raises-snr",
        .label = "Sec 4 ('higher SNR due to Proposition 3.1')",
        .title = "A boosting step raises the SNR",
        .kind = Kind::implication,
        .tex = R"(\sigma\bigl(f(\mathbf Y_\ell) + t\mathbf Y_0 + (1-t)\mathbf Y_\ell\bigr) > \sigma(\mathbf Y_\ell))",
        .assumptions =
            {"The hypothesis of Proposition 3.1 for f at Y_l; t in [0, 1].",
             "The first layer's signal is a nonnegative multiple mu of the present one; its noise eta_0 is free."},
        .expected = Verdict::refuted,
        .finding = Finding::unsupported,
        .note = "'Higher SNR due to Proposition 3.1': the proposition speaks of the input and the output of one block, "
                "and Y_0 is neither; nothing in its hypothesis bounds the noise of Y_0 that the step brings back. The "
                "witness meets the hypothesis and loses SNR. What can be said is boosting/boosting-snr-bound.",
        .depends_on = {"boosting/residual-snr-bound", "boosting/residual-snr-gain", "boosting/eq-4.4-unrolled"}},
       boosting_raises_snr(Hypothesis::printed, 1),
       {},
       {{"under the corrected hypothesis, at t = 0", 1, boosting_raises_snr(Hypothesis::corrected, 0)}}},
      {{.id = "boosting/boosting-snr-bound",
        .label = "Sec 4 ('higher SNR due to Proposition 3.1', corrected)",
        .title = "Lower bound of the SNR gain of a boosting step",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\frac{\sigma(\mathbf Y_{\ell+1})}{\sigma(\mathbf Y_\ell)} \ge \frac{\sqrt{a^2+2a\alpha\beta+\alpha^2}}{\gamma+b},\quad a = 1-t+t\mu,\ b = 1-t+t\nu)",
        .assumptions =
            {"u_0 = mu u_l with mu >= 0, |eta_0| = nu |eta_l|; t in [0, 1].",
             "|u_hat| = alpha |u|, cos(u, u_hat) >= beta >= 0, |eta_hat| = gamma |eta|; u and eta are not 0."},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/boosting-raises-snr",
        .note = "Attained for aligned noise; t = 0 is Eq 3.4. The step is sure to raise the SNR exactly when the right "
                "side exceeds 1; for aligned signals that is t (nu - mu) < alpha - gamma: the first layer's noise may "
                "not exceed its signal, both relative to now, by more than the block suppresses."},
       boosted_bound(1, 1),
       {{"bound multiplied by 1.001", 0.001, boosted_bound(1.001, 1)},
        {"noise of the first layer counted at 0.99", 0.01, boosted_bound(1, 0.99)}}},
  };
}

}  // namespace attest::boosting
