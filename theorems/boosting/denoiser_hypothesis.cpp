// Remark 3.2: what the hypothesis of Proposition 3.1 says about the denoiser.
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

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

enum class Assumed { minimum, cosine_only };

// Under the hypothesis |u_hat| / |u| > factor |eta_hat| / |eta|, that is sigma(y_hat) > factor sigma(y).
Check suppresses_noise_more(double factor, Assumed assumed) {
  const StepBox box = step_box(2, Beta::tight);
  InequalityProblem problem;
  problem.relation = Relation::greater;
  problem.lower = box.lower;
  problem.upper = box.upper;
  problem.decode = box.decode;
  problem.corners = box.corners;
  problem.sides = [=](const Inputs& in) {
    const StepNumbers s = step_numbers(in);
    const double beta = in.scalar("beta");
    const bool holds = assumed == Assumed::minimum ? s.hypothesis(beta)
                                                   : s.alpha <= 1 - StepNumbers::edge &&
                                                         beta - s.gamma >= StepNumbers::edge && s.cosine_at_least(beta);
    if (!holds) return Sides{nan, nan};
    return Sides{s.alpha, factor * s.gamma};
  };
  problem.ball_sides = [=](const Inputs& in) {
    const StepBalls step(in);
    const Ball beta = in.scalar("beta");
    const bool holds = assumed == Assumed::minimum
                           ? step.hypothesis(beta)
                           : step.is_proper() && certainly_less(step.gamma(), beta) && step.cosine_at_least(beta) &&
                                 certainly_less_equal(step.alpha(), Ball(1));
    // sigma(y_hat) eta_hat-free: |u_hat| |eta| against |eta_hat| |u|, so that eta_hat = 0 is covered too.
    return BallSides{rigor::norm2(step.u_hat) * rigor::norm2(step.eta),
                     Ball(factor) * rigor::norm2(step.eta_hat) * rigor::norm2(step.u), holds};
  };
  problem.evaluations = 4000;
  return inequality(std::move(problem));
}

// |y_hat - u| <= sqrt(1 - 2 f alpha beta + alpha^2) |u| + g gamma |eta|, with f = g = 1: at most 0 for the ideal
// denoiser alpha = beta = 1, gamma = 0.
Check distance_to_clean_signal(double cross_factor, double noise_factor) {
  std::vector<Part> parts;
  for (const int d : {1, 2, 4}) {
    const StepBox box = step_box(d, Beta::tight);
    InequalityProblem problem;
    problem.lower = box.lower;
    problem.upper = box.upper;
    problem.decode = box.decode;
    problem.corners = box.corners;
    problem.sides = [=](const Inputs& in) {
      const StepNumbers s = step_numbers(in);
      const double beta = in.scalar("beta");
      if (!s.cosine_at_least(beta)) return Sides{nan, nan};
      std::vector<double> error(in["u_hat"].begin(), in["u_hat"].end());
      for (std::size_t i = 0; i < error.size(); ++i) error[i] += in["eta_hat"][i] - in["u"][i];
      const double u = norm(in["u"]);
      const double square = 1 - 2 * cross_factor * s.alpha * beta + s.alpha * s.alpha;
      return Sides{norm(error), std::sqrt(std::max(0.0, square)) * u + noise_factor * s.gamma * norm(in["eta"])};
    };
    problem.ball_sides = [=](const Inputs& in) {
      const StepBalls s(in);
      const Ball beta = in.scalar("beta");
      const Ball alpha = s.alpha();
      const Ball residual = rigor::norm2(rigor::subtract(rigor::add(s.u_hat, s.eta_hat), s.u));
      // 1 - 2 alpha beta + alpha^2 = (1 - alpha)^2 + 2 alpha (1 - beta), the form that shows its sign.
      const Ball square_of_loss = square(1 - alpha) + 2 * alpha * (1 - Ball(cross_factor) * beta);
      return BallSides{
          residual,
          sqrt(max(Ball(0), square_of_loss)) * rigor::norm2(s.u) + Ball(noise_factor) * s.gamma() * rigor::norm2(s.eta),
          s.is_proper() && s.cosine_at_least(beta)};
    };
    problem.evaluations = 4000;
    parts.push_back({"in R^" + std::to_string(d), Kind::universal_inequality, inequality(std::move(problem))});
  }
  return composite(std::move(parts));
}

}  // namespace

Claims denoiser_hypothesis() {
  return {
      {{.id = "boosting/denoiser-suppresses-noise-more",
        .label = "Remark 3.2",
        .title = "The hypothesis implies that noise is suppressed more than signal",
        .kind = Kind::implication,
        .tex =
            R"(\min(\alpha,\beta) > \gamma \;\Rightarrow\; \frac{\|\hat{\mathbf u}\|}{\|\mathbf u\|} > \frac{\|\hat{\boldsymbol\eta}\|}{\|\boldsymbol\eta\|})",
        .assumptions = {"alpha, beta, gamma in [0, 1] and min(alpha, beta) > gamma.",
                        "|u_hat| = alpha |u|, cos(u, u_hat) >= beta, |eta_hat| = gamma |eta|; u and eta are not 0."},
        .expected = Verdict::supported,
        .note = "True, and it says sigma(y_hat) > sigma(y). It is weaker than what a residual connection needs: see "
                "boosting/residual-raises-snr."},
       suppresses_noise_more(1, Assumed::minimum),
       {{"by a factor 1.001", 0.001, suppresses_noise_more(1.001, Assumed::minimum)},
        {"beta > gamma alone, alpha free", 1, suppresses_noise_more(1, Assumed::cosine_only)}}},
      {{.id = "boosting/ideal-denoiser",
        .label = "Remark 3.2 (ideal denoiser)",
        .title = "alpha = beta = 1 and gamma = 0 is exact recovery",
        .kind = Kind::implication,
        .tex =
            R"(\|\hat{\mathbf y} - \mathbf u\| \le \sqrt{1-2\alpha\beta+\alpha^2}\,\|\mathbf u\| + \gamma\|\boldsymbol\eta\|, \text{ which is } 0 \text{ at } \alpha=\beta=1,\ \gamma=0)",
        .assumptions =
            {"|u_hat| = alpha |u|, cos(u, u_hat) >= beta >= 0, |eta_hat| = gamma |eta|; u and eta are not 0."},
        .expected = Verdict::supported,
        .note =
            "The remark's sentence in the form that also says how far from ideal other parameters are; the right side "
            "is attained. The ideal denoiser has alpha = 1, which Remark 3.3 excludes 'by assumption'."},
       distance_to_clean_signal(1, 1),
       {{"2 alpha beta multiplied by 1.001", 0.001, distance_to_clean_signal(1.001, 1)},
        {"gamma multiplied by 0.999", 0.001, distance_to_clean_signal(1, 0.999)}}},
  };
}

}  // namespace attest::boosting
