// Twicing, Section 3.1: the signal in the eigenvectors of A, its iterates (Eqs 12-13), and where they go.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "kernels/rigor/ball_spectrum.hpp"
#include "kernels/spectra/eigendecomposition.hpp"
#include "kernels/spectra/symmetric_spectrum.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/twicing/attention_point.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallMatrix;
using rigor::ComplexBall;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double unit_roundoff = 0x1p-53;
constexpr int tokens = 3;
constexpr std::size_t n_tokens = tokens;
constexpr AttentionShape symmetric_shape{.tokens = tokens, .features = 2, .shared = true};
constexpr AttentionShape general_shape{.tokens = tokens, .features = 2};

/// Queries and keys in [-2, 2], a signal u in [-1, 1]^N, then `more` numbers in [0, 1].
void set_box(IdentityProblem& p, const AttentionShape& shape, std::size_t more) {
  p.lower.assign(coordinates(shape), -2);
  p.upper.assign(coordinates(shape), 2);
  p.lower.resize(coordinates(shape) + n_tokens, -1);
  p.upper.resize(coordinates(shape) + n_tokens, 1);
  p.lower.resize(p.lower.size() + more, 0);
  p.upper.resize(p.upper.size() + more, 1);
}

Inputs with_signal(std::span<const double> x, const AttentionShape& shape) {
  Inputs inputs = queries_and_keys(x, shape);
  const auto u = x.subspan(coordinates(shape), n_tokens);
  inputs.add("u", {u.begin(), u.end()});
  return inputs;
}

Eigen::VectorXd signal(const Inputs& in) {
  const auto u = in["u"];
  return Eigen::Map<const Eigen::VectorXd>(u.data(), static_cast<Eigen::Index>(u.size()));
}

/// u against sum_j <xi_j, u> xi_j with <x, y> = sum_i D_ii^power x_i y_i and eigenvectors of unit length in it.
/// power 0 is the printed inner product, power 1 the one in which the eigenvectors of D^-1 W are orthogonal.
Check coefficients(double power) {
  IdentityProblem p;
  set_box(p, symmetric_shape, 0);
  p.evaluations = 4000;
  p.decode = [](std::span<const double> x) { return with_signal(x, symmetric_shape); };
  p.sides = [=](const Inputs& in) {
    const Eigen::MatrixXd w = weights(in, symmetric_shape);
    const Eigen::VectorXd d = w.rowwise().sum();
    const Eigen::VectorXd u = signal(in);
    const Eigen::MatrixXd vectors = spectra::symmetric_eigenpairs(spectra::symmetric_conjugate(w)).vectors;
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(tokens);
    for (Eigen::Index j = 0; j < tokens; ++j) {
      const Eigen::VectorXd xi = vectors.col(j).cwiseQuotient(d.cwiseSqrt());
      const Eigen::VectorXd weighted = xi.cwiseProduct(d.array().pow(power).matrix());
      sum += weighted.dot(u) / weighted.dot(xi) * xi;
    }
    IdentitySides sides{{u.begin(), u.end()}, {sum.begin(), sum.end()}, u.cwiseAbs().maxCoeff()};
    return sides;
  };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix w = ball_weights(in, symmetric_shape);
    const rigor::BallVector d = row_sums(w);
    const rigor::BallVector u = rigor::to_balls(in["u"]);
    IdentityBallSides sides{u, rigor::BallVector(n_tokens), false};
    // Distinct eigenvalues only: elsewhere the eigenvectors are not determined.
    const auto eigen = rigor::eigendecomposition(row_normalised(w));
    if (!eigen) return sides;
    sides.assumptions_hold = true;
    for (std::size_t j = 0; j < n_tokens; ++j) {
      Ball product(0), norm(0);
      for (std::size_t i = 0; i < n_tokens; ++i) {
        const Ball xi = eigen->right[i * n_tokens + j].real;
        const Ball weight = rigor::pow(d[i], Ball(power));
        product += weight * xi * u[i];
        norm += weight * rigor::square(xi);
      }
      for (std::size_t i = 0; i < n_tokens; ++i) {
        sides.rhs[i] += product / norm * eigen->right[i * n_tokens + j].real;
      }
    }
    return sides;
  };
  // Orthonormal to about 8 N u after the symmetric QR iteration; D-scaling costs at most sqrt(max D / min D), which is
  // below e^6 for logits in [-5.7, 5.7].
  p.rounding_bound = 8 * tokens * 404 * unit_roundoff;
  return identity(std::move(p));
}

/// A polynomial a x + b x^2 with its n-th power, and what is done to it to make a near-miss.
struct Filter {
  bool general = false;  ///< a and b are inputs in [-2, 2]; otherwise a = 1, b = 0 (Eq 12)
  int shift = 0;         ///< added to the power of the eigenvalues
  double factor = 1;     ///< of the eigenvalues
};

/// The polynomial at a number, complex number or enclosure.
template <class Number, class Coefficient>
Number value(const Coefficient& a, const Coefficient& b, const Number& x) {
  return a * x + b * (x * x);
}
ComplexBall value(const Ball& a, const Ball& b, const ComplexBall& x) {
  return ComplexBall{a, 0} * x + ComplexBall{b, 0} * (x * x);
}

/// p^n(A) u by repeated multiplication against sum_j p^n(lambda_j) c_j xi_j, c_j the coordinates of u in the
/// eigenbasis.
Check eigen_expansion(const AttentionShape& shape, Filter filter) {
  constexpr int most_steps = 8;
  IdentityProblem p;
  set_box(p, shape, 3);
  p.evaluations = 3000;
  p.decode = [=](std::span<const double> x) {
    Inputs inputs = with_signal(x, shape);
    const auto more = x.last(3);
    inputs.add("n", {std::floor(more[0] * most_steps)});
    inputs.add("a", {filter.general ? 4 * more[1] - 2 : 1});
    inputs.add("b", {filter.general ? 4 * more[2] - 2 : 0});
    return inputs;
  };
  // |p(lambda)| <= |a| + |b| <= 4 on the unit disc; residuals are relative to (|a| + |b|)^n |u|.
  constexpr double largest_condition = 1e3;
  p.sides = [=](const Inputs& in) {
    const Eigen::MatrixXd a = attention(in, shape);
    const spectra::Eigendecomposition eigen = spectra::eigendecomposition(a);
    const int n = static_cast<int>(in.scalar("n"));
    const double first = in.scalar("a");
    const double second = in.scalar("b");
    if (!(eigen.condition <= largest_condition)) return IdentitySides{{nan}, {nan}, 1};
    Eigen::VectorXd lhs = signal(in);
    for (int step = 0; step < n; ++step) lhs = first * (a * lhs) + second * (a * (a * lhs));
    Eigen::VectorXcd coordinates = eigen.left * signal(in).cast<std::complex<double>>();
    for (Eigen::Index j = 0; j < tokens; ++j) {
      const std::complex<double> at = value(first, second, filter.factor * eigen.values[j]);
      for (int step = 0; step < n + filter.shift; ++step) coordinates[j] *= at;
    }
    const Eigen::VectorXd rhs = (eigen.right * coordinates).real();
    const double growth = std::pow(std::max(1.0, std::abs(first) + std::abs(second)), n);
    return IdentitySides{{lhs.begin(), lhs.end()}, {rhs.begin(), rhs.end()}, growth * signal(in).cwiseAbs().maxCoeff()};
  };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix a = ball_attention(in, shape);
    const Ball first(in.scalar("a"));
    const Ball second(in.scalar("b"));
    const int n = static_cast<int>(in.scalar("n"));
    rigor::BallVector u = rigor::to_balls(in["u"]);
    IdentityBallSides sides{{}, {}, false};
    const auto eigen = rigor::eigendecomposition(a);
    if (!eigen) return IdentityBallSides{{Ball(0)}, {Ball(0)}, false};
    Ball right_norm(0), left_norm(0);
    for (std::size_t i = 0; i < eigen->right.size(); ++i) {
      right_norm += rigor::square(rigor::modulus(eigen->right[i]));
      left_norm += rigor::square(rigor::modulus(eigen->left[i]));
    }
    sides.assumptions_hold = rigor::certainly_less(right_norm * left_norm, Ball(largest_condition * largest_condition));
    std::vector<ComplexBall> sum(n_tokens);
    for (std::size_t j = 0; j < n_tokens; ++j) {
      ComplexBall term;
      for (std::size_t i = 0; i < n_tokens; ++i) term = term + eigen->left[j * n_tokens + i] * ComplexBall{u[i], 0};
      const ComplexBall at = value(first, second, ComplexBall{Ball(filter.factor), 0} * eigen->values[j]);
      for (int step = 0; step < n + filter.shift; ++step) term = term * at;
      for (std::size_t i = 0; i < n_tokens; ++i) sum[i] = sum[i] + term * eigen->right[i * n_tokens + j];
    }
    for (int step = 0; step < n; ++step) {
      const rigor::BallVector smoothed = rigor::multiply(a, u);
      u = rigor::add(rigor::scale(first, smoothed), rigor::scale(second, rigor::multiply(a, smoothed)));
    }
    sides.lhs = u;
    for (const ComplexBall& z : sum) sides.rhs.push_back(z.real);
    return sides;
  };
  // Eigenvalues and eigenvectors of the QR iteration are backward stable to about 8 N u; the condition multiplies that
  // twice (eigenvalues and coordinates), and the n-th power by n.
  p.rounding_bound = 2 * 8 * tokens * most_steps * largest_condition * unit_roundoff;
  return identity(std::move(p));
}

Check both_shapes(Filter filter) {
  return composite({{"W_Q = W_K", Kind::identity, eigen_expansion(symmetric_shape, filter)},
                    {"independent W_Q, W_K", Kind::identity, eigen_expansion(general_shape, filter)}});
}

/// max_i v_i - min_i v_i.
double oscillation(const Eigen::VectorXd& v) { return v.maxCoeff() - v.minCoeff(); }
Ball oscillation(const rigor::BallVector& v) {
  Ball largest = v.front(), least = v.front();
  for (const Ball& entry : v) {
    largest = rigor::max(largest, entry);
    least = rigor::min(least, entry);
  }
  return largest - least;
}

/// osc(A^n u) <= (factor tau)^n osc(u), tau = 1 - min over rows i, k of sum_j min(A_ij, A_kj).
Check contracts_to_constant(double factor) {
  constexpr int most_steps = 64;
  IdentityProblem box;
  set_box(box, general_shape, 1);
  InequalityProblem p;
  p.lower = box.lower;
  p.upper = box.upper;
  p.decode = [](std::span<const double> x) {
    Inputs inputs = with_signal(x, general_shape);
    inputs.add("n", {1 + std::floor(x.back() * most_steps)});
    return inputs;
  };
  // One is added to both sides: where both vanish, rounding would look like a violation.
  p.sides = [=](const Inputs& in) {
    const Eigen::MatrixXd a = attention(in, general_shape);
    double overlap = 1;
    for (Eigen::Index i = 0; i < tokens; ++i) {
      for (Eigen::Index k = 0; k < i; ++k) overlap = std::min(overlap, a.row(i).cwiseMin(a.row(k)).sum());
    }
    const int n = static_cast<int>(in.scalar("n"));
    Eigen::VectorXd v = signal(in);
    const double before = oscillation(v);
    for (int step = 0; step < n; ++step) v = a * v;
    return Sides{1 + oscillation(v), 1 + std::pow(factor * (1 - overlap), n) * before};
  };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix a = ball_attention(in, general_shape);
    Ball overlap(1);
    for (std::size_t i = 0; i < n_tokens; ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        Ball common(0);
        for (std::size_t j = 0; j < n_tokens; ++j) common += rigor::min(a(i, j), a(k, j));
        overlap = rigor::min(overlap, common);
      }
    }
    const int n = static_cast<int>(in.scalar("n"));
    rigor::BallVector v = rigor::to_balls(in["u"]);
    const Ball before = oscillation(v);
    for (int step = 0; step < n; ++step) v = rigor::multiply(a, v);
    return BallSides{Ball(1) + oscillation(v), Ball(1) + rigor::pow(Ball(factor) * (Ball(1) - overlap), n) * before};
  };
  return inequality(std::move(p));
}

/// Two tokens, q = k = (4, -4), u = (1, -1): osc(A^n u) >= share osc(u) after that many steps.
Check hardly_contracts(std::int64_t steps, double share) {
  const AttentionShape shape{.tokens = 2, .features = 1, .shared = true};
  EnumerationProblem p;
  p.domain = "the attention matrix of q = k = (4, -4)";
  p.cases = 1;
  p.relation = Relation::greater_equal;
  p.case_inputs = [](std::int64_t) { return Inputs{{"q", {4, -4}}}; };
  p.ball_sides = [=](const Inputs& in) {
    BallMatrix power = ball_attention(in, shape);
    rigor::BallVector u = {Ball(1), Ball(-1)};
    for (std::int64_t left = steps; left > 0; left /= 2) {
      if (left % 2 == 1) u = rigor::multiply(power, u);
      power = rigor::multiply(power, power);
    }
    return BallSides{oscillation(u), Ball(2) * Ball(share)};
  };
  return enumerate(std::move(p));
}

}  // namespace

Claims iterated_smoothing() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/sec-3.1-coefficients",
        .label = "Sec 3.1 (c_j = <xi_j, u>)",
        .title = "The coefficients of u in the eigenvectors of A are its inner products with them",
        .kind = Kind::identity,
        .tex = R"(u = \sum_j c_j \xi_j,\quad c_j = \langle \xi_j, u\rangle)",
        .assumptions = {"W symmetric positive definite (W_Q = W_K), distinct eigenvalues", "xi_j of unit length"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note = "Section 3.1: 'where c_j = <xi_j, u>', with no inner product defined. The right eigenvectors of D^-1 W "
                "are orthogonal in the one weighted by D; read as the plain one, no normalisation of the xi_j makes "
                "this an identity unless all row sums of W agree. Eqs 12 and 13 need only coordinates.",
        .depends_on = {"twicing/sec-3.1-spectrum"}},
       coefficients(0),
       {},
       {{"inner product weighted by D", 1, coefficients(1)}}});
  claims.push_back(
      {{.id = "twicing/sec-3.1-coefficients-weighted",
        .label = "Sec 3.1 (c_j = <xi_j, u>, amended)",
        .title = "The coefficients are inner products weighted by D",
        .kind = Kind::identity,
        .tex = R"(c_j = \frac{\langle \xi_j, D u\rangle}{\langle \xi_j, D\xi_j\rangle})",
        .assumptions = {"W symmetric positive definite (W_Q = W_K), distinct eigenvalues"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-3.1-coefficients",
        .note = "For independent W_Q and W_K the coefficients are <eta_j, u> with the left eigenvectors eta_j, "
                "biorthogonal to the xi_j: the form in which Eqs 12 and 13 are judged."},
       coefficients(1),
       {{"weight D^1.01", 0.01, coefficients(1.01)}, {"weight D^0.999", 0.001, coefficients(0.999)}}});
  claims.push_back(
      {{.id = "twicing/eq-12",
        .label = "Eq 12",
        .title = "A^n multiplies the coordinates of u by the powers of the eigenvalues",
        .kind = Kind::identity,
        .tex = R"(A^n u = \sum_{j=1}^N \lambda_j^n c_j \xi_j)",
        .assumptions = {"A diagonalisable with eigenvectors of condition at most 1000",
                        "c_j the coordinates of u in the eigenbasis, u = sum_j c_j xi_j", "N = 3, n < 8"},
        .expected = Verdict::supported,
        .note = "c_j is read as the sentence before Eq 12 introduces it, by u = sum_j c_j xi_j; the formula that the "
                "sentence then gives for it is judged apart and refuted. Holds for complex eigenvalues too.",
        .depends_on = {"twicing/sec-3.1-spectrum", "twicing/sec-3.1-coefficients"}},
       both_shapes({}),
       {{"power shifted by one", 1, both_shapes({.shift = 1})},
        {"eigenvalues one percent larger", 0.01, both_shapes({.factor = 1.01})}}});
  claims.push_back({{.id = "twicing/eq-13",
                     .label = "Eq 13",
                     .title = "p(A)^n multiplies the coordinates of u by p(lambda_j)^n",
                     .kind = Kind::identity,
                     .tex = R"(p^n(A)u = \sum_{j=1}^N p^n(\lambda_j) c_j \xi_j)",
                     .assumptions = {"A diagonalisable with eigenvectors of condition at most 1000",
                                     "c_j the coordinates of u in the eigenbasis",
                                     "p(x) = a x + b x^2 with |a|, |b| <= 2; N = 3, n < 8"},
                     .expected = Verdict::supported,
                     .note = "p^n is the n-th power of p, as the text's use of it shows; not the n-fold composition.",
                     .depends_on = {"twicing/eq-12"}},
                    both_shapes({.general = true}),
                    {{"power shifted by one", 1, both_shapes({.general = true, .shift = 1})},
                     {"eigenvalues one percent larger", 0.01, both_shapes({.general = true, .factor = 1.01})}}});
  claims.push_back(
      {{.id = "twicing/sec-3.1-convergence",
        .label = "Sec 3.1 (iterations converge rapidly to a constant)",
        .title = "A^n u converges to a constant signal, geometrically",
        .kind = Kind::limit,
        .tex =
            R"(\operatorname{osc}(A^n u) \le \tau^n \operatorname{osc}(u),\quad \tau = 1 - \min_{i,k}\sum_j \min(A_{ij}, A_{kj}) < 1)",
        .assumptions = {"W_ij > 0, so that tau < 1", "N = 3, D = 2, |q|, |k| <= 2, n <= 64"},
        .expected = Verdict::supported,
        .note = "The geometric bound gives the limit; how rapid it is depends on A, see the next statement.",
        .depends_on = {"twicing/sec-3.1-lambda-1", "twicing/eq-12"}},
       contracts_to_constant(1),
       {{"contraction one percent stronger", 0.01, contracts_to_constant(0.99)}}});
  claims.push_back({{.id = "twicing/sec-3.1-convergence-not-uniform",
                     .label = "Sec 3.1 (iterations converge rapidly to a constant, uniformly)",
                     .title = "No rate holds for all attention matrices: some hardly move in a thousand steps",
                     .kind = Kind::existence,
                     .tex = R"(\exists A:\ \operatorname{osc}(A^{1000}u) \ge 0.99\operatorname{osc}(u))",
                     .assumptions = {"two tokens with q = k = (4, -4), u = (1, -1)"},
                     .expected = Verdict::certified,
                     .printed = false,
                     .amends = "twicing/sec-3.1-convergence"},
                    hardly_contracts(1000, 0.99),
                    {{"a share above one", 0.01, hardly_contracts(1000, 1.000001)},
                     {"as many steps as it takes", 1, hardly_contracts(std::int64_t{1} << 48, 0.99)}}});
  return claims;
}

}  // namespace attest::twicing
