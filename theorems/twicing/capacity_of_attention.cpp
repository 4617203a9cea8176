// Twicing, Section 3.3 on attention matrices: the sum of eigenvalues that Definition 1 stands for, Proposition 1 as a
// statement on denoising, Remark 1 and the abstract.
#include <algorithm>
#include <cmath>

#include "kernels/rigor/ball_spectrum.hpp"
#include "kernels/spectra/symmetric_spectrum.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/attention_point.hpp"
#include "theorems/twicing/capacity_checks.hpp"
#include "theorems/twicing/capacity_integrals.hpp"
#include "theorems/twicing/eigenvalue_bounds.hpp"
#include "theorems/twicing/family_figures.hpp"
#include "theorems/twicing/illustrated.hpp"
#include "theorems/twicing/scalar_problem.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallMatrix;
using rigor::BallVector;

constexpr int tokens = 3;
constexpr std::size_t n_tokens = tokens;
constexpr AttentionShape symmetric_shape{.tokens = tokens, .features = 2, .shared = true};

/// Tokens in [-2, 2]^(N D), a signal in [-1, 1]^N, and n = 1, ..., most_steps.
InequalityProblem symmetric_problem(int most_steps) {
  InequalityProblem p;
  const std::size_t first = coordinates(symmetric_shape);
  p.lower.assign(first + n_tokens + 1, -1);
  p.upper.assign(first + n_tokens + 1, 1);
  std::fill_n(p.lower.begin(), first, -2);
  std::fill_n(p.upper.begin(), first, 2);
  p.lower.back() = 1;
  p.upper.back() = most_steps + 1 - 0x1p-20;
  p.evaluations = 8000;
  p.decode = [=](std::span<const double> x) {
    Inputs inputs = queries_and_keys(x, symmetric_shape);
    const auto u = x.subspan(first, n_tokens);
    inputs.add("u", {u.begin(), u.end()});
    inputs.add("n", {std::floor(x.back())});
    return inputs;
  };
  return p;
}

/// v after n steps of A, or of 2A - A^2.
Eigen::VectorXd iterate(const Eigen::MatrixXd& a, Eigen::VectorXd v, int n, bool twicing) {
  for (int step = 0; step < n; ++step) {
    const Eigen::VectorXd smoothed = a * v;
    v = twicing ? Eigen::VectorXd(smoothed + a * (v - smoothed)) : smoothed;
  }
  return v;
}
BallVector iterate(const BallMatrix& a, BallVector v, int n, bool twicing) {
  for (int step = 0; step < n; ++step) {
    const BallVector smoothed = rigor::multiply(a, v);
    v = twicing ? rigor::subtract(rigor::scale(Ball(2), smoothed), rigor::multiply(a, smoothed)) : smoothed;
  }
  return v;
}

/// |v - Pi v|_D with Pi v = (1^T D v / 1^T D 1) 1: the distance from the constant signals in which A is symmetric.
double distance(const Eigen::VectorXd& d, const Eigen::VectorXd& v) {
  const Eigen::VectorXd centred = v.array() - d.dot(v) / d.sum();
  return std::sqrt(d.dot(centred.cwiseProduct(centred)));
}
Ball distance(const BallVector& d, const BallVector& v) {
  const Ball mean = rigor::dot(d, v) / rigor::sum(d);
  Ball squares(0);
  for (std::size_t i = 0; i < v.size(); ++i) squares += d[i] * rigor::square(v[i] - mean);
  return rigor::sqrt(squares);
}

Eigen::VectorXd signal(const Inputs& in) {
  const auto u = in["u"];
  return Eigen::Map<const Eigen::VectorXd>(u.data(), static_cast<Eigen::Index>(u.size()));
}

/// |p(A)^n u - Pi u|_D <= (factor p(lambda_2))^n |u - Pi u|_D. Both sides divided by sqrt(1^T D 1) and raised by one,
/// so that rounding of vanishing distances is not taken for a violation.
Check geometric_decay(bool twicing, double factor) {
  InequalityProblem p = symmetric_problem(6);
  p.sides = [=](const Inputs& in) {
    const Eigen::MatrixXd w = weights(in, symmetric_shape);
    const Eigen::VectorXd d = w.rowwise().sum();
    const double lambda = spectra::normalised_kernel_eigenvalues(w)[1];
    const double rate = factor * (twicing ? lambda * (2 - lambda) : lambda);
    const int n = static_cast<int>(in.scalar("n"));
    const double size = std::sqrt(d.sum());
    const Eigen::VectorXd after = iterate(spectra::row_normalised(w), signal(in), n, twicing);
    return Sides{1 + distance(d, after) / size, 1 + std::pow(rate, n) * distance(d, signal(in)) / size};
  };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix w = ball_weights(in, symmetric_shape);
    const BallVector d = row_sums(w);
    const BallMatrix a = row_normalised(w);
    const auto values = rigor::eigenvalues(a);
    if (!values) return BallSides{Ball(1), Ball(1), false};
    const Ball lambda = (*values)[1].real;
    const Ball rate = Ball(factor) * (twicing ? Ball(1) - rigor::square(Ball(1) - lambda) : lambda);
    const int n = static_cast<int>(in.scalar("n"));
    const BallVector u = rigor::to_balls(in["u"]);
    const Ball size = rigor::sqrt(rigor::sum(d));
    return BallSides{Ball(1) + distance(d, iterate(a, u, n, twicing)) / size,
                     Ball(1) + rigor::pow(rate, n) * distance(d, u) / size};
  };
  return inequality(std::move(p));
}

/// |(2A - A^2)^n u - Pi u|_D >= factor |A^n u - Pi u|_D, scaled and raised as above.
Check slower(double factor) {
  InequalityProblem p = symmetric_problem(6);
  p.relation = Relation::greater_equal;
  p.sides = [=](const Inputs& in) {
    const Eigen::MatrixXd w = weights(in, symmetric_shape);
    const Eigen::VectorXd d = w.rowwise().sum();
    const Eigen::MatrixXd a = spectra::row_normalised(w);
    const int n = static_cast<int>(in.scalar("n"));
    const double size = std::sqrt(d.sum());
    return Sides{1 + distance(d, iterate(a, signal(in), n, true)) / size,
                 1 + factor * distance(d, iterate(a, signal(in), n, false)) / size};
  };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix w = ball_weights(in, symmetric_shape);
    const BallVector d = row_sums(w);
    const BallMatrix a = row_normalised(w);
    const int n = static_cast<int>(in.scalar("n"));
    const BallVector u = rigor::to_balls(in["u"]);
    const Ball size = rigor::sqrt(rigor::sum(d));
    return BallSides{Ball(1) + distance(d, iterate(a, u, n, true)) / size,
                     Ball(1) + Ball(factor) * distance(d, iterate(a, u, n, false)) / size};
  };
  return inequality(std::move(p));
}

/// The eigenvalues of W = (1 - t) I + t 1 1^T, N = 8, t = 1/64: 1, and mu = 63/71 seven times.
/// (1/N) sum_i p^n(lambda_i) of order n^-exponent; `all` includes lambda_1.
Check matrix_capacity(bool twicing, bool all, double exponent) {
  constexpr std::int64_t size = 8;
  SequenceProblem p;
  p.claim = Asymptotics::same_order;
  p.n = geometric_grid(1, 4, 9);
  p.resolution = 1e-3;
  p.value = [=](double n) {
    const Ball mu = Ball::from_rational(63, 71);
    const Ball base = twicing ? Ball(2) * mu - mu * mu : mu;
    return (Ball(all ? 1 : 0) + Ball(size - 1) * rigor::pow(base, static_cast<std::int64_t>(n))) / Ball(size);
  };
  p.reference = [=](double n) { return rigor::pow(Ball(n), -Ball(exponent)); };
  return sequence(std::move(p));
}

Check decay_of_matrix_capacity(double exponent, double exponent_twicing) {
  return composite({{"A^n", Kind::rate, matrix_capacity(false, true, exponent)},
                    {"(2A - A^2)^n", Kind::rate, matrix_capacity(true, true, exponent_twicing)},
                    {"A^n without lambda_1", Kind::rate, matrix_capacity(false, false, exponent)},
                    {"(2A - A^2)^n without lambda_1", Kind::rate, matrix_capacity(true, false, exponent_twicing)}});
}

/// Two tokens with one feature: max - min of (2A - A^2)^n u is at most factor that of u, n = 20.
Check output_contracts(double factor) {
  const AttentionShape shape{.tokens = 2, .features = 1};
  constexpr int steps = 20;
  InequalityProblem p;
  p.lower.assign(coordinates(shape), -2);
  p.upper.assign(coordinates(shape), 2);
  p.corners = {{1, -1, -1, 1}};
  p.decode = [=](std::span<const double> x) { return queries_and_keys(x, shape); };
  p.sides = [=](const Inputs& in) {
    const double lambda = attention(in, shape).trace() - 1;
    return Sides{2 * std::pow(std::abs(lambda * (2 - lambda)), steps), 2 * factor};
  };
  p.ball_sides = [=](const Inputs& in) {
    const BallVector v = iterate(ball_attention(in, shape), {Ball(1), Ball(-1)}, steps, true);
    return BallSides{rigor::abs(v[0] - v[1]), Ball(2) * Ball(factor)};
  };
  return inequality(std::move(p));
}

/// With the gap g = 1 - lambda_2: log(1 - g) / log(1 - g^2) >= factor / g, the ratio of steps to a given distance.
Check steps_needed(double factor) {
  return scalar_inequality(
      {{"g"}, {1e-6}, {0.999}}, Relation::greater_equal,
      [=](const std::vector<double>& p) {
        return Sides{-p[0] * std::log1p(-p[0]), -factor * std::log1p(-p[0] * p[0])};
      },
      [=](const BallVector& p) {
        return BallSides{rigor::log(Ball(1) - p[0]) / rigor::log(Ball(1) - rigor::square(p[0])), Ball(factor) / p[0]};
      });
}

Check slow_convergence(double factor) {
  return composite({{"converges", Kind::universal_inequality, geometric_decay(true, 1)},
                    {"not faster than A", Kind::universal_inequality, slower(factor)}});
}

Check abstract(double gain, double disc) {
  return composite(
      {{"kappa_n(2x - x^2) / kappa_n(x) ~ sqrt(pi n) / 2", Kind::rate, gain_of_twicing(gain)},
       {"kappa_n(2x - x^2) >= kappa_n(x)", Kind::universal_inequality, slower_capacity(false, 1, 1)},
       {"no eigenvalue in the unit disc shrinks faster", Kind::universal_inequality, dominance_on_disc(disc)}});
}

/// N tokens with W = (1 - t) I + t 1 1^T: eigenvalues 1 and (N - 1 times) mu = (1 - t) / (1 - t + t N).
/// The mean of p^n(lambda_i) is at most factor kappa_n (or at least kappa_n / factor).
Check close_to_capacity(bool above, double factor) {
  return scalar_inequality(
      {{"log2_N", "t", "n"}, {1, 0, 1}, {20, 1, 65}}, above ? Relation::less_equal : Relation::greater_equal,
      [=](const std::vector<double>& p) {
        const double size = std::exp2(std::floor(p[0])), t = p[1], n = p[2];
        const double mu = (1 - t) / (1 - t + t * size);
        const double mean = (1 + (size - 1) * std::pow(mu, n)) / size;
        return Sides{mean, (above ? factor : 1 / factor) / (n + 1)};
      },
      [=](const BallVector& p) {
        const Ball size(std::exp2(std::floor(p[0].mid())));
        const Ball& t = p[1];
        const Ball mu = (Ball(1) - t) / (Ball(1) - t + t * size);
        const Ball mean = (Ball(1) + (size - Ball(1)) * rigor::pow(mu, static_cast<std::int64_t>(p[2].mid()))) / size;
        const Ball capacity_n = capacity_of_identity(p[2]);
        return BallSides{mean, above ? Ball(factor) * capacity_n : capacity_n / Ball(factor)};
      });
}

Check effective_approximation(double factor) {
  return composite({{"not above", Kind::universal_inequality, close_to_capacity(true, factor)},
                    {"not below", Kind::universal_inequality, close_to_capacity(false, factor)}});
}

/// tr A^n <= 1 + (N - 1) (factor lambda_2)^n for symmetric weights.
Check trace_bound(double factor) {
  InequalityProblem p = symmetric_problem(12);
  p.sides = [=](const Inputs& in) {
    const std::vector<double> values = spectra::normalised_kernel_eigenvalues(weights(in, symmetric_shape));
    const double n = in.scalar("n");
    double trace = 0;
    for (const double value : values) trace += std::pow(value, n);
    return Sides{trace, 1 + (tokens - 1) * std::pow(factor * values[1], n)};
  };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix a = ball_attention(in, symmetric_shape);
    const auto values = rigor::eigenvalues(a);
    if (!values) return BallSides{Ball(1), Ball(1), false};
    const int n = static_cast<int>(in.scalar("n"));
    BallMatrix power = a;
    for (int step = 1; step < n; ++step) power = rigor::multiply(power, a);
    Ball trace(0);
    for (std::size_t i = 0; i < n_tokens; ++i) trace += power(i, i);
    return BallSides{trace, Ball(1) + Ball(tokens - 1) * rigor::pow(Ball(factor) * (*values)[1].real, n)};
  };
  return inequality(std::move(p));
}

}  // namespace

Claims capacity_of_attention() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/def-1-eigenvalue-sum",
        .label = "Definition 1 (approximates the sum of the eigenvalues of p^n(A))",
        .title = "The eigencapacity approximates the mean of p^n over the eigenvalues",
        .kind = Kind::universal_inequality,
        .tex = R"(\tfrac12\kappa_n(p) \le \frac1N\sum_i p^n(\lambda_i) \le 2\kappa_n(p))",
        .assumptions = {"'effective approximation' read as: within a factor of two", "p(x) = x",
                        "W = (1-t) I + t 1 1^T, symmetric positive definite, N = 2, ..., 2^20, n = 1, ..., 64"},
        .expected = Verdict::refuted,
        .note =
            "kappa_n does not depend on A. No factor would do: the mean is at least 1/N for every n, and it can be as "
            "small as that or as large as 1.",
        .depends_on = {"twicing/def-1", "twicing/sec-3.3-mean-value"}},
       effective_approximation(2),
       {{"within a factor 2.02", 0.01, effective_approximation(2.02)},
        {"within a factor 8", 3, effective_approximation(8)}}});
  claims.push_back({{.id = "twicing/def-1-eigenvalue-sum-amended",
                     .label = "Definition 1 (the sum of the eigenvalues of A^n)",
                     .title = "For a symmetric positive definite W the mean of lambda_i^n decays geometrically to 1/N",
                     .kind = Kind::universal_inequality,
                     .tex = R"(1 \le \operatorname{tr}A^n \le 1 + (N-1)\lambda_2^n)",
                     .assumptions = {"W_Q = W_K", "N = 3, D = 2, |x| <= 2, n <= 12"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/def-1-eigenvalue-sum"},
                    trace_bound(1),
                    {{"lambda_2 one percent smaller", 0.01, trace_bound(0.99)}}});
  claims.push_back(
      {{.id = "twicing/prop-1-attention",
        .label = "Prop 1 (read as decay of the capacity of an attention matrix)",
        .title = "The capacity of (2A - A^2)^n decays like n^-1/2, that of A^n like n^-1",
        .kind = Kind::rate,
        .tex =
            R"(\frac1N\sum_i \lambda_i^n \asymp n^{-1},\qquad \frac1N\sum_i(2\lambda_i-\lambda_i^2)^n \asymp n^{-1/2})",
        .assumptions = {"a fixed attention matrix; W = (63/64) I + (1/64) 1 1^T with N = 8 in the check"},
        .expected = Verdict::undecided,
        .note = "A fixed matrix has finitely many eigenvalues: the sum tends to 1/N, and without lambda_1 it decays "
                "geometrically, whatever the polynomial. The rates are those of a continuum of eigenvalues up to 1.",
        .depends_on = {"twicing/prop-1", "twicing/def-1-eigenvalue-sum"}},
       illustrated(decay_of_matrix_capacity(1, 0.5), capacity_of_families),
       {{"order n^-0.01 for both", 0.01, decay_of_matrix_capacity(0.01, 0.01)}}});
  claims.push_back(
      {{.id = "twicing/prop-1-geometric",
        .label = "Prop 1 (read as decay of the capacity of an attention matrix, amended)",
        .title = "Signals decay like lambda_2^n under A and (1 - (1 - lambda_2)^2)^n under 2A - A^2",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\|A^nu-\Pi u\|_D \le \lambda_2^n\|u-\Pi u\|_D,\qquad \|(2A-A^2)^nu-\Pi u\|_D \le \bigl(1-(1-\lambda_2)^2\bigr)^n\|u-\Pi u\|_D)",
        .assumptions = {"W_Q = W_K", "N = 3, D = 2, |x| <= 2, n <= 6", "norm weighted by D, Pi the mean weighted by D"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/prop-1-attention",
        .note = "Attained at the second eigenvector: twicing squares the spectral gap."},
       composite({{"A", Kind::universal_inequality, geometric_decay(false, 1)},
                  {"2A - A^2", Kind::universal_inequality, geometric_decay(true, 1)}}),
       {{"rate of A one percent smaller", 0.01, geometric_decay(false, 0.99)},
        {"rate of 2A - A^2 one percent smaller", 0.01, geometric_decay(true, 0.99)}}});
  claims.push_back(
      {{.id = "twicing/remark-1",
        .label = "Remark 1",
        .title = "With 2A - A^2 the output converges to a constant, more slowly than with A",
        .kind = Kind::limit,
        .tex = R"((2A-A^2)^n u \to \text{const},\quad A = \operatorname{softmax}(QK^\top/\sqrt D))",
        .assumptions = {"two tokens with one feature, |q|, |k| <= 2, u = (1, -1), n = 20"},
        .expected = Verdict::refuted,
        .note =
            "Two tokens that attend to each other have lambda_2 < 1 - sqrt(2): the difference of the outputs grows "
            "geometrically instead of vanishing. (For two tokens it is |2 lambda_2 - lambda_2^2|^n times the first.)",
        .depends_on = {"twicing/sec-3.2-boundedness-attention", "twicing/eq-10", "twicing/prop-1",
                       "twicing/prop-1-attention"}},
       output_contracts(1),
       {{"at most one percent more than at first", 0.01, output_contracts(1.01)},
        {"at most a thousand times the first", 1, output_contracts(1000)}}});
  claims.push_back(
      {{.id = "twicing/remark-1-symmetric",
        .label = "Remark 1 (for a symmetric positive definite W)",
        .title = "With W_Q = W_K twicing converges to the same constant, never faster than A",
        .kind = Kind::universal_inequality,
        .tex = R"(\|A^nu-\Pi u\|_D \le \|(2A-A^2)^nu-\Pi u\|_D \le \bigl(1-(1-\lambda_2)^2\bigr)^n\|u-\Pi u\|_D)",
        .assumptions = {"W_Q = W_K", "N = 3, D = 2, |x| <= 2, n <= 6"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/remark-1"},
       slow_convergence(1),
       {{"one percent slower still", 0.01, slow_convergence(1.01)}}});
  claims.push_back({{.id = "twicing/remark-1-steps",
                     .label = "Remark 1 (how much more slowly)",
                     .title = "Twicing needs at least 1 / (1 - lambda_2) times as many steps",
                     .kind = Kind::universal_inequality,
                     .tex = R"(\frac{\log\lambda_2}{\log(1-(1-\lambda_2)^2)} \ge \frac{1}{1-\lambda_2})",
                     .assumptions = {"W_Q = W_K", "1 - lambda_2 in [1e-6, 0.999]"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/remark-1",
                     .note = "Sharp as the gap tends to 0: this is what 'significantly more slowly' amounts to."},
                    steps_needed(1),
                    {{"one percent more", 0.01, steps_needed(1.01)}}});
  claims.push_back(
      {{.id = "twicing/abstract-slower-decay",
        .label = "Abstract ('provably slower decay of representational capacity')",
        .title = "Twicing has a slower decay of representational capacity",
        .kind = Kind::rate,
        .tex =
            R"(\kappa_n(2x-x^2)/\kappa_n(x) \sim \tfrac{\sqrt{\pi n}}{2},\qquad |2\lambda-\lambda^2|\ge|\lambda| \text{ for } |\lambda|\le1)",
        .assumptions = {"capacity as in Definition 1, or as the moduli of the eigenvalues of a row-stochastic A"},
        .expected = Verdict::supported,
        .note =
            "Slower in both senses, and for every attention matrix. For asymmetric ones it may be no decay at all but "
            "growth: see the statements on stability.",
        .depends_on = {"twicing/prop-1", "twicing/prop-1-attention", "twicing/remark-1"}},
       abstract(1, 1),
       {{"gain one percent larger", 0.01, abstract(1.01, 1)}, {"moduli one percent larger", 0.01, abstract(1, 1.01)}}});
  return claims;
}

}  // namespace attest::twicing
