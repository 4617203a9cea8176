// Section 3: XX' as a minimal-error estimate of the covariance between points, for PCA and for random projections.
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using namespace generic;

/// |A - B|_F^2.
template <class Real>
Real square_distance(const Matrix<Real>& a, const Matrix<Real>& b) {
  const auto difference = add(a, b, Real(-1));
  return inner_product(difference, difference);
}

/// For Y of two points in two dimensions, the greater eigenvalue of YY' and the lesser one.
template <class Real>
std::pair<Real, Real> eigenvalues(const Matrix<Real>& gram) {
  const Real half_trace = trace(gram) / Real(2);
  const Real half_gap = (gram(0, 0) - gram(1, 1)) / Real(2);
  const Real root = sqrt(half_gap * half_gap + gram(0, 1) * gram(0, 1));
  return {half_trace + root, half_trace - root};
}

enum class Start { pca, random_projection };

/// |c XX' - YY'|_F^2 for the start's X in R^(2 x 1) and the best multiple c, against that of any other z z', times
/// `factor`. PCA leaves the lesser eigenvalue, with c = 1.
Check minimal_error(Start start, double factor) {
  return generic_inequality({{"Y", 4, -1, 1}, {"w", 2, -2, 2}, {"z", 2, -2, 2}}, Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto y = matrix<Real>(in, "Y", 2, 2);
                              const auto gram = outer_gram(y);
                              const Real lesser = eigenvalues(gram).second;
                              Real error = lesser * lesser;
                              bool admissible = true;
                              if (start == Start::random_projection) {
                                const auto product = outer_gram(multiply(y, matrix<Real>(in, "w", 2, 1)));
                                const Real common = inner_product(product, gram);
                                const Real square = inner_product(product, product);
                                admissible = positive(Real(square - Real(0.001)));
                                error = inner_product(gram, gram) - common * common / square;
                              }
                              // An exact projection of a YY' of rank one has no error, whose size nothing could be
                              // compared with.
                              return Pair<Real>{
                                  {error},
                                  {Real(factor) * square_distance(outer_gram(matrix<Real>(in, "z", 2, 1)), gram)},
                                  admissible && positive(Real(determinant(gram) - Real(0.1)))};
                            },
                            {.evaluations = 2000, .corners = {{1, 0, 0, 0.5, 1, 1, 1, 0}}});
}

/// E |(d/d_q) XX' - YY'|_F^2 for X = Y W, W_ij ~ N(0, 1/d), d = d_q = 2, against
/// factor (|YY'|_F^2 + (tr YY')^2)/d_q. The mean is over the entries 0, +-sqrt 3 with weights 2/3, 1/6, 1/6 (times
/// 1/sqrt d), which have the moments of the normal law up to the fifth.
Check expected_error(double factor) {
  return generic_identity(
      {{"Y", 4, -1, 1}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto y = matrix<Real>(in, "Y", 2, 2);
        const auto gram = outer_gram(y);
        const Real node = sqrt(Real(3) / Real(2));
        Real mean(0);
        for (int pattern = 0; pattern < 81; ++pattern) {
          Matrix<Real> w(2, 2);
          Real weight(1);
          int rest = pattern;
          for (Real& entry : w.entries) {
            const int digit = rest % 3;
            rest /= 3;
            entry = Real(digit - 1.0) * node;
            weight *= digit == 1 ? Real(2) / Real(3) : Real(1) / Real(6);
          }
          mean += weight * square_distance(outer_gram(multiply(y, w)), gram);
        }
        return Pair<Real>{{mean}, {Real(factor) * (inner_product(gram, gram) + trace(gram) * trace(gram)) / Real(2)}};
      },
      {.evaluations = 300});
}

}  // namespace

Claims gram_estimate() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/gram-estimate",
        .label = "Sec 3 XX' is a minimal-error estimate of the covariance between points",
        .title = "XX' of PCA is the best estimate of YY' of its rank",
        .kind = Kind::universal_inequality,
        .tex =
            R"(X \text{ by PCA} \ \Rightarrow\ \|XX^\top-YY^\top\|_F = \Big(\sum_{i>d_q}\lambda_i^2\Big)^{1/2} \le \|ZZ^\top-YY^\top\|_F)",
        .assumptions = {"error in the Frobenius norm", "n = d = 2, d_q = 1",
                        "latents not normalised: LayerNorm undoes it"},
        .expected = Verdict::supported},
       minimal_error(Start::pca, 1),
       {{"a thousandth better", 0.001, minimal_error(Start::pca, 0.998)}}});
  claims.push_back(
      {{.id = "probdr/gram-estimate-random",
        .label = "Sec 3 XX' is a minimal-error estimate of the covariance between points (for random projections)",
        .title = "XX' of a random projection is the best estimate of YY' of its rank",
        .kind = Kind::universal_inequality,
        .tex =
            R"(X = YW:\quad \min_c\|c\,XX^\top-YY^\top\|_F \le \|ZZ^\top-YY^\top\|_F \text{ for every } Z\in\mathbb R^{n\times d_q})",
        .assumptions = {"error in the Frobenius norm, after the best scaling (kappa may take it up)",
                        "n = d = 2, d_q = 1", "W any matrix that a Gaussian may draw"},
        .expected = Verdict::refuted,
        .finding = Finding::imprecise,
        .note =
            "The text: 'particularly when the latent embeddings X are initialised with PCA or random projections, as "
            "XX' is a minimal-error estimate', with no norm and no class of estimates. True of PCA "
            "(probdr/gram-estimate); a random projection keeps a random direction "
            "(probdr/gram-estimate-projection)."},
       minimal_error(Start::random_projection, 1),
       {{"one percent better", 0.01, minimal_error(Start::random_projection, 0.9801)}},
       {{"PCA in its place", 1, minimal_error(Start::pca, 1)}}});
  claims.push_back(
      {{.id = "probdr/gram-estimate-projection",
        .label = "Sec 3 XX' is a minimal-error estimate of the covariance between points (random projections)",
        .title = "What a random projection's estimate is off by, once scaled by d/d_q",
        .kind = Kind::identity,
        .tex =
            R"(X = YW,\ W_{ij}\sim\mathcal N(0,1/d): \quad \mathbb E\,\big\|\tfrac d{d_q}XX^\top - YY^\top\big\|_F^2 = \frac{\|YY^\top\|_F^2 + (\mathrm{tr}\,YY^\top)^2}{d_q})",
        .assumptions = {"d = d_q = 2: the mean over nodes that share the normal law's moments up to the fifth"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/gram-estimate-random",
        .note = "Unbiased only after scaling. (tr YY')^2 is up to n times ||YY'||_F^2: the estimate is good when d_q "
                "exceeds the effective rank of the data."},
       expected_error(1),
       {{"one percent more", 0.01, expected_error(1.01)}}});
  return claims;
}

}  // namespace attest::probdr
