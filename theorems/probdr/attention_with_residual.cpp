// Section 3, "the only difference to a standard attention operation", and Section 4.1, the step size eta <= 1/2.
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/mechanisms/on_matrices.hpp"
#include "theorems/probdr/crowds.hpp"

namespace attest::probdr {
namespace {

using namespace engine;

/// P(X + c A~ X) = P(X + 2 eta (A~ - I) X) for 2 eta = factor c/(1 + c); unrelated: eta is free.
enum class StepSize { related, unrelated };
Check same_block(StepSize kind, double factor, double largest_c = 4) {
  return generic_identity(
      {{"angles", 12, 0, 1.5}, {"kappa", 1, 0.5, 10}, {"c", 1, 0.1, largest_c}, {"eta", 1, 0.05, 0.5}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto x = rows_on_circle<Real>(in, 12);
        // Logits kappa x_i . x_j, as queries over sqrt(d).
        const auto q = scale(Real(sqrt(Real(2)) * Real(in.scalar("kappa"))), x);
        const Real c(in.scalar("c"));
        const Real eta =
            kind == StepSize::related ? Real(Real(factor / 2) * c / (Real(1) + c)) : Real(in.scalar("eta"));
        return Pair<Real>{on_sphere(add(x, mechanisms::softmax_attention(q, x, x), c)).entries,
                          on_sphere(add(x, mechanisms::graph_diffusion(q, x, x), Real(Real(2) * eta))).entries};
      },
      {.evaluations = 800, .scale = 1});
}

/// |P(X + c A~ X) - P(X + 2 eta (A~ - I) X)|^2 >= margin |P(X + 2 eta (A~ - I) X) - X|^2 at eta = longer c/(2 + 2 c),
/// wherever the rows move at all.
Check ordinary_is_no_smoothing(double margin, double longer = 1) {
  return generic_inequality({{"angles", 3, 0, 1.5}, {"kappa", 1, 0.5, 10}, {"c", 1, 0.1, 4}}, Relation::greater_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x = rows_on_circle<Real>(in, 3);
                              const auto a = adjacency(x, Real(in.scalar("kappa")));
                              const Real c(in.scalar("c"));
                              const auto ordinary = on_sphere(add(x, multiply(a, x), c));
                              const auto smoothed =
                                  on_sphere(data_step(a, x, Real(Real(longer) * c / (Real(2) + Real(2) * c))));
                              const auto gap = add(ordinary, smoothed, Real(-1));
                              const auto moved = add(smoothed, x, Real(-1));
                              return Pair<Real>{{inner_product(gap, gap)},
                                                {Real(margin) * inner_product(moved, moved)},
                                                positive(Real(inner_product(moved, moved) - Real(1e-4)))};
                            },
                            {.evaluations = 500});
}

/// Row lengths after the data step stay at most 1, eta up to largest_eta.
Check rows_stay_bounded(std::size_t n, Mask mask, double largest_eta) {
  return generic_inequality(
      {{"angles", n, -3.2, 3.2}, {"kappa", 1, 0.01, 30}, {"eta", 1, 0.01, largest_eta}}, Relation::less_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto x = rows_on_circle<Real>(in, n);
        const auto y = data_step(adjacency(x, Real(in.scalar("kappa")), mask), x, Real(in.scalar("eta")));
        return Pair<Real>{{y(0, 0) * y(0, 0) + y(0, 1) * y(0, 1)}, {Real(1)}};
      },
      {.evaluations = 1500});
}

/// The same without a mask for crowds at two places: the row at the first of them.
Check crowds_stay_bounded(double largest_eta) {
  auto corners = crowd_corners(2, largest_eta);
  corners.push_back({1, 0, 0, 0, -1, 0, 0, 0, 1, 64, -7, largest_eta});
  return generic_inequality(crowd_blocks(2, largest_eta), Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              bool admissible = true;
                              const auto tokens = crowds<Real>(in, 2, admissible);
                              const auto a = crowd_adjacency(tokens, power_of_two<Real>(in, "log2 kappa"));
                              const auto y = data_step(a, tokens.x, Real(in.scalar("eta")));
                              Real square(0);
                              for (std::size_t k = 0; k < crowd_dimension; ++k) square += y(0, k) * y(0, k);
                              return Pair<Real>{{square}, {Real(1)}, admissible};
                            },
                            {.evaluations = 1500, .corners = corners});
}

/// sum_i D_i |x'_i|^2 <= factor sum_i D_i |x_i|^2 for eta up to largest_eta.
Check contracts_by_degrees(Mask mask, double largest_eta) {
  return generic_inequality({{"X", 6, -1, 1}, {"kappa", 1, 0.01, 5}, {"eta", 1, 0.01, largest_eta}},
                            Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x = matrix<Real>(in, "X", 3, 2);
                              const Real kappa(in.scalar("kappa"));
                              const auto d = degrees(similarity(x, kappa, mask));
                              const auto y = data_step(adjacency(x, kappa, mask), x, Real(in.scalar("eta")));
                              Pair<Real> pair{{Real(0)}, {Real(0)}};
                              for (std::size_t k = 0; k < x.entries.size(); ++k) {
                                pair.lhs[0] += d[k / 2] * y.entries[k] * y.entries[k];
                                pair.rhs[0] += d[k / 2] * x.entries[k] * x.entries[k];
                              }
                              return pair;
                            },
                            {.evaluations = 1500, .corners = {{1, 0, -0.5, 0.866, -0.5, -0.866, 0.01, largest_eta}}});
}

}  // namespace

Claims attention_with_residual() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/only-difference",
        .label = "Sec 3 'the only difference to a standard attention operation' / 'practice does not do Laplacian "
                 "smoothing'",
        .title = "Practice, X + c A~ X and LayerNorm, does no Laplacian smoothing",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\bigl|P(\mathbf X+c\tilde{\mathbf A}\mathbf X)-P(\mathbf X+2\eta(\tilde{\mathbf A}-\mathbf I)\mathbf X)\bigr|_F>0\ \text{ for every } \eta\in(0,\tfrac12))",
        .assumptions = {"single head, weights multiples of I, residual connection, LayerNorm after it: Section 3's "
                        "setting",
                        "judged at eta = c/(2 + 2c); a gap above 1 percent of the distance moved counts"},
        .expected = Verdict::refuted,
        .finding = Finding::error,
        .note =
            "The text: 'the probabilistic interpretation differs from practice in that the former does Laplacian "
            "smoothing ... whereas the later does not'. With the residual connection and the LayerNorm of Section 3 "
            "the identity is absorbed (probdr/residual-attention-is-diffusion): the ordinary block smooths already, "
            "with a smaller step. With value weights that are no multiple of I: "
            "probdr/diffusion-is-a-change-of-basis.",
        .depends_on = {"probdr/update-with-beta"}},
       ordinary_is_no_smoothing(1e-4),
       {{"a millionth of the distance counts", 1e-6, ordinary_is_no_smoothing(1e-12)}},
       {{"a step one half longer", 0.5, ordinary_is_no_smoothing(1e-4, 1.5)}}});
  claims.push_back(
      {{.id = "probdr/residual-attention-is-diffusion",
        .label = "Sec 3 'the only difference to a standard attention operation' / 'practice does not do Laplacian "
                 "smoothing' (corrected)",
        .title = "Under LayerNorm, residual attention is graph diffusion with the step 2 eta = c/(1 + c)",
        .kind = Kind::identity,
        .tex =
            R"(P(\mathbf X+c\tilde{\mathbf A}\mathbf X)=P(\mathbf X+2\eta(\tilde{\mathbf A}-\mathbf I)\mathbf X),\qquad 2\eta=\frac c{1+c})",
        .assumptions = {"twelve rows on an arc of the unit circle, kappa from 0.5 to 10, c from 0.1 to 4"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/only-difference",
        .note = "c = 1, the plain block, is eta = 1/4; the paper's eta = 0.4 is c = 4. Every eta < 1/2 is an ordinary "
                "block; eta >= 1/2 is none."},
       same_block(StepSize::related, 1),
       {{"eta a thousandth larger", 0.001, same_block(StepSize::related, 1.001)},
        {"any eta", 1, same_block(StepSize::unrelated, 1)}}});
  claims.push_back(
      {{.id = "probdr/step-size-bound",
        .label = "Sec 4.1 eta <= 0.5",
        .title = "Up to eta = 1/2 no row of the update grows",
        .kind = Kind::universal_inequality,
        .tex =
            R"(0<\eta\le\tfrac12\ \Rightarrow\ |\mathbf x_i+2\eta((\tilde{\mathbf A}-\mathbf I)\mathbf X)_i|\le\max_j|\mathbf x_j|)",
        .assumptions = {"without a mask: crowds at two places of the unit sphere of R^4, 1 to 64 tokens at each, kappa "
                        "from 2^-7 to 10^4",
                        "with the mask iota I: three rows on the unit circle, kappa from 0.01 to 30"},
        .expected = Verdict::supported,
        .note = "For any number of tokens: each new row is a convex combination of the old ones."},
       composite({{"no mask", Kind::universal_inequality, crowds_stay_bounded(0.5)},
                  {"mask iota I", Kind::universal_inequality, rows_stay_bounded(3, Mask::self, 0.5)}}),
       {{"eta up to 0.5005, with the mask", 0.001, rows_stay_bounded(3, Mask::self, 0.5005), "mask iota I"},
        {"eta up to 0.515, no mask", 0.03, crowds_stay_bounded(0.515), "no mask"}}});
  claims.push_back(
      {{.id = "probdr/step-size-bound-by-degrees",
        .label = "Sec 4.1 eta <= 0.5 (in the norm of the degrees)",
        .title = "Without a mask the update is a contraction up to eta = 1",
        .kind = Kind::universal_inequality,
        .tex =
            R"(0<\eta\le1\ \Rightarrow\ \sum_iD_i|\mathbf x'_i|^2\le\sum_iD_i|\mathbf x_i|^2,\qquad D_i=\sum_je^{\kappa\mathbf x_i^\top\mathbf x_j})",
        .assumptions = {"no mask", "any X: three rows in the plane"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/step-size-bound",
        .note =
            "exp(kappa X X') is positive semidefinite, so L~ has eigenvalues in [0, 1]; the limit is sharp as kappa "
            "-> 0 with balanced rows. The limit eta = 1/2 belongs to adjacencies with eigenvalues down to -1."},
       contracts_by_degrees(Mask::none, 1),
       {{"eta up to 1.05", 0.05, contracts_by_degrees(Mask::none, 1.05)},
        {"with the mask iota I", 1, contracts_by_degrees(Mask::self, 1)}}});
  return claims;
}

}  // namespace attest::probdr
