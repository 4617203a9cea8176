// Section 3.1: is the reconstruction of clean patches the weighted least squares problem, and how good can it be?
#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

/// Logits up to 36 + 4 after squaring differences of at most 6, eight roundings each; averages of values up to 3.
constexpr double rounding = (40 * 8 + 8) * 0x1p-52;

/// What the estimate of Eq 3.2 is compared with.
struct Truth {
  double bias = 0;   ///< times the weighted mean of u_j - u_i
  double noise = 0;  ///< times the weighted mean of eta_j
};

/// u_hat_i = u_i + bias sum_j a_ij (u_j - u_i) + noise sum_j a_ij eta_j: three scalar patches at the places 1, 2, 3,
/// bilateral weights with h_p = h_y = 1.
Check estimate_is(Truth truth) {
  constexpr std::size_t n = 3;
  return generic_identity({{"u", n, -2, 2}, {"eta", n, -1, 1}},
                          [truth](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto u = matrix<Real>(in, "u", n, 1);
                            const auto eta = matrix<Real>(in, "eta", n, 1);
                            Matrix<Real> place(n, 1);
                            place.entries = {Real(1), Real(2), Real(3)};
                            const auto y = add(u, eta, Real(1));
                            const auto weights = softmax_rows(log_bilateral(place, place, y, y, Real(1), Real(1)));
                            Pair<Real> pair{multiply(weights, y).entries, u.entries};
                            for (std::size_t i = 0; i < n; ++i)
                              for (std::size_t j = 0; j < n; ++j)
                                pair.rhs[i] += weights(i, j) *
                                               (Real(truth.bias) * (u(j, 0) - u(i, 0)) + Real(truth.noise) * eta(j, 0));
                            return pair;
                          },
                          {.corners = {{0, 1, 1, 0, 0, 0}}, .rounding_bound = rounding, .scale = 3});
}

/// The mean squared error w^2 D^2 + s^2 ((1-w)^2 + w^2), in units of s^2, of averaging two patches with the weights 1 -
/// w and w, whose clean signals are D s apart.
Ball error(const Ball& w, const Ball& d_squared) {
  return rigor::square(w) * d_squared + rigor::square(1 - w) + rigor::square(w);
}

/// There are a weight in [0, 1/2] and a difference in [0, 2] for which the error is below `level`; without filtering it
/// is 1.
Check some_kernel(double level) {
  BoxProblem p;
  p.domain = "weight of the other patch in [0, 1/2], squared difference of the clean patches in [0, 4] noise variances";
  p.coordinates = {"w", "D^2"};
  p.lower = {0, 0};
  p.upper = {0.5, 4};
  p.margin = [level](std::span<const Ball> x) { return error(x[0], x[1]) - level; };
  return exists_on_box(std::move(p));
}

/// For every weight there are signals on which it does worse than nothing: D^2 = factor (1 + s) 2 (1 - w) / w makes the
/// error at least 1.
Check no_kernel_for_all(double factor) {
  return generic_inequality({{"w", 1, 0.01, 0.5}, {"s", 1, 0, 3}}, Relation::greater_equal,
                            [factor](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const Real w(in.scalar("w"));
                              const Real rest = Real(1) - w;
                              const Real d_squared =
                                  Real(factor) * (Real(1) + Real(in.scalar("s"))) * Real(2) * rest / w;
                              return Pair<Real>{{w * w * d_squared + rest * rest + w * w}, {Real(1)}};
                            },
                            {.evaluations = 1500, .corners = {{0.5, 0}}});
}

}  // namespace

Claims patch_reconstruction() {
  Claims claims;
  claims.push_back({{.id = "boosting/reconstruction-is-wls",
                     .label = "Sec 3.1 ('exactly equivalent')",
                     .title = "Reconstructing the clean patches is the weighted least squares problem",
                     .kind = Kind::optimality,
                     .tex = R"(\arg\min_u\sum_j\|\mathbf y_j-u\|^2K_{ij} = \mathbf u_i)",
                     .assumptions = {"y_i = u_i + eta_i", "K the bilateral kernel with h_p = h_y = 1; three patches"},
                     .expected = Verdict::refuted,
                     .finding = Finding::imprecise,
                     .note = "'The reconstruction of clean patches is exactly equivalent to the weighted least squares "
                             "problem': read as equality of what the two yield. Read as a definition (to reconstruct "
                             "is to solve that problem) nothing is asserted. Without any noise the estimate already "
                             "blurs u: the clean patches are the data and not the minimiser.",
                     .depends_on = {"boosting/eq-2.10-noise"}},
                    estimate_is({}),
                    {},
                    {{"with the bias and the averaged noise", 1, estimate_is({1, 1})}}});
  claims.push_back(
      {{.id = "boosting/reconstruction-error",
        .label = "Sec 3.1 ('exactly equivalent') (what the difference is)",
        .title = "The estimate is the clean patch, a bias and averaged noise",
        .kind = Kind::identity,
        .tex =
            R"(\hat{\mathbf u}_i = \mathbf u_i + \sum_ja_{ij}(\mathbf u_j-\mathbf u_i) + \sum_ja_{ij}\boldsymbol\eta_j,\quad a_{ij}=K_{ij}/\textstyle\sum_kK_{ik})",
        .assumptions = {"y_i = u_i + eta_i"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/reconstruction-is-wls"},
       estimate_is({1, 1}),
       {{"one percent less bias", 0.01, estimate_is({0.99, 1})},
        {"one percent less noise", 0.01, estimate_is({1, 0.99})}}});
  claims.push_back(
      {{.id = "boosting/eq-3.2-estimated-well",
        .label = "Eq 3.2 ('estimated well')",
        .title = "Some kernel estimates some clean patches better than the data does",
        .kind = Kind::existence,
        .tex =
            R"(\exists K,\mathbf u:\ \mathbb E\|\hat{\mathbf u}_i-\mathbf u_i\|^2 < \mathbb E\|\mathbf y_i-\mathbf u_i\|^2)",
        .assumptions = {"two patches with uncorrelated noise of one variance",
                        "weights that do not depend on the noise"},
        .expected = Verdict::certified,
        .note = "'Well' and 'appropriate' are not defined; judged is the weakest reading, better than no "
                "filter.",
        .depends_on = {"boosting/reconstruction-is-wls", "boosting/eq-a.4"}},
       some_kernel(1),
       {{"less than half of the error", 0.005, some_kernel(0.4975)}}});
  claims.push_back(
      {{.id = "boosting/eq-3.2-no-kernel-for-all",
        .label = "Eq 3.2 ('estimated well') (which kernel)",
        .title = "Every weight on another patch is too much for some image",
        .kind = Kind::universal_inequality,
        .tex = R"(|u_1-u_2|^2 \ge 2\sigma^2\frac{1-w}{w} \ \Rightarrow\ \mathbb E|\hat u_1-u_1|^2 \ge \sigma^2)",
        .assumptions = {"two patches, weights 1 - w and w in (0, 1/2]", "uncorrelated noise of variance sigma^2"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/eq-3.2-estimated-well",
        .note = "So 'appropriate' depends on the clean image: the best weight, sigma^2 / (|u_1-u_2|^2 + 2 sigma^2), "
                "needs the difference that is to be estimated."},
       no_kernel_for_all(1),
       {{"one percent less difference", 0.01, no_kernel_for_all(0.99)}}});
  return claims;
}

}  // namespace attest::boosting
