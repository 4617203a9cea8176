// Appendix A, after Eq A.5: how the norm of the noise concentrates. xi = |eta|^2 / N for independent eta_i with mean 0
// and variance 1; kappa = E eta_i^4.
#include <cmath>
#include <string>

#include "theorems/boosting/exact_perturbation.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallVector;

/// The three-point law +-1/sqrt(p) with probability p/2 each, else 0, has variance 1 and kappa = 1/p: p = 1 is
/// Rademacher's, p = 5/9 has the kurtosis of the uniform, 1/3 of the Gaussian, 1/6 of the Laplace, 1/9 of Student's
/// t_5. Under it N p xi is the number of non-zero noises, binomial(N, p), so every expectation is a finite sum.
struct Sparse {
  std::int64_t n;
  double p;
};

Sparse sparse_of(const Inputs& in) { return {static_cast<std::int64_t>(in.scalar("N")), in.scalar("p")}; }

bool admissible(const Inputs& in) {
  const Sparse s = sparse_of(in);
  return s.n >= 1 && in.scalar("N") == static_cast<double>(s.n) && s.p > 0 && s.p <= 1;
}

/// E f(xi) as an enclosure.
template <typename F>
Ball exact_mean(const Inputs& in, F f) {
  const Sparse s = sparse_of(in);
  const BallVector probabilities = binomial_probabilities(s.n, Ball(s.p));
  Ball mean = 0;
  for (std::int64_t k = 0; k <= s.n; ++k)
    mean += probabilities[static_cast<std::size_t>(k)] * f(Ball(k) / (Ball(s.n) * Ball(s.p)));
  return mean;
}

/// E f(xi) in double precision, the probabilities by logarithms of Gamma functions.
template <typename F>
double fast_mean(const Inputs& in, F f) {
  const Sparse s = sparse_of(in);
  const auto n = static_cast<double>(s.n);
  double mean = 0;
  for (std::int64_t i = 0; i <= s.n; ++i) {
    const auto k = static_cast<double>(i);
    const double log_probability = std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                                   (i > 0 ? k * std::log(s.p) : 0) + (i < s.n ? (n - k) * std::log1p(-s.p) : 0);
    mean += std::exp(log_probability) * f(k / (n * s.p));
  }
  return mean;
}

constexpr double most_coordinates = 24;
// lgamma, log and exp of terms below 200, summed over 25 values: each contributes at most 200 ulp.
constexpr double sum_rounding = 25 * 200 * 0x1p-52;

Inputs decode_law(std::span<const double> x) { return {{"N", {std::floor(x[0])}}, {"p", {x[1]}}}; }

/// E f(xi) = value for both evaluations; `scale` is the largest |f(xi)| E-weighted term.
template <typename F, typename Value>
Check moment_identity(F f, Value value) {
  IdentityProblem p;
  p.lower = {1, 0.02};
  p.upper = {most_coordinates, 1};
  p.corners = {{1, 1}, {4, 1}, {5, 0.5}, {6, 1.0 / 3}, {8, 1.0 / 6}};
  p.decode = decode_law;
  p.sides = [=](const Inputs& in) -> IdentitySides {
    // The terms are up to (1/p)^2 in size.
    return {{fast_mean(in, [&](double xi) { return f(xi); })},
            {value(in.scalar("N"), in.scalar("p"))},
            1 / (in.scalar("p") * in.scalar("p"))};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    return {{exact_mean(in, [&](const Ball& xi) { return f(xi); })},
            {value(Ball(in.scalar("N")), Ball(in.scalar("p")))},
            admissible(in)};
  };
  p.rounding_bound = sum_rounding;
  return identity(std::move(p));
}

/// E xi = 1 + excess/N.
Check mean_identity(double excess) {
  return moment_identity([](const auto& xi) { return xi; },
                         [excess](const auto& n, const auto&) { return 1 + excess / n; });
}

/// Var xi = (slope (kappa - 1) + constant)/N with kappa = 1/p.
Check variance_identity(double slope, double constant) {
  return moment_identity([](const auto& xi) { return (xi - 1) * (xi - 1); },
                         [=](const auto& n, const auto& p) { return (slope * (1 / p - 1) + constant) / n; });
}

/// Pr(|xi - 1| <= eps) >= 1 - (slope (kappa - 1) + constant)/(N eps^2).
Check chebyshev(double slope, double constant) {
  InequalityProblem p;
  p.relation = Relation::less_equal;
  p.lower = {1, 0.02, 0.01};
  p.upper = {most_coordinates, 1, 3};
  p.corners = {{1, 0.5, 0.9999}, {2, 0.1, 0.9}, {4, 0.05, 0.9}};
  p.decode = [](std::span<const double> x) {
    Inputs in = decode_law(x);
    in.add("eps", {x[2]});
    return in;
  };
  p.sides = [=](const Inputs& in) -> Sides {
    const double eps = in.scalar("eps"), variance = slope * (1 / in.scalar("p") - 1) + constant;
    return {1 - variance / (in.scalar("N") * eps * eps),
            fast_mean(in, [eps](double xi) { return std::abs(xi - 1) <= eps ? 1.0 : 0.0; })};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball eps = in.scalar("eps");
    bool decided = true;
    const Ball probability = exact_mean(in, [&](const Ball& xi) {
      const Ball room = eps - rigor::abs(xi - 1);
      decided = decided && (room.is_nonnegative() || room.is_negative());
      return Ball(room.is_nonnegative() ? 1 : 0);
    });
    const Ball variance = Ball(slope) * (1 / Ball(in.scalar("p")) - 1) + constant;
    return {1 - variance / (Ball(in.scalar("N")) * eps * eps), probability,
            decided && admissible(in) && eps.is_positive()};
  };
  p.evaluations = 6000;
  return inequality(std::move(p));
}

/// |E|eta| - sqrt N| <= (slope (kappa - 1) + constant)/(2 sqrt N).
Check norm_statement(double slope, double constant) {
  InequalityProblem p;
  p.relation = Relation::less_equal;
  p.lower = {1, 0.02};
  p.upper = {most_coordinates, 1};
  p.corners = {{1, 0.98}, {1, 0.995}, {4, 1.0 / 6}, {8, 0.05}};
  p.decode = decode_law;
  p.sides = [=](const Inputs& in) -> Sides {
    // With E xi = 1 the gap 1 - E sqrt(xi) is E (sqrt(xi) - 1)^2 / 2, which cancels nothing.
    const double root = std::sqrt(in.scalar("N"));
    return {root / 2 * fast_mean(in, [](double xi) { return (std::sqrt(xi) - 1) * (std::sqrt(xi) - 1); }),
            (slope * (1 - in.scalar("p")) / in.scalar("p") + constant) / (2 * root)};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball root = rigor::sqrt(Ball(in.scalar("N")));
    const Ball mean = exact_mean(in, [](const Ball& xi) { return rigor::sqrt(rigor::max(xi, Ball(0))); });
    return {rigor::abs(root * mean - root), (Ball(slope) * (1 / Ball(in.scalar("p")) - 1) + constant) / (2 * root),
            admissible(in)};
  };
  p.evaluations = 4000;
  return inequality(std::move(p));
}

const std::vector<std::string> unit_noise{"eta_1, ..., eta_N independent and identically distributed",
                                          "E eta_i = 0, E eta_i^2 = 1",
                                          "searched over the three-point laws of kurtosis 1 to 50 and N up to 24"};

}  // namespace

Claims noise_norm() {
  Claims claims;
  claims.push_back({{.id = "boosting/eq-a.6",
                     .label = "Eq A.6",
                     .title = "The mean of xi is one",
                     .kind = Kind::identity,
                     .tex = R"(\mathbb{E}[\xi] = 1, \quad \xi = \|\eta\|^2 / N)",
                     .assumptions = unit_noise,
                     .expected = Verdict::supported},
                    mean_identity(0),
                    {{"E xi = 1 + 0.001/N", 0.001, mean_identity(0.001)},
                     {"divided by N - 1: E xi = 1 + 1/N", 1, mean_identity(1)}}});
  claims.push_back(
      {{.id = "boosting/sec-a-variance",
        .label = "Sec A (Var(xi)=1/N)",
        .title = "The variance of xi is 1/N",
        .kind = Kind::identity,
        .tex = R"(\mathrm{Var}(\xi) = \frac{1}{N})",
        .assumptions = unit_noise,
        .expected = Verdict::refuted,
        .note = "True only where the kurtosis is 2. Gaussian noise gives 2/N, Rademacher 0, uniform 0.8/N, "
                "Laplace 5/N, Student t_5 8/N."},
       variance_identity(0, 1),
       {{"Var xi = 2/N, right for the Gaussian alone", 1, variance_identity(0, 2)}}});
  claims.push_back({{.id = "boosting/sec-a-variance-kurtosis",
                     .label = "Sec A (Var(xi)=1/N)",
                     .title = "The variance of xi is (kurtosis - 1)/N",
                     .kind = Kind::identity,
                     .tex = R"(\mathrm{Var}(\xi) = \frac{\kappa - 1}{N}, \quad \kappa = \mathbb{E}\,\eta_i^4)",
                     .assumptions = unit_noise,
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "boosting/sec-a-variance"},
                    variance_identity(1, 0),
                    {{"(kappa - 1) enlarged by one part in 1000", 0.001, variance_identity(1.001, 0)},
                     {"kappa/N", 1, variance_identity(1, 1)}}});
  claims.push_back(
      {{.id = "boosting/eq-a.7",
        .label = "Eq A.7",
        .title = "Chebyshev's inequality with variance 1/N",
        .kind = Kind::universal_inequality,
        .tex = R"(\Pr(|\xi - 1| \le \varepsilon) \ge 1 - \frac{1}{N \varepsilon^2})",
        .assumptions = unit_noise,
        .expected = Verdict::refuted,
        .note = "Chebyshev's inequality is used with the variance of the preceding line; it holds for noise of "
                "kurtosis up to 2.",
        .depends_on = {"boosting/sec-a-variance"}},
       chebyshev(0, 1),
       {{"twice the variance, as for the Gaussian", 1, chebyshev(0, 2)}}});
  claims.push_back({{.id = "boosting/eq-a.7-kurtosis",
                     .label = "Eq A.7",
                     .title = "Chebyshev's inequality with the variance that the noise has",
                     .kind = Kind::universal_inequality,
                     .tex = R"(\Pr(|\xi - 1| \le \varepsilon) \ge 1 - \frac{\kappa - 1}{N \varepsilon^2})",
                     .assumptions = unit_noise,
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "boosting/eq-a.7",
                     .note = "Attained in the limit at N = 1, kappa = 2, eps -> 1."},
                    chebyshev(1, 0),
                    {{"(kappa - 1) lowered by one percent", 0.01, chebyshev(0.99, 0)}}});
  claims.push_back(
      {{.id = "boosting/sec-a-sandwich",
        .label = "Sec A (sandwich => |E|eta|-sqrt N| <= 1/(2 sqrt N))",
        .title = "The mean norm of the noise is within 1/(2 sqrt N) of sqrt N",
        .kind = Kind::implication,
        .tex = R"(\left|\mathbb{E}\|\eta\| - \sqrt{N}\right| \le \frac{1}{2\sqrt{N}})",
        .assumptions = unit_noise,
        .expected = Verdict::refuted,
        .note =
            "The step itself (multiply by sqrt N) is right; it inherits the variance 1/N. Gaussian noise satisfies the "
            "statement (the gap is about 1/(4 sqrt N)); kurtosis above 5 breaks it for large N, Laplace noise "
            "included.",
        .depends_on = {"boosting/sec-a-variance"}},
       norm_statement(0, 1),
       {{"twice the room", 1, norm_statement(0, 2)}}});
  claims.push_back(
      {{.id = "boosting/sec-a-sandwich-kurtosis",
        .label = "Sec A (sandwich => |E|eta|-sqrt N| <= 1/(2 sqrt N))",
        .title = "The mean norm of the noise is within (kurtosis - 1)/(2 sqrt N) of sqrt N",
        .kind = Kind::implication,
        .tex = R"(\left|\mathbb{E}\|\eta\| - \sqrt{N}\right| \le \frac{\kappa - 1}{2\sqrt{N}})",
        .assumptions = unit_noise,
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/sec-a-sandwich",
        .note = "Attained in the limit at N = 1, kappa -> 1; for large N the gap is about (kappa - 1)/(8 sqrt "
                "N)."},
       norm_statement(1, 0),
       {{"(kappa - 1) lowered by one percent", 0.01, norm_statement(0.99, 0)}}});
  return claims;
}

}  // namespace attest::boosting
