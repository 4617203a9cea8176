// Section 3.1, the sentence before Proposition 3.1: tokens collapse to 0 without loss of generality, 'since we can
// subtract the limiting vector otherwise'.
#include <cmath>
#include <limits>

#include "theorems/boosting/denoising_step.hpp"
#include "theorems/boosting/polynomial_identity.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/mechanisms/attention_matrix.hpp"

namespace attest::boosting {

using namespace engine;
using mechanisms::attend;
using mechanisms::Similarity;
using rigor::Ball;
using rigor::BallMatrix;

namespace {

constexpr double unit_roundoff = 0x1p-53;
constexpr std::size_t tokens = 3;
constexpr std::size_t features = 2;

// Numbers u, u_hat with the limit v, noise eta_hat = gamma eta. If the centred signals meet the hypothesis of
// Proposition 3.1, with u_hat - v = alpha (u - v) and gamma < alpha <= 1, then |u + u_hat| / |u| > 1 + gamma. |v| <=
// reach |u|; with `same_side`, u and v of one sign.
Check gain_survives_centring(double reach, bool same_side = false) {
  const auto centred = [](const auto& u, const auto& alpha, const auto& v) { return v + alpha * (u - v); };
  InequalityProblem problem;
  problem.relation = Relation::greater;
  problem.lower = {-2, -2, 0.0625, 0};
  problem.upper = {2, 2, 1, 1};
  problem.corners = {{1, -0.5, 0.5, 0.25}, {1, -0.01, 0.5, 0.4999}, {1, 0.5, 0.5, 0.25}};
  problem.decode = [](std::span<const double> x) {
    return Inputs{{"u", {x[0]}}, {"v", {x[1]}}, {"alpha", {x[2]}}, {"gamma", {x[3]}}};
  };
  problem.sides = [=](const Inputs& in) {
    const double u = in.scalar("u");
    const double v = in.scalar("v");
    const double gamma = in.scalar("gamma");
    if (!(in.scalar("alpha") - gamma >= StepNumbers::edge && std::fabs(v) <= reach * std::fabs(u) && u != 0 &&
          (!same_side || u * v >= 0) && u != v)) {
      const double nan = std::numeric_limits<double>::quiet_NaN();
      return Sides{nan, nan};
    }
    return Sides{std::fabs(u + centred(u, in.scalar("alpha"), v)) / std::fabs(u), 1 + gamma};
  };
  problem.ball_sides = [=](const Inputs& in) {
    const Ball u = in.scalar("u");
    const Ball v = in.scalar("v");
    const Ball alpha = in.scalar("alpha");
    const Ball gamma = in.scalar("gamma");
    const bool assumed = certainly_less(gamma, alpha) && certainly_less_equal(abs(v), Ball(reach) * abs(u)) &&
                         (!same_side || in.scalar("u") * in.scalar("v") >= 0) && !u.contains_zero() &&
                         !(u - v).contains_zero();
    return BallSides{abs(u + centred(u, alpha, v)) / abs(u), 1 + gamma, assumed};
  };
  problem.evaluations = 2000;
  return inequality(std::move(problem));
}

// |u + u_hat - copies v|^2 = |u - v|^2 + 2 (u - v) . (u_hat - v) + |u_hat - v|^2, coordinate by coordinate; divided by
// |u - v|^2 it is the statement.
Check centred_residual(double copies) {
  return polynomial_identity(
      {"u", "u_hat", "v"}, 2, "vectors of any dimension, coordinate by coordinate",
      [copies](const Inputs& in) -> BallSides {
        const Ball u = in.scalar("u");
        const Ball u_hat = in.scalar("u_hat");
        const Ball v = in.scalar("v");
        return {square(u + u_hat - Ball(copies) * v), square(u - v) + 2 * (u - v) * (u_hat - v) + square(u_hat - v)};
      });
}

// f(Y - 1 v^T) = f(Y) - factor 1 v^T.
Check commutes_with_centring(Similarity similarity, double factor) {
  IdentityProblem problem;
  problem.lower.assign(tokens * features + features, -1.0);
  problem.upper.assign(tokens * features + features, 1.0);
  problem.corners = {{1, 0, 0, 1, 0, 0, 1, 0}};
  problem.decode = [](std::span<const double> x) {
    constexpr auto n = static_cast<std::ptrdiff_t>(tokens * features);
    return Inputs{{"y", {x.begin(), x.begin() + n}}, {"v", {x.begin() + n, x.end()}}};
  };
  problem.sides = [=](const Inputs& in) {
    std::vector<double> shifted(in["y"].begin(), in["y"].end());
    for (std::size_t i = 0; i < shifted.size(); ++i) shifted[i] -= in["v"][i % features];
    std::vector<double> rhs = attend(in["y"], features, similarity);
    for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] -= factor * in["v"][i % features];
    return IdentitySides{attend(shifted, features, similarity), rhs, 2};
  };
  problem.ball_sides = [=](const Inputs& in) {
    const BallMatrix y = rigor::to_balls(in["y"], tokens, features);
    BallMatrix v(tokens, features);
    for (std::size_t i = 0; i < v.entries.size(); ++i) v.entries[i] = in["v"][i % features];
    IdentityBallSides sides;
    sides.lhs = attend(rigor::subtract(y, v), similarity).entries;
    sides.rhs = rigor::subtract(attend(y, similarity), rigor::scale(Ball(factor), v)).entries;
    return sides;
  };
  // Shifted entries err by 2 units; squared distances up to 8 by 40, logits by half as much over sqrt 2, the weights
  // and their quotients by that and 10 more, and the outputs, of size 2, likewise.
  problem.rounding_bound = 100 * unit_roundoff;
  return identity(std::move(problem));
}

}  // namespace

Claims limiting_vector() {
  return {
      {{.id = "boosting/centring-loses-nothing",
        .label = "Sec 3.1 (WLOG: tokens collapse to zero)",
        .title = "The SNR gain of centred tokens is that of the tokens",
        .kind = Kind::implication,
        .tex =
            R"(\sigma(\mathbf y + \hat{\mathbf y} - 2\mathbf v) > \sigma(\mathbf y - \mathbf v) \;\Rightarrow\; \sigma(\mathbf y + \hat{\mathbf y}) > \sigma(\mathbf y))",
        .assumptions =
            {"u_hat - v = alpha (u - v), eta_hat = gamma eta, gamma < alpha <= 1: the hypothesis of Proposition "
             "3.1 for the centred signals, with cosine 1.",
             "u and u - v are not 0."},
        .expected = Verdict::refuted,
        .finding = Finding::imprecise,
        .note =
            "'Without loss of generality ... since we can subtract the limiting vector': read as saying that the gain "
            "of the centred tokens is that of the tokens. Holds where the ratio, alpha and beta are all those of the "
            "centred signals, which is a choice of frame (boosting/centred-residual). Norms are not translation "
            "invariant, so neither the hypothesis nor the conclusion carries over, however small v is."},
       gain_survives_centring(1e9),
       {{"|v| at most 0.01 |u|", 0.01, gain_survives_centring(0.01)}},
       {{"v of the sign of u", 1, gain_survives_centring(1e9, true)}}},
      {{.id = "boosting/centred-residual",
        .label = "Sec 3.1 (WLOG, corrected)",
        .title = "Centred signals obey Proposition 3.1 when the sum is centred by twice the limit",
        .kind = Kind::identity,
        .tex =
            R"(\frac{\|\mathbf u + \hat{\mathbf u} - 2\mathbf v\|^2}{\|\mathbf u - \mathbf v\|^2} = 1 + 2\alpha_v c_v + \alpha_v^2,\quad \alpha_v = \frac{\|\hat{\mathbf u}-\mathbf v\|}{\|\mathbf u-\mathbf v\|},\ c_v = \cos(\mathbf u-\mathbf v, \hat{\mathbf u}-\mathbf v))",
        .assumptions = {"u - v and u_hat - v are not 0."},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/centring-loses-nothing",
        .note =
            "The assumption is a choice of frame: SNR, alpha and beta all belong to the centred signal, and a residual "
            "connection moves the limit from v to 2 v."},
       centred_residual(2),
       {{"the sum centred by v", 1, centred_residual(1)},
        {"the sum centred by 1.999 v", 0.0005, centred_residual(1.999)}}},
      {{.id = "boosting/attention-commutes-with-centring",
        .label = "Sec 3.1 (WLOG, through a layer)",
        .title = "Stricter reading: subtracting a vector from every token commutes with self-attention",
        .kind = Kind::identity,
        .tex = R"(f(\mathbf Y - \mathbf 1\mathbf v^\top) = f(\mathbf Y) - \mathbf 1\mathbf v^\top)",
        .assumptions = {"f is self-attention with W_Q = W_K = W_V = I (Theorem 3.1), without positions."},
        .expected = Verdict::refuted,
        .printed = false,
        .note = "Nobody asserts it; it would be needed if the vector were subtracted once and the tokens then followed "
                "through the layers. Dot products change under it: the logits gain -v . y_j, which moves the weights."},
       commutes_with_centring(Similarity::dot_product, 1),
       {},
       {{"distances in place of dot products", 1, commutes_with_centring(Similarity::euclidean, 1)}}},
      {{.id = "boosting/euclidean-attention-commutes-with-centring",
        .label = "Sec 3.1 (WLOG, through a layer of Eq 2.14)",
        .title = "Attention by distances commutes with subtracting a vector from every token",
        .kind = Kind::identity,
        .tex =
            R"(K_{ij} = e^{-\|\mathbf y_i - \mathbf y_j\|^2/h_y^2} \;\Rightarrow\; f(\mathbf Y - \mathbf 1\mathbf v^\top) = f(\mathbf Y) - \mathbf 1\mathbf v^\top)",
        .assumptions = {"The kernel of Eq 2.14 with W_V = I."},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/attention-commutes-with-centring",
        .note = "For the filters that the paper starts from, the subtraction costs nothing; it is the step to dot "
                "products that breaks it."},
       commutes_with_centring(Similarity::euclidean, 1),
       {{"the output shifted by 1.000001 v", 1e-6, commutes_with_centring(Similarity::euclidean, 1.000001)},
        {"dot products in place of distances", 1, commutes_with_centring(Similarity::dot_product, 1)}}},
  };
}

}  // namespace attest::boosting
