// Section 3: the prior U* on the latents, rows on a sphere with zero mean.
#include "theorems/probdr/row_normalisation.hpp"

namespace attest::probdr {
namespace {

using namespace engine;

/// X'X of three such rows against the identity (the support of a matrix von Mises-Fisher law).
Check on_stiefel(double factor) {
  return generic_identity(
      {{"angles", 3, -3, 3}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto x = circle_rows<Real>(in, "angles", 3);
        return Pair<Real>{multiply(transpose(x), x).entries, scaled_identity(width, Real(factor)).entries};
      },
      {.corners = {{0, 1, 2}}});
}

/// The rows cos(t) h_1 + sin(t) h_2: length `radius` and sum 0, so that the support is a product of spheres S^(d_q -
/// 2).
Check product_of_spheres(double radius, double lift) {
  return generic_identity({{"angle", 1, -3, 3}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            auto row = circle_row(Real(in.scalar("angle")));
                            row[0] += Real(lift);
                            return Pair<Real>{{square_norm(row), mean(row)}, {Real(radius * radius), Real(0)}};
                          },
                          {.scale = 1});
}

/// |X 1|^2 for X = U R with orthonormal columns U (n = 3, d_q = 2), R a turn, against `target`: zero-mean rows have 0.
Check row_sums_of_embedding(double target) {
  return generic_identity({{"V", 3, -1, 1}, {"W", 3, -1, 1}, {"angle", 1, -3, 3}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            auto u = vector<Real>(in, "V", 3);
                            auto v = vector<Real>(in, "W", 3);
                            bool admissible = true;
                            const auto unit = [&](std::vector<Real>& x) {
                              const Real square = square_norm(x);
                              admissible = admissible && positive(Real(square - Real(0.001)));
                              for (Real& value : x) value /= sqrt(square);
                            };
                            unit(u);
                            const Real along = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
                            for (std::size_t i = 0; i < 3; ++i) v[i] -= along * u[i];
                            unit(v);
                            const Real c = cos(Real(in.scalar("angle")));
                            const Real s = sin(Real(in.scalar("angle")));
                            std::vector<Real> sums;
                            for (std::size_t i = 0; i < 3; ++i)
                              sums.push_back((c * u[i] + s * v[i]) + (c * v[i] - s * u[i]));
                            return Pair<Real>{{square_norm(sums)}, {Real(target)}, admissible};
                          },
                          {.scale = 1});
}

}  // namespace

Claims latent_prior() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/prior-support",
        .label = "Sec 3 support of U*",
        .title = "Matrices with unit rows of zero mean carry a matrix von Mises-Fisher law",
        .kind = Kind::identity,
        .tex = R"(\|X_i\| = 1,\ \textstyle\sum_jX_{ij} = 0 \text{ for every } i \ \Rightarrow\ X^\top X = I_{d_q})",
        .assumptions = {"the matrix von Mises-Fisher law lives on X'X = I (the Stiefel manifold)", "n = d_q = 3"},
        .expected = Verdict::refuted,
        .finding = Finding::slip,
        .note =
            "A misnomer: the parenthesis, 'a uniform over matrices, with rows that lie on a hypersphere', has what is "
            "meant, a product over the rows (probdr/prior-support-spheres)."},
       on_stiefel(1),
       {{"columns one percent longer", 0.01, on_stiefel(1.0201)}}});
  claims.push_back(
      {{.id = "probdr/prior-support-spheres",
        .label = "Sec 3 support of U* (a product of spheres)",
        .title = "The support is one sphere of dimension d_q - 2 for each point",
        .kind = Kind::identity,
        .tex =
            R"(X_i = Hu_i,\ \|u_i\| = 1,\ H\in\mathbb R^{d_q\times(d_q-1)},\ H^\top H = I,\ \mathbf 1^\top H = 0 \ \Rightarrow\ \|X_i\| = 1,\ \textstyle\sum_jX_{ij} = 0)",
        .assumptions = {"d_q = 3, where the sphere is a circle"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/prior-support"},
       product_of_spheres(1, 0),
       {{"radius one percent larger", 0.01, product_of_spheres(1.01, 0)},
        {"first coordinate raised by 0.01", 0.01, product_of_spheres(1, 0.01)}}});
  claims.push_back(
      {{.id = "probdr/zero-mean-rows",
        .label = "Sec 3 support of U* (against the optimum of Section 2)",
        .title = "The optimum U_q R of Section 2 has rows of zero mean",
        .kind = Kind::identity,
        .tex = R"(X = U_{d_q}R,\ U^\top U = I \ \Rightarrow\ X\mathbf 1 = 0)",
        .assumptions = {"R orthogonal, any", "n = 3, d_q = 2"},
        .expected = Verdict::refuted,
        .printed = false,
        .note =
            "Not asserted in the paper, which takes U_q R for the optimum in Section 2, asks for rows of zero mean in "
            "Section 3, and expects an optimum 'akin to eigenvectors of a graph Laplacian' in Section 4.1. The row "
            "sums are never all 0: probdr/zero-mean-rows-distance.",
        .depends_on = {"probdr/trace-minimisation"}},
       row_sums_of_embedding(0),
       {{"squared row sums of 0.01", 0.01, row_sums_of_embedding(0.01)}},
       {{"squared row sums of d_q in total", 1, row_sums_of_embedding(2)}}});
  claims.push_back({{.id = "probdr/zero-mean-rows-distance",
                     .label = "Sec 3 support of U* (against the optimum of Section 2, by how much)",
                     .title = "The row sums of orthonormal latents have total square d_q, whatever the rotation",
                     .kind = Kind::identity,
                     .tex = R"(X^\top X = I_{d_q} \ \Rightarrow\ \|X\mathbf 1\|^2 = d_q)",
                     .assumptions = {"n = 3, d_q = 2"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/zero-mean-rows",
                     .note = "Centring the rows therefore removes exactly one of the d_q dimensions: ||X||^2 falls "
                             "from d_q to d_q - 1."},
                    row_sums_of_embedding(2),
                    {{"one percent more", 0.01, row_sums_of_embedding(2.02)}}});
  return claims;
}

}  // namespace attest::probdr
