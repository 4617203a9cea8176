// Twicing, Section 3.2 for attention matrices: where the eigenvalues of 2A - A^2 stay bounded, and where they do not.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "kernels/rigor/ball_spectrum.hpp"
#include "kernels/spectra/dense_spectrum.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/expectation.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/twicing/attention_point.hpp"
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
using rigor::ComplexBall;
using spectra::AttentionFamily;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double unit_roundoff = 0x1p-53;

/// 2 lambda - lambda^2.
template <class Number>
Number twiced(const Number& lambda) {
  return lambda + lambda - lambda * lambda;
}

/// |2 lambda_2 - lambda_2^2| <= bound for two tokens with one feature, lambda_2 = A_11 + A_22 - 1.
Check bounded_for_two_tokens(double bound, bool shared) {
  const AttentionShape shape{.tokens = 2, .features = 1, .shared = shared};
  InequalityProblem p;
  p.lower.assign(coordinates(shape), -2);
  p.upper.assign(coordinates(shape), 2);
  if (!shared) p.corners = {{1, -1, -1, 1}};
  p.decode = [=](std::span<const double> x) { return queries_and_keys(x, shape); };
  p.sides = [=](const Inputs& in) { return Sides{std::abs(twiced(attention(in, shape).trace() - 1)), bound}; };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix a = ball_attention(in, shape);
    return BallSides{rigor::abs(twiced(a(0, 0) + a(1, 1) - Ball(1))), Ball(bound)};
  };
  return inequality(std::move(p));
}

/// |2 lambda - lambda^2|^2 - 1 = |1 - lambda|^4 - factor Re((1 - lambda)^2), factor 2, for complex lambda.
Check stability_identity(double factor) {
  return scalar_identity(
      {{"re", "im"}, {-2, -2}, {2, 2}},
      [=](const std::vector<double>& p) {
        const std::complex<double> lambda(p[0], p[1]);
        const std::complex<double> gap = 1.0 - lambda;
        return Sides{std::norm(2.0 * lambda - lambda * lambda) - 1,
                     std::norm(gap) * std::norm(gap) - factor * (gap * gap).real()};
      },
      // |lambda| <= 2 sqrt(2): the terms of the left side are below (2 |lambda| + |lambda|^2)^2 + 1, those of the right
      // below |1 - lambda|^4 + 2 |1 - lambda|^2.
      [](const std::vector<double>& p) {
        const double modulus = std::hypot(p[0], p[1]);
        return std::pow(2 * modulus + modulus * modulus + 1, 2) + 1;
      },
      [=](const BallVector& p) {
        const ComplexBall lambda{p[0], p[1]};
        const ComplexBall gap{Ball(1) - p[0], -p[1]};
        const Ball left = rigor::square(rigor::modulus(twiced(lambda))) - Ball(1);
        return BallSides{left, rigor::square(rigor::square(gap.real) + rigor::square(gap.imaginary)) -
                                   Ball(factor) * (rigor::square(gap.real) - rigor::square(gap.imaginary))};
      },
      // Eight operations on either side.
      16 * unit_roundoff);
}

/// Real eigenvalues: |2 x - x^2| <= 1 exactly for 1 - sqrt(2) <= x <= 1 + sqrt(2). x = -least - y with y in [0, 1] must
/// exceed 1 in modulus when least is sqrt(2) - 1, and x in [-least, 1] must not.
Check real_threshold(double least, bool inside) {
  return scalar_inequality(
      {{"x"}, {inside ? -least : -1}, {inside ? 1 : -least}}, inside ? Relation::less_equal : Relation::greater,
      [=](const std::vector<double>& p) {
        return Sides{std::abs(p[0] * (2 - p[0])), 1};
      },
      [=](const BallVector& p) {
        return BallSides{rigor::abs(twiced(p[0])), Ball(1)};
      },
      {{-least}});
}

/// sqrt(2) - 1 rounded down and up.
constexpr double threshold_below = 0x1.a827999fcef32p-2;
constexpr double threshold_above = 0x1.a827999fcef33p-2;

Check stability_condition(double factor, double least_inside, double least_outside) {
  return composite(
      {{"complex eigenvalues", Kind::identity, stability_identity(factor)},
       {"real eigenvalues at least 1 - sqrt(2)", Kind::universal_inequality, real_threshold(least_inside, true)},
       {"real eigenvalues below 1 - sqrt(2)", Kind::universal_inequality, real_threshold(least_outside, false)}});
}

/// max over j >= 2 of |2 lambda_j - lambda_j^2|, for a family member.
double largest_twiced(const Inputs& in, const AttentionShape& shape) {
  const std::vector<std::complex<double>> values = spectra::eigenvalues(attention(in, shape));
  double largest = 0;
  for (std::size_t j = 1; j < values.size(); ++j) largest = std::max(largest, std::abs(twiced(values[j])));
  return largest;
}

Ball largest_twiced_ball(const Inputs& in, const AttentionShape& shape) {
  const BallMatrix a = ball_attention(in, shape);
  Ball largest(0);
  if (shape.causal) {
    // Triangular: the eigenvalues are the diagonal, whether or not the matrix is close to defective.
    for (std::size_t j = 1; j < a.rows; ++j) largest = rigor::max(largest, rigor::abs(twiced(a(j, j))));
    return largest;
  }
  const auto values = rigor::eigenvalues(a);
  if (!values) return infinity;
  for (std::size_t j = 1; j < values->size(); ++j) largest = rigor::max(largest, rigor::modulus(twiced((*values)[j])));
  return largest;
}

constexpr int family_tokens = 10;
constexpr int family_features = 4;

/// max over j >= 2 of |2 lambda_j - lambda_j^2| < bound over random members of a family.
Check family_bounded(AttentionFamily family, double bound) {
  const AttentionShape shape = family_shape(family, family_tokens, family_features);
  InequalityProblem p;
  p.relation = Relation::less;
  p.lower = {0};
  p.upper = {1e6};
  p.evaluations = 1000;
  p.decode = [=](std::span<const double> x) {
    return family_inputs(family, family_tokens, family_features, static_cast<std::uint64_t>(x[0]));
  };
  p.sides = [=](const Inputs& in) {
    if (!shape.causal) return Sides{largest_twiced(in, shape), bound};
    const Eigen::VectorXd diagonal = attention(in, shape).diagonal().tail(family_tokens - 1);
    return Sides{diagonal.unaryExpr([](double value) { return twiced(value); }).maxCoeff(), bound};
  };
  p.ball_sides = [=](const Inputs& in) { return BallSides{largest_twiced_ball(in, shape), Ball(bound)}; };
  return inequality(std::move(p));
}

/// Near the uniform matrix lambda_2 is small, so that its near-miss lies further away.
constexpr double near_uniform_miss = 0.1;

Check stable_families(double bound, double near_uniform_bound) {
  std::vector<Part> parts;
  for (const AttentionFamily family : {AttentionFamily::gaussian_kernel, AttentionFamily::shared_projection,
                                       AttentionFamily::causal, AttentionFamily::near_uniform}) {
    parts.push_back({spectra::name(family), Kind::universal_inequality,
                     family_bounded(family, family == AttentionFamily::near_uniform ? near_uniform_bound : bound)});
  }
  return composite(std::move(parts));
}

/// The causal A with logits 8 one token back, 0 on the diagonal, -8 before: its tokens pass on what they see.
BallMatrix passing_on(std::size_t tokens) {
  BallMatrix w(tokens, tokens);
  for (std::size_t i = 0; i < tokens; ++i)
    for (std::size_t j = 0; j <= i; ++j) w(i, j) = rigor::exp(Ball(j + 1 == i ? 8 : (j == i ? 0 : -8)));
  return row_normalised(w);
}

BallMatrix twiced(const BallMatrix& a) { return rigor::subtract(rigor::scale(Ball(2), a), rigor::multiply(a, a)); }

/// The largest of |2 A_jj - A_jj^2|, j >= 2, is at most `bound`.
Check small_causal_spectrum(double bound) {
  EnumerationProblem p;
  p.domain = "24 tokens, logits 8 one token back, 0 on the diagonal, -8 before";
  p.cases = 1;
  p.relation = Relation::less_equal;
  p.case_inputs = [](std::int64_t) { return Inputs{{"tokens", {24}}}; };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix p_of_a = twiced(passing_on(static_cast<std::size_t>(in.scalar("tokens"))));
    Ball largest(0);
    for (std::size_t j = 1; j < p_of_a.rows; ++j) largest = rigor::max(largest, rigor::abs(p_of_a(j, j)));
    return BallSides{largest, Ball(bound)};
  };
  return enumerate(std::move(p));
}

/// max_i sum_j |((2A - A^2)^12)_ij| >= bound.
Check large_causal_power(double bound) {
  EnumerationProblem p;
  p.domain = "24 tokens, logits 8 one token back, 0 on the diagonal, -8 before";
  p.cases = 1;
  p.relation = Relation::greater_equal;
  p.case_inputs = [](std::int64_t) { return Inputs{{"tokens", {24}}}; };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix once = twiced(passing_on(static_cast<std::size_t>(in.scalar("tokens"))));
    BallMatrix power = once;
    for (int step = 1; step < 12; ++step) power = rigor::multiply(power, once);
    Ball largest(0);
    for (std::size_t i = 0; i < power.rows; ++i) largest = rigor::max(largest, rigor::norm1(power.row(i)));
    return BallSides{largest, Ball(bound)};
  };
  return enumerate(std::move(p));
}

Check causal_powers(double spectrum, double norm) {
  return composite({{"spectrum", Kind::universal_inequality, small_causal_spectrum(spectrum)},
                    {"power", Kind::universal_inequality, large_causal_power(norm)}});
}

constexpr int sampled_tokens = 16;

/// P(spectral radius of 2A - A^2 exceeds 1) >= share over random members of a family, 16 tokens of 4 features.
ExpectationConfiguration unstable_share(AttentionFamily family, double share) {
  ExpectationConfiguration c;
  c.name = spectra::name(family);
  c.statistic = [=](random::Stream& stream) {
    const Eigen::MatrixXd a =
        spectra::random_attention(family, sampled_tokens, family_features, stream.next_u64(), 0, 0);
    for (const std::complex<double> value : spectra::eigenvalues(a)) {
      // The eigenvalue 1 itself is on the edge: its rounding is not instability.
      if (std::abs(twiced(value)) > 1 + 1e-6) return 1.0;
    }
    return 0.0;
  };
  c.relation = Relation::greater_equal;
  c.bound = share;
  c.resolution = 0.02;
  c.samples = 20000;
  return c;
}

Check unstable_families(double asymmetric, double peaked) {
  return expectation(
      {unstable_share(AttentionFamily::asymmetric, asymmetric), unstable_share(AttentionFamily::peaked, peaked)});
}

}  // namespace

Claims attention_stability() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/sec-3.2-boundedness-attention",
        .label = "Sec 3.2 (0-1 boundedness, eigenvalues of an attention matrix)",
        .title = "Powers of 2A - A^2 keep the eigenvalues of an attention matrix bounded",
        .kind = Kind::universal_inequality,
        .tex =
            R"(|2\lambda_j - \lambda_j^2| \le 1 \text{ for the eigenvalues of } A = \operatorname{softmax}(QK^\top/\sqrt D))",
        .assumptions = {"independent queries and keys, as in Eq 8"},
        .expected = Verdict::refuted,
        .printed = false,
        .amends = "twicing/sec-3.2-boundedness",
        .note = "The text asks for boundedness on [0, 1] only, 'to prevent any eigenvalue from exploding', and then "
                "uses 2A - A^2 in attention, whose eigenvalues need not lie there.",
        .depends_on = {"twicing/sec-3.1-spectrum", "twicing/sec-3.2-boundedness"}},
       illustrated(bounded_for_two_tokens(1, false), spectra_of_families),
       {},
       {{"queries equal to keys", 1, bounded_for_two_tokens(1, true)},
        {"bounded by 3", 2, bounded_for_two_tokens(3, false)}}});
  claims.push_back(
      {{.id = "twicing/stability-condition",
        .label = "Sec 3.2 (0-1 boundedness: the exact condition on the spectrum)",
        .title =
            "Powers of 2A - A^2 stay bounded exactly when |1 - lambda|^4 <= 2 Re((1 - lambda)^2) for each eigenvalue",
        .kind = Kind::identity,
        .tex =
            R"(|2\lambda-\lambda^2|^2 - 1 = |1-\lambda|^4 - 2\operatorname{Re}(1-\lambda)^2;\quad \text{real } \lambda:\ |2\lambda-\lambda^2|\le 1 \iff \lambda \ge 1-\sqrt2)",
        .assumptions = {"|Re lambda|, |Im lambda| <= 2", "real lambda in [-1, 1]",
                        "eigenvalues with equality semisimple"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-3.2-boundedness-attention",
        .note =
            "1 - lambda lies in one loop of a lemniscate of Bernoulli: a real part above 0 is not enough near 1, where "
            "the angle of 1 - lambda must stay below 45 degrees."},
       stability_condition(2, threshold_below, threshold_above),
       {{"factor 2.02", 0.01, stability_condition(2.02, threshold_below, threshold_above)},
        {"threshold one percent lower", 0.01, stability_condition(2, 1.01 * threshold_below, threshold_above)},
        {"threshold one percent higher", 0.01, stability_condition(2, threshold_below, 0.99 * threshold_above)}}});
  claims.push_back(
      {{.id = "twicing/stable-families",
        .label = "Sec 3.2 (0-1 boundedness: symmetric, causal and near-uniform attention)",
        .title = "The eigenvalues of 2A - A^2 stay in the disc for Gaussian, shared, causal and near-uniform attention",
        .kind = Kind::universal_inequality,
        .tex = R"(|2\lambda_j - \lambda_j^2| < 1,\quad j \ge 2)",
        .assumptions = {"10 random tokens of 4 features",
                        "Gaussian kernel, W_Q = W_K, causal mask, or temperature 32 sqrt(D)"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-3.2-boundedness-attention",
        .note = "The spectrum alone: before they vanish, powers of a causal 2A - A^2 can grow to 3^n, which "
                "is judged apart."},
       stable_families(1, 1),
       {{"below 0.99", 0.01, stable_families(0.99, 1)},
        {"below 0.1 near the uniform matrix", 0.9, stable_families(1, near_uniform_miss),
         spectra::name(AttentionFamily::near_uniform)}}});
  claims.push_back(
      {{.id = "twicing/causal-powers",
        .label = "Sec 3.2 (0-1 boundedness: powers under a causal mask)",
        .title =
            "Under a causal mask powers of 2A - A^2 can grow to a hundred thousands although the spectrum is small",
        .kind = Kind::existence,
        .tex = R"(\exists A\text{ causal}:\ \max_{j\ge2}|2A_{jj}-A_{jj}^2|\le7\cdot10^{-4},)"
               R"(\quad\|(2A-A^2)^{12}\|_\infty\ge525\,000)",
        .assumptions = {"24 tokens, logits 8 one token back, 0 on the diagonal, -8 before"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "twicing/stable-families",
        .note = "A bounded spectrum bounds no power of a triangular matrix before its size; ||2A - A^2|| <= 3 allows "
                "3^12."},
       causal_powers(7e-4, 525000),
       {{"spectrum below 6.6e-4", 0.06, causal_powers(6.6e-4, 525000), "spectrum"},
        {"0.2 percent more", 0.002, causal_powers(7e-4, 526000), "power"}}});
  claims.push_back(
      {{.id = "twicing/unstable-share",
        .label = "Sec 3.2 (0-1 boundedness: how often random attention is unstable)",
        .title = "A fifth of random attention matrices, and most peaked ones, make powers of 2A - A^2 explode",
        .kind = Kind::expectation_bound,
        .tex =
            R"(P(\rho(2A-A^2) > 1) \ge 0.2 \ (\text{temperature } \sqrt D),\quad \ge 0.7 \ (\text{temperature } \sqrt D/32))",
        .assumptions = {"16 tokens with 4 standard normal features, independent W_Q and W_K with entries N(0, 1/D)"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-3.2-boundedness-attention"},
       unstable_families(0.2, 0.7),
       {{"a quarter of the ordinary ones", 0.25, unstable_families(0.25, 0.7)},
        {"four fifths of the peaked ones", 0.14, unstable_families(0.2, 0.8)}}});
  claims.push_back(
      {{.id = "twicing/dominance-on-the-disc",
        .label = "Sec 3.2 (eigenvalue enhancement, any attention matrix)",
        .title = "Twicing shrinks no eigenvalue of a row-stochastic matrix",
        .kind = Kind::universal_inequality,
        .tex = R"(|2\lambda-\lambda^2| = |\lambda|\,|2-\lambda| \ge |\lambda|,\quad |\lambda|\le 1)",
        .assumptions = {"lambda in the closed unit disc, which holds every eigenvalue of a row-stochastic A"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-3.2-enhancement",
        .note = "Enhancement needs no symmetry; boundedness does. Equality only at 0 and 1."},
       dominance_on_disc(1),
       {{"0.1 percent more", 0.001, dominance_on_disc(1.001)}}});
  return claims;
}

}  // namespace attest::twicing
