// Section 3, the regulariser logdet(X X' + beta I): its gradient, the approximation 2/(d_q + beta) X of it, the step
// X <- X - 2 eta/(beta + d_q) X followed by LayerNorm, and the coding rate of Yu et al.
#include "theorems/probdr/dual_number.hpp"
#include "theorems/probdr/unrolled_block.hpp"
#include "theorems/probdr/wishart.hpp"

namespace attest::probdr {
namespace {

using namespace engine;

/// d logdet(X X' + beta I)/dX by differentiating the determinant, against 2 factor (X X' + shift beta I)^-1 X.
Check gradient_of_logdet(double factor, double shift) {
  return generic_identity({{"X", 6, -1, 1}, {"beta", 1, 0.2, 2}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto x = matrix<Real>(in, "X", 3, 2);
                            const Real beta(in.scalar("beta"));
                            const auto lhs = gradient(x, [&](const Matrix<Dual<Real>>& at) {
                              return log(determinant(covariance(at, Dual<Real>(beta, Real(0)))));
                            });
                            const auto rhs = multiply(inverse(covariance(x, Real(Real(shift) * beta))), x);
                            return Pair<Real>{lhs.entries, scale(Real(2 * factor), rhs).entries};
                          },
                          {.scale = 1});
}

/// |(X X' + beta I)^-1 X - X/(d_q + beta)| <= tolerance |X/(d_q + beta)| in Frobenius norm, squared; d_q = 3.
Check near_constant(double tolerance) {
  return generic_inequality(
      {{"angles", 3, -3.2, 3.2}, {"beta", 1, 0.01, 1}}, Relation::less_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto x = rows_on_circle<Real>(in, 3);
        const Real beta(in.scalar("beta"));
        const auto printed = scale(Real(Real(1) / (Real(3) + beta)), x);
        const auto gap = add(multiply(inverse(covariance(x, beta)), x), printed, Real(-1));
        return Pair<Real>{{inner_product(gap, gap)}, {Real(tolerance * tolerance) * inner_product(printed, printed)}};
      },
      {.evaluations = 1000});
}

/// Rows (c, s), (-s, c) of length r, twice with different angles: X'X = 2 r^2 I. With one pair, X X' = r^2 I.
/// (X X' + beta I)^-1 X = X/(factor pairs r^2 + beta).
Check exact_constant(std::size_t pairs, double factor) {
  return generic_identity(
      {{"angles", pairs, -3.2, 3.2}, {"radius", 1, 0.5, 2}, {"beta", 1, 0.1, 1}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto u = rows_on_circle<Real>(in, pairs);
        const Real r(in.scalar("radius"));
        const Real beta(in.scalar("beta"));
        Matrix<Real> x(2 * pairs, 2);
        for (std::size_t i = 0; i < pairs; ++i) {
          x(2 * i, 0) = x(2 * i + 1, 1) = r * u(i, 0);
          x(2 * i, 1) = r * u(i, 1);
          x(2 * i + 1, 0) = -x(2 * i, 1);
        }
        const Real shrink = Real(factor * static_cast<double>(pairs)) * r * r + beta;
        return Pair<Real>{multiply(inverse(covariance(x, beta)), x).entries, scale(Real(Real(1) / shrink), x).entries};
      },
      {.evaluations = 500, .scale = 1});
}

/// Rows on the circle, d_q = 3, beta and eta as the regulariser's step takes them.
std::vector<Block> step_blocks() { return {{"angles", 3, -3.2, 3.2}, {"beta", 1, 0.05, 2}, {"eta", 1, 0.01, 0.5}}; }

/// X + sign 2 eta/(beta + d_q) X.
template <class Real>
Matrix<Real> printed_step(const Matrix<Real>& x, const Inputs& in, double sign) {
  return scale(Real(Real(1) + Real(2 * sign) * Real(in.scalar("eta")) / (Real(in.scalar("beta")) + Real(3))), x);
}

/// det(X X' + beta I) after the printed step is at least factor times its value before.
Check raises_determinant(double factor, double sign) {
  return generic_inequality(step_blocks(), Relation::greater_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x = rows_on_circle<Real>(in, 3);
                              const Real beta(in.scalar("beta"));
                              return Pair<Real>{{determinant(covariance(printed_step(x, in, sign), beta))},
                                                {Real(factor) * determinant(covariance(x, beta))}};
                            },
                            {.evaluations = 1000});
}

enum class Gradient { constant, exact };

/// P(X - step) = radius X for the printed step or for the exact gradient.
Check undone_by_projection(Gradient kind, double radius) {
  return generic_identity(step_blocks(),
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto x = rows_on_circle<Real>(in, 3);
                            const auto exact = multiply(inverse(covariance(x, Real(in.scalar("beta")))), x);
                            const auto y = kind == Gradient::constant
                                               ? printed_step(x, in, -1)
                                               : add(x, exact, Real(Real(-2) * Real(in.scalar("eta"))));
                            return Pair<Real>{on_sphere(y).entries, scale(Real(radius), x).entries};
                          },
                          {.scale = 1});
}

/// det(Y Y' + beta I) >= factor det(X X' + beta I) for Y = X + sign 2 eta (X X' + beta I)^-1 X, projected or not; four
/// unit rows in three dimensions, eta at most `largest_share` beta (`absolute`: 1/2), beta from 10^-6 to 8.
enum class Eta { share_of_beta, absolute };
Check exact_step(Eta kind, bool projection, double sign, double factor, double largest_share = 1) {
  constexpr std::size_t n = 4;
  constexpr std::size_t d = 3;
  std::vector<double> frame{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, -4, 0.0625};
  // Four rows nearly in one plane.
  std::vector<double> coplanar{-1, -1, -1, -1, 1, -1, -1, 0, -1, -0.9921875, 0, -1, -16, 0.5};
  std::vector<double> close{1, 0, 0, 1, 0.01, 0, 1, 0, 0.01, 0.3, 1, 0.2, -17, 0.5};
  return generic_inequality(
      {{"X", n * d, -1, 1}, {"log2 beta", 1, -20, 3}, {"eta", 1, 0x1p-10, kind == Eta::absolute ? 0.5 : largest_share}},
      Relation::greater_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        auto x = matrix<Real>(in, "X", n, d);
        bool admissible = true;
        for (std::size_t i = 0; i < n; ++i)
          admissible =
              admissible && positive(Real(x(i, 0) * x(i, 0) + x(i, 1) * x(i, 1) + x(i, 2) * x(i, 2) - Real(0.01)));
        x = on_sphere(x);
        const Real beta = exp(Real(in.scalar("log2 beta")) * log(Real(2)));
        const Real eta = kind == Eta::absolute ? Real(in.scalar("eta")) : Real(Real(in.scalar("eta")) * beta);
        // (X X' + beta I)^-1 X = X (X'X + beta I)^-1, and det(X X' + beta I) = beta^(n-d) det(X'X + beta I).
        const auto small = covariance(transpose(x), beta);
        auto y = add(x, multiply(x, inverse(small)), Real(Real(2 * sign) * eta));
        if (projection) y = on_sphere(y);
        return Pair<Real>{
            {determinant(covariance(transpose(y), beta))}, {Real(factor) * determinant(small)}, admissible};
      },
      {.evaluations = 1500, .corners = {frame, close, coplanar}});
}

/// logdet(X X' + beta I_n) = 2 factor R(X') + n log beta, R(Z) = 1/2 logdet(I + Z Z'/beta) of d x d.
Check same_form(double factor) {
  return generic_identity({{"X", 6, -1, 1}, {"beta", 1, 0.2, 2}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto x = matrix<Real>(in, "X", 3, 2);
                            const Real beta(in.scalar("beta"));
                            const auto small =
                                add(scaled_identity(2, Real(1)), multiply(transpose(x), x), Real(Real(1) / beta));
                            return Pair<Real>{{log(determinant(covariance(x, beta)))},
                                              {Real(factor) * log(determinant(small)) + Real(3) * log(beta)}};
                          },
                          {.scale = 5});
}

}  // namespace

Claims coding_rate() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/logdet-gradient",
        .label = "Sec 3 gradient of logdet",
        .title = "The gradient of the regulariser",
        .kind = Kind::identity,
        .tex =
            R"(\frac{d}{d\mathbf X}\log\det(\mathbf X\mathbf X^\top+\beta\mathbf I)=2(\mathbf X\mathbf X^\top+\beta\mathbf I)^{-1}\mathbf X)",
        .assumptions = {"three rows in the plane, beta from 0.2 to 2"},
        .expected = Verdict::supported},
       gradient_of_logdet(1, 1),
       {{"factor 2.02", 0.01, gradient_of_logdet(1.01, 1)},
        {"beta one percent larger", 0.01, gradient_of_logdet(1, 1.01)}}});
  claims.push_back(
      {{.id = "probdr/logdet-gradient-constant",
        .label = "Sec 3 approximation 2(XX'+bI)^-1 X ~ 2/(d_q+b) X",
        .title = "The gradient of the regulariser is about 2/(d_q + beta) X",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\bigl|(\mathbf X\mathbf X^\top+\beta\mathbf I)^{-1}\mathbf X-\tfrac1{d_q+\beta}\mathbf X\bigr|_F\le\tfrac12\bigl|\tfrac1{d_q+\beta}\mathbf X\bigr|_F)",
        .assumptions = {"rows on the unit sphere with zero mean, d_q = 3, three rows",
                        "'approximately' read generously: within half of the value"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note = "Printed with an 'approximately' and no condition. On the unit sphere the squared singular values of X "
                "sum to n, not to n d_q. It holds for rows of squared length d_q, as LayerNorm without weights makes "
                "them, that are orthogonal (probdr/logdet-gradient-orthogonal): few rows, wide latents.",
        .depends_on = {"probdr/logdet-gradient"}},
       near_constant(0.5),
       {{"within 50.5 percent", 0.01, near_constant(0.505)}},
       {{"within 14 times the value", 1, near_constant(14)}}});
  claims.push_back(
      {{.id = "probdr/logdet-gradient-tight-frame",
        .label = "Sec 3 approximation 2(XX'+bI)^-1 X ~ 2/(d_q+b) X (evenly spread rows)",
        .title = "For rows spread evenly the constant is n/d_q, not d_q",
        .kind = Kind::identity,
        .tex =
            R"(\mathbf X^\top\mathbf X=\tfrac{nr^2}{d_q}\mathbf I\ \Rightarrow\ (\mathbf X\mathbf X^\top+\beta\mathbf I)^{-1}\mathbf X=\frac{\mathbf X}{nr^2/d_q+\beta})",
        .assumptions = {"rows of length r; judged for n = 4, d_q = 2"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/logdet-gradient-constant",
        .note = "On the unit sphere d_q is right for n = d_q^2 evenly spread rows only."},
       exact_constant(2, 1),
       {{"n/d_q one percent larger", 0.01, exact_constant(2, 1.01)}}});
  claims.push_back(
      {{.id = "probdr/logdet-gradient-orthogonal",
        .label = "Sec 3 approximation 2(XX'+bI)^-1 X ~ 2/(d_q+b) X (orthogonal rows)",
        .title = "For orthogonal rows the constant is their squared length: d_q for LayerNorm without weights",
        .kind = Kind::identity,
        .tex =
            R"(\mathbf X\mathbf X^\top=r^2\mathbf I\ \Rightarrow\ (\mathbf X\mathbf X^\top+\beta\mathbf I)^{-1}\mathbf X=\frac{\mathbf X}{r^2+\beta})",
        .assumptions = {"orthogonal rows of length r, 1/2 to 2: two of them in the plane"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/logdet-gradient-constant",
        .note = "The likely origin of the printed constant: rows of squared length d_q, all orthogonal. "
                "Unit rows, as the model has them, give 1/(1 + beta)."},
       exact_constant(1, 1),
       {{"squared length one percent larger", 0.01, exact_constant(1, 1.01)}}});
  claims.push_back(
      {{.id = "probdr/regulariser-step",
        .label = "Sec 3 regulariser step followed by LayerNorm",
        .title = "The feed-forward half of the block optimises the regulariser",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\mathbf X'=\mathbf X-\tfrac{2\eta}{\beta+d_q}\mathbf X\ \Rightarrow\ -\log\det(\mathbf X'\mathbf X'^\top+\beta\mathbf I)\le-\log\det(\mathbf X\mathbf X^\top+\beta\mathbf I))",
        .assumptions =
            {"the objective is L_data - logdet, as printed: it falls when the determinant rises",
             "judged before LayerNorm, which undoes the step; three rows on the circle, beta from 0.05 to 2"},
        .expected = Verdict::refuted,
        .finding = Finding::constant,
        .note =
            "The divergence is printed as 'tr(...) - logdet(...)' with L_reg under the second brace, its gradient as "
            "+2 (X X' + beta I)^-1 X, and the step as X - 2 eta/(beta + d_q) X: descent of logdet, which raises the "
            "divergence. The sign is wrong, and LayerNorm takes the step back (probdr/regulariser-step-undone).",
        .depends_on = {"probdr/logdet-gradient-constant", "probdr/layer-norm"}},
       raises_determinant(1, -1),
       {{"a fall by one percent allowed", 0.01, raises_determinant(0.99, -1)}},
       {{"the plus sign", 1, raises_determinant(1, 1)}}});
  claims.push_back({{.id = "probdr/regulariser-step-undone",
                     .label = "Sec 3 regulariser step followed by LayerNorm (what it does)",
                     .title = "Followed by LayerNorm the printed step is the identity",
                     .kind = Kind::identity,
                     .tex = R"(P\bigl(\mathbf X-\tfrac{2\eta}{\beta+d_q}\mathbf X\bigr)=\mathbf X)",
                     .assumptions = {"three rows on the unit circle, which is the sphere of zero mean for d_q = 3",
                                     "2 eta < beta + d_q"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/regulariser-step",
                     .note = "A block therefore is its attention half alone: the regulariser is never optimised."},
                    undone_by_projection(Gradient::constant, 1),
                    {{"rows one percent longer", 0.01, undone_by_projection(Gradient::constant, 1.01)},
                     {"the exact gradient in place of the constant", 1, undone_by_projection(Gradient::exact, 1)}}});
  claims.push_back(
      {{.id = "probdr/regulariser-step-exact",
        .label = "Sec 3 regulariser step followed by LayerNorm (corrected)",
        .title = "With the plus sign and the exact gradient, steps up to eta = beta and the projection raise the "
                 "determinant",
        .kind = Kind::universal_inequality,
        .tex =
            R"(0<\eta\le\beta:\quad\mathbf X'=P(\mathbf X+2\eta(\mathbf X\mathbf X^\top+\beta\mathbf I)^{-1}\mathbf X)\ \Rightarrow\ \log\det(\mathbf X'\mathbf X'^\top+\beta\mathbf I)\ge\log\det(\mathbf X\mathbf X^\top+\beta\mathbf I))",
        .assumptions = {"four rows on the unit sphere of R^3 (d_q = 4 with zero row means), beta from 10^-6 to 8, eta "
                        "from 2^-10 beta"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/regulariser-step",
        .note = "For any n and d_q: the Hessian of logdet is at least -2/beta, and row i turns by an angle t with "
                "cot(t/2) >= 2 cot(t) = 2 (1 + eta r)/(eta |tangent part|), r >= 0 the radial part of the gradient. "
                "Longer steps may overshoot: probdr/regulariser-step-long."},
       exact_step(Eta::share_of_beta, true, 1, 1),
       {{"the printed sign", 1, exact_step(Eta::share_of_beta, true, -1, 1)},
        {"a thousandth more", 0.001, exact_step(Eta::share_of_beta, true, 1, 1.001)}}});
  claims.push_back(
      {{.id = "probdr/regulariser-step-long",
        .label = "Sec 3 regulariser step followed by LayerNorm (any step size)",
        .title = "With the plus sign and the exact gradient, step and projection raise the determinant for every eta",
        .kind = Kind::universal_inequality,
        .tex =
            R"(0<\eta\le\tfrac12:\quad\log\det(\mathbf X'\mathbf X'^\top+\beta\mathbf I)\ge\log\det(\mathbf X\mathbf X^\top+\beta\mathbf I),\quad \mathbf X'=P(\mathbf X+2\eta(\mathbf X\mathbf X^\top+\beta\mathbf I)^{-1}\mathbf X))",
        .assumptions = {"four rows on the unit sphere of R^3 (d_q = 4 with zero row means), beta from 10^-6 to 8"},
        .expected = Verdict::refuted,
        .printed = false,
        .amends = "probdr/regulariser-step",
        .note = "Where beta is small, rows that are nearly dependent are thrown far along the small singular value."},
       exact_step(Eta::absolute, true, 1, 1),
       {{"a fall by one percent allowed", 0.01, exact_step(Eta::absolute, true, 1, 0.99)}},
       {{"eta at most beta", 1, exact_step(Eta::share_of_beta, true, 1, 1)}}});
  claims.push_back(
      {{.id = "probdr/regulariser-step-free",
        .label = "Sec 3 regulariser step followed by LayerNorm (without LayerNorm)",
        .title = "Without the projection the exact step with the plus sign raises the determinant for every eta",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\eta>0:\quad\log\det(\mathbf X'\mathbf X'^\top+\beta\mathbf I)\ge\log\det(\mathbf X\mathbf X^\top+\beta\mathbf I),\quad \mathbf X'=\mathbf X+2\eta(\mathbf X\mathbf X^\top+\beta\mathbf I)^{-1}\mathbf X)",
        .assumptions = {"judged for four unit rows in R^3, eta from 2^-10 to 1/2, beta from 10^-6 to 8"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/regulariser-step",
        .note = "Every singular value s becomes s (1 + 2 eta/(s^2 + beta))."},
       exact_step(Eta::absolute, false, 1, 1),
       {{"the printed sign", 1, exact_step(Eta::absolute, false, -1, 1)},
        {"a thousandth more", 0.001, exact_step(Eta::absolute, false, 1, 1.001)}}});
  claims.push_back(
      {{.id = "probdr/coding-rate",
        .label = "Sec 3 'exactly the same form of regularisation as Yu et al.'",
        .title = "The regulariser is the coding rate of Yu et al.",
        .kind = Kind::identity,
        .tex =
            R"(\log\det(\mathbf X\mathbf X^\top+\beta\mathbf I_n)=2R(\mathbf X^\top)+n\log\beta,\quad R(\mathbf Z)=\tfrac12\log\det(\mathbf I_d+\tfrac1\beta\mathbf Z\mathbf Z^\top))",
        .assumptions = {"beta = n epsilon^2/d in the notation of Yu et al.",
                        "same form: equal up to factor and constant", "three rows in the plane, beta from 0.2 to 2"},
        .expected = Verdict::supported,
        .note = "Both enter with the same sign: Yu et al. maximise R, and -logdet is minimised here. Their step "
                "therefore expands, where the printed one shrinks."},
       same_form(1),
       {{"one percent more", 0.01, same_form(1.01)}}});
  return claims;
}

}  // namespace attest::probdr
