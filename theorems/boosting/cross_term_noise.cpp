// Section 3.3: the token-to-position terms of the logits as noise, eta_j = p_i' W y_j + y_i' W p_j, which Theorem 3.2
// takes to have mean 0 and covariance sigma^2 I.
#include <array>
#include <string>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

constexpr std::size_t signs = 6;  ///< three tokens of two coordinates

template <class Real>
struct Moments {
  Real mean, variance, covariance;  ///< E eta_j, E eta_j^2, E eta_j eta_k
};

/// Of independent tokens y_i, y_j, y_k in the plane with coordinates +1 or -1, by all 64 of them: the moments depend on
/// the tokens' mean 0 and covariance I alone.
template <class Real>
Moments<Real> moments(const Matrix<Real>& p, const Matrix<Real>& w) {
  Moments<Real> m{Real(0), Real(0), Real(0)};
  constexpr unsigned patterns = 1U << signs;
  for (unsigned pattern = 0; pattern < patterns; ++pattern) {
    Matrix<Real> y(3, 2);
    for (unsigned s = 0; s < signs; ++s) y.entries[s] = Real((pattern >> s) % 2 == 0 ? 1.0 : -1.0);
    const auto of_positions = bilinear(p, w, y);
    const auto of_tokens = bilinear(y, w, p);
    const Real eta_j = of_positions(0, 1) + of_tokens(0, 1);
    const Real eta_k = of_positions(0, 2) + of_tokens(0, 2);
    m.mean += eta_j / Real(patterns);
    m.variance += eta_j * eta_j / Real(patterns);
    m.covariance += eta_j * eta_k / Real(patterns);
  }
  return m;
}

/// What is claimed: a factor on |W' p_i|^2 + |W p_j|^2 for the variance, and on (W p_j) . (W p_k) for the covariance.
struct Claimed {
  double variance = 1, covariance = 1;
  bool marginals_only = false;
};

/// Both moments at three different positions up to 196, for any W or for W = I.
Check moments_are(bool any_w, Claimed claimed) {
  std::vector<Block> blocks{{"places", 3, 1, 196.99}};
  if (any_w) blocks.push_back({"W", 4, -1, 1});
  std::vector<double> corner{1, 2, 3};
  if (any_w) corner.insert(corner.end(), {1, 0, 0, 1});
  return generic_identity(
      blocks,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        std::vector<double> places;
        for (const double place : in["places"]) places.push_back(std::floor(place));
        const bool different = places[0] != places[1] && places[0] != places[2] && places[1] != places[2];
        const auto p = sinusoidal_positions<Real>(places, 2);
        const auto w = any_w ? matrix<Real>(in, "W", 2, 2) : scaled_identity(2, Real(1));
        const auto m = moments(p, w);
        const auto by_queries = squared_norms(p, multiply(w, transpose(w)));
        const auto by_keys = bilinear(p, multiply(transpose(w), w), p);
        Pair<Real> pair{
            {m.mean, m.variance}, {Real(0), Real(claimed.variance) * (by_queries[0] + by_keys(1, 1))}, different};
        if (!claimed.marginals_only) {
          pair.lhs.push_back(m.covariance);
          pair.rhs.push_back(Real(claimed.covariance) * by_keys(1, 2));
        }
        return pair;
      },
      // Angles up to 196, then four products of at most 16 terms below 4.
      {.evaluations = 150, .corners = {corner}, .rounding_bound = (4 * 196 + 16 * 64) * 4 * 0x1p-53, .scale = 1});
}

/// p_j . p_{j+1} / d, the correlation of neighbours for W = I, is at least `least` at the widths 64, 128 and 192.
Check neighbours_correlate(double least) {
  EnumerationProblem p;
  p.domain = "W = I, d = 64, 128, 192";
  p.cases = 3;
  p.relation = Relation::greater_equal;
  p.case_inputs = [](std::int64_t k) { return Inputs{{"d", {64.0 * static_cast<double>(k + 1)}}}; };
  p.ball_sides = [least](const Inputs& in) -> BallSides {
    const auto d = static_cast<std::size_t>(in.scalar("d"));
    const auto neighbours = sinusoidal_positions<Ball>(std::array<double, 2>{1, 2}, d);
    return {dot_products(neighbours, neighbours)(0, 1) / Ball(in.scalar("d")), least};
  };
  return enumerate(std::move(p));
}

}  // namespace

Claims cross_term_noise() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/sec-3.3-noise-marginals",
        .label = "Sec 3.3 (eta_j ~ D(0, sigma^2))",
        .title = "Every token-to-position term has mean 0, and all of a row one variance",
        .kind = Kind::identity,
        .tex =
            R"(\eta_j = \mathbf p_i^\top\mathbf W\mathbf y_j+\mathbf y_i^\top\mathbf W\mathbf p_j:\quad \mathbb E\eta_j = 0,\ \mathbb E\eta_j^2 = \sigma^2 = d)",
        .assumptions = {"independent tokens of mean 0 and covariance I", "W = I, d = 2; i and j different"},
        .expected = Verdict::supported,
        .note = "The sentence of section 3.3 itself, which names a mean and a variance. For a general W the variance "
                "depends on j: boosting/sec-3.3-noise-covariance.",
        .depends_on = {"boosting/eq-3.9"}},
       moments_are(false, {1, 1, true}),
       {{"variance larger by 0.1 percent", 0.001, moments_are(false, {1.001, 1, true})}}});
  claims.push_back(
      {{.id = "boosting/sec-3.3-noise-model",
        .label = "Sec 3.3 (eta_j ~ D(0, sigma^2), covariance sigma^2 I)",
        .title = "The token-to-position terms of a row are uncorrelated noise of one variance",
        .kind = Kind::identity,
        .tex =
            R"(\eta_j = \mathbf p_i^\top\mathbf W\mathbf y_j+\mathbf y_i^\top\mathbf W\mathbf p_j:\quad \mathbb E\eta_j = 0,\ \mathbb E\eta_j^2 = \sigma^2,\ \mathbb E\eta_j\eta_k = 0\ (j\ne k))",
        .assumptions = {"independent tokens of mean 0 and covariance I",
                        "W = I, the most favourable one; i, j, k different",
                        "the covariance is that of Theorem 3.2's D(0, sigma^2 I)"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note = "Theorem 3.2 takes eta ~ D(0, sigma^2 I) for these terms. Mean and variance are as assumed "
                "(boosting/sec-3.3-noise-marginals); uncorrelated they are only where the W p_j are orthogonal. All "
                "eta_j of a row contain the same y_i, and y_i' p_j changes little from one position to the next. The "
                "upper bound of Theorem 3.2 needs only the variances and survives.",
        .depends_on = {"boosting/eq-3.9", "boosting/sec-3.3-near-orthogonality"}},
       moments_are(false, {1, 0}),
       {},
       {{"the covariance (W p_j) . (W p_k)", 1, moments_are(false, {1, 1})}}});
  claims.push_back(
      {{.id = "boosting/sec-3.3-noise-covariance",
        .label = "Sec 3.3 (eta_j ~ D(0, sigma^2), covariance sigma^2 I) (corrected)",
        .title = "The covariance of the token-to-position terms is that of the keys' positions",
        .kind = Kind::identity,
        .tex =
            R"(\mathbb E\eta_j^2 = |\mathbf W^\top\mathbf p_i|^2+|\mathbf W\mathbf p_j|^2,\qquad \mathbb E\eta_j\eta_k = (\mathbf W\mathbf p_j)^\top\mathbf W\mathbf p_k)",
        .assumptions = {"independent tokens of mean 0 and covariance I", "i, j, k different"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/sec-3.3-noise-model",
        .note =
            "For j = i the two terms add up instead: E eta_i^2 = |(W + W') p_i|^2, twice the variance of the others "
            "for W = I."},
       moments_are(true, {}),
       {{"variance one percent larger", 0.01, moments_are(true, {1.01, 1})},
        {"covariance one percent smaller", 0.01, moments_are(true, {1, 0.99})}}});
  claims.push_back({{.id = "boosting/sec-3.3-neighbours",
                     .label = "Sec 3.3 (eta_j ~ D(0, sigma^2), covariance sigma^2 I) (how correlated)",
                     .title = "The terms of neighbouring positions have a correlation of 0.48 or more",
                     .kind = Kind::universal_inequality,
                     .tex = R"(\mathrm{corr}(\eta_j,\eta_{j+1}) = \frac{\mathbf p_j^\top\mathbf p_{j+1}}{d} \ge 0.48)",
                     .assumptions = {"W = I; d = 64, 128, 192"},
                     .expected = Verdict::certified,
                     .printed = false,
                     .amends = "boosting/sec-3.3-noise-model"},
                    neighbours_correlate(0.48),
                    {{"0.486", 0.0125, neighbours_correlate(0.486)}}});
  return claims;
}

}  // namespace attest::boosting
