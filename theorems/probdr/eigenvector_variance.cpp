// Section 2: under X'X = I and zero means, "V(X_ij) = sum_k X_kj^2/n = 1/n w.p. 1".
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using namespace generic;

constexpr std::size_t points = 3;
constexpr std::size_t latents = 2;

/// Two orthonormal columns from any two independent ones; `admissible` is set where they certainly are.
template <class Real>
Matrix<Real> eigenvectors(const Inputs& in, bool& admissible) {
  Matrix<Real> v = matrix<Real>(in, "V", points, latents);
  for (std::size_t k = 0; k < latents; ++k) {
    Real square(0);
    Real along(0);
    if (k == 1)
      for (std::size_t i = 0; i < points; ++i) along += v(i, 0) * v(i, 1);
    for (std::size_t i = 0; i < points; ++i) {
      if (k == 1) v(i, 1) -= along * v(i, 0);
      square += v(i, k) * v(i, k);
    }
    admissible = admissible && positive(Real(square - Real(0.001)));
    for (std::size_t i = 0; i < points; ++i) v(i, k) /= sqrt(square);
  }
  return v;
}

/// The law of X_hat = U R over the four turns R by 0, 90, 180 and 270 degrees, which has mean 0 and the second moments
/// of the uniform law on rotations: E X_ij and V(X_ij) for every entry.
template <class Real>
struct Moments {
  Matrix<Real> mean, variance;

  explicit Moments(const Matrix<Real>& u) : mean(points, latents), variance(points, latents) {
    Matrix<Real> turned = u;
    for (int quarter = 0; quarter < 4; ++quarter) {
      Matrix<Real> next = turned;
      for (std::size_t i = 0; i < points; ++i) {
        next(i, 0) = turned(i, 1);
        next(i, 1) = -turned(i, 0);
        for (std::size_t j = 0; j < latents; ++j) {
          mean(i, j) += turned(i, j) / Real(4);
          variance(i, j) += turned(i, j) * turned(i, j) / Real(4);
        }
      }
      turned = next;
    }
  }
};

std::vector<Block> blocks() { return {{"V", points * latents, -1, 1}}; }

/// (1/n) sum_k (X_kj - mean)^2 of orthonormal columns, centred or not, against factor/n; n = 4, d_q = 2.
Check over_points(bool centred, double factor) {
  constexpr std::size_t n = 4;
  return generic_identity({{"V", n * latents, -1, 1}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            auto v = matrix<Real>(in, "V", n, latents);
                            const Real count(static_cast<double>(n));
                            const auto mean = [&](std::size_t k) {
                              Real total(0);
                              for (std::size_t i = 0; i < n; ++i) total += v(i, k);
                              return Real(total / count);
                            };
                            Pair<Real> sides;
                            for (std::size_t k = 0; k < latents; ++k) {
                              const Real centre = centred ? mean(k) : Real(0);
                              for (std::size_t i = 0; i < n; ++i) v(i, k) -= centre;
                              Real along(0);
                              for (std::size_t i = 0; i < n && k == 1; ++i) along += v(i, 0) * v(i, 1);
                              Real square(0);
                              for (std::size_t i = 0; i < n; ++i) {
                                if (k == 1) v(i, 1) -= along * v(i, 0);
                                square += v(i, k) * v(i, k);
                              }
                              sides.admissible = sides.admissible && positive(Real(square - Real(0.001)));
                              for (std::size_t i = 0; i < n; ++i) v(i, k) /= sqrt(square);
                              const Real middle = mean(k);
                              Real variance(0);
                              for (std::size_t i = 0; i < n; ++i) variance += (v(i, k) - middle) * (v(i, k) - middle);
                              sides.lhs.push_back(variance / count);
                              sides.rhs.push_back(Real(factor) / count);
                            }
                            return sides;
                          },
                          {.scale = 1});
}

/// V(X_ij) of every entry against factor/n.
Check each_entry(double factor) {
  return generic_identity(blocks(),
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            bool admissible = true;
                            const Moments<Real> moments(eigenvectors<Real>(in, admissible));
                            return Pair<Real>{moments.variance.entries,
                                              std::vector<Real>(points * latents, Real(factor) / Real(3)), admissible};
                          },
                          {.corners = {{1, 0, 0, 1, -1, 0}}});
}

/// The mean over the points of V(X_ij), and sum_k X_kj^2/n of the draw itself, for every column j, against factor/n.
Check mean_over_points(double factor) {
  return generic_identity(blocks(), [=](const Inputs& in, auto zero) {
    using Real = decltype(zero);
    bool admissible = true;
    const auto u = eigenvectors<Real>(in, admissible);
    const Moments<Real> moments(u);
    std::vector<Real> lhs(2 * latents, Real(0));
    for (std::size_t i = 0; i < points; ++i)
      for (std::size_t j = 0; j < latents; ++j) {
        lhs[j] += moments.variance(i, j) / Real(3);
        lhs[latents + j] += u(i, j) * u(i, j) / Real(3);
      }
    return Pair<Real>{lhs, std::vector<Real>(2 * latents, Real(factor) / Real(3)), admissible};
  });
}

/// V(X_ij) against factor |row i of U|^2/d_q: the leverage of point i.
Check leverage(double factor) {
  return generic_identity(blocks(), [=](const Inputs& in, auto zero) {
    using Real = decltype(zero);
    bool admissible = true;
    const auto u = eigenvectors<Real>(in, admissible);
    std::vector<Real> rhs;
    for (std::size_t i = 0; i < points; ++i) {
      const Real square = u(i, 0) * u(i, 0) + u(i, 1) * u(i, 1);
      rhs.insert(rhs.end(), latents, Real(factor) * square / Real(2));
    }
    return Pair<Real>{Moments<Real>(u).variance.entries, rhs, admissible};
  });
}

}  // namespace

Claims eigenvector_variance() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/variance",
        .label = "Sec 2 variance remark V(X_ij) = 1/n",
        .title = "Over the points every latent coordinate has variance 1/n",
        .kind = Kind::identity,
        .tex =
            R"(X^\top X = I,\ \mathbf 1^\top X = 0 \ \Rightarrow\ \tfrac1n\textstyle\sum_k(\hat X_{kj}-\bar X_j)^2 = \tfrac1n)",
        .assumptions =
            {"the variance read over the points k, as the sum in the text has it, and E X_ij = 0 as zero mean of "
             "every column, which eigenvectors of non-zero eigenvalues have",
             "n = 4, d_q = 2"},
        .expected = Verdict::supported,
        .note = "Not of one point's coordinate under the arbitrary rotation: probdr/variance-of-each-point.",
        .depends_on = {"probdr/trace-minimisation"}},
       over_points(true, 1),
       {{"a thousandth more", 0.001, over_points(true, 1.001)}, {"columns not centred", 1, over_points(false, 1)}}});
  claims.push_back(
      {{.id = "probdr/variance-of-each-point",
        .label = "Sec 2 variance remark V(X_ij) = 1/n (of each point)",
        .title = "Every latent coordinate of every point has variance 1/n",
        .kind = Kind::identity,
        .tex =
            R"(X^\top X = I,\ \mathbb E X_{ij} = 0 \ \Rightarrow\ \mathbb V(\hat X_{ij}) = \tfrac1n \text{ for every } i, j)",
        .assumptions = {"the law of X_hat is that of its arbitrary rotation R, whose second moments four quarter turns "
                        "have",
                        "n = 3, d_q = 2"},
        .expected = Verdict::refuted,
        .printed = false,
        .amends = "probdr/variance",
        .note = "The points' coordinates have different variances unless their law is exchangeable: "
                "probdr/variance-leverage."},
       each_entry(1),
       {{"one percent more", 0.01, each_entry(1.01)}},
       {{"on average over the points", 1, mean_over_points(1)}}});
  claims.push_back(
      {{.id = "probdr/variance-on-average",
        .label = "Sec 2 variance remark V(X_ij) = 1/n (on average over the points)",
        .title = "On average over the points a latent coordinate has variance 1/n",
        .kind = Kind::identity,
        .tex =
            R"(X^\top X = I,\ \mathbb E X_{ij} = 0 \ \Rightarrow\ \tfrac1n\textstyle\sum_i\mathbb V(\hat X_{ij}) = \tfrac1n\sum_k \hat X_{kj}^2 = \tfrac1n)",
        .assumptions =
            {"the law of X_hat is that of its arbitrary rotation R, whose second moments four quarter turns have",
             "n = 3, d_q = 2"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/variance"},
       mean_over_points(1),
       {{"one percent more", 0.01, mean_over_points(1.01)}}});
  claims.push_back({{.id = "probdr/variance-leverage",
                     .label = "Sec 2 variance remark V(X_ij) = 1/n (each point's own)",
                     .title = "Point i's coordinates have variance |U_i|^2/d_q, its leverage over the dimension",
                     .kind = Kind::identity,
                     .tex = R"(\hat X = UR,\ R \text{ uniform} \ \Rightarrow\ \mathbb V(\hat X_{ij}) = \|U_i\|^2/d_q)",
                     .assumptions = {"second moments of R as for the uniform law on rotations", "n = 3, d_q = 2"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/variance",
                     .note = "Between 0 (a point at the origin of the embedding) and 1/d_q."},
                    leverage(1),
                    {{"one percent more", 0.01, leverage(1.01)}}});
  return claims;
}

}  // namespace attest::probdr
