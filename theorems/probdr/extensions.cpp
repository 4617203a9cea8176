// Section 3, extensions said to be simple: several heads by a product of experts in q, the ReLU by a sparsity prior.
#include <algorithm>

#include "theorems/probdr/dual_number.hpp"
#include "theorems/probdr/unrolled_block.hpp"

namespace attest::probdr {
namespace {

using namespace engine;

/// w (e_1 - e_2)(e_1 - e_2)' + ridge I: a graph Laplacian of two tokens, made regular.
template <class Real>
Matrix<Real> two_token_laplacian(const Real& weight, const Real& ridge) {
  Matrix<Real> l(2, 2);
  l.entries = {weight + ridge, -weight, -weight, weight + ridge};
  return l;
}

/// The product of W(L_1, d) and W(L_2, d) is a Wishart law of scale (L_1^-1 + L_2^-1)^-1. Is it a multiple of L_1 +
/// L_2? Off-diagonal entries of one times diagonal entries of the other, `wider` times the second weight.
Check product_of_experts(double least_weight) {
  return generic_identity({{"weights", 2, least_weight, 1}, {"ridge", 1, 0.1, 1}}, [=](const Inputs& in, auto zero) {
    using Real = decltype(zero);
    const auto w = values(in, "weights", 2);
    const Real ridge(in.scalar("ridge"));
    const auto first = two_token_laplacian(Real(w[0]), ridge);
    const auto second = two_token_laplacian(Real(w[1]), ridge);
    const auto product = inverse(add(inverse(first), inverse(second), Real(1)));
    const auto sum = add(first, second, Real(1));
    return Pair<Real>{{product(0, 1) * sum(0, 0)}, {product(0, 0) * sum(0, 1)}};
  });
}

/// The gradient of sum_h tr(L_h X X') is factor sum_h (L_h + L_h') X, L_h = I - softmax(kappa_h X X') frozen.
Check sum_of_divergences(double factor) {
  return generic_identity({{"angles", 3, -3.2, 3.2}, {"kappa", 2, 0.5, 5}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto x = rows_on_circle<Real>(in, 3);
                            Matrix<Real> lhs(3, 2);
                            Matrix<Real> laplacians(3, 3);
                            for (const double kappa : values(in, "kappa", 2)) {
                              const auto a = adjacency(x, Real(kappa));
                              lhs = add(lhs, gradient(x, [&](const auto& at) { return data_term(constants(a), at); }),
                                        Real(1));
                              laplacians = add(laplacians, add(scaled_identity(3, Real(1)), a, Real(-1)), Real(1));
                            }
                            const auto rhs = multiply(add(laplacians, transpose(laplacians), Real(1)), x);
                            return Pair<Real>{lhs.entries, scale(Real(factor), rhs).entries};
                          },
                          {.evaluations = 300, .scale = 1});
}

template <class Real>
Real positive_part(const Real& x) {
  return positive(x) ? x : Real(0);
}

/// (z - y)^2/2 + t |z| at z = relu(y - shift t) is at most its value at any other z >= least.
Check relu_is_proximal(double least, double shift) {
  return generic_inequality(
      {{"y", 1, -2, 2}, {"t", 1, 0.01, 1}, {"z", 1, least, 2}}, Relation::less_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const Real y(in.scalar("y"));
        const Real t(in.scalar("t"));
        const auto cost = [&](const Real& z) {
          return Real((z - y) * (z - y) / Real(2) + t * (positive_part(z) + positive_part(Real(-z))));
        };
        return Pair<Real>{{cost(positive_part(Real(y - Real(shift) * t)))}, {cost(Real(in.scalar("z")))}};
      },
      {.evaluations = 800, .corners = {{1.5, 1, 0.5}}});
}

/// least^2 >= factor/(d_q (d_q - 1)) for the least entry of a row of zero mean and unit length; d_q = 3, before the
/// division by the length.
Check least_entry(double factor) {
  return generic_inequality({{"row", 3, 0, 1}}, Relation::greater_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto row = values(in, "row", 3);
                              const double least = std::min({row[0], row[1], row[2]});
                              Real mean(0);
                              for (const double entry : row) mean += Real(entry) / Real(3);
                              Real squares(0);
                              for (const double entry : row) squares += (Real(entry) - mean) * (Real(entry) - mean);
                              const Real below = mean - Real(least);  // minus the least entry, before the division
                              return Pair<Real>{{below * below}, {Real(factor) * squares / Real(6)}, positive(squares)};
                            },
                            {.evaluations = 800, .corners = {{0, 0, 1}}});
}

}  // namespace

Claims extensions() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/product-of-experts",
        .label = "Sec 3 multi-head 'extends trivially' by a product of experts in q",
        .title = "A product of experts in q adds the Laplacians of the heads",
        .kind = Kind::identity,
        .tex =
            R"(\mathcal W(\Gamma|\mathbf L_1,d)\,\mathcal W(\Gamma|\mathbf L_2,d)\propto\mathcal W(\Gamma|c(\mathbf L_1+\mathbf L_2),d'))",
        .assumptions = {"L_h regular, here by a ridge: the law has no density for a graph Laplacian",
                        "several heads mean a sum over heads of (A_h - I) X, as in the architecture"},
        .expected = Verdict::refuted,
        .finding = Finding::imprecise,
        .note =
            "The text believes in 'a product-of-experts type distribution as part of the variational constraint' and "
            "names none. Judged for the product of the heads' Wishart laws, whose scale is harmonic, (L_1^-1 + "
            "L_2^-1)^-1, not arithmetic. A sum of divergences does it: probdr/sum-of-divergences."},
       product_of_experts(0),
       {{"nearly equal weights, 0.99 to 1", 0.01, product_of_experts(0.99)}},
       {{"equal weights", 1, product_of_experts(1)}}});
  claims.push_back(
      {{.id = "probdr/sum-of-divergences",
        .label = "Sec 3 multi-head 'extends trivially' by a product of experts in q (corrected)",
        .title = "A sum of divergences, one per head, gives the sum over heads",
        .kind = Kind::identity,
        .tex =
            R"(\nabla\sum_h\mathrm{tr}(\tilde{\mathbf L}_h\mathbf X\mathbf X^\top)=\sum_h(\tilde{\mathbf L}_h+\tilde{\mathbf L}_h^\top)\mathbf X)",
        .assumptions = {"L~_h = I - softmax(kappa_h X X') frozen, two heads, three tokens on the circle",
                        "the heads share X: no projections per head"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/product-of-experts"},
       sum_of_divergences(1),
       {{"one percent more", 0.01, sum_of_divergences(1.01)}}});
  claims.push_back(
      {{.id = "probdr/relu-prior",
        .label = "Sec 3 ReLU from a sparsity prior",
        .title = "The ReLU is the proximal step of Yu et al.'s sparsity prior",
        .kind = Kind::optimality,
        .tex = R"(\mathrm{ReLU}(y-t)=\arg\min_{z\ge0}\tfrac12(z-y)^2+t|z|)",
        .assumptions =
            {"the prior is exp(-lambda |z|_1) on z >= 0, as in Yu et al., t = eta lambda from 0.01 to 1, |y| up to 2"},
        .expected = Verdict::supported,
        .note = "Sparsity alone (z of either sign) gives the two-sided soft threshold; it is z >= 0 that makes a ReLU.",
        .depends_on = {"probdr/coding-rate"}},
       relu_is_proximal(0, 1),
       {{"threshold one percent higher", 0.01, relu_is_proximal(0, 1.01)},
        {"z of either sign", 1, relu_is_proximal(-2, 1)}}});
  claims.push_back(
      {{.id = "probdr/relu-prior-incompatible",
        .label = "Sec 3 ReLU from a sparsity prior (and rows of zero mean)",
        .title = "No row of the model is non-negative: LayerNorm puts -1/sqrt(d_q (d_q - 1)) or less into each",
        .kind = Kind::universal_inequality,
        .tex = R"(|\mathbf x|=1,\ \textstyle\sum_ix_i=0\ \Rightarrow\ \min_ix_i\le-\frac1{\sqrt{d_q(d_q-1)}})",
        .assumptions = {"judged for d_q = 3, rows made by LayerNorm from non-negative entries"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/relu-prior",
        .note = "So the support of that prior and of U* are disjoint: added to the model of Section 3 it leaves no "
                "admissible X. Sharp at (1, ..., 1, 0) reversed: one large entry, the others equal."},
       least_entry(1),
       {{"one percent more", 0.01, least_entry(1.01)}}});
  return claims;
}

}  // namespace attest::probdr
