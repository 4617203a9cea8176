// Section 2 for what L(Y) is: a graph Laplacian, whose least eigenvalue is zero, with the constant eigenvector.
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/probdr/wishart.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using rigor::Ball;

constexpr std::size_t points = 3;

/// The graph on two points with weight w_12, or on three with weights w_12, w_13, w_23.
template <class Real>
struct Graph {
  Matrix<Real> laplacian;
  Real second, rest;  ///< the smallest non-zero eigenvalue, and the sum of those above it
  bool connected;     ///< the former certainly above 0.01

  Graph(const Inputs& in, std::size_t size) : laplacian(size, size), second(0), rest(0) {
    if (size == 2) {
      const Real w(values(in, "weights", 1)[0]);
      laplacian.entries = {w, -w, -w, w};
      second = Real(2) * w;
    } else {
      const auto from = values(in, "weights", 3);
      const Real a(from[0]), b(from[1]), c(from[2]);
      laplacian.entries = {a + b, -a, -b, -a, a + c, -c, -b, -c, b + c};
      const Real sum = a + b + c;
      // The eigenvalues are sum -+ root.
      const Real root = sqrt(sum * sum - Real(3) * (a * b + a * c + b * c));
      second = sum - root;
      rest = sum + root;
    }
    connected = positive(Real(second - Real(0.01)));
  }
};

enum class Latents { any, centred };

/// X n x 1: as given, or with the last entry minus the sum of the others.
template <class Real>
Matrix<Real> column(const Inputs& in, std::size_t size, Latents latents) {
  Matrix<Real> x(size, 1);
  const auto from = values(in, "X", latents == Latents::any ? size : size - 1);
  for (std::size_t i = 0; i < from.size(); ++i) x(i, 0) = Real(from[i]);
  if (latents == Latents::centred)
    for (const double entry : from) x(size - 1, 0) -= Real(entry);
  return x;
}

/// The objective at X against its value at the eigenvector of the smallest non-zero eigenvalue,
/// 1 + beta (tr L - lambda_1) + log lambda_1 - (n-1) log beta, with lambda_1 times `factor`.
Check maximum_at_nonzero(std::size_t size, Latents latents, double factor) {
  const std::size_t free = latents == Latents::any ? size : size - 1;
  // Two points far out along the constant vector; the path, with lambda_1 = 1, X_hat = (1, 0, -1)/2 at beta = 1/2.
  std::vector<std::vector<double>> corners{{4, 4, 1, 0.5}};
  if (size == 3) corners = {{0.5, 0, 1, 0, 1, 0.5}};
  return generic_inequality(
      {{"X", free, -4, 4}, {"weights", size == 2 ? 1U : 3U, 0, 1}, {"beta times lambda_1", 1, 0.1, 0.95}},
      Relation::greater_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const Graph<Real> graph(in, size);
        const Real beta = Real(in.scalar("beta times lambda_1")) / graph.second;
        return Pair<Real>{{objective(graph.laplacian, column<Real>(in, size, latents), beta)},
                          {Real(1) + beta * graph.rest + log(Real(factor) * graph.second) -
                           Real(static_cast<double>(size - 1)) * log(beta)},
                          graph.connected};
      },
      {.evaluations = 2500, .corners = corners});
}

/// F(t 1) + 2 log t against beta tr L - (n-1) log beta - log n for the path on three points, beta = 1/2.
Check unbounded(double points_factor) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(2, 2, 12);
  p.value = [](double t) {
    Matrix<Ball> l(points, points);
    l.entries = {1, -1, 0, -1, 2, -1, 0, -1, 1};
    Matrix<Ball> x(points, 1);
    x.entries.assign(points, Ball(t));
    return objective(l, x, Ball(0.5)) + 2 * log(Ball(t));
  };
  p.reference = [=](double) { return Ball(2) - 2 * log(Ball(0.5)) - log(Ball(3 * points_factor)); };
  p.resolution = 0.002;
  return sequence(std::move(p));
}

/// The columns of V orthonormalised by Gram-Schmidt; `admissible` is left true while they are certainly independent.
template <class Real>
Matrix<Real> orthonormal(Matrix<Real> v, bool& admissible) {
  for (std::size_t k = 0; k < v.cols; ++k) {
    for (std::size_t m = 0; m < k; ++m) {
      Real along(0);
      for (std::size_t i = 0; i < v.rows; ++i) along += v(i, m) * v(i, k);
      for (std::size_t i = 0; i < v.rows; ++i) v(i, k) -= along * v(i, m);
    }
    Real square(0);
    for (std::size_t i = 0; i < v.rows; ++i) square += v(i, k) * v(i, k);
    admissible = admissible && positive(Real(square - Real(0.001)));
    const Real length = sqrt(square);
    for (std::size_t i = 0; i < v.rows; ++i) v(i, k) /= length;
  }
  return v;
}

enum class Bound { nonzero, with_zero };

/// tr(L X X') over X'X = I against factor times the sum of the d_q smallest eigenvalues, the zero left out or kept.
Check trace_minimum(std::size_t size, std::size_t q, Latents latents, Bound bound, double factor) {
  const std::size_t free = latents == Latents::any ? size * q : size - 1;
  // The constant vector; with it, or alone, the path's eigenvector (1, 0, -1).
  std::vector<double> corner{1, 1, 1};
  if (size == 3) {
    corner = latents == Latents::centred ? std::vector<double>{1, 0} : std::vector<double>{1, 1, 1, 0, 1, -1};
    corner.insert(corner.end(), {1, 0, 1});
  }
  return generic_inequality(
      {{"X", free, -1, 1}, {"weights", size == 2 ? 1U : 3U, 0, 1}}, Relation::greater_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const Graph<Real> graph(in, size);
        bool admissible = true;
        const auto x =
            orthonormal(q == 1 ? column<Real>(in, size, latents) : matrix<Real>(in, "X", size, q), admissible);
        Real least(0);
        if (bound == Bound::nonzero || q == 2) least += graph.second;
        if (bound == Bound::nonzero && q == 2) least += graph.rest;
        return Pair<Real>{
            {trace(multiply(graph.laplacian, outer_gram(x)))}, {Real(factor) * least}, admissible && graph.connected};
      },
      {.evaluations = 1500, .corners = {corner}});
}

/// On X'X = I the objective is tr(L X X') + beta tr L - factor [d_q log(1 + beta) + (n - d_q) log beta].
Check reduces_to_trace(double factor) {
  return generic_identity({{"X", points * 2, -1, 1}, {"weights", 3, 0.1, 1}, {"beta", 1, 0.1, 2}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const Graph<Real> graph(in, points);
                            const Real beta(in.scalar("beta"));
                            bool admissible = true;
                            const auto x = orthonormal(matrix<Real>(in, "X", points, 2), admissible);
                            return Pair<Real>{
                                {objective(graph.laplacian, x, beta)},
                                {trace(multiply(graph.laplacian, outer_gram(x))) + beta * trace(graph.laplacian) -
                                 Real(factor) * (Real(2) * log(Real(1) + beta) + log(beta))},
                                admissible};
                          },
                          {.scale = 10});
}

Check constrained(double factor) {
  return composite(
      {{"two points, d_q = 1", Kind::optimality, trace_minimum(2, 1, Latents::any, Bound::nonzero, factor)},
       {"three points, d_q = 2", Kind::optimality, trace_minimum(3, 2, Latents::any, Bound::nonzero, factor)}});
}

}  // namespace

Claims graph_optimum() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/elbo-maximum",
        .label = "Sec 2 ELBO maximum for a graph Laplacian (smallest NON-ZERO eigenvalues)",
        .title = "For a graph Laplacian the ELBO is greatest at the smallest non-zero eigenvalues",
        .kind = Kind::optimality,
        .tex =
            R"(F(X) \ge F\big(U_{d_q}(\Lambda_{d_q}^{-1}-\beta I)^{1/2}R\big) \text{ for every } X, \quad U_{d_q} \text{ of the smallest non-zero eigenvalues of } L(Y))",
        .assumptions = {"two points, d_q = 1", "beta lambda_1 < 1"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note = "Along the constant vector, which L sends to zero, tr(LXX') stays and -logdet falls without end: there "
                "is no maximum at all. Latents must be centred.",
        .depends_on = {"probdr/maximiser"}},
       maximum_at_nonzero(2, Latents::any, 1),
       {{"eigenvalue one percent larger", 0.01, maximum_at_nonzero(2, Latents::any, 1.01)}},
       {{"centred latents, three points", 1, maximum_at_nonzero(3, Latents::centred, 1)}}});
  claims.push_back(
      {{.id = "probdr/elbo-maximum-centred",
        .label = "Sec 2 ELBO maximum for a graph Laplacian (centred latents)",
        .title = "Over centred latents the maximum is at the smallest non-zero eigenvalues",
        .kind = Kind::optimality,
        .tex = R"(\mathbf 1^\top X = 0 \ \Rightarrow\ F(X) \ge F\big(U_{d_q}(\Lambda_{d_q}^{-1}-\beta I)^{1/2}R\big))",
        .assumptions = {"a connected graph of three points, d_q = 1", "beta lambda_1 < 1"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/elbo-maximum",
        .note = "The centring is over the points, column by column; the zero mean that Section 3 asks for is over the "
                "latent dimensions, row by row, and does not help.",
        .depends_on = {"probdr/wishart-kl"}},
       maximum_at_nonzero(3, Latents::centred, 1),
       {{"eigenvalue one percent larger", 0.01, maximum_at_nonzero(3, Latents::centred, 1.01)},
        {"centring dropped", 1, maximum_at_nonzero(2, Latents::any, 1)}}});
  claims.push_back({{.id = "probdr/elbo-unbounded",
                     .label = "Sec 2 ELBO maximum for a graph Laplacian (how it grows)",
                     .title = "Along the constant vector the ELBO grows like the logarithm of the squared length",
                     .kind = Kind::limit,
                     .tex = R"(F(t\mathbf 1) + 2\log t \to \beta\,\mathrm{tr}\,L - (n-1)\log\beta - \log n)",
                     .assumptions = {"L, beta fixed: here the path on three points, beta = 1/2"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/elbo-maximum"},
                    unbounded(1),
                    {{"one percent more points", 0.01, unbounded(1.01)}}});
  claims.push_back(
      {{.id = "probdr/trace-minimisation",
        .label = "Sec 2 constrained case X'X=I and footnote 3 (trace minimisation)",
        .title = "With orthonormal latents the optimum is at the smallest non-zero eigenvalues",
        .kind = Kind::optimality,
        .tex =
            R"(X^\top X = I \ \Rightarrow\ \mathrm{tr}(LXX^\top) \ge \lambda_1 + \dots + \lambda_{d_q}, \quad 0 = \lambda_0 < \lambda_1 \le \lambda_2 \le \dots)",
        .assumptions = {"two points with d_q = 1, a connected graph of three points with d_q = 2"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note = "The trace minimisation theorem takes the d_q smallest eigenvalues, the zero among them: the constant "
                "vector is a column of the optimum unless it is forbidden.",
        .depends_on = {"probdr/trace-minimisation-objective"}},
       constrained(1),
       {{"eigenvalues one percent larger", 0.01, constrained(1.01)}},
       {{"centred latents, three points", 1, trace_minimum(3, 1, Latents::centred, Bound::nonzero, 1)}}});
  claims.push_back(
      {{.id = "probdr/trace-minimisation-objective",
        .label = "Sec 2 constrained case X'X=I and footnote 3 (the objective is simply the trace)",
        .title = "With orthonormal latents the objective is tr(LXX') and a constant",
        .kind = Kind::identity,
        .tex =
            R"(X^\top X = I \ \Rightarrow\ F(X) = \mathrm{tr}(LXX^\top) + \beta\,\mathrm{tr}\,L - d_q\log(1+\beta) - (n-d_q)\log\beta)",
        .assumptions = {"three points, two latent dimensions, beta from 0.1 to 2"},
        .expected = Verdict::supported,
        .depends_on = {"probdr/wishart-kl"}},
       reduces_to_trace(1),
       {{"logarithms one percent larger", 0.01, reduces_to_trace(1.01)}}});
  claims.push_back(
      {{.id = "probdr/trace-minimisation-with-zero",
        .label = "Sec 2 constrained case X'X=I and footnote 3 (with the zero, or centred)",
        .title = "The zero eigenvalue belongs to the optimum, or the latents must be centred",
        .kind = Kind::optimality,
        .tex =
            R"(X^\top X = I \ \Rightarrow\ \mathrm{tr}(LXX^\top) \ge \lambda_0 + \dots + \lambda_{d_q-1}; \qquad \text{with } \mathbf 1^\top X = 0:\ \ge \lambda_1 + \dots + \lambda_{d_q})",
        .assumptions = {"a connected graph of three points; d_q = 2, and d_q = 1 where centred"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/trace-minimisation"},
       composite({{"the zero kept", Kind::optimality, trace_minimum(3, 2, Latents::any, Bound::with_zero, 1)},
                  {"centred", Kind::optimality, trace_minimum(3, 1, Latents::centred, Bound::nonzero, 1)}}),
       {{"zero kept, one percent more", 0.01, trace_minimum(3, 2, Latents::any, Bound::with_zero, 1.01)},
        {"centred, one percent more", 0.01, trace_minimum(3, 1, Latents::centred, Bound::nonzero, 1.01)}}});
  return claims;
}

}  // namespace attest::probdr
