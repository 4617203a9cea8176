// Eqs 10 and 11: the support vector expansion, and its normalised form.
#include <cmath>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;
constexpr unsigned degree = 4;  // even: the truncated exponential is positive, so h > 0

// sum_{t <= degree} u^t / t!, the kernel of the truncated features (Eq 13).
template <class Real>
Real truncated_kernel(std::span<const Real> x, std::span<const Real> k) {
  using std::sqrt;
  const Real u = inner_product(x, k) / sqrt(Real(static_cast<double>(dimension)));
  Real sum(1);
  for (unsigned t = degree; t >= 1; --t) sum = Real(1) + u / Real(static_cast<double>(t)) * sum;
  return sum;
}

// Eq 4 with w of Eq 8 on written-out features, and Eq 10 with v_j = factor (alpha_j - alpha~_j) / h(k_j).
template <class Real>
engine::Pair<Real> expansion(const Inputs& inputs, const FiniteFeatures& map, double factor, bool divided) {
  const Keys<Real> keys(values(inputs, "keys", samples * dimension), dimension);
  const auto query = as<Real>(values(inputs, "query", dimension));
  const auto phi = map.of_rows(keys);
  const auto phi_x = map(std::span<const Real>(query));
  const Real h_x(inputs.scalar("h(x)"));
  const Real b(inputs.scalar("b"));
  std::vector<Real> w(map.size(), Real(0));
  Real rhs = b;
  for (std::size_t j = 0; j < samples; ++j) {
    const Real beta = Real(values(inputs, "alpha", samples)[j]) - Real(values(inputs, "alpha~", samples)[j]);
    const Real h(values(inputs, "h", samples)[j]);
    for (std::size_t l = 0; l < w.size(); ++l) w[l] += beta * phi[j][l] / h;
    const Real v = Real(factor) * (divided ? Real(beta / h) : beta);
    rhs += truncated_kernel(std::span<const Real>(query), keys.row(j)) / h_x * v;
  }
  return {{inner_product(w, phi_x) / h_x + b}, {rhs}};
}

// Eq 10 with h(x) := sum_l Phi(x)' Phi(k_l) on written-out features, and Eq 11 with its normaliser over `counted` keys.
template <class Real>
engine::Pair<Real> normalised(const Inputs& inputs, const FiniteFeatures& map, double factor, std::size_t counted) {
  const Keys<Real> keys(values(inputs, "keys", samples * dimension), dimension);
  const auto query = as<Real>(values(inputs, "query", dimension));
  const auto v = as<Real>(values(inputs, "v", samples));
  const auto phi = map.of_rows(keys);
  const auto phi_x = map(std::span<const Real>(query));
  const Real b(inputs.scalar("b"));
  const Real h_x = normaliser(phi_x, phi);
  Real lhs = b;
  Real numerator(0);
  Real denominator(0);
  for (std::size_t j = 0; j < samples; ++j) {
    lhs += inner_product(phi_x, phi[j]) / h_x * v[j];
    const Real similarity = truncated_kernel(std::span<const Real>(query), keys.row(j));
    numerator += similarity * v[j];
    if (j < counted) denominator += Real(factor) * similarity;
  }
  return {{lhs}, {numerator / denominator + b}};
}

engine::Check eq_10_check(double factor, bool divided) {
  const engine::Layout layout({{"keys", samples * dimension, -1.5, 1.5},
                               {"query", dimension, -1.5, 1.5},
                               {"alpha", samples, 0, 3},
                               {"alpha~", samples, 0, 3},
                               {"h", samples, 0.5, 5},
                               {"h(x)", 1, 0.5, 5},
                               {"b", 1, -2, 2}});
  const FiniteFeatures map(dimension, degree);
  // Terms: |beta| / (h h(x)) sum_l |phi_l phi_l| <= 3 * 3 / 0.25 * exp(|x| |k| / sqrt 2) < 36 * 25; 15 features, 3
  // keys, about 100 roundings on the way.
  return identity_of(layout, 900, 200 * 0x1p-53, 4000, [map, factor, divided](const Inputs& inputs, auto zero) {
    return expansion<decltype(zero)>(inputs, map, factor, divided);
  });
}

engine::Check eq_11_check(double factor, std::size_t counted) {
  const engine::Layout layout({{"keys", samples * dimension, -1.5, 1.5},
                               {"query", dimension, -1.5, 1.5},
                               {"v", samples, -3, 3},
                               {"b", 1, -2, 2}});
  const FiniteFeatures map(dimension, degree);
  // The truncated kernel is at least 0.27 (its minimum over u) while its terms add up to at most exp(3.2) < 25: each
  // weight is off by at most 25 / 0.27 < 100 times 150 unit roundoffs, and the values are at most 3.
  return identity_of(layout, 300, 150 * 0x1p-53, 4000, [map, factor, counted](const Inputs& inputs, auto zero) {
    return normalised<decltype(zero)>(inputs, map, factor, counted);
  });
}

}  // namespace

engine::Claims eq_10() {
  engine::Claim expansion_claim;
  expansion_claim.statement = {
      .id = "primal-dual/eq-10",
      .label = "Eq 10",
      .title = "Substituting Eq 8 in Eq 4 gives the support vector expansion",
      .kind = engine::Kind::identity,
      .tex =
          R"(\Big\langle \sum_j (\alpha_j-\tilde\alpha_j)\tfrac{\Phi(k_j)}{h(k_j)},\, \tfrac{\Phi(x)}{h(x)}\Big\rangle + b = \sum_j \tfrac{\Phi(x)^\top\Phi(k_j)}{h(x)} v_j + b,\quad v_j = \tfrac{\alpha_j-\tilde\alpha_j}{h(k_j)})",
      .assumptions = {"any h without zeros at x and at the keys; judged with h in [0.5, 5] free of Phi",
                      "features cut at degree 4, where both sides are finite sums"},
      .expected = engine::Verdict::supported,
      .note = "Linear in the multipliers, so it holds for any of them, optimal or not.",
      .depends_on = {"primal-dual/eq-6-9"}};
  expansion_claim.check = eq_10_check(1, true);
  expansion_claim.near_misses = {{"v_j raised by 1 percent", 0.01, eq_10_check(1.01, true)},
                                 {"v_j without the division by h(k_j)", 1, eq_10_check(1, false)}};

  engine::Claim normalised_claim;
  normalised_claim.statement = {
      .id = "primal-dual/eq-11",
      .label = "Eq 11 / Eq 27",
      .title = "With h(x) the sum of similarities the expansion is a normalised kernel average",
      .kind = engine::Kind::identity,
      .tex =
          R"(\sum_j \tfrac{\Phi(x)^\top\Phi(k_j)}{h(x)} v_j + b = \frac{\sum_j \Phi(x)^\top\Phi(k_j)\, v_j}{\sum_{j'} \Phi(x)^\top\Phi(k_{j'})} + b,\quad h(x) := \sum_j \Phi(x)^\top \Phi(k_j))",
      .assumptions = {"h(x) is not zero: automatic for the positive kernel of Eq 12, not for every Phi"},
      .expected = engine::Verdict::supported,
      .depends_on = {"primal-dual/eq-10"}};
  normalised_claim.check = eq_11_check(1, samples);
  normalised_claim.near_misses = {{"normaliser raised by 1 percent", 0.01, eq_11_check(1.01, samples)},
                                  {"normaliser over all keys but the last", 1, eq_11_check(1, samples - 1)}};
  return {expansion_claim, normalised_claim};
}

}  // namespace attest::primal_dual
