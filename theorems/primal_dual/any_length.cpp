// Statements of ours for every number of keys N and every width D: how large C must be and may be, how flat the layer
// of Theorem 1 is, what the centring of Eq 22 makes of its normaliser, and that Eqs 22 and 26 see the future.
#include <algorithm>
#include <cmath>

#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/primal_dual/batch_normalised_keys.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using engine::Relation;
using rigor::Ball;

constexpr std::size_t most_keys = 64;
constexpr std::size_t most_width = 16;

// The box: N and D, the size of the keys, how much of a common vector and how many different vectors they are made of,
// epsilon; then the common vector, the query, the vectors and the values.
constexpr std::size_t settings = 6;
constexpr std::size_t coordinates = settings + 2 * most_width + most_keys * most_width + most_keys;

// Keys k_j = size * (common * c + (1 - common) * z_(j mod different)): crowds of equal keys, near ties, and keys at
// random.
Inputs decode(std::span<const double> x) {
  const auto n = static_cast<std::size_t>(x[0]);
  const auto d = static_cast<std::size_t>(x[1]);
  const double size = std::pow(10.0, x[2]);
  const double common = x[3];
  const auto different = static_cast<std::size_t>(std::ceil(x[4] * static_cast<double>(n)));
  const auto c = x.subspan(settings, d);
  const auto query = x.subspan(settings + most_width, d);
  const auto z = x.subspan(settings + 2 * most_width, most_keys * most_width);
  const auto v = x.subspan(settings + 2 * most_width + most_keys * most_width, n);
  std::vector<double> keys;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t l = 0; l < d; ++l)
      keys.push_back(size * (common * c[l] + (1 - common) * z[j % std::max<std::size_t>(different, 1) * d + l]));
  }
  return {{"D", {static_cast<double>(d)}},
          {"keys", keys},
          {"query", {query.begin(), query.end()}},
          {"v", {v.begin(), v.end()}},
          {"epsilon", {std::pow(10.0, x[5])}}};
}

std::vector<double> lower() {
  std::vector<double> x(coordinates, -1);
  const double first[settings] = {2, 1, -2, 0, 0, -6};
  std::copy(first, first + settings, x.begin());
  std::fill(x.end() - most_keys, x.end(), 0.01);
  return x;
}

std::vector<double> upper() {
  std::vector<double> x(coordinates, 1);
  const double first[settings] = {most_keys + 0.99, most_width + 0.99, 0.3, 1, 1, 0};
  std::copy(first, first + settings, x.begin());
  std::fill(x.end() - most_keys, x.end(), 3);
  return x;
}

// All keys equal, all values one, the query at the centre.
std::vector<double> equal_keys(double n, double d) {
  std::vector<double> x(coordinates, 0);
  const double first[settings] = {n, d, 0, 1, 1, -3};
  std::copy(first, first + settings, x.begin());
  std::fill_n(x.begin() + settings, most_width, 0.5);
  std::fill(x.end() - most_keys, x.end(), 1);
  return x;
}

// One key at 1 and all others at -1, on the first axis.
std::vector<double> one_apart(double n) {
  std::vector<double> x(coordinates, 0);
  const double first[settings] = {n, 1, 0.3, 0, 1, -6};
  std::copy(first, first + settings, x.begin());
  std::fill_n(x.begin() + settings + 2 * most_width, most_keys * most_width, -1);
  x[settings + 2 * most_width] = 1;
  std::fill(x.end() - most_keys, x.end(), 1);
  return x;
}

template <class Real>
Keys<Real> keys_of(const Inputs& inputs) {
  return {inputs["keys"], static_cast<std::size_t>(inputs.scalar("D"))};
}

// lhs <= rhs for `sides(inputs, Real(0))`, a pair of reals, wherever epsilon and D are what they should be.
template <class F>
engine::Check for_every_length(F sides, double evaluations) {
  engine::InequalityProblem problem;
  problem.relation = Relation::less_equal;
  problem.lower = lower();
  problem.upper = upper();
  problem.decode = decode;
  problem.sides = [sides](const Inputs& inputs) -> engine::Sides {
    const auto [lhs, rhs] = sides(inputs, 0.0);
    return {lhs, rhs};
  };
  problem.ball_sides = [sides](const Inputs& inputs) -> engine::BallSides {
    const auto [lhs, rhs] = sides(inputs, Ball(0));
    return {lhs, rhs, inputs.scalar("epsilon") > 0};
  };
  problem.corners = {equal_keys(2, 1), equal_keys(8, 4), equal_keys(64, 16), one_apart(3), one_apart(64)};
  problem.evaluations = evaluations;
  return engine::inequality(std::move(problem));
}

template <class Real>
Real squared_length(std::span<const Real> x) {
  return inner_product(x, x);
}

double largest(double a, double b) { return std::max(a, b); }
Ball largest(const Ball& a, const Ball& b) { return rigor::max(a, b); }

// max_j h(k_j) |v_j|, the least C with which values v solve Eq 5.
template <class Real>
Real least_box(const Keys<Real>& keys, std::span<const double> v) {
  Real most(0);
  for (std::size_t j = 0; j < keys.size(); ++j) most = largest(most, Real(keys.normaliser(keys.row(j)) * Real(v[j])));
  return most;
}

// factor * N exp(|mean key|^2 / sqrt(D)) min_j |v_j| <= max_j h(k_j) |v_j|.
engine::Check box_from_below(double factor) {
  return for_every_length(
      [factor](const Inputs& inputs, auto zero) {
        using std::exp;
        using std::sqrt;
        using Real = decltype(zero);
        const auto keys = keys_of<Real>(inputs);
        const Real count(static_cast<double>(keys.size()));
        const auto mean = KeyStatistics<Real>(keys, Real(0)).mean;
        const auto v = inputs["v"];
        const Real least(*std::min_element(v.begin(), v.end()));
        const Real exponent = squared_length(std::span<const Real>(mean)) / sqrt(Real(inputs.scalar("D")));
        return std::pair<Real, Real>(Real(factor) * count * exp(exponent) * least, least_box(keys, v));
      },
      300);
}

// max_j h(k_j) |v_j| <= factor * N exp(max_j |k_j|^2 / sqrt(D)) max_j |v_j|.
engine::Check box_from_above(double factor) {
  return for_every_length(
      [factor](const Inputs& inputs, auto zero) {
        using std::exp;
        using std::sqrt;
        using Real = decltype(zero);
        const auto keys = keys_of<Real>(inputs);
        const auto v = inputs["v"];
        Real longest(0);
        for (std::size_t j = 0; j < keys.size(); ++j) longest = largest(longest, squared_length(keys.row(j)));
        const Real bound = Real(factor) * Real(static_cast<double>(keys.size())) *
                           exp(Real(longest / sqrt(Real(inputs.scalar("D"))))) *
                           Real(*std::max_element(v.begin(), v.end()));
        return std::pair<Real, Real>(least_box(keys, v), bound);
      },
      300);
}

// |w|^2 = sum_ij v_i v_j exp(k_i'k_j / sqrt(D)) <= factor * (sum_j |v_j| exp(|k_j|^2 / (2 sqrt(D))))^2.
engine::Check flatness(double factor) {
  return for_every_length(
      [factor](const Inputs& inputs, auto zero) {
        using std::exp;
        using std::sqrt;
        using Real = decltype(zero);
        const auto keys = keys_of<Real>(inputs);
        const auto v = inputs["v"];
        const Real root = sqrt(Real(inputs.scalar("D")));
        Real squared(0);
        Real lengths(0);
        for (std::size_t i = 0; i < keys.size(); ++i) {
          for (std::size_t j = 0; j < keys.size(); ++j)
            squared += Real(v[i]) * Real(v[j]) * keys.similarity(keys.row(i), j);
          lengths += Real(v[i]) * exp(Real(squared_length(keys.row(i)) / (Real(2) * root)));
        }
        return std::pair<Real, Real>(squared, Real(factor) * lengths * lengths);
      },
      200);
}

// factor * N <= sum_j exp(q'k_j / sqrt(D)) for the normalised keys of Eq 22 and any normalised query.
engine::Check centred_normaliser(double factor) {
  return for_every_length(
      [factor](const Inputs& inputs, auto zero) {
        using Real = decltype(zero);
        const auto keys = keys_of<Real>(inputs);
        const auto centred = KeyStatistics<Real>(keys, Real(inputs.scalar("epsilon"))).normalised(keys);
        std::vector<Real> query;
        for (const double entry : inputs["query"]) query.push_back(Real(entry));
        return std::pair<Real, Real>(Real(factor) * Real(static_cast<double>(keys.size())),
                                     centred.normaliser(std::span<const Real>(query)));
      },
      300);
}

// The first entry of the first normalised key, squared, is at most factor * (N - 1).
engine::Check largest_normalised_entry(double factor) {
  return for_every_length(
      [factor](const Inputs& inputs, auto zero) {
        using Real = decltype(zero);
        const auto keys = keys_of<Real>(inputs);
        const KeyStatistics<Real> statistics(keys, Real(inputs.scalar("epsilon")));
        const Real deviation = keys.row(0)[0] - statistics.mean[0];
        return std::pair<Real, Real>(deviation * deviation / statistics.variance[0],
                                     Real(factor) * Real(static_cast<double>(keys.size() - 1)));
      },
      400);
}

engine::Claims box_of_theorem_1() {
  engine::Claim below;
  below.statement = {
      .id = "primal-dual/thm-1-box-grows",
      .label = "Thm 1 (the box grows with the sequence)",
      .title = "C must be at least N exp(|mean key|^2 / sqrt(D)) times the least value",
      .kind = engine::Kind::universal_inequality,
      .tex = R"(\max_j h(k_j)|v_j| \ge N\,e^{|\bar k|^2/\sqrt D}\,\min_j|v_j|,\qquad \bar k = \frac1N\sum_j k_j)",
      .assumptions = {"C >= max_j h(k_j)|v_j| is what values v need: see 'Thm 1 (which values, which C)'",
                      "judged for N = 2 to 64 and D = 1 to 16, crowds of equal keys among them"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/thm-1-relaxed-box",
      .note =
          "For every N: h(k_j) >= N exp(k_j'mean/sqrt(D)) by Jensen's inequality, and k_j'mean is at least |mean|^2 "
          "for some j. Equality for equal keys and values. So no C serves sequences of every length, unless values "
          "shrink as 1/N: the constant of Eq 5 is one of the sequence and not of the model."};
  below.check = box_from_below(1);
  below.near_misses = {{"a thousandth more", 1e-3, box_from_below(1.001)}};

  engine::Claim above;
  above.statement = {
      .id = "primal-dual/thm-1-box-suffices",
      .label = "Thm 1 (a C that suffices)",
      .title = "C = N exp(max |k_j|^2 / sqrt(D)) max |v_j| always suffices",
      .kind = engine::Kind::universal_inequality,
      .tex = R"(\max_j h(k_j)|v_j| \le N\,e^{\max_j|k_j|^2/\sqrt D}\,\max_j|v_j|)",
      .assumptions = {"judged for N = 2 to 64 and D = 1 to 16"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/thm-1-relaxed-box",
      .note =
          "For every N, by the Cauchy-Schwarz inequality in each of the N terms of h(k_j); attained by equal keys. "
          "With the bound from below: the box of Remark 1 need be dropped for no sequence, only widened.",
      .depends_on = {"primal-dual/thm-1-box-grows"}};
  above.check = box_from_above(1);
  above.near_misses = {{"a thousandth less", 1e-3, box_from_above(0.999)}};

  engine::Claim flat;
  flat.statement = {
      .id = "primal-dual/thm-1-flatness",
      .label = "Thm 1 (flatness of an attention layer)",
      .title = "The squared weight of an attention layer is at most (sum |v_j| exp(|k_j|^2 / (2 sqrt(D))))^2",
      .kind = engine::Kind::universal_inequality,
      .tex =
          R"(\|w_d\|^2 = \sum_{i,j} v_i(d)v_j(d)\,e^{k_i^\top k_j/\sqrt D} \le \Big(\sum_j |v_j(d)|\,e^{|k_j|^2/(2\sqrt D)}\Big)^2)",
      .assumptions = {"w_d = sum_j v_j(d) Phi(k_j), which is Eq 8 in terms of the values",
                      "judged for positive values, which are the worst, N = 2 to 64, D = 1 to 16"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/thm-1-relaxed-box",
      .note =
          "For every N: the triangle inequality with |Phi(k)|^2 = exp(|k|^2/sqrt(D)), attained by equal keys. Short "
          "keys make a flat layer, which is what Eq 5 penalises."};
  flat.check = flatness(1);
  flat.near_misses = {{"a thousandth less", 1e-3, flatness(0.999)}};
  return {below, above, flat};
}

engine::Claims centred_keys() {
  engine::Claim normaliser;
  normaliser.statement = {
      .id = "primal-dual/def-1-normaliser",
      .label = "Def 1 / Eq 22-23 (normaliser at least N)",
      .title = "The normaliser of batch-normalised attention is at least N, for every query",
      .kind = engine::Kind::universal_inequality,
      .tex = R"(\sum_{j=1}^N e^{\bar q^\top\bar k_j/\sqrt D} \ge N)",
      .assumptions = {"mu over the keys that are attended to; any s",
                      "judged for N = 2 to 64, D = 1 to 16, epsilon = 1e-6 to 1, normalised queries in [-1, 1]^D"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/def-1",
      .note =
          "For every N and q: the normalised keys sum to zero, so the mean logit is 0, and Jensen's inequality does "
          "the rest. So a key of logit 0 or less gets at most the weight 1/N. Attained by the query mu."};
  normaliser.check = centred_normaliser(1);
  normaliser.near_misses = {{"a thousandth more", 1e-3, centred_normaliser(1.001)}};

  engine::Claim entry;
  entry.statement = {
      .id = "primal-dual/def-1-largest-entry",
      .label = "Def 1 / Eq 22-23 (entries at most sqrt(N - 1))",
      .title = "No entry of a batch-normalised key is larger than sqrt(N - 1)",
      .kind = engine::Kind::universal_inequality,
      .tex = R"(\frac{(k_j(d)-\mu(d))^2}{\sigma_d^2+\epsilon} \le N-1)",
      .assumptions = {"judged for the first entry of the first key, which is any; N = 2 to 64, epsilon = 1e-6 to 1"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/def-1",
      .note =
          "For every N: the other N - 1 deviations sum to minus this one, so sigma^2 is at least that over N - 1. "
          "Attained, as epsilon tends to 0, by one key apart from a crowd: the logits of Eq 22 are bounded by the "
          "length of the sequence and not by the size of the keys."};
  entry.check = largest_normalised_entry(1);
  entry.near_misses = {{"a thousandth less", 1e-3, largest_normalised_entry(0.999)}};
  return {normaliser, entry};
}

// Weight of the first key at the second position of a causal head with keys (0, 1, last), D = 1, query 0; mu and s over
// all three keys, as Eqs 22 and 26 have them.
template <class Real>
Real weight_under_causal_mask(const Real& last, bool divided) {
  using std::exp;
  const Keys<Real> keys(std::vector<Real>{Real(0), Real(1), last}, 1);
  const KeyStatistics<Real> statistics(keys, Real(1) / Real(1024));
  const Real scale = divided ? statistics.variance[0] : Real(1);
  const Real first = exp(Real((-statistics.mean[0]) * (Real(0) - statistics.mean[0]) / scale));
  const Real second = exp(Real((-statistics.mean[0]) * (Real(1) - statistics.mean[0]) / scale));
  return first / (first + second);
}

// The weight moves by more than `least` when the third key, which the second position does not see, is 4 instead of 0.
engine::Check sees_the_future(bool divided, double least) {
  engine::EnumerationProblem problem;
  problem.domain = "one head of three keys 0, 1, 0 and 0, 1, 4; D = 1, query 0, epsilon = 1/1024";
  problem.cases = 1;
  problem.relation = Relation::greater;
  problem.case_inputs = [](std::int64_t) { return Inputs{{"third key", {0, 4}}}; };
  problem.ball_sides = [divided, least](const Inputs& inputs) -> engine::BallSides {
    const auto last = inputs["third key"];
    return {rigor::abs(weight_under_causal_mask<Ball>(Ball(last[0]), divided) -
                       weight_under_causal_mask<Ball>(Ball(last[1]), divided)),
            Ball(least)};
  };
  return engine::enumerate(std::move(problem));
}

engine::Claims causal() {
  const auto both = [](double eq_22, double eq_26) {
    return engine::composite({{"Eq 22", engine::Kind::existence, sees_the_future(true, eq_22)},
                              {"Eq 26, beta = 1", engine::Kind::existence, sees_the_future(false, eq_26)}});
  };
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/def-1-causal",
      .label = "Def 1 / Eq 22-23 (under a causal mask)",
      .title = "Under a causal mask batch-normalised attention sees the future through mu and s",
      .kind = engine::Kind::existence,
      .tex =
          R"(\exists\, k, k' \text{ equal up to position } i:\quad \mathrm{softmax}_{j\le i}\big(\bar q_i^\top\bar k_j/\sqrt D\big) \ne \mathrm{softmax}_{j\le i}\big(\bar q_i^\top\bar k_j'/\sqrt D\big))",
      .assumptions = {"mu and s over all N keys, as Eqs 22, 23 and 26 define them; softmax over j <= i",
                      "judged at N = 3, i = 2, D = 1: keys 0, 1 and 0 or 4"},
      .expected = engine::Verdict::certified,
      .printed = false,
      .amends = "primal-dual/def-1",
      .note = "The paper's models are not causal. A language model needs statistics over the keys seen so far."};
  claim.check = both(0.176, 0.258);
  claim.near_misses = {{"Eq 22: a weight moved by 0.1765 at least", 0.003, both(0.1765, 0.258)},
                       {"Eq 26: a weight moved by 0.2595 at least", 0.005, both(0.176, 0.2595)}};
  return {claim};
}

}  // namespace

engine::Claims any_length() {
  engine::Claims claims = box_of_theorem_1();
  engine::append(claims, centred_keys());
  engine::append(claims, causal());
  return claims;
}

}  // namespace attest::primal_dual
