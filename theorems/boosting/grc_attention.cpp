// "Revisiting Transformers with Insights from Image Filtering and Boosting", section 4: Theorem 4.1 for the layers it
// is meant for, 'f_l (e.g., self-attention)'. Self-attention here is that of Theorem 3.1, with W_Q = W_K = W_V = I.
#include <algorithm>
#include <array>
#include <cmath>

#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/mechanisms/attention_matrix.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using mechanisms::attend;
using mechanisms::Similarity;
using rigor::Ball;
using rigor::BallMatrix;

constexpr int deepest = 4;

/// Row-major 2 x 2.
using Square = std::array<double, 4>;

/// Greatest singular value, from the trace of J'J and det J.
double norm(const Square& j) {
  const double trace = j[0] * j[0] + j[1] * j[1] + j[2] * j[2] + j[3] * j[3];
  const double determinant = j[0] * j[3] - j[1] * j[2];
  return std::sqrt((trace + std::sqrt(std::max(0.0, trace * trace - 4 * determinant * determinant))) / 2);
}
Ball norm(const BallMatrix& j) {
  const Ball trace = rigor::square(rigor::frobenius_norm(j));
  const Ball determinant = j(0, 0) * j(1, 1) - j(0, 1) * j(1, 0);
  return rigor::sqrt((trace + rigor::sqrt(rigor::square(trace) - 4 * rigor::square(determinant))) / 2);
}

/// |dY_n / dY_0| of n boosted self-attention layers on two tokens of one feature: the local Lipschitz constant at Y_0.
/// With two tokens the weights are logistic functions of y_i (y_1 - y_2).
double local_sensitivity(double first, double second, double t, int n) {
  std::array<double, 2> y{first, second};
  Square j{1, 0, 0, 1};
  for (int l = 0; l < n; ++l) {
    const double d = y[0] - y[1];
    const double p = 1 / (1 + std::exp(-y[0] * d));
    const double q = 1 / (1 + std::exp(-y[1] * d));
    const Square layer{p + p * (1 - p) * d * (y[0] + d), (1 - p) - p * (1 - p) * d * y[0],  //
                       q + q * (1 - q) * d * y[1], (1 - q) + q * (1 - q) * d * (d - y[1])};
    const Square carried{layer[0] + (1 - t), layer[1], layer[2], layer[3] + (1 - t)};
    j = {carried[0] * j[0] + carried[1] * j[2] + t, carried[0] * j[1] + carried[1] * j[3],
         carried[2] * j[0] + carried[3] * j[2], carried[2] * j[1] + carried[3] * j[3] + t};
    y = {y[1] + p * d + t * first + (1 - t) * y[0], y[1] + q * d + t * second + (1 - t) * y[1]};
  }
  return norm(j);
}

/// The same for any number of tokens: df_i = sum_k p_ik dy_k + sum_k p_ik (y_k - f_i) (y_k dy_i + y_i dy_k).
BallMatrix jacobian(const BallMatrix& y) {
  const std::size_t tokens = y.rows;
  BallMatrix j(tokens, tokens);
  for (std::size_t i = 0; i < tokens; ++i) {
    const rigor::BallVector p = rigor::softmax(rigor::scale(y(i, 0), y.entries));
    const Ball mean = rigor::dot(p, y.entries);
    for (std::size_t k = 0; k < tokens; ++k) {
      const Ball weighted = p[k] * (y(k, 0) - mean);
      j(i, k) += p[k] + weighted * y(i, 0);
      j(i, i) += weighted * y(k, 0);
    }
  }
  return j;
}

Ball local_sensitivity(const BallMatrix& start, const Ball& t, int n) {
  const BallMatrix one = rigor::identity(start.rows);
  BallMatrix y = start;
  BallMatrix j = one;
  for (int l = 0; l < n; ++l) {
    j = rigor::add(rigor::multiply(rigor::add(jacobian(y), rigor::scale(1 - t, one)), j), rigor::scale(t, one));
    y = rigor::add(attend(y, Similarity::dot_product), rigor::add(rigor::scale(t, start), rigor::scale(1 - t, y)));
  }
  return norm(j);
}

/// The local Lipschitz constant of the boosted network is at most `factor` times that of the residual one.
Check boosted_is_locally_less_sensitive(double factor, int most_layers = deepest) {
  InequalityProblem p;
  p.lower = {-3, -3, 0, 1};
  p.upper = {3, 3, 1, most_layers + 0.99};
  p.decode = [](std::span<const double> x) {
    return Inputs{{"Y_0", {x[0], x[1]}}, {"t", {x[2]}}, {"n", {std::floor(x[3])}}};
  };
  p.sides = [=](const Inputs& in) -> Sides {
    const auto n = static_cast<int>(in.scalar("n"));
    const auto y = in["Y_0"];
    return {local_sensitivity(y[0], y[1], in.scalar("t"), n), factor * local_sensitivity(y[0], y[1], 0, n)};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const BallMatrix start = rigor::to_balls(in["Y_0"], 2, 1);
    const double t = in.scalar("t");
    const double n = in.scalar("n");
    if (!(n >= 1 && n <= deepest && n == std::floor(n) && t >= 0 && t <= 1)) return {Ball(t), Ball(n), false};
    return {local_sensitivity(start, t, static_cast<int>(n)),
            factor * local_sensitivity(start, 0, static_cast<int>(n))};
  };
  // The first token starts on the other side of the origin, and the residual network has pulled it across by the third
  // layer; few places are like this one.
  if (most_layers >= 3) p.corners = {{-0.4375, 3, 1, 3}};
  p.evaluations = 6000;
  return inequality(std::move(p));
}

/// |f(X) - f(X')| / |X - X'| for the tokens X = (0, s, -s) and X' = (1/s^2, s, -s) of one feature.
Ball quotient(double s) {
  BallMatrix x(3, 1);
  x(1, 0) = s;
  x(2, 0) = -s;
  BallMatrix other = x;
  const Ball step = 1 / rigor::square(Ball(s));
  other(0, 0) = step;
  const BallMatrix change = rigor::subtract(attend(x, Similarity::dot_product), attend(other, Similarity::dot_product));
  return rigor::frobenius_norm(change) / step;
}

/// The quotient against s^exponent.
Check growth_of_quotient(Asymptotics claim, double exponent) {
  SequenceProblem p;
  p.claim = claim;
  p.n = geometric_grid(2, 2, 10);
  p.value = quotient;
  p.reference = [=](double s) { return rigor::pow(Ball(s), Ball(exponent)); };
  p.resolution = 0.005;
  if (claim == Asymptotics::at_most && exponent < 2)
    p.beyond = Beyond{
        "the first output moves from 0 to 2 s sinh(1/s)/(e^(1/s^4) + 2 cosh(1/s)) or more, which is at "
        "least 2/(e^(1/16) + 2 cosh(1/2)) for every s >= 2, so that the quotient is at least 0.6 s^2",
        [exponent](double) { return 2 - Ball(exponent); }};
  return sequence(std::move(p));
}

}  // namespace

Claims grc_attention() {
  Claims claims;
  claims.push_back({{.id = "boosting/thm-4.1-attention-is-lipschitz",
                     .label = "Thm 4.1 (f_l, 'e.g., self-attention', has a Lipschitz constant)",
                     .title = "Self-attention is Lipschitz",
                     .kind = Kind::implication,
                     .tex = R"(\exists\, L:\quad \|f(X)-f(X')\| \le L\,\|X-X'\| \quad\text{for all tokens } X, X')",
                     .assumptions = {"f is softmax self-attention with W_Q = W_K = W_V = I"},
                     .expected = Verdict::refuted,
                     .finding = Finding::assumption,
                     .note = "The theorem supposes that 'each layer f_l has Lipschitz constant L > 0', where f_l is "
                             "'e.g., self-attention'. Self-attention has one on bounded tokens only, of the order R^2 "
                             "(boosting/thm-4.1-attention-on-bounded-tokens): the derivative contains the covariance "
                             "of the tokens under the attention weights."},
                    growth_of_quotient(Asymptotics::at_most, 0),
                    {},
                    {{"quotient at most of the order s^2", 1, growth_of_quotient(Asymptotics::at_most, 2)}}});

  claims.push_back(
      {{.id = "boosting/thm-4.1-attention-robustness",
        .label = "Thm 4.1 ('enhancing robustness', self-attention layers)",
        .title = "Stricter reading: a boosted attention network is locally no more sensitive than the residual one",
        .kind = Kind::implication,
        .tex =
            R"(\left\|\frac{\partial Y_n^{GRC}}{\partial Y_0}\right\| \le \left\|\frac{\partial Y_n^{RC}}{\partial Y_0}\right\|)",
        .assumptions =
            {"f_l is softmax self-attention with W_Q = W_K = W_V = I, on two tokens of one feature in [-3, 3]",
             "t in [0, 1], one to four layers, without MLP and normalisation"},
        .expected = Verdict::refuted,
        .printed = false,
        .note = "'Enhancing robustness', read for the local Lipschitz constants of attention networks. Rare failures, "
                "but with the layers of Theorem 3.1 themselves: a token about to be pulled across the origin by a "
                "larger one leaves this steep region soon in the residual network, while t Y_0 holds it there in the "
                "boosted one. What stands is boosting/thm-4.1-worst-case.",
        .depends_on = {"boosting/thm-4.1-reduces-error", "boosting/thm-4.1-attention-is-lipschitz"}},
       boosted_is_locally_less_sensitive(1),
       {},
       {{"one layer", 1, boosted_is_locally_less_sensitive(1, 1)}}});
  return claims;
}

}  // namespace attest::boosting
