// Appendix A, Eq A.6 and the line after it: mean and variance of xi = |eta|^2 / N for independent eta_i with mean 0,
// variance 1 and kappa = E eta_i^4.
#include <array>
#include <cmath>

#include "theorems/boosting/noise_moments.hpp"
#include "theorems/boosting/three_point_noise.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using random::Law;
using rigor::Ball;

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

/// The six laws one by one: E eta^2 = 1 + excess (order 2), or E eta^4 = (1 + excess) times 3, 1, 9/5, 6, 9, 1/p (order
/// 4), from their densities.
Check six_law_moments(int order, double excess) {
  IdentityProblem p;
  p.lower = {0};
  p.upper = {5.999};
  for (int i = 0; i < 6; ++i) p.corners.push_back({static_cast<double>(i)});
  p.decode = [](std::span<const double> x) { return Inputs{{"law", {std::floor(x[0])}}}; };
  const auto index = [](const Inputs& in) { return static_cast<std::size_t>(in.scalar("law")); };
  p.sides = [=](const Inputs& in) -> IdentitySides {
    constexpr std::array<double, 6> kurtosis{3, 1, 1.8, 6, 9, 10};
    return {{order == 2 ? 1 : random::fourth_moment(six_laws().at(index(in)))},
            {(1 + excess) * (order == 2 ? 1 : kurtosis.at(index(in)))}};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    constexpr std::array<int, 5> five_kurtosis{15, 5, 9, 30, 45};
    const Law law = six_laws().at(index(in));
    Ball known = 1;
    if (order == 4)  // the stored p is the double nearest 0.1
      known = index(in) < 5 ? Ball(five_kurtosis.at(index(in))) / 5 : 1 / Ball(law.parameter);
    return {{absolute_moment(law, order)}, {(1 + Ball(excess)) * known}};
  };
  p.rounding_bound = 8 * 0x1p-53;  // quotients of small integers
  p.evaluations = 50;
  p.ball_points = 6;
  return identity(std::move(p));
}

/// The finite sums over all three-point laws and the densities of the six laws together.
Check with_six_laws(Check sums, int order, double excess) {
  return composite({{"three-point laws", Kind::identity, std::move(sums)},
                    {"the six laws' densities", Kind::identity, six_law_moments(order, excess)}});
}

}  // namespace

Claims noise_norm() {
  Claims claims;
  claims.push_back({{.id = "boosting/eq-a.6",
                     .label = "Eq A.6",
                     .title = "The mean of xi is one",
                     .kind = Kind::identity,
                     .tex = R"(\mathbb{E}[\xi] = 1, \quad \xi = \|\eta\|^2 / N)",
                     .assumptions = unit_noise(),
                     .expected = Verdict::supported},
                    with_six_laws(mean_identity(0), 2, 0),
                    {{"E xi = 1 + 0.001/N", 0.001, with_six_laws(mean_identity(0.001), 2, 0), "three-point laws"},
                     {"divided by N - 1: E xi = 1 + 1/N", 1, mean_identity(1)},
                     {"variance 1.001", 0.001, with_six_laws(mean_identity(0), 2, 0.001), "the six laws' densities"}}});
  claims.push_back({{.id = "boosting/sec-a-variance",
                     .label = "Sec A (Var(xi)=1/N)",
                     .title = "The variance of xi is 1/N",
                     .kind = Kind::identity,
                     .tex = R"(\mathrm{Var}(\xi) = \frac{1}{N})",
                     .assumptions = unit_noise(),
                     .expected = Verdict::refuted,
                     .finding = Finding::constant,
                     .note = "'And Var(xi) = 1/N', for any noise of mean 0 and variance 1. It is (kappa - 1)/N "
                             "(boosting/sec-a-variance-kurtosis): 1/N only where kappa = E eta_i^4 is 2, and 2/N for "
                             "Gaussian noise. Eq A.7 and the bound on E|eta| take it over."},
                    variance_identity(0, 1),
                    {},
                    {{"(kappa - 1)/N", 1, variance_identity(1, 0)}}});
  claims.push_back({{.id = "boosting/sec-a-variance-kurtosis",
                     .label = "Sec A (Var(xi)=1/N)",
                     .title = "The variance of xi is (kurtosis - 1)/N",
                     .kind = Kind::identity,
                     .tex = R"(\mathrm{Var}(\xi) = \frac{\kappa - 1}{N}, \quad \kappa = \mathbb{E}\,\eta_i^4)",
                     .assumptions = unit_noise(),
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "boosting/sec-a-variance"},
                    with_six_laws(variance_identity(1, 0), 4, 0),
                    {{"(kappa - 1) enlarged by one part in 1000", 0.001,
                      with_six_laws(variance_identity(1.001, 0), 4, 0), "three-point laws"},
                     {"kappa/N", 1, variance_identity(1, 1)},
                     {"kurtoses one part in 1000 larger", 0.001, with_six_laws(variance_identity(1, 0), 4, 0.001),
                      "the six laws' densities"}}});
  return claims;
}

}  // namespace attest::boosting
