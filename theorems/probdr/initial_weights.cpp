// Section 4.1, the weights of the experiment: W_norm = I/sqrt(n), W_q = sqrt(kappa n) I, W_k = sqrt(kappa n/q) I,
// W_lin = -2 eta.
#include "theorems/probdr/unrolled_block.hpp"
#include "theorems/probdr/wishart.hpp"

namespace attest::probdr {
namespace {

using namespace engine;

/// u_k = sqrt(2/n) cos(2 pi m k/n + phase), an eigenvector of the ring of n tokens of length 1 and mean 0: the mean of
/// its squares against factor n^power.
Check entry_variance(double factor, double power) {
  return generic_identity({{"n", 1, 3, 12}, {"phase", 1, -3, 3}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto n = static_cast<std::size_t>(in.scalar("n"));
                            const Real size(static_cast<double>(n));
                            Real squares(0);
                            for (std::size_t k = 0; k < n; ++k) {
                              const Real turn = Real(2) * pi_as(zero) * Real(static_cast<double>(k)) / size;
                              const Real u = sqrt(Real(2) / size) * cos(Real(turn + Real(in.scalar("phase"))));
                              squares += u * u;
                            }
                            return Pair<Real>{{squares / size}, {Real(factor) * exp(Real(power) * log(size))}};
                          },
                          {.evaluations = 500, .corners = {{4, 0}}});
}

/// A row after LayerNorm with weights 1/sqrt(n), or on the unit sphere before that weight.
enum class Row { layer_norm, unit_sphere };

/// (W_q x)'(W_k x)/d_q^scaling = factor kappa for a row x of d_q = 4.
Check logit_diagonal(Row kind, double scaling, double factor) {
  return generic_identity({{"row", 4, -1, 1}, {"n", 1, 2, 100}, {"kappa", 1, 1, 60}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto row = values(in, "row", 4);
                            const Real n(in.scalar("n"));
                            const Real kappa(in.scalar("kappa"));
                            Real mean(0);
                            for (const double entry : row) mean += Real(entry) / Real(4);
                            Real squares(0);
                            for (const double entry : row) squares += (Real(entry) - mean) * (Real(entry) - mean);
                            const Real deviation = sqrt(kind == Row::layer_norm ? Real(squares / Real(4)) : squares);
                            const Real query = sqrt(Real(kappa * n));
                            const Real key = sqrt(Real(kappa * n / Real(4)));
                            Real logit(0);
                            for (const double entry : row) {
                              const Real x = (Real(entry) - mean) / deviation / sqrt(n);
                              logit += query * x * key * x;
                            }
                            return Pair<Real>{{logit / exp(Real(scaling) * log(Real(4)))},
                                              {Real(factor) * kappa},
                                              positive(Real(squares - Real(1e-3)))};
                          },
                          {.evaluations = 500});
}

/// X + W_lin X for W_lin = -2 eta against X - 2 eta/(beta + d_q) X; or, projected, for eta <= largest.
Check linear_weight(bool projected, double least_eta, double largest_eta, double least_dimension) {
  return generic_identity({{"angles", 2, -3.2, 3.2},
                           {"eta", 1, least_eta, largest_eta},
                           {"beta", 1, 0.05, 1},
                           {"dimension", 1, least_dimension, 128}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto x = rows_on_circle<Real>(in, 2);
                            const Real eta(in.scalar("eta"));
                            const Real derived =
                                Real(2) * eta / (Real(in.scalar("beta")) + Real(in.scalar("dimension")));
                            auto lhs = scale(Real(Real(1) - Real(2) * eta), x);
                            auto rhs = scale(Real(Real(1) - derived), x);
                            if (projected) {
                              lhs = on_sphere(lhs);
                              rhs = on_sphere(rhs);
                            }
                            return Pair<Real>{lhs.entries, rhs.entries};
                          },
                          {.evaluations = 500, .scale = 1});
}

}  // namespace

Claims initial_weights() {
  Claims claims;
  claims.push_back({{.id = "probdr/eigenvector-variance",
                     .label = "Sec 4.1 'variance 1/sqrt n'",
                     .title = "The entries of a Laplacian eigenvector have variance 1/sqrt n",
                     .kind = Kind::identity,
                     .tex = R"(\frac1n\sum_k u_k^2=\frac1{\sqrt n})",
                     .assumptions = {"u an eigenvector of length 1 and mean 0: here of the ring of n tokens"},
                     .expected = Verdict::refuted,
                     .finding = Finding::slip,
                     .note = "The standard deviation is 1/sqrt n, the variance 1/n, as Section 2 says. W_norm = I/sqrt "
                             "n is a scale and so the right weight for either wording.",
                     .depends_on = {"probdr/variance"}},
                    entry_variance(1, -0.5),
                    {{"exponent -0.99", 0.01, entry_variance(1, -0.99)}},
                    {{"exponent -1", 1, entry_variance(1, -1)}}});
  claims.push_back(
      {{.id = "probdr/eigenvector-variance-corrected",
        .label = "Sec 4.1 'variance 1/sqrt n' (corrected)",
        .title = "The entries of a Laplacian eigenvector have variance 1/n",
        .kind = Kind::identity,
        .tex = R"(\frac1n\sum_k u_k^2=\frac1n)",
        .assumptions = {"u an eigenvector of length 1 and mean 0: here of the ring of 3 to 12 tokens"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/eigenvector-variance"},
       entry_variance(1, -1),
       {{"one percent more", 0.01, entry_variance(1.01, -1)}, {"exponent -0.99", 0.01, entry_variance(1, -0.99)}}});
  claims.push_back(
      {{.id = "probdr/logit-diagonal",
        .label = "Sec 4.1 W_q = sqrt(kappa n) I, W_k = sqrt(kappa n/q) I give logit diagonal kappa",
        .title = "The weights give the attention matrix the diagonal kappa before the softmax",
        .kind = Kind::identity,
        .tex = R"(\frac1{\sqrt{d_q}}(\mathbf W_q\mathbf x)^\top(\mathbf W_k\mathbf x)=\kappa)",
        .assumptions = {"q is d_q", "rows x from LayerNorm (entries of variance one) with the weight 1/sqrt n",
                        "the logits are divided by sqrt(d_q), as in scaled dot-product attention"},
        .expected = Verdict::supported,
        .note = "Neither reading is said. Without the division the diagonal is kappa sqrt(d_q); for rows on the unit "
                "sphere of Section 3 it is kappa/d_q. Judged for d_q = 4.",
        .depends_on = {"probdr/eigenvector-variance"}},
       logit_diagonal(Row::layer_norm, 0.5, 1),
       {{"one percent more", 0.01, logit_diagonal(Row::layer_norm, 0.5, 1.01)},
        {"logits not divided by sqrt(d_q)", 1, logit_diagonal(Row::layer_norm, 0, 1)},
        {"rows of length one before the weight", 1, logit_diagonal(Row::unit_sphere, 0.5, 1)}}});
  claims.push_back(
      {{.id = "probdr/linear-weight",
        .label = "Sec 4.1 W_lin = -2eta",
        .title = "W_lin = -2 eta is the derived step of the regulariser",
        .kind = Kind::identity,
        .tex = R"(\mathbf X-2\eta\mathbf X=\mathbf X-\frac{2\eta}{\beta+d_q}\mathbf X)",
        .assumptions = {"residual connection around W_lin; two rows, eta from 0.05 to 1/2",
                        "d_q from 2 to 128, beta in [0.05, 1]"},
        .expected = Verdict::refuted,
        .finding = Finding::slip,
        .note = "Section 3 derives -2 eta/(beta + d_q); Section 4.1 sets W_lin = -2 eta, for the same eta as "
                "in W_v. Nothing depends on it: LayerNorm undoes either (probdr/linear-weight-projected).",
        .depends_on = {"probdr/regulariser-step"}},
       linear_weight(false, 0.05, 0.5, 2),
       {{"beta + d_q from 1.01 to 2", 0.01, linear_weight(false, 0.05, 0.5, 1.01 - 0.05)}},
       {{"after the projection, eta below 1/2", 1, linear_weight(true, 0.05, 0.49, 2)}}});
  claims.push_back(
      {{.id = "probdr/linear-weight-projected",
        .label = "Sec 4.1 W_lin = -2eta (after LayerNorm)",
        .title = "After LayerNorm both weights do the same: nothing",
        .kind = Kind::identity,
        .tex =
            R"(P(\mathbf X-2\eta\mathbf X)=P\bigl(\mathbf X-\tfrac{2\eta}{\beta+d_q}\mathbf X\bigr),\quad 0<\eta<\tfrac12)",
        .assumptions = {"two rows, d_q from 2 to 128, eta from 0.05 to 0.49, beta from 0.05 to 1"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/linear-weight",
        .note = "Above eta = 1/2 the weight -2 eta turns every row round; at 1/2 it deletes them."},
       linear_weight(true, 0.05, 0.49, 2),
       {{"eta in [0.505, 0.6]", 0.01, linear_weight(true, 0.505, 0.6, 2)}}});
  return claims;
}

}  // namespace attest::probdr
