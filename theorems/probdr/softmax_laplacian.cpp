// Section 3: L~ = I - softmax(kappa XX' - M) as a graph Laplacian in S^n_+ and as the scale of a Wishart law.
#include "theorems/probdr/circle_tokens.hpp"

namespace attest::probdr {
namespace {

using namespace engine;

std::vector<Block> blocks(std::size_t points) { return {{"angles", points, -3, 3}, {"kappa", 1, 0.1, 10}}; }

std::vector<Block> with_signal(std::size_t points) {
  auto list = blocks(points);
  list.push_back({"v", points, -1, 1});
  return list;
}

template <class Real>
Matrix<Real> logits(const Inputs& in, std::size_t points) {
  return scale(Real(in.scalar("kappa")), circle_gram<Real>(in, "angles", points));
}

/// L~_ij against factor L~_ji for every i < j, the rows of X on one circle, or the last one `stretch` times as long.
Check symmetric(std::size_t points, double factor, double stretch) {
  return generic_identity(
      blocks(points),
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        auto products = logits<Real>(in, points);
        for (std::size_t i = 0; i < points; ++i) {
          products(i, points - 1) *= Real(stretch);
          products(points - 1, i) *= Real(stretch);
        }
        const auto a = softmax_rows(products);
        Pair<Real> sides;
        for (std::size_t i = 0; i < points; ++i)
          for (std::size_t j = i + 1; j < points; ++j) {
            sides.lhs.push_back(-a(i, j));
            sides.rhs.push_back(Real(-factor) * a(j, i));
          }
        return sides;
      },
      {.corners = points == 3 ? std::vector<std::vector<double>>{{0, 1, 2, 1}} : std::vector<std::vector<double>>{}});
}

/// v' v (1 + allowance) >= v' A v: the quadratic form of L~, its positive part against its negative one.
Check semi_definite(double allowance) {
  constexpr std::size_t points = 3;
  return generic_inequality(
      with_signal(points), Relation::greater_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto a = softmax_rows(logits<Real>(in, points));
        const auto v = matrix<Real>(in, "v", points, 1);
        return Pair<Real>{{Real(1 + allowance) * inner_product(v, v)}, {inner_product(v, multiply(a, v))}};
      },
      {.evaluations = 2000, .corners = {{-0.5, 0, 0.5, 4, 0.875, 1, 0.875}}});
}

/// W = exp(kappa XX') and its row sums.
template <class Real>
struct Weights {
  Matrix<Real> w;
  std::vector<Real> degrees;

  explicit Weights(const Matrix<Real>& products) : w(products.rows, products.cols), degrees(products.rows, Real(0)) {
    for (std::size_t i = 0; i < w.rows; ++i)
      for (std::size_t j = 0; j < w.cols; ++j) degrees[i] += w(i, j) = exp(products(i, j));
  }
};

/// v' D L~ v against factor/2 sum_ij W_ij (v_i - v_j)^2, and (D L~)_01 against (D L~)_10.
Check weighted_laplacian(double factor) {
  constexpr std::size_t points = 3;
  return generic_identity(
      with_signal(points),
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto products = logits<Real>(in, points);
        const auto a = softmax_rows(products);
        const Weights<Real> weights(products);
        const auto v = matrix<Real>(in, "v", points, 1);
        Pair<Real> sides{{Real(0), weights.degrees[0] * a(0, 1)}, {Real(0), weights.degrees[1] * a(1, 0)}};
        Real largest(0);
        for (std::size_t i = 0; i < points; ++i) {
          largest += weights.degrees[i];
          sides.lhs[0] += weights.degrees[i] * v(i, 0) * v(i, 0);
          for (std::size_t j = 0; j < points; ++j) {
            sides.lhs[0] -= weights.degrees[i] * v(i, 0) * a(i, j) * v(j, 0);
            sides.rhs[0] += Real(factor / 2) * weights.w(i, j) * (v(i, 0) - v(j, 0)) * (v(i, 0) - v(j, 0));
          }
        }
        // Relative to the weights, which exceed what is left of the sum on the left.
        for (std::size_t c = 0; c < 2; ++c) {
          sides.lhs[c] /= largest;
          sides.rhs[c] /= largest;
        }
        return sides;
      },
      {.scale = 1});
}

/// v' W v >= 0, its positive terms against its negative ones, the diagonal of W times `diagonal`.
Check kernel_definite(double diagonal) {
  constexpr std::size_t points = 3;
  return generic_inequality(with_signal(points), Relation::greater_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const Weights<Real> weights(logits<Real>(in, points));
                              const auto v = values(in, "v", points);
                              Pair<Real> sides{{Real(0)}, {Real(0)}};
                              for (std::size_t i = 0; i < points; ++i)
                                for (std::size_t j = 0; j < points; ++j) {
                                  const Real weight = weights.w(i, j) * Real(i == j ? diagonal : 1);
                                  if (v[i] * v[j] > 0) {
                                    sides.lhs[0] += weight * Real(v[i]) * Real(v[j]);
                                  } else {
                                    sides.rhs[0] -= weight * Real(v[i]) * Real(v[j]);
                                  }
                                }
                              return sides;
                            },
                            {.evaluations = 1500, .corners = {{0, 0.001, 2, 1, 1, -1, 0}}});
}

enum class Rows { input, output };

/// The row sums of kappa XX', or of its softmax, against `one`.
Check row_sums(Rows rows, double one) {
  constexpr std::size_t points = 3;
  return generic_identity(blocks(points),
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto products = logits<Real>(in, points);
                            const auto of = rows == Rows::input ? products : softmax_rows(products);
                            Pair<Real> sides;
                            for (std::size_t i = 0; i < points; ++i) {
                              sides.lhs.push_back(of(i, 0) + of(i, 1) + of(i, 2));
                              sides.rhs.push_back(Real(one));
                            }
                            return sides;
                          },
                          {.corners = {{0, 0, 0, 1}}});
}

}  // namespace

Claims softmax_laplacian() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/softmax-laplacian-symmetric",
        .label = "Sec 3 L~ = I - softmax is a graph Laplacian / Wishart scale",
        .title = "I - softmax(kappa XX') is symmetric, as a Laplacian and a Wishart scale must be",
        .kind = Kind::identity,
        .tex = R"(\tilde L = I - \sigma(\kappa XX^\top) = \tilde L^\top)",
        .assumptions = {"unit rows of zero mean, d_q = 3: latents on a circle", "three points, no mask"},
        .expected = Verdict::refuted,
        .finding = Finding::error,
        .note =
            "Section 3 sets L~ = I - softmax(kappa ZZ' - M) and q = W(Gamma|L~(Z), d); Section 2 asks L in S^n_+. A "
            "Wishart scale is symmetric and positive definite, so that q is not a law; and tr(L~XX') sees the "
            "symmetric "
            "part of L~ only. Two tokens are the exception: probdr/softmax-laplacian-two-points."},
       symmetric(3, 1, 1),
       {{"one percent apart", 0.01, symmetric(3, 1.01, 1)}},
       {{"two points", 1, symmetric(2, 1, 1)}}});
  claims.push_back({{.id = "probdr/softmax-laplacian-definite",
                     .label = "Sec 3 L~ = I - softmax is a graph Laplacian / Wishart scale (v'L~v >= 0)",
                     .title = "The quadratic form of I - softmax(kappa XX') is not negative",
                     .kind = Kind::universal_inequality,
                     .tex = R"(v^\top\tilde Lv \ge 0 \text{ for every } v)",
                     .assumptions = {"unit rows of zero mean, d_q = 3: latents on a circle", "three points, no mask"},
                     .expected = Verdict::refuted,
                     .printed = false,
                     .amends = "probdr/softmax-laplacian-symmetric",
                     .note = "Making L~ symmetric is therefore no way out; weighting it by the degrees is: "
                             "probdr/softmax-laplacian-weighted. By how much the form can be negative: "
                             "probdr/softmax-laplacian-least."},
                    semi_definite(0),
                    {{"a thousandth of v'v added", 0.001, semi_definite(0.001)}},
                    {{"half of v'v added", 0.5, semi_definite(0.5)}}});
  claims.push_back(
      {{.id = "probdr/softmax-laplacian-weighted",
        .label = "Sec 3 L~ = I - softmax is a graph Laplacian / Wishart scale (times the degrees)",
        .title = "Times its degrees, L~ is the Laplacian of the graph with weights exp(kappa x_i'x_j)",
        .kind = Kind::identity,
        .tex =
            R"(W_{ij} = e^{\kappa x_i^\top x_j},\ D_{ii} = \textstyle\sum_jW_{ij}: \quad D\tilde L = D - W = (D\tilde L)^\top, \quad v^\top D\tilde Lv = \tfrac12\sum_{ij}W_{ij}(v_i-v_j)^2 \ge 0)",
        .assumptions = {"unit rows of zero mean, d_q = 3: latents on a circle", "three points, no mask"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/softmax-laplacian-symmetric",
        .note = "So D - W could serve as the scale, with a ridge: being singular it has no density either."},
       weighted_laplacian(1),
       {{"one percent more", 0.01, weighted_laplacian(1.01)}}});
  claims.push_back(
      {{.id = "probdr/softmax-laplacian-spectrum",
        .label = "Sec 3 L~ = I - softmax is a graph Laplacian / Wishart scale (its eigenvalues)",
        .title = "Without a mask the eigenvalues of L~ lie in [0, 1]",
        .kind = Kind::universal_inequality,
        .tex = R"(v^\top Wv \ge 0 \ \Rightarrow\ \lambda(\tilde L) = 1 - \lambda(D^{-1/2}WD^{-1/2}) \in [0, 1])",
        .assumptions = {"unit rows of zero mean, d_q = 3: latents on a circle", "three points, no mask"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/softmax-laplacian-symmetric",
        .note = "The exponential of a Gram matrix, entry by entry, is positive semi-definite."},
       kernel_definite(1),
       {{"diagonal one percent smaller", 0.01, kernel_definite(0.99)}}});
  claims.push_back(
      {{.id = "probdr/softmax-laplacian-two-points",
        .label = "Sec 3 L~ = I - softmax is a graph Laplacian / Wishart scale (two points)",
        .title = "Two latents of equal length have a symmetric L~",
        .kind = Kind::identity,
        .tex = R"(n = 2,\ \|x_1\| = \|x_2\| \ \Rightarrow\ \tilde L = \tilde L^\top)",
        .assumptions = {"two points of one circle, no mask, kappa from 0.1 to 10"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/softmax-laplacian-symmetric",
        .note = "Three points are the least that refute the symmetry on the sphere; off the sphere two are enough."},
       symmetric(2, 1, 1),
       {{"one percent apart", 0.01, symmetric(2, 1.01, 1)},
        {"one latent one percent longer", 0.01, symmetric(2, 1, 1.01)}}});
  claims.push_back({{.id = "probdr/row-sums-input",
                     .label = "Sec 3 'row sums of the input matrix all equal one'",
                     .title = "The row sums of the input of the softmax are one",
                     .kind = Kind::identity,
                     .tex = R"(\textstyle\sum_j(\kappa XX^\top)_{ij} = 1)",
                     .assumptions = {"three points on a circle, no mask"},
                     .expected = Verdict::refuted,
                     .finding = Finding::slip,
                     .note = "A slip of the pen: the output is meant."},
                    row_sums(Rows::input, 1),
                    {{"one percent more", 0.01, row_sums(Rows::input, 1.01)}},
                    {{"of its output", 1, row_sums(Rows::output, 1)}}});
  claims.push_back({{.id = "probdr/row-sums-output",
                     .label = "Sec 3 'row sums of the input matrix all equal one' (the output)",
                     .title = "The row sums of the output of the softmax are one",
                     .kind = Kind::identity,
                     .tex = R"(\textstyle\sum_j\sigma(\kappa XX^\top)_{ij} = 1)",
                     .assumptions = {"three points on a circle, no mask"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/row-sums-input"},
                    row_sums(Rows::output, 1),
                    {{"one percent more", 0.01, row_sums(Rows::output, 1.01)}}});
  return claims;
}

}  // namespace attest::probdr
