// Every function of the table, by its examples: doubles, balls, boxes, and gradients in both.
#include <map>

#include <gtest/gtest.h>

#include "kernels/rigor/ball.hpp"
#include "tests/support/rounding.hpp"
#include "tests/theorems/language/points.hpp"
#include "theorems/language/functions.hpp"

namespace attest::language {
namespace {

using rigor::Ball;
using Balls = std::vector<Ball>;

/// Numbers, vectors and matrices for the examples below.
const std::string binders =
    "a, b in (0.1, 0.9), s, t in R, u in (1.1, 3), h in (0, 2), x, y in R^4, w in (0.1, 2)^4, p, q in simplex(4), "
    "A, B in R^(3, 3), C in R^(3, 5), D in R^(4, 2), S in psd(3), Z in symmetric(3), M in stochastic(3, 4), "
    "f, g, r in R^(5, 2), G in attention(3, 2), Q in orthogonal(3), o in sphere(4), c in ball(4, u), z in {0.1, 2, "
    "3}^2";

const std::multimap<std::string, std::string>& examples() {
  static const std::multimap<std::string, std::string> all = {
      {"exp", "exp(x)"},
      {"log", "log(w)"},
      {"log2", "log2(a)"},
      {"log10", "log10(a)"},
      {"log1p", "log1p(a)"},
      {"expm1", "expm1(s)"},
      {"sqrt", "sqrt(w)"},
      {"cbrt", "cbrt(s)"},
      {"abs", "abs(x)"},
      {"sign", "sign(x)*t"},
      {"floor", "floor(u)*t"},
      {"ceil", "ceil(u)*t"},
      {"sin", "sin(x)"},
      {"cos", "cos(x)"},
      {"tan", "tan(a)"},
      {"asin", "asin(a)"},
      {"acos", "acos(a)"},
      {"atan", "atan(s)"},
      {"sinh", "sinh(s)"},
      {"cosh", "cosh(s)"},
      {"tanh", "tanh(x)"},
      {"asinh", "asinh(s)"},
      {"acosh", "acosh(u)"},
      {"atanh", "atanh(a)"},
      {"erf", "erf(s)"},
      {"erfc", "erfc(s)"},
      {"erfinv", "erfinv(a)"},
      {"gamma", "gamma(u)"},
      {"lgamma", "lgamma(u)"},
      {"digamma", "digamma(u)"},
      {"beta", "beta(u, a)"},
      {"binomial", "binomial(u, a)"},
      {"mod", "mod(u, 4)*t"},
      {"factorial", "factorial(u)"},
      {"sigmoid", "sigmoid(x)"},
      {"softplus", "softplus(x)"},
      {"relu", "relu(x)"},
      {"gelu", "gelu(x)"},
      {"gelu_tanh", "gelu_tanh(x)"},
      {"silu", "silu(x)"},
      {"elu", "elu(x)"},
      {"normal_cdf", "normal_cdf(s)"},
      {"normal_pdf", "normal_pdf(s)"},
      {"normal_quantile", "normal_quantile(a)"},
      {"max", "max(x)"},
      {"max", "max(s, t)"},
      {"max", "max(A)"},
      {"min", "min(x)"},
      {"min", "min(s, t, a)"},
      {"sum", "sum(A)"},
      {"prod", "prod(x)"},
      {"mean", "mean(C)"},
      {"range", "range(x)"},
      {"osc", "osc(C)"},
      {"osc", "osc(x)"},
      {"var", "var(x)"},
      {"std", "std(x)"},
      {"norm", "norm(x)"},
      {"norm", "norm(x, 1)"},
      {"norm", "norm(x, inf)"},
      {"norm", "norm(x, 3)"},
      {"norm", "norm(x, 3/2)"},
      {"norm", "norm(x, u)"},
      {"norm", "norm(C, 1)"},
      {"norm", "norm(C, inf)"},
      {"frobenius", "frobenius(C)"},
      {"opnorm", "opnorm(C)"},
      {"opnorm", "opnorm(D)"},
      {"dot", "dot(x, y)"},
      {"outer", "outer(x, y)"},
      {"transpose", "C'"},
      {"trace", "trace(A)"},
      {"det", "det(A)"},
      {"logdet", "logdet(S)"},
      {"inverse", "inverse(A)"},
      {"eigenvalues", "eigenvalues(Z)"},
      {"eigmax", "eigmax(S)"},
      {"eigmin", "eigmin(Z)"},
      {"singular_values", "singular_values(C)"},
      {"dobrushin", "dobrushin(M)"},
      {"diag", "diag(x)"},
      {"diag", "diag(C)"},
      {"cumsum", "cumsum(x)"},
      {"sort", "sort(x)"},
      {"identity", "A - t*identity(3)"},
      {"zeros", "zeros(3, 3) + A"},
      {"ones", "ones(4) .* x"},
      {"causal_mask", "causal_mask(3) .* A"},
      {"rows", "rows(C)*t"},
      {"cols", "cols(C)*t"},
      {"length", "length(x)*t"},
      {"softmax", "softmax(x)"},
      {"softmax", "softmax(C)"},
      {"jacobian_softmax", "jacobian_softmax(x)"},
      {"logsumexp", "logsumexp(x)"},
      {"logsumexp", "logsumexp(C)"},
      {"entropy", "entropy(p)"},
      {"kl", "kl(p, q)"},
      {"tv", "tv(p, q)"},
      {"layernorm", "layernorm(C, eps = 1/100)"},
      {"layernorm", "layernorm(x, a)"},
      {"rmsnorm", "rmsnorm(C, a)"},
      {"attention", "attention(\"softmax\", f, g, r)"},
      {"attention", "attention(\"softmax\", f, g, r, causal = true)"},
      {"attention", "attention(\"twicing\", f, g, r)"},
      {"attention", "attention(\"twicing\", f, g, r, causal = true)"},
      // What stands in the tree without being a function.
      {"operators", "x + y - 2*x .* y ./ w"},
      {"operators", "A*B*C - (C'*A')'"},
      {"operators", "A^3 + A^0"},
      {"operators", "w .^ (5/2) + w .^ x + s^3 + u^s + u^(-2)"},
      {"operators", "x'*y + x'*(x*y')*y"},
      {"operators", "-x[2]*C[1, 3] + sum(C[2]) + norm(x[2..3])"},
      {"operators", "[s, t; 1, s*t]*[a, b]"},
      {"operators",
       "sum(i in 1..4: x[i]^2*i) + prod(i in 1..3: u + i) + max(i in 1..3: C[i, i]) + mean(i in 1..2: s^i)"},
      {"operators", "sum(i in 1..3: C[i]) + max(i in 1..3: C[i])"},
      {"sets", "G*A"},
      {"sets", "Q*A"},
      {"sets", "o + c"},
      {"sets", "z*t + pi*e"},
      {"sets", "M*D + S[1, 2]*h"}};
  return all;
}

/// Gradients lead the search; nine digits are plenty, and six are left for the condition of the examples.
constexpr double digits_of_gradients = 1e-9;
/// Bits that an evaluation of these examples at 256 bits may lose.
constexpr double tiny = 1e-40;
constexpr int points_each = 2;

/// Balls know no derivative of these; they say so by balls that are not finite.
bool known_to_balls(const std::string& name) {
  return name != "eigenvalues" && name != "eigmax" && name != "eigmin" && name != "singular_values" && name != "opnorm";
}

class EveryFunction : public testing::TestWithParam<std::pair<std::string, std::string>> {};

/// sum_k weight_k entry_k, so that no entry's gradient hides behind another's.
Balls weights(std::size_t n) {
  Balls result;
  for (std::size_t k = 0; k < n; ++k) result.push_back(Ball::from_rational(static_cast<std::int64_t>(k * k + 3), 7));
  return result;
}

Ball weighted(BallEvaluator& at, std::size_t reg, const Balls& raw) {
  at.run(raw);
  Ball total;
  const Balls w = weights(at.value(reg).size());
  for (std::size_t k = 0; k < w.size(); ++k) total += w[k] * at.value(reg)[k];
  return total;
}

/// Conditions of these points are below 10^5, and inner iterations end at a hundred roundings. Spectra of balls start
/// from doubles: they are known to some thousand roundings, whatever the precision.
constexpr double of_doubles = 1e5 * 100 * tests::unit_roundoff, of_balls = 1e4 * tests::unit_roundoff;

TEST_P(EveryFunction, IsTheSameInDoublesAndInBalls) {
  const auto e = expression_over(binders, GetParam().second);
  Evaluator doubles(e.program);
  BallEvaluator coarse(e.program), fine(e.program);
  for (int sample = 0; sample < points_each; ++sample) {
    const auto raw = moderate_point(e.program, static_cast<std::uint64_t>(sample));
    const Balls exact(raw.begin(), raw.end());
    doubles.run(raw);
    {
      const rigor::PrecisionScope bits(64);
      coarse.run(exact);
    }
    const rigor::PrecisionScope bits(256);
    fine.run(exact);
    for (std::size_t k = 0; k < doubles.value(e.result).size(); ++k) {
      const Ball& truth = fine.value(e.result)[k];
      ASSERT_TRUE(truth.is_finite());
      EXPECT_TRUE(overlaps(truth, coarse.value(e.result)[k]));
      const double size = std::max(1.0, std::fabs(truth.mid()));
      EXPECT_NEAR(doubles.value(e.result)[k], truth.mid(), of_doubles * size);
      EXPECT_LE(truth.radius(), of_balls * size);
    }
  }
}

TEST_P(EveryFunction, HasItsGradient) {
  const auto e = expression_over(binders, GetParam().second);
  Evaluator doubles(e.program);
  BallEvaluator balls(e.program);
  const rigor::PrecisionScope bits(256);
  for (int sample = 0; sample < points_each; ++sample) {
    const auto raw = moderate_point(e.program, static_cast<std::uint64_t>(sample));
    const Balls exact(raw.begin(), raw.end());
    doubles.run(raw);
    const Balls w = weights(doubles.value(e.result).size());
    std::vector<double> weight, gradient(raw.size());
    for (const Ball& t : w) weight.push_back(t.mid());
    doubles.gradient(e.result, weight, gradient);
    balls.run(exact);
    Balls enclosed(raw.size());
    balls.gradient(e.result, w, enclosed);
    const bool known = known_to_balls(GetParam().first);
    double largest = 1;
    for (const double t : gradient) largest = std::max(largest, std::fabs(t));
    for (std::size_t k = 0; k < raw.size(); ++k) {
      // Central differences in 256 bits; their error h^2 f'''/6 is told from a second step twice as long. Spectra are
      // enclosed to 1e-15 only, so for them the step is longer.
      const Ball h(std::ldexp(1.0, known ? -40 : -14));
      const auto difference = [&](const Ball& step) {
        Balls ahead = exact, behind = exact;
        ahead[k] += step;
        behind[k] -= step;
        return (weighted(balls, e.result, ahead) - weighted(balls, e.result, behind)) / (Ball(2) * step);
      };
      const Ball once = difference(h), twice = difference(h + h);
      const double error = rigor::abs(twice - once).upper() + tiny;
      EXPECT_NEAR(gradient[k], once.mid(), digits_of_gradients * largest + error) << "raw number " << k;
      if (known) {
        EXPECT_LE(rigor::abs(enclosed[k] - once).lower(), error) << "raw number " << k;
        EXPECT_LE(enclosed[k].radius(), tiny * largest) << "raw number " << k;
      }
    }
  }
}

TEST_P(EveryFunction, IsEnclosedOverBoxes) {
  const auto e = expression_over(binders, GetParam().second);
  BallEvaluator box(e.program);
  Evaluator doubles(e.program);
  for (const double radius : {1e-6, 1e-2}) {
    const auto raw = moderate_point(e.program, 11);
    Balls around;
    for (const double x : raw) around.push_back(Ball::hull(Ball(x - radius), Ball(x + radius)));
    for (const RawInput& input : e.program.inputs())
      if (input.whole)
        for (std::size_t k = 0; k < input.lower.size(); ++k) around[input.offset + k] = Ball(raw[input.offset + k]);
    box.run(around);
    random::Stream stream(3, 1, 4);
    for (int sample = 0; sample < 10; ++sample) {
      auto inside = raw;
      for (const RawInput& input : e.program.inputs())
        if (!input.whole)
          for (std::size_t k = 0; k < input.lower.size(); ++k)
            inside[input.offset + k] += radius * stream.uniform(-1, 1);
      doubles.run(inside);
      for (std::size_t k = 0; k < doubles.value(e.result).size(); ++k) {
        const Ball& enclosure = box.value(e.result)[k];
        const double x = doubles.value(e.result)[k];
        // The double may be off by its rounding, as in the first test.
        const double rounding = 1e-9 * std::max(1.0, std::fabs(x));
        if (enclosure.is_finite()) {
          EXPECT_LE(enclosure.lower() - rounding, x);
          EXPECT_GE(enclosure.upper() + rounding, x);
        }
      }
    }
  }
}

std::vector<std::pair<std::string, std::string>> all_examples() { return {examples().begin(), examples().end()}; }

INSTANTIATE_TEST_SUITE_P(Examples, EveryFunction, testing::ValuesIn(all_examples()),
                         [](const auto& example) { return example.param.first + "_" + std::to_string(example.index); });

TEST(FunctionTable, HasAnExampleOfEveryFunction) {
  for (const Function& function : functions())
    EXPECT_TRUE(examples().contains(std::string(function.name))) << function.name << " has no example";
}

}  // namespace
}  // namespace attest::language
