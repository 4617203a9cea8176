// Section 2: d L(Y) ~ W((X X' + beta I)^-1, d), and why MAP inference for X is KL minimisation.
#include "theorems/engine/protocols/input_matrix.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/probdr/wishart.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using rigor::Ball;

constexpr std::size_t points = 3;
constexpr std::size_t latents = 2;

/// X in [-1, 1], the degrees of freedom (any real number above n - 1), beta, and L = T T' with T lower triangular.
std::vector<Block> blocks() {
  return {
      {"X", points * latents, -1, 1}, {"T", points * (points + 1) / 2, 0.5, 1.5}, {"d", 1, 3, 12}, {"beta", 1, 0.2, 1}};
}

template <class Real>
Matrix<Real> scale_of_q(const Inputs& in) {
  const auto from = values(in, "T", points * (points + 1) / 2);
  Matrix<Real> t(points, points);
  std::size_t at = 0;
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t j = 0; j <= i; ++j) t(i, j) = Real(from[at++]);
  return outer_gram(t);
}

/// C lower triangular with C C' = V.
template <class Real>
Matrix<Real> cholesky(const Matrix<Real>& v) {
  Matrix<Real> c(v.rows, v.cols);
  for (std::size_t j = 0; j < v.rows; ++j)
    for (std::size_t i = j; i < v.rows; ++i) {
      Real rest = v(i, j);
      for (std::size_t k = 0; k < j; ++k) rest -= c(i, k) * c(j, k);
      c(i, j) = i == j ? sqrt(rest) : Real(rest / c(j, j));
    }
  return c;
}

/// E chi^2_k = 2 Gamma(k/2 + 1)/Gamma(k/2) and E 1/chi^2_k = Gamma(k/2 - 1)/(2 Gamma(k/2)).
template <class Real>
Real mean_chi_square(const Real& k) {
  return Real(2) * exp(lgamma(Real(k / Real(2) + Real(1))) - lgamma(Real(k / Real(2))));
}
template <class Real>
Real mean_inverse_chi_square(const Real& k) {
  return exp(lgamma(Real(k / Real(2) - Real(1))) - lgamma(Real(k / Real(2)))) / Real(2);
}

/// E L by Bartlett's factors, d L = C T T' C' with T_ii^2 ~ chi^2_(d-i+1) and T_ij ~ N(0, 1) below the diagonal,
/// against factor V.
Check model_mean(double factor, double first_degree) {
  return generic_identity(blocks(), [=](const Inputs& in, auto zero) {
    using Real = decltype(zero);
    const Real d(in.scalar("d"));
    const auto v = inverse(covariance(matrix<Real>(in, "X", points, latents), Real(in.scalar("beta"))));
    const Matrix<Real> c = cholesky(v);
    std::vector<Real> mean;
    for (std::size_t i = 0; i < points; ++i) {
      const auto below = static_cast<double>(i);
      mean.push_back((mean_chi_square(Real(d + Real(first_degree - below))) + Real(below)) / d);
    }
    const auto lhs = multiply(multiply(c, diagonal(mean)), transpose(c));
    return Pair<Real>{lhs.entries, scale(Real(factor), v).entries};
  });
}

/// E L^-1 for two points by the inverse of Bartlett's factors, against factor d/(d-3) (X X' + beta I).
Check inverse_mean(double factor) {
  const std::vector<Block> list{{"X", 2, -1, 1}, {"d", 1, 3.5, 12}, {"beta", 1, 0.2, 1}};
  return generic_identity(list, [=](const Inputs& in, auto zero) {
    using Real = decltype(zero);
    const Real d(in.scalar("d"));
    const auto sigma = covariance(matrix<Real>(in, "X", 2, 1), Real(in.scalar("beta")));
    const Matrix<Real> c = inverse(cholesky(inverse(sigma)));
    const Real last = mean_inverse_chi_square(Real(d - Real(1)));
    const std::vector<Real> mean{d * mean_inverse_chi_square(d) * (Real(1) + last), d * last};
    const auto lhs = multiply(multiply(transpose(c), diagonal(mean)), c);
    return Pair<Real>{lhs.entries, scale(Real(Real(factor) * d / (d - Real(3))), sigma).entries};
  });
}

/// 1' (X X' + beta I)^-1 1 >= factor n^2/(1' (X X' + beta I) 1), for four points and beta from 10^-4.
Check precision_of_constants(double factor) {
  constexpr std::size_t n = 4;
  return generic_inequality({{"X", n * 2, -2, 2}, {"log2 beta", 1, -13, 7}}, Relation::greater_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const Real beta = exp(Real(in.scalar("log2 beta")) * log(Real(2)));
                              const auto sigma = covariance(matrix<Real>(in, "X", n, 2), beta);
                              const auto sum = [](const Matrix<Real>& m) {
                                Real total(0);
                                for (const Real& entry : m.entries) total += entry;
                                return total;
                              };
                              return Pair<Real>{{sum(inverse(sigma)) * sum(sigma)}, {Real(factor * n * n)}};
                            },
                            {.evaluations = 1000, .corners = {{0, 0, 0, 0, 0, 0, 0, 0, 0}}});
}

/// d/2 [tr(L Sigma) - logdet Sigma - logdet L - n].
template <class Real>
Real closed_form(const Matrix<Real>& l, const Matrix<Real>& sigma, const Real& d, double trace_factor = 1) {
  return d / Real(2) *
         (Real(trace_factor) * trace(multiply(l, sigma)) - log(determinant(sigma)) - log(determinant(l)) -
          Real(static_cast<double>(l.rows)));
}

enum class Direction { printed, reversed };

/// -log W(d L|V, d) - KL at X and at another X: the same number.
Check map_is_kl(Direction direction, double trace_factor) {
  auto list = blocks();
  list.push_back({"other X", points * latents, -1, 1});
  return generic_identity(
      list,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const Real d(in.scalar("d"));
        const auto l = scale_of_q<Real>(in);
        const auto difference = [&](const char* name) {
          const auto sigma = covariance(matrix<Real>(in, name, points, latents), Real(in.scalar("beta")));
          const auto v = inverse(sigma);
          const Real kl = direction == Direction::printed ? closed_form(l, sigma, d, trace_factor)
                                                          : closed_form(v, inverse(l), d, trace_factor);
          return Real(-wishart_log_density(scale(d, l), v, d, pi_as(zero)) - kl);
        };
        return Pair<Real>{{difference("X")}, {difference("other X")}};
      },
      {.scale = 100});
}

/// KL(W(L, d)||W(V, d)): log q - log p is affine in Gamma, so that its mean is its value at E Gamma = d L; against
/// factor times the closed form.
Check divergence(double factor, double degree_of_p) {
  return generic_identity(
      blocks(),
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const Real d(in.scalar("d"));
        const auto l = scale_of_q<Real>(in);
        const auto sigma = covariance(matrix<Real>(in, "X", points, latents), Real(in.scalar("beta")));
        const auto mean = scale(d, l);
        const Real lhs = wishart_log_density(mean, l, d, pi_as(zero)) -
                         wishart_log_density(mean, inverse(sigma), Real(Real(degree_of_p) * d), pi_as(zero));
        return Pair<Real>{{lhs}, {Real(factor) * closed_form(l, sigma, d)}};
      },
      {.scale = 100});
}

/// The path graph's Laplacian on three points plus I/n: KL - (d/2) log n against its limit, in which the determinant of
/// L is replaced by `spanning` n, n times the number of spanning trees.
Check singular_limit(double spanning) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(4, 4, 12);
  const auto sigma = [] {
    Matrix<Ball> x(points, 1);
    x.entries = {Ball(1), Ball(0), Ball(-0.5)};
    return covariance(x, Ball(0.5));
  };
  const auto laplacian = [](const Ball& ridge) {
    Matrix<Ball> l(points, points);
    l.entries = {1, -1, 0, -1, 2, -1, 0, -1, 1};
    return add(l, scaled_identity(points, Ball(1)), ridge);
  };
  p.value = [=](double n) { return closed_form(laplacian(1 / Ball(n)), sigma(), Ball(4)) - 2 * log(Ball(n)); };
  p.reference = [=](double) {
    return 2 * (trace(multiply(laplacian(Ball(0)), sigma())) - log(determinant(sigma())) - log(Ball(3 * spanning)) -
                Ball(3));
  };
  p.resolution = 0.002;
  return sequence(std::move(p));
}

}  // namespace

Claims wishart_model() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/wishart-mean",
        .label = "Sec 2 Wishart model mean",
        .title = "The mean of the model is the precision matrix",
        .kind = Kind::identity,
        .tex =
            R"(d\,L \sim \mathcal W((XX^\top+\beta I)^{-1}, d) \ \Rightarrow\ \mathbb E\,L = (XX^\top+\beta I)^{-1})",
        .assumptions = {"d > n - 1, so that the law has a density", "beta > 0", "W(V, d) has mean d V",
                        "judged for three points, two latent dimensions, d from 3 to 12, beta from 0.2 to 1"},
        .expected = Verdict::supported,
        .note = "Said of the model's draws, which have full rank. A graph Laplacian is singular and no draw of it: "
                "probdr/wishart-mean-of-laplacians."},
       model_mean(1, 0),
       {{"mean one percent larger", 0.01, model_mean(1.01, 0)},
        {"first chi-square with one degree more", 1, model_mean(1, 1)}}});
  claims.push_back({{.id = "probdr/wishart-inverse-mean",
                     .label = "Sec 2 Wishart model mean (the covariance)",
                     .title = "Its inverse is a biased estimate of the covariance: by d/(d-n-1)",
                     .kind = Kind::identity,
                     .tex = R"(\mathbb E\,L^{-1} = \frac{d}{d-n-1}\,(XX^\top+\beta I), \qquad d > n+1)",
                     .assumptions = {"two points", "d > 3: otherwise the mean is infinite"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/wishart-mean",
                     .note = "Of the model's draws; with n > d - 2 points the mean of the inverse does not exist."},
                    inverse_mean(1),
                    {{"one percent more", 0.01, inverse_mean(1.01)}}});
  claims.push_back(
      {{.id = "probdr/wishart-mean-of-laplacians",
        .label = "Sec 2 Wishart model mean (no law of graph Laplacians has it)",
        .title = "No law of graph Laplacians has the model's mean",
        .kind = Kind::universal_inequality,
        .tex =
            R"(L\mathbf 1=0 \text{ surely} \Rightarrow \mathbf 1^\top\mathbb E[L]\,\mathbf 1=0, \quad\text{but}\quad \mathbf 1^\top(XX^\top+\beta I)^{-1}\mathbf 1\ge\frac{n^2}{\mathbf 1^\top(XX^\top+\beta I)\mathbf 1}>0)",
        .assumptions = {"the right inequality is judged: four points, two latent dimensions, beta from 10^-4 to 128"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/wishart-mean",
        .note = "Cauchy-Schwarz, attained where the latents are centred. So a graph Laplacian is a biased estimate of "
                "the precision, whatever the graph."},
       precision_of_constants(1),
       {{"a thousandth more", 0.001, precision_of_constants(1.001)}}});
  claims.push_back(
      {{.id = "probdr/map-is-kl",
        .label = "Sec 2 MAP = KL minimisation",
        .title = "MAP inference and KL minimisation differ by a constant",
        .kind = Kind::identity,
        .tex =
            R"(-\log\mathcal W(dL\,|\,V, d) - \mathrm{KL}(\mathcal W(L,d)\,\|\,\mathcal W(V,d)) \ \text{does not depend on } X,\quad V = (XX^\top+\beta I)^{-1})",
        .assumptions = {"L positive definite (not said, and false of a graph Laplacian)", "d > n - 1",
                        "three points, two latent dimensions, d from 3 to 12, beta from 0.2 to 1"},
        .expected = Verdict::supported,
        .depends_on = {"probdr/wishart-kl"}},
       map_is_kl(Direction::printed, 1),
       {{"trace term raised by one percent", 0.01, map_is_kl(Direction::printed, 1.01)},
        {"KL(p||q) in place of KL(q||p)", 1, map_is_kl(Direction::reversed, 1)}}});
  claims.push_back(
      {{.id = "probdr/map-is-kl-singular",
        .label = "Sec 2 MAP = KL minimisation (a graph Laplacian is singular)",
        .title = "For a graph Laplacian the divergence is infinite; what is left when its infinity is taken off",
        .kind = Kind::limit,
        .tex =
            R"(\mathrm{KL}_{L+\epsilon I} - \tfrac d2\log\tfrac1\epsilon \to \tfrac d2\big[\mathrm{tr}(L(XX^\top+\beta I)) - \log\det(XX^\top+\beta I) - \log(n\tau) - n\big])",
        .assumptions = {"L the Laplacian of a connected graph with tau spanning trees: here the path on three points",
                        "d = 4, X = (1, 0, -1/2)', beta = 1/2"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/map-is-kl",
        .note = "logdet L = -infinity, so that KL(q||p) is +infinity for every X and minimising it says nothing; the "
                "objective tr - logdet is the finite part of the divergence as a ridge on L is let go."},
       singular_limit(1),
       {{"one percent more spanning trees", 0.01, singular_limit(1.01)}}});
  claims.push_back(
      {{.id = "probdr/wishart-kl",
        .label = "Sec 2/3 KL between Wisharts, constants",
        .title = "The divergence of two Wishart laws of equal degrees, with its constants",
        .kind = Kind::identity,
        .tex =
            R"(\mathrm{KL} = \tfrac d2\big[\mathrm{tr}(L(XX^\top+\beta I)) - \log\det(XX^\top+\beta I) - \log\det L - n\big])",
        .assumptions = {"L positive definite", "d > n - 1",
                        "three points, two latent dimensions, d from 3 to 12, beta from 0.2 to 1"},
        .expected = Verdict::supported,
        .note = "The paper prints 'proportional to tr - logdet + c': factor d/2, c = -logdet L - n. In Section 3 L "
                "depends on X, and c is a constant only because gradients through L are stopped."},
       divergence(1, 1),
       {{"factor d/2 raised by one percent", 0.01, divergence(1.01, 1)},
        {"degrees of p one percent more", 0.01, divergence(1, 1.01)}}});
  return claims;
}

}  // namespace attest::probdr
