// Section 3 and the abstract: is a block (data step, projection; the regulariser's step is undone by the projection) a
// descent step of tr(L~ X X') - logdet(X X' + beta I), and what is the optimum on the sphere?
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/probdr/dual_number.hpp"
#include "theorems/probdr/unrolled_block.hpp"
#include "theorems/probdr/wishart.hpp"

namespace attest::probdr {
namespace {

using namespace engine;

std::vector<Block> blocks(std::size_t n) {
  return {{"angles", n, -3.2, 3.2}, {"kappa", 1, 0.5, 30}, {"beta", 1, 0.05, 2}, {"eta", 1, 0.01, 0.5}};
}

/// The variational objective with A~ frozen.
template <class Real>
Real frozen_objective(const Matrix<Real>& a, const Matrix<Real>& x, const Real& beta) {
  return data_term(a, x) - log(determinant(covariance(x, beta)));
}

/// After a block the objective is at most allowance above its value before.
Check lowers_objective(double allowance) {
  return generic_inequality(
      blocks(3), Relation::less_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto x = rows_on_circle<Real>(in, 3);
        const Real beta(in.scalar("beta"));
        const auto a = adjacency(x, Real(in.scalar("kappa")));
        const auto y = on_sphere(data_step(a, x, Real(in.scalar("eta"))));
        return Pair<Real>{{frozen_objective(a, y, beta)}, {frozen_objective(a, x, beta) + Real(allowance)}};
      },
      {.evaluations = 1500});
}

/// Two tokens of cosine c >= 0 with a ((1 + beta)^2 - c^2) <= relaxed c, a the weight of the other: the objective
/// rises.
Check raises_objective(double relaxed) {
  return generic_inequality(
      {{"angle", 1, 0.01, 1.57}, {"kappa", 1, 0.5, 30}, {"beta", 1, 0.05, 2}, {"eta", 1, 0.001, 0.5}},
      Relation::greater_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        Matrix<Real> x(2, 2);
        const Real t(in.scalar("angle"));
        const Real beta(in.scalar("beta"));
        x.entries = {Real(1), Real(0), cos(t), sin(t)};
        const auto a = adjacency(x, Real(in.scalar("kappa")));
        const Real& c = x(1, 0);
        const Real spare = Real(relaxed) * c - a(0, 1) * ((Real(1) + beta) * (Real(1) + beta) - c * c);
        const auto y = on_sphere(data_step(a, x, Real(in.scalar("eta"))));
        return Pair<Real>{
            {frozen_objective(a, y, beta)}, {frozen_objective(a, x, beta)}, positive(spare) && positive(c)};
      },
      {.evaluations = 3000, .corners = {{0.7377, 1, 0.5, 0.001}}});
}

/// The ring of n tokens, each with weight 1/2 to both neighbours.
template <class Real>
Matrix<Real> ring(std::size_t n) {
  Matrix<Real> a(n, n);
  for (std::size_t i = 0; i < n; ++i) a(i, (i + 1) % n) = a((i + 1) % n, i) = Real(0.5);
  return a;
}

/// tr(L X X') >= factor n (1 - cos(2 pi/n)), its value at the Laplacian eigenvectors, for the ring of five.
Check least_at_eigenvectors(double factor) {
  return generic_inequality({{"angles", 5, -3.2, 3.2}}, Relation::greater_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const Real wave = cos(Real(2) * pi_as(zero) / Real(5));
                              return Pair<Real>{{data_term(ring<Real>(5), rows_on_circle<Real>(in, 5))},
                                                {Real(factor) * Real(5) * (Real(1) - wave)}};
                            },
                            {.evaluations = 500, .corners = {{0, 0, 0, 0, 0}}});
}

/// tr(L X X') >= factor lambda_2 sum_i |x_i - mean|^2 for the ring of five: 0 only where all rows agree.
Check spectral_gap(double factor) {
  return generic_inequality(
      {{"angles", 5, -3.2, 3.2}}, Relation::greater_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto x = rows_on_circle<Real>(in, 5);
        Matrix<Real> everyone(5, 5);
        for (Real& weight : everyone.entries) weight = Real(1) / Real(5);
        const Real gap = Real(1) - cos(Real(2) * pi_as(zero) / Real(5));
        return Pair<Real>{{data_term(ring<Real>(5), x)}, {Real(factor) * gap * data_term(everyone, x)}};
      },
      {.evaluations = 1000, .corners = {{0, 1.2566, 2.5133, -2.5133, -1.2566}}});
}

/// v_i - (v_i' x_i) x_i: the part of every row along the sphere.
template <class Real>
Matrix<Real> along_sphere(const Matrix<Real>& v, const Matrix<Real>& x) {
  Matrix<Real> result = v;
  for (std::size_t i = 0; i < x.rows; ++i) {
    Real radial(0);
    for (std::size_t k = 0; k < x.cols; ++k) radial += v(i, k) * x(i, k);
    for (std::size_t k = 0; k < x.cols; ++k) result(i, k) -= radial * x(i, k);
  }
  return result;
}

/// The slope of the frozen objective along the block's step, for a small step: at most allowance.
Check descent_direction(double allowance) {
  return generic_inequality(
      {{"angles", 2, -3.2, 3.2}, {"kappa", 1, 0.5, 30}, {"beta", 1, 0.05, 2}}, Relation::less_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto x = rows_on_circle<Real>(in, 2);
        const Real beta(in.scalar("beta"));
        const auto a = adjacency(x, Real(in.scalar("kappa")));
        const auto slope = gradient(x, [&](const Matrix<Dual<Real>>& at) {
          return frozen_objective(constants(a), at, Dual<Real>(beta, Real(0)));
        });
        return Pair<Real>{{inner_product(slope, along_sphere(diffusion(a, x), x))}, {Real(allowance)}};
      },
      {.evaluations = 1000});
}

/// dE/dX along the sphere = factor 2 kappa D (A~ - I) X along the sphere, E = sum_ij exp(kappa (x_i' x_j - 1)).
Check energy_gradient(double factor) {
  return generic_identity({{"angles", 6, -3.2, 3.2}, {"kappa", 1, 0.5, 10}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto x = rows_on_circle<Real>(in, 6);
                            const Real kappa(in.scalar("kappa"));
                            const auto slope = gradient(x, [&](const Matrix<Dual<Real>>& at) {
                              Dual<Real> total(0);
                              for (const auto& w : similarity(at, Dual<Real>(kappa, Real(0))).entries) total += w;
                              return total;
                            });
                            const auto step = diffusion(similarity(x, kappa), x);  // D (A~ - I) X
                            return Pair<Real>{along_sphere(slope, x).entries,
                                              scale(Real(Real(2 * factor) * kappa), along_sphere(step, x)).entries};
                          },
                          {.evaluations = 500, .scale = 20});
}

}  // namespace

Claims block_descent() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/block-descent",
        .label = "Sec 3 each block decreases the variational objective",
        .title = "Each block lowers the variational objective",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\mathcal L(\mathbf X')\le\mathcal L(\mathbf X),\quad \mathcal L=\mathrm{tr}(\tilde{\mathbf L}\mathbf X\mathbf X^\top)-\log\det(\mathbf X\mathbf X^\top+\beta\mathbf I))",
        .assumptions = {"X' the block of Section 3: data step, LayerNorm, regulariser step, LayerNorm",
                        "L~ frozen at X", "three rows on the unit circle, 0.01 <= eta <= 1/2, beta from 0.05 to 2"},
        .expected = Verdict::refuted,
        .finding = Finding::error,
        .note = "The text: 'a transformer block's operations arise as optimisation steps of our objective'. The "
                "regulariser's half is undone by LayerNorm (probdr/regulariser-step-undone), and the data half draws "
                "close rows together: there the determinant falls by more than the data term gains.",
        .depends_on = {"probdr/regulariser-step", "probdr/data-step-projected"}},
       lowers_objective(0),
       {{"a rise by 0.01 allowed", 0.01, lowers_objective(0.01)}},
       {{"a rise by 6 allowed", 1, lowers_objective(6)}}});
  claims.push_back(
      {{.id = "probdr/block-ascent",
        .label = "Sec 3 each block decreases the variational objective (when it rises)",
        .title = "For two tokens: when a block raises the objective, whatever its step size",
        .kind = Kind::universal_inequality,
        .tex =
            R"(a\,((1+\beta)^2-c^2)\le c\ \Rightarrow\ \mathcal L(\mathbf X')\ge\mathcal L(\mathbf X),\qquad c=\mathbf x_1^\top\mathbf x_2,\ a=\tilde A_{12})",
        .assumptions = {"two tokens on the sphere, c > 0", "0 < eta <= 1/2"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/block-descent",
        .note = "The objective is 2 a (1 - c) - log((1 + beta)^2 - c^2), convex in c, and every block raises c. The "
                "condition is sharp: with more room small steps lower the objective."},
       raises_objective(1),
       {{"c one percent larger on the right", 0.01, raises_objective(1.01)}}});
  claims.push_back(
      {{.id = "probdr/optimum-on-sphere",
        .label = "Sec 3 global minimum of the data term",
        .title = "On the sphere the data term is least at the Laplacian eigenvectors",
        .kind = Kind::optimality,
        .tex =
            R"(|\mathbf x_i|=1\ \Rightarrow\ \mathrm{tr}(\mathbf L\mathbf X\mathbf X^\top)\ge\mathrm{tr}(\mathbf L\hat{\mathbf X}\hat{\mathbf X}^\top),\quad \hat{\mathbf X}=\sqrt{n/d_q}\,\mathbf U_{d_q}\mathbf R)",
        .assumptions = {"L the Laplacian of the ring of five tokens, whose eigenvectors have rows of equal length"},
        .expected = Verdict::refuted,
        .finding = Finding::imprecise,
        .note =
            "The text: 'we expect the optimum to be akin to eigenvectors of a graph Laplacian', of no named objective "
            "or constraint. Judged for the data term on the sphere of Section 3, where it is least when all rows "
            "agree (probdr/optimum-on-sphere-corrected); true under X'X = I and centred latents, as in Section 2 "
            "(probdr/trace-minimisation-with-zero).",
        .depends_on = {"probdr/elbo-maximum", "probdr/trace-minimisation"}},
       least_at_eigenvectors(1),
       {{"a hundredth of the eigenvectors' value", 0.99, least_at_eigenvectors(0.01)}},
       {{"nothing of it", 1, least_at_eigenvectors(0)}}});
  claims.push_back(
      {{.id = "probdr/optimum-on-sphere-corrected",
        .label = "Sec 3 global minimum of the data term (corrected)",
        .title = "The data term is at least the spectral gap times the scatter of the rows",
        .kind = Kind::optimality,
        .tex = R"(\mathrm{tr}(\mathbf L\mathbf X\mathbf X^\top)\ge\lambda_2\sum_i|\mathbf x_i-\bar{\mathbf x}|^2)",
        .assumptions = {"L a symmetric Laplacian, lambda_2 its second eigenvalue: the ring of five, with "
                        "lambda_2 = 1 - cos(2 pi/5)"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/optimum-on-sphere",
        .note = "So for a connected graph the minimum 0 is reached by collapse only; the Laplacian "
                "eigenvectors give equality, not the minimum."},
       spectral_gap(1),
       {{"gap one percent larger", 0.01, spectral_gap(1.01)}}});
  claims.push_back(
      {{.id = "probdr/block-is-gradient-descent",
        .label = "Abstract/Sec 1 'each block of a transformer, at initialisation, performs gradient descent'",
        .title = "A block moves down the gradient of the variational objective",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\bigl\langle\nabla\mathcal L(\mathbf X),\ \Pi\,(\tilde{\mathbf A}-\mathbf I)\mathbf X\bigr\rangle\le0)",
        .assumptions = {"Pi the projection along the sphere: the block's step as eta -> 0",
                        "two rows on the unit circle, L~ frozen, beta from 0.05 to 2"},
        .expected = Verdict::refuted,
        .finding = Finding::error,
        .note =
            "The text: 'each block of a transformer, at initialisation, performs gradient descent on a variational "
            "lower bound'. Judged for steps as small as one likes. Two close tokens: the block draws them together, "
            "the objective, with its -logdet, drives them apart. What the block does climb: "
            "probdr/block-is-energy-ascent.",
        .depends_on = {"probdr/block-descent", "probdr/data-gradient", "probdr/gradient-sign",
                       "probdr/logdet-gradient-constant"}},
       descent_direction(0),
       {{"a slope up to 0.01 allowed", 0.01, descent_direction(0.01)}},
       {{"a slope up to 25 allowed", 1, descent_direction(25)}}});
  claims.push_back(
      {{.id = "probdr/block-is-energy-ascent",
        .label =
            "Abstract/Sec 1 'each block of a transformer, at initialisation, performs gradient descent' (corrected)",
        .title = "A block climbs the gradient of the sum of all similarities, preconditioned by the degrees",
        .kind = Kind::identity,
        .tex =
            R"(\Pi\,\nabla E(\mathbf X)=2\kappa\,\mathbf D\,\Pi(\tilde{\mathbf A}-\mathbf I)\mathbf X,\qquad E=\sum_{ij}e^{\kappa\mathbf x_i^\top\mathbf x_j})",
        .assumptions = {"six rows on the unit circle, kappa from 0.5 to 10", "Pi the projection along the sphere"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/block-is-gradient-descent",
        .note = "No gradient is stopped here: the softmax is differentiated too."},
       energy_gradient(1),
       {{"one percent more", 0.01, energy_gradient(1.01)}}});
  return claims;
}

}  // namespace attest::probdr
