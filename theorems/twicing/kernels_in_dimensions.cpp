// The Gaussian twicing kernel in D dimensions, where attention uses it: its variance price, its mean squared error and
// where it is negative.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/regression/quadrature.hpp"
#include "kernels/rigor/ball.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/kernel_boxes.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;

constexpr std::array<double, 7> dimensions{1, 2, 4, 11, 16, 32, 64};

/// 4 - 4 (2/3)^(D/2) + 2^(-D/2).
Ball price(const Ball& d) { return 4 - 4 * rigor::pow(Ball::from_rational(2, 3), d / 2) + rigor::pow(Ball(2), -d / 2); }

/// R(2K - K*K)/R(K) = factor (4 - 4 (2/3)^(D/2) + 2^(-D/2)) for the standard normal density of R^D. In doubles by
/// quadrature over the radius, in balls from int phi_v phi_w = (2 pi (v + w))^(-D/2).
Check price_in_dimensions(double factor) {
  IdentityProblem p;
  p.lower = {0};
  p.upper = {static_cast<double>(dimensions.size()) - 1};
  for (std::size_t i = 0; i < dimensions.size(); ++i) p.corners.push_back({static_cast<double>(i)});
  p.decode = [](std::span<const double> x) {
    return Inputs{{"D", {dimensions[static_cast<std::size_t>(std::round(x[0]))]}}};
  };
  // Exponents below 100 near the peak cost 1e-14, the powers as much.
  p.rounding_bound = 8 * quadrature_error;
  p.evaluations = 60;
  p.ball_points = 7;
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const double d = in.scalar("D");
    const std::vector<double> splits{0, 0.5, 1, 2, 4, 5, 6, 7, 8, 10, 12, 16, 24};
    const auto radial = [&](auto kernel) {
      return regression::integrate([&](double r) { return std::pow(r, d - 1) * std::pow(kernel(r), 2); }, splits).value;
    };
    const double twicing =
        radial([&](double r) { return 2 * std::exp(-r * r / 2) - std::pow(2.0, -d / 2) * std::exp(-r * r / 4); });
    const double plain = radial([](double r) { return std::exp(-r * r / 2); });
    return {{twicing / plain}, {factor * (4 - 4 * std::pow(2.0 / 3, d / 2) + std::pow(2.0, -d / 2))}};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const Ball d = in.scalar("D");
    const auto product = [&](double v, double w) { return rigor::pow(2 * Ball::pi() * (Ball(v) + w), -d / 2); };
    return {{(4 * product(1, 1) - 4 * product(1, 2) + product(2, 2)) / product(1, 1)}, {factor * price(d)}};
  };
  return identity(std::move(p));
}

/// The ratio of mean squared errors at the bandwidth h = 1/m that is best for K at leading order, n = D R(K) / h^(D+4):
/// m(t) = (1/D) sum_i cos t_i at 0 has the biases phi - 1 and -(1 - phi)^2, phi = e^(-h^2/2), and the variance is
/// R/(n h^D), that is h^4/D times 1 and the price.
Check error_ratio(double d, double factor) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(4, 2, 9);
  p.inputs = Inputs{{"D", {d}}};
  p.value = [d](double m) {
    const Ball h2 = 1 / rigor::square(Ball(m));
    const Ball loss = -rigor::expm1(-h2 / 2);
    const Ball variance = rigor::square(h2) / Ball(d);
    return (rigor::pow(loss, 4) + price(Ball(d)) * variance) / (rigor::square(loss) + variance);
  };
  p.reference = [=](double) { return factor * 4 * price(Ball(d)) / (Ball(d) + 4); };
  p.resolution = 1e-4;
  return sequence(std::move(p));
}

/// 4 price(D)/(D + 4) against `bound` for D = first, ..., last.
Check turn(std::int64_t first, std::int64_t last, Relation relation, double bound) {
  EnumerationProblem p;
  p.domain = "D = " + std::to_string(first) + ", ..., " + std::to_string(last);
  p.cases = last - first + 1;
  p.relation = relation;
  p.case_inputs = [=](std::int64_t i) { return Inputs{{"D", {static_cast<double>(first + i)}}}; };
  p.ball_sides = [=](const Inputs& in) {
    const Ball d = in.scalar("D");
    return BallSides{4 * price(d) / (d + 4), Ball(bound)};
  };
  return enumerate(std::move(p));
}

Check error_in_dimensions(double factor) {
  std::vector<Part> parts;
  for (const double d : {1.0, 4.0, 16.0, 64.0})
    parts.push_back({"D = " + std::to_string(static_cast<int>(d)), Kind::limit, error_ratio(d, factor)});
  return composite(std::move(parts));
}

Check turns_round() {
  return composite({{"higher up to D = 10", Kind::universal_inequality, turn(1, 10, Relation::greater, 1)},
                    {"lower from D = 11 on", Kind::universal_inequality, turn(11, 256, Relation::less, 1)}});
}

/// sign 2K(u) < sign (K*K)(u), |u|^2 = share (4 + 2D) log 2, share in [least, most]: sign 1 says that K^ is negative.
Check sign_at(double least, double most, int sign) {
  InequalityProblem p;
  p.relation = Relation::less;
  p.lower = {0, least};
  p.upper = {static_cast<double>(dimensions.size()) - 1, most};
  p.decode = [](std::span<const double> x) {
    return Inputs{{"D", {dimensions[static_cast<std::size_t>(std::round(x[0]))]}}, {"share", {x[1]}}};
  };
  // Both kernels over K(u), which is positive: 2 and 2^(-D/2) e^(|u|^2/4).
  p.sides = [=](const Inputs& in) -> Sides {
    const double d = in.scalar("D");
    return {sign * 2.0, sign * std::exp2(-d / 2 + in.scalar("share") * (4 + 2 * d) / 4)};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball d = in.scalar("D");
    const Ball square = Ball(in.scalar("share")) * (4 + 2 * d) * rigor::log(Ball(2));
    const auto normal = [&](double variance) {
      return rigor::pow(2 * Ball::pi() * Ball(variance), -d / 2) * rigor::exp(-square / (2 * Ball(variance)));
    };
    return {sign * 2 * normal(1), sign * normal(2), in.scalar("share") >= 0};
  };
  p.evaluations = 1000;
  return inequality(std::move(p));
}

Check negative_in_dimensions(double beyond, double within) {
  constexpr double inside = 1e-12;
  return composite({{"negative beyond", Kind::universal_inequality, sign_at(beyond * (1 + inside), 3, 1)},
                    {"positive within", Kind::universal_inequality, sign_at(0, within * (1 - inside), -1)}});
}

}  // namespace

Claims kernels_in_dimensions() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/variance-price-dimensions",
        .label = "Prop 2 (variance price, Gaussian kernel in D dimensions)",
        .title = "In D dimensions the Gaussian twicing kernel multiplies the variance by 4 - 4 (2/3)^(D/2) + 2^(-D/2)",
        .kind = Kind::identity,
        .tex = R"(\frac{R(\hat K)}{R(K)}=4-4\Bigl(\frac23\Bigr)^{D/2}+2^{-D/2})",
        .assumptions = {"K is the isotropic Gaussian kernel of R^D", "D = 1, 2, 4, 11, 16, 32, 64",
                        "homoscedastic noise"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/prop-2",
        .note = "From int phi_v phi_w = (2 pi (v + w))^(-D/2) for every D. Below four, and four in the limit."},
       price_in_dimensions(1),
       {{"factor 0.1 percent larger", 0.001, price_in_dimensions(1.001)}}});
  claims.push_back(
      {{.id = "twicing/mse-dimensions",
        .label = "Prop 2 (mean squared error at an unchanged bandwidth, D dimensions)",
        .title = "In D dimensions, at the bandwidth best for K, twicing multiplies the error by 4/(D + 4) of the price",
        .kind = Kind::limit,
        .tex =
            R"(\frac{\mathrm{MSE}_{\hat K}}{\mathrm{MSE}_K}\to\frac4{D+4}\Bigl(4-4\bigl(\tfrac23\bigr)^{D/2}+2^{-D/2}\Bigr))",
        .assumptions =
            {"K is the isotropic Gaussian kernel of R^D", "D = 1, 4, 16, 64",
             "uniform design, m(t) = (1/D) sum_i cos t_i at 0, noise of variance 1, variances at leading order"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/mse-unchanged-bandwidth",
        .note = "At that bandwidth the squared bias of K is D/4 of its variance; twicing removes the one and "
                "multiplies the "
                "other.",
        .depends_on = {"twicing/variance-price-dimensions"}},
       error_in_dimensions(1),
       {{"limit 0.1 percent larger", 0.001, error_in_dimensions(1.001)}}});
  claims.push_back(
      {{.id = "twicing/mse-turns-round",
        .label = "Prop 2 (mean squared error at an unchanged bandwidth, from which dimension on it falls)",
        .title =
            "At the bandwidth best for K, twicing raises the error up to ten dimensions and lowers it from eleven on",
        .kind = Kind::universal_inequality,
        .tex = R"(\frac4{D+4}\Bigl(4-4\bigl(\tfrac23\bigr)^{D/2}+2^{-D/2}\Bigr)>1\iff D\le10)",
        .assumptions = {"D = 1, ..., 256"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "twicing/mse-unchanged-bandwidth",
        .note = "For every D: the price is below 4, as 2^(-D/2) < 4 (2/3)^(D/2), so that from D = 13 on the product is "
                "below 16/17. Heads are wider than eleven.",
        .depends_on = {"twicing/mse-dimensions"}},
       turns_round(),
       {{"higher up to D = 11", 0.1, turn(1, 11, Relation::greater, 1), "higher up to D = 10"},
        {"lower by 4.5 percent from D = 11 on", 0.045, turn(11, 256, Relation::less, 0.955), "lower from D = 11 on"}}});
  claims.push_back(
      {{.id = "twicing/negative-lobes-dimensions",
        .label = "Prop 2 / A.2 (negative lobes of the Gaussian twicing kernel in D dimensions)",
        .title =
            "In D dimensions the Gaussian twicing kernel is negative exactly beyond sqrt((4 + 2D) log 2) bandwidths",
        .kind = Kind::universal_inequality,
        .tex = R"(\hat K(u)<0\iff\|u\|^2>(4+2D)\log2)",
        .assumptions = {"K is the isotropic Gaussian kernel of R^D", "D = 1, 2, 4, 11, 16, 32, 64",
                        "|u|^2 up to three times the threshold"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/negative-lobes",
        .note = "2 (2 pi)^(-D/2) e^(-|u|^2/2) < (4 pi)^(-D/2) e^(-|u|^2/4), solved for |u|^2."},
       negative_in_dimensions(1, 1),
       {{"threshold 0.1 percent lower", 0.001, negative_in_dimensions(0.999, 1)},
        {"threshold 0.1 percent higher", 0.001, negative_in_dimensions(1, 1.001)}}});
  return claims;
}

}  // namespace attest::twicing
