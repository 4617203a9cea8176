// Definition 3.1: the signal-to-noise ratio sigma(y) = |u| / |eta| of y = u + eta.
#include <cmath>
#include <limits>

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

constexpr double unit_roundoff = 0x1p-53;

std::vector<double> vector_at(std::span<const double> x, std::size_t i, std::size_t d) {
  return {x.begin() + static_cast<std::ptrdiff_t>(i * d), x.begin() + static_cast<std::ptrdiff_t>((i + 1) * d)};
}

// sigma(c y) = sigma(y) with sigma = |u|^p / |eta|^q; the definition has p = q = 1.
Check scale_invariance(double signal_power, double noise_power) {
  constexpr std::size_t d = 3;
  const auto snr = [=](std::span<const double> u, std::span<const double> eta) {
    return std::pow(norm(u), signal_power) / std::pow(norm(eta), noise_power);
  };
  IdentityProblem problem;
  problem.lower.assign(2 * d + 1, -2.0);
  problem.upper.assign(2 * d + 1, 2.0);
  problem.corners = {{1, 0, 0, 1, 0, 0, 2}, {1, 2, 2, 0, 3, 1, -0.5}};
  problem.decode = [](std::span<const double> x) {
    return Inputs{{"u", vector_at(x, 0, d)}, {"eta", vector_at(x, 1, d)}, {"c", {x[2 * d]}}};
  };
  problem.sides = [snr](const Inputs& in) {
    std::vector<double> u(in["u"].begin(), in["u"].end());
    std::vector<double> eta(in["eta"].begin(), in["eta"].end());
    const double before = snr(u, eta);
    for (double& v : u) v *= in.scalar("c");
    for (double& v : eta) v *= in.scalar("c");
    return IdentitySides{{snr(u, eta)}, {before}, 0};
  };
  problem.ball_sides = [=](const Inputs& in) {
    const auto u = rigor::to_balls(in["u"]);
    const auto eta = rigor::to_balls(in["eta"]);
    const Ball c = in.scalar("c");
    const auto ball_snr = [&](const rigor::BallVector& signal, const rigor::BallVector& noise) {
      return pow(rigor::norm2(signal), Ball(signal_power)) / pow(rigor::norm2(noise), Ball(noise_power));
    };
    IdentityBallSides sides;
    sides.assumptions_hold = rigor::norm2(eta).is_positive() && !c.contains_zero();
    sides.lhs = {ball_snr(rigor::scale(c, u), rigor::scale(c, eta))};
    sides.rhs = {ball_snr(u, eta)};
    return sides;
  };
  // A norm of 3 terms errs by 2.5 units, 3.5 after scaling; four norms and two quotients, with pow within one unit
  // each.
  problem.rounding_bound = 20 * unit_roundoff;
  return identity(std::move(problem));
}

// Eq 3.5, first line: sigma(y + y_hat)^2 / sigma(y)^2 = |u + u_hat|^2 |eta|^2 / (|eta + eta_hat|^2 |u|^2), or with the
// two norms of u and eta exchanged.
Check squared_ratio(bool exchanged) {
  const StepBox box = step_box(3, Beta::free);
  IdentityProblem problem;
  problem.lower = box.lower;
  problem.upper = box.upper;
  problem.decode = box.decode;
  problem.corners = box.corners;
  problem.sides = [exchanged](const Inputs& in) {
    std::vector<double> signal(in["u"].begin(), in["u"].end());
    std::vector<double> noise(in["eta"].begin(), in["eta"].end());
    const double u = norm(signal);
    const double eta = norm(noise);
    for (std::size_t i = 0; i < signal.size(); ++i) {
      signal[i] += in["u_hat"][i];
      noise[i] += in["eta_hat"][i];
    }
    const double ratio = (norm(signal) / norm(noise)) / (u / eta);
    const double factor = exchanged ? u / eta : eta / u;
    return IdentitySides{{ratio * ratio}, {dot(signal, signal) / dot(noise, noise) * factor * factor}, 0};
  };
  problem.ball_sides = [exchanged](const Inputs& in) {
    const StepBalls step(in);
    const auto signal = rigor::add(step.u, step.u_hat);
    const auto noise = rigor::add(step.eta, step.eta_hat);
    const auto& [top, bottom] = exchanged ? std::tie(step.u, step.eta) : std::tie(step.eta, step.u);
    IdentityBallSides sides;
    sides.assumptions_hold = step.is_proper() && rigor::norm2(noise).is_positive();
    sides.lhs = {square(step.residual_snr() / step.input_snr())};
    sides.rhs = {rigor::dot(signal, signal) * rigor::dot(top, top) /
                 (rigor::dot(noise, noise) * rigor::dot(bottom, bottom))};
    return sides;
  };
  // Both sides share the sums u + u_hat and eta + eta_hat; beyond them, 4 norms at 2.5 units, 4 operations, squared.
  problem.rounding_bound = 40 * unit_roundoff;
  return identity(std::move(problem));
}

Check definition(double signal_power, double noise_power, bool exchanged) {
  return composite({{"invariance under scaling", Kind::identity, scale_invariance(signal_power, noise_power)},
                    {"squared ratio of Eq 3.5", Kind::identity, squared_ratio(exchanged)}});
}

// y = 2 split as 1 + 1 and as 3/2 + 1/2: the second ratio is `factor` times the first.
Check splittings_differ(double factor) {
  EnumerationProblem problem;
  problem.domain = "one number and two splittings of it";
  problem.cases = 1;
  problem.case_inputs = [](std::int64_t) { return Inputs{{"y", {2}}, {"u", {1}}, {"u'", {1.5}}}; };
  problem.ball_sides = [factor](const Inputs& in) -> BallSides {
    const Ball y = in.scalar("y");
    const auto snr = [&](const char* signal) { return abs(Ball(in.scalar(signal)) / (y - in.scalar(signal))); };
    return {snr("u'"), Ball(factor) * snr("u")};
  };
  return enumerate(std::move(problem));
}

// | sigma(y) - |y| / |eta| | <= constant.
Check bracket(double constant) {
  std::vector<Part> parts;
  for (const std::size_t d : {std::size_t{1}, std::size_t{3}}) {
    InequalityProblem problem;
    problem.lower.assign(2 * d, -3.0);
    problem.upper.assign(2 * d, 3.0);
    problem.corners = {std::vector<double>(2 * d, 1.0)};
    problem.decode = [d](std::span<const double> x) {
      return Inputs{{"u", vector_at(x, 0, d)}, {"eta", vector_at(x, 1, d)}};
    };
    problem.sides = [constant](const Inputs& in) {
      const auto u = in["u"];
      const auto eta = in["eta"];
      const double noise = norm(eta);
      if (noise == 0) return Sides{std::numeric_limits<double>::quiet_NaN(), 0};
      // |y| - |u| = (2 u + eta).eta / (|y| + |u|): the difference itself loses every digit where the noise is small.
      std::vector<double> y(u.begin(), u.end());
      double difference_of_squares = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] += eta[i];
        difference_of_squares += (2 * u[i] + eta[i]) * eta[i];
      }
      return Sides{std::fabs(difference_of_squares) / (norm(y) + norm(u)) / noise, constant};
    };
    problem.ball_sides = [constant](const Inputs& in) {
      const auto u = rigor::to_balls(in["u"]);
      const auto eta = rigor::to_balls(in["eta"]);
      const Ball noise = rigor::norm2(eta);
      const Ball snr = rigor::norm2(u) / noise;
      return BallSides{abs(snr - rigor::norm2(rigor::add(u, eta)) / noise), Ball(constant), noise.is_positive()};
    };
    problem.evaluations = 3000;
    parts.push_back({"in R^" + std::to_string(d), Kind::universal_inequality, inequality(std::move(problem))});
  }
  return composite(std::move(parts));
}

}  // namespace

Claims signal_to_noise_ratio() {
  return {
      {{.id = "boosting/snr-definition",
        .label = "Def 3.1",
        .title = "Signal-to-noise ratio",
        .kind = Kind::definition,
        .tex =
            R"(\sigma(\mathbf y) := \frac{\|\mathbf u\|}{\|\boldsymbol\eta\|} \text{ for } \mathbf y = \mathbf u + \boldsymbol\eta)",
        .assumptions = {"The decomposition y = u + eta is given.", "eta is not 0 (silent)."},
        .expected = Verdict::supported,
        .note =
            "What the text then uses: the ratio does not change when y is scaled, and the squared ratio of two such "
            "numbers is the first line of Eq 3.5. The number is not defined for eta = 0, which is where the 'ideal "
            "denoiser' of Remark 3.2 would put the output."},
       definition(1, 1, false),
       {{"noise norm to the power 1.001", 0.001, definition(1, 1.001, false)},
        {"signal norm to the power 0.999", 0.001, definition(0.999, 1, false)},
        {"Eq 3.5 with the norms of u and eta exchanged", 1, definition(1, 1, true)}}},
      {{.id = "boosting/snr-of-an-observation",
        .label = "Def 3.1 (a function of y)",
        .title = "One observation has splittings of different signal-to-noise ratio",
        .kind = Kind::existence,
        .tex =
            R"(\exists\,\mathbf y = \mathbf u + \boldsymbol\eta = \mathbf u' + \boldsymbol\eta' :\quad \frac{\|\mathbf u'\|}{\|\boldsymbol\eta'\|} = 3\,\frac{\|\mathbf u\|}{\|\boldsymbol\eta\|})",
        .assumptions = {"numbers: y = 2 = 1 + 1 = 3/2 + 1/2"},
        .expected = Verdict::certified,
        .printed = false,
        .note = "Definition 3.1 gives the splitting with y, though its notation sigma(y) does not show it. For the "
                "output of "
                "a self-attention block, which is not linear, no splitting into u_hat and eta_hat is canonical: "
                "Proposition 3.1 has to be read with the splitting given."},
       splittings_differ(3),
       {{"by a factor of 3.003", 0.001, splittings_differ(3.003)}}},
      {{.id = "boosting/snr-bracket",
        .label = "Def 3.1 (what y and |eta| determine)",
        .title = "The observation and the noise level give the SNR up to 1",
        .kind = Kind::universal_inequality,
        .tex = R"(\Bigl|\sigma(\mathbf y) - \frac{\|\mathbf y\|}{\|\boldsymbol\eta\|}\Bigr| \le 1)",
        .assumptions = {"eta is not 0."},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/snr-of-an-observation",
        .note = "Attained where u and eta point the same way, so 1 is the best constant."},
       bracket(1),
       {{"constant 0.999", 0.001, bracket(0.999)}}},
  };
}

}  // namespace attest::boosting
