// Twicing, Section 3.1: the averaging operator A = D^-1 W and its conjugate S = D^-1/2 W D^-1/2.
#include <algorithm>
#include <cmath>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/twicing/attention_point.hpp"
#include "theorems/twicing/eigenvalue_bounds.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallMatrix;

constexpr double unit_roundoff = 0x1p-53;
constexpr std::size_t n = 4;  // tokens in the checks of general positive weights

/// N^2 logits, then N numbers u.
Inputs logits_and_signal(std::span<const double> x) {
  return {{"logits", {x.begin(), x.begin() + n * n}}, {"u", {x.begin() + n * n, x.end()}}};
}

std::vector<double> box(std::size_t size, double value) { return std::vector<double>(size, value); }

/// D_ii of Eq 11: row sums, or column sums where `columns`, times `factor`.
template <class Number>
std::vector<Number> degrees(const std::vector<Number>& w, bool columns, double factor) {
  std::vector<Number> d(n, Number(0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) d[columns ? j : i] += w[i * n + j];
  }
  for (Number& sum : d) sum *= Number(factor);
  return d;
}

/// D^-1 W u and D^-1 W 1, against the softmax average of u and 1.
Check smoothing_step(bool columns, double factor) {
  IdentityProblem p;
  p.lower = box(n * n + n, -3);
  p.upper = box(n * n + n, 3);
  p.decode = logits_and_signal;
  p.sides = [=](const Inputs& in) {
    const auto logits = in["logits"];
    const auto u = in["u"];
    std::vector<double> w(n * n);
    std::transform(logits.begin(), logits.end(), w.begin(), [](double logit) { return std::exp(logit); });
    const std::vector<double> d = degrees(w, columns, factor);
    IdentitySides sides;
    sides.scale = 1;
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = logits.subspan(i * n, n);
      const double largest = *std::max_element(row.begin(), row.end());
      double smoothed = 0, ones = 0, numerator = 0, denominator = 0;
      for (std::size_t j = 0; j < n; ++j) {
        smoothed += w[i * n + j] * u[j];
        ones += w[i * n + j];
        numerator += std::exp(row[j] - largest) * u[j];
        denominator += std::exp(row[j] - largest);
        sides.scale = std::max(sides.scale, std::abs(u[j]));
      }
      sides.lhs.insert(sides.lhs.end(), {smoothed / d[i], ones / d[i]});
      sides.rhs.insert(sides.rhs.end(), {numerator / denominator, 1.0});
    }
    return sides;
  };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix logits = rigor::to_balls(in["logits"], n, n);
    const rigor::BallVector u = rigor::to_balls(in["u"]);
    rigor::BallVector w;
    for (const Ball& logit : logits.entries) w.push_back(rigor::exp(logit));
    const rigor::BallVector d = degrees(w, columns, factor);
    IdentityBallSides sides;
    for (std::size_t i = 0; i < n; ++i) {
      const std::span<const Ball> row(w.data() + i * n, n);
      sides.lhs.push_back(rigor::dot(row, u) / d[i]);
      sides.rhs.push_back(rigor::dot(rigor::softmax(logits.row(i)), u));
      sides.lhs.push_back(rigor::sum(row) / d[i]);
      sides.rhs.push_back(Ball(1));
    }
    return sides;
  };
  // Either side: a logit shifted by at most 6 is off by 6u, its exponential by 2u more, a sum of 4 products by 4u, the
  // quotient by 2u.
  p.rounding_bound = 2 * (6 + 2 + 4 + 2) * unit_roundoff;
  return identity(std::move(p));
}

/// D^left (D^inner W D^inner) D^right = D^-1 W.
Check conjugation(double left, double inner, double right) {
  IdentityProblem p;
  p.lower = box(n * n, -3);
  p.upper = box(n * n, 3);
  p.decode = [](std::span<const double> x) { return Inputs{{"logits", {x.begin(), x.end()}}}; };
  p.sides = [=](const Inputs& in) {
    std::vector<double> w;
    for (const double logit : in["logits"]) w.push_back(std::exp(logit));
    const std::vector<double> d = degrees(w, false, 1);
    IdentitySides sides;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double s = std::pow(d[i], inner) * w[i * n + j] * std::pow(d[j], inner);
        sides.lhs.push_back(std::pow(d[i], left) * s * std::pow(d[j], right));
        sides.rhs.push_back(w[i * n + j] / d[i]);
      }
    }
    return sides;
  };
  p.ball_sides = [=](const Inputs& in) {
    rigor::BallVector w;
    for (const double logit : in["logits"]) w.push_back(rigor::exp(Ball(logit)));
    const rigor::BallVector d = degrees(w, false, 1);
    IdentityBallSides sides;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const Ball s = rigor::pow(d[i], Ball(inner)) * w[i * n + j] * rigor::pow(d[j], Ball(inner));
        sides.lhs.push_back(rigor::pow(d[i], Ball(left)) * s * rigor::pow(d[j], Ball(right)));
        sides.rhs.push_back(w[i * n + j] / d[i]);
      }
    }
    return sides;
  };
  // Four powers of the same D (2u each), four products, one quotient.
  p.rounding_bound = (4 * 2 + 4 + 1) * unit_roundoff;
  return identity(std::move(p));
}

/// Coefficients of Prod p_k = tr A^k for a matrix with A_ij = 0 where j > i + ahead: sum_i A_ii^k against tr A^k.
Check causal_spectrum(int ahead) {
  constexpr int tokens = 4;
  const AttentionShape shape{.tokens = tokens, .features = 2};
  const auto masked = [=](BallMatrix w) {
    for (std::size_t i = 0; i < w.rows; ++i) {
      for (std::size_t j = i + 1 + static_cast<std::size_t>(ahead); j < w.cols; ++j) w(i, j) = Ball(0);
    }
    return row_normalised(w);
  };
  IdentityProblem p;
  p.lower = box(coordinates(shape), -2);
  p.upper = box(coordinates(shape), 2);
  p.decode = [=](std::span<const double> x) { return queries_and_keys(x, shape); };
  p.sides = [=](const Inputs& in) {
    Eigen::MatrixXd w = weights(in, shape);
    for (Eigen::Index i = 0; i < tokens; ++i) {
      for (Eigen::Index j = i + 1 + ahead; j < tokens; ++j) w(i, j) = 0;
    }
    const Eigen::MatrixXd a = spectra::row_normalised(w);
    Eigen::MatrixXd power = a;
    IdentitySides sides;
    sides.scale = tokens;
    for (int k = 1; k <= tokens; ++k) {
      sides.lhs.push_back(a.diagonal().array().pow(k).sum());
      sides.rhs.push_back(power.trace());
      power = (power * a).eval();
    }
    return sides;
  };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix a = masked(ball_weights(in, shape));
    BallMatrix power = a;
    IdentityBallSides sides;
    for (int k = 1; k <= tokens; ++k) {
      Ball powers(0), trace(0);
      for (std::size_t i = 0; i < a.rows; ++i) {
        powers += rigor::pow(a(i, i), k);
        trace += power(i, i);
      }
      sides.lhs.push_back(powers);
      sides.rhs.push_back(trace);
      power = rigor::multiply(power, a);
    }
    return sides;
  };
  // Products of up to four stochastic matrices: 4 terms a product, 4 products, relative to N.
  p.rounding_bound = (4 * 4 + 4) * unit_roundoff;
  return identity(std::move(p));
}

/// A defective average: if A has the eigenvalues 1, 0, 0 alone (A^2 (A - I) = 0) and a full set of eigenvectors, then
/// A (A - I) = 0. The weights 1 and 2 give A in quarters, exactly.
Check complete_eigenvectors() {
  EnumerationProblem p;
  p.domain = "W = (1 2 1; 1 2 1; 2 1 1), where A^2 (A - I) = 0";
  p.cases = 1;
  p.relation = Relation::equal;
  p.case_inputs = [](std::int64_t) { return Inputs{{"w", {1, 2, 1, 1, 2, 1, 2, 1, 1}}}; };
  p.ball_sides = [](const Inputs& in) {
    const BallMatrix a = row_normalised(rigor::to_balls(in["w"], 3, 3));
    const BallMatrix residue = rigor::multiply(a, rigor::subtract(a, rigor::identity(3)));
    const BallMatrix nilpotent = rigor::multiply(a, residue);
    bool only_one_and_zero = true;
    for (const Ball& entry : nilpotent.entries)
      only_one_and_zero = only_one_and_zero && entry.is_exact() && entry.contains_zero();
    return BallSides{rigor::frobenius_norm(residue), Ball(0), only_one_and_zero};
  };
  return enumerate(std::move(p));
}

Check printed_spectrum(double allowance) {
  return composite({{"eigenvalues positive", Kind::universal_inequality, second_eigenvalue_at_least(-allowance)},
                    {"eigenvalues real", Kind::universal_inequality, real_spectrum()},
                    {"N independent eigenvectors", Kind::identity, complete_eigenvectors()}});
}

Check symmetric_spectrum(double diagonal, double largest, double least = 0) {
  const AttentionShape shape{.tokens = 3, .features = 2, .shared = true};
  return composite({{"u^T S u > 0", Kind::universal_inequality, definite(shape, Relation::greater, diagonal, 0)},
                    {"u^T S u <= u^T u", Kind::universal_inequality, contraction(shape, largest)},
                    {"least eigenvalue, N = 10, Gaussian kernel", Kind::universal_inequality,
                     least_eigenvalue_above(spectra::AttentionFamily::gaussian_kernel, 10, least)},
                    {"least eigenvalue, N = 10, W_Q = W_K", Kind::universal_inequality,
                     least_eigenvalue_above(spectra::AttentionFamily::shared_projection, 10, least)}});
}

Check largest_eigenvalue(double normaliser, double bound) {
  const AttentionShape shape{.tokens = 3, .features = 2};
  return composite({{"A 1 = 1", Kind::identity, smoothing_step(false, normaliser)},
                    {"|lambda_2| < 1", Kind::universal_inequality, second_modulus_below(shape, bound)}});
}

}  // namespace

Claims averaging_operator() {
  const AttentionShape two{.tokens = 2, .features = 1};
  const AttentionShape shared{.tokens = 3, .features = 2, .shared = true};
  const AttentionShape independent{.tokens = 3, .features = 2};
  Claims claims;
  claims.push_back(
      {{.id = "twicing/eq-11",
        .label = "Eq 11",
        .title = "One smoothing step is the average A u with A = D^-1 W and A 1 = 1",
        .kind = Kind::definition,
        .tex = R"(u^1 = D^{-1} W u^0,\quad D_{ii} = \sum_j W_{ij},\quad A = D^{-1}W,\quad A\mathbf 1 = \mathbf 1)",
        .assumptions = {"W_ij = exp(l_ij) > 0, so that D is invertible", "N = 4, logits l_ij in [-3, 3]"},
        .expected = Verdict::supported},
       smoothing_step(false, 1),
       {{"normaliser one percent too large", 0.01, smoothing_step(false, 1.01)},
        {"normaliser off by 1e-6", 1e-6, smoothing_step(false, 1 + 1e-6)},
        {"column sums instead of row sums", 1, smoothing_step(true, 1)}}});
  claims.push_back({{.id = "twicing/sec-3.1-conjugation",
                     .label = "Sec 3.1 (A = D^{-1/2} S D^{1/2})",
                     .title = "A is conjugate to S = D^-1/2 W D^-1/2",
                     .kind = Kind::identity,
                     .tex = R"(D^{-1}W = D^{-1/2}\,\bigl(D^{-1/2}WD^{-1/2}\bigr)\,D^{1/2})",
                     .assumptions = {"W_ij > 0, symmetric or not", "N = 4, logits in [-3, 3]"},
                     .expected = Verdict::supported,
                     .note = "Holds as printed. The opposite order D^{1/2} S D^{-1/2} gives W D^{-1}.",
                     .depends_on = {"twicing/eq-11"}},
                    conjugation(-0.5, -0.5, 0.5),
                    {{"the two outer factors exchanged", 1, conjugation(0.5, -0.5, -0.5)},
                     {"outer exponent 0.505", 0.01, conjugation(-0.5, -0.5, 0.505)},
                     {"inner exponent -0.5005", 0.001, conjugation(-0.5, -0.5005, 0.5)}}});
  claims.push_back(
      {{.id = "twicing/sec-3.1-positive-definite",
        .label = "Sec 3.1 (S positive definite)",
        .title = "S is positive definite",
        .kind = Kind::universal_inequality,
        .tex =
            R"(u^\top S u > 0 \text{ for all } u \ne 0,\quad S = D^{-1/2}WD^{-1/2},\ W_{ij} = e^{q_i^\top k_j/\sqrt D})",
        .assumptions = {"W_ij = exp(q_i . k_j / sqrt(D)), the weights that the paper takes in Eq 8"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note =
            "Section 3.1: 'the positive definite matrix S'. It holds where W is symmetric positive definite, as for "
            "the weights of nonlocal means, which is judged beside this; Section 2.3 'neglects the symmetry' and "
            "takes queries and keys of their own. Judged in the weaker form >= 0, which fails too."},
       definite(two, Relation::greater_equal, 1, 0),
       {},
       {{"queries equal to keys", 1, definite(shared, Relation::greater_equal, 1, 0)}}});
  claims.push_back({{.id = "twicing/sec-3.1-positive-definite-shared",
                     .label = "Sec 3.1 (S positive definite, amended)",
                     .title = "S is positive definite when queries and keys coincide and the tokens differ",
                     .kind = Kind::universal_inequality,
                     .tex = R"(W_Q = W_K,\ x_i \ne x_j \implies u^\top S u > 0 \text{ for all } u \ne 0)",
                     .assumptions = {"W_ij = exp(x_i . x_j / sqrt(D)), an exponential of a Gram matrix",
                                     "the x_i are distinct", "N = 3, D = 2, |x| <= 2"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/sec-3.1-positive-definite"},
                    definite(shared, Relation::greater, 1, 0),
                    {{"diagonal of W lowered by one percent", 0.01, definite(shared, Relation::greater, 0.99, 0)},
                     {"W_Q = W_K dropped", 1, definite(independent, Relation::greater, 1, 0)}}});
  claims.push_back(
      {{.id = "twicing/sec-3.1-spectrum",
        .label = "Sec 3.1 (complete right eigenvectors, eigenvalues 1 = l1 >= ... >= lN > 0)",
        .title = "A has N independent right eigenvectors and positive eigenvalues",
        .kind = Kind::universal_inequality,
        .tex = R"(1 = \lambda_1 \ge \dots \ge \lambda_N > 0 \text{ with } N \text{ independent right eigenvectors})",
        .assumptions = {"W_ij = exp(q_i . k_j / sqrt(D)) in the first two parts, W_ij > 0 in the third"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note = "Section 3.1: 'This implies that A has a complete set of right eigenvectors and positive eigenvalues', "
                "from S positive definite. It does hold there; for attention with queries and keys of their own each "
                "of the three parts has its own counterexample.",
        .depends_on = {"twicing/sec-3.1-positive-definite", "twicing/sec-3.1-conjugation"}},
       printed_spectrum(0),
       {},
       {{"W symmetric positive definite", 1, symmetric_spectrum(1, 1)}}});
  claims.push_back(
      {{.id = "twicing/sec-3.1-spectrum-symmetric",
        .label = "Sec 3.1 (complete right eigenvectors, eigenvalues 1 = l1 >= ... >= lN > 0, amended)",
        .title = "With a symmetric positive definite W the eigenvalues of A lie in (0, 1] and A is diagonalisable",
        .kind = Kind::universal_inequality,
        .tex =
            R"(W = W^\top \succ 0 \implies 0 < u^\top S u \le u^\top u,\ \text{so } \lambda_j \in (0,1]\text{ and } A = D^{-1/2}SD^{1/2}\text{ is diagonalisable})",
        .assumptions = {"W_ij = exp(x_i . x_j / sqrt(D)) or exp(-|x_i - x_j|^2 / (2 sqrt(D)))", "the x_i are distinct"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-3.1-spectrum"},
       symmetric_spectrum(1, 1),
       {{"diagonal of W lowered by one percent", 0.01, symmetric_spectrum(0.99, 1)},
        {"u^T S u <= 0.999 u^T u", 0.001, symmetric_spectrum(1, 0.999), "u^T S u <= u^T u"},
        {"least eigenvalue above 0.01, Gaussian kernel", 0.01, symmetric_spectrum(1, 1, 0.01),
         "least eigenvalue, N = 10, Gaussian kernel"},
        {"least eigenvalue above 0.01, W_Q = W_K", 0.01, symmetric_spectrum(1, 1, 0.01),
         "least eigenvalue, N = 10, W_Q = W_K"}}});
  claims.push_back(
      {{.id = "twicing/sec-3.1-spectrum-causal",
        .label = "Sec 3.1 (complete right eigenvectors, eigenvalues 1 = l1 >= ... >= lN > 0, causal)",
        .title = "Causal attention has the positive eigenvalues A_11 = 1, A_22, ..., A_NN",
        .kind = Kind::identity,
        .tex = R"(\operatorname{tr} A^k = \sum_i A_{ii}^k,\ k = 1,\dots,N,\quad W_{ij} = 0 \text{ for } j > i)",
        .assumptions = {"causal mask", "N = 4, D = 2, |q|, |k| <= 2"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-3.1-spectrum",
        .note = "Real and positive without any symmetry; a complete set of eigenvectors needs distinct A_ii."},
       causal_spectrum(0),
       {{"mask shifted by one token", 1, causal_spectrum(1)}}});
  claims.push_back({{.id = "twicing/sec-3.1-lambda-1",
                     .label = "Sec 3.1 (lambda_1 = 1, A1 = 1)",
                     .title = "The largest eigenvalue of A is 1, with the right eigenvector 1",
                     .kind = Kind::universal_inequality,
                     .tex = R"(A\mathbf 1 = \mathbf 1,\quad |\lambda_j| < 1 \text{ for } j \ge 2)",
                     .assumptions = {"W_ij > 0, symmetric or not", "second part: N = 3, D = 2, |q|, |k| <= 2"},
                     .expected = Verdict::supported,
                     .note = "Largest in modulus; simple because W is positive (Perron-Frobenius).",
                     .depends_on = {"twicing/eq-11", "twicing/sec-3.1-spectrum"}},
                    largest_eigenvalue(1, 1),
                    {{"|lambda_2| < 0.99", 0.01, largest_eigenvalue(1, 0.99)},
                     {"rows that sum to 1.01", 0.01, largest_eigenvalue(1 / 1.01, 1)}}});
  return claims;
}

}  // namespace attest::twicing
