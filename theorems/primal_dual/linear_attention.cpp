// Section 2.2.1: Eq 27 with b = 0 and Phi = elu + 1 is the linear attention of Katharopoulos et al. (2020).
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/primal_dual/elu_features.hpp"
#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;

template <class Real>
using Vector = std::vector<Real>;

// phi(q)'S / phi(q)'z with S = sum_j phi(k_j) v_j and z = sum_j phi(k_j).
template <class Real>
Real linear_attention_output(const Keys<Real>& keys, const Vector<Real>& query, const Vector<Real>& v) {
  if constexpr (std::is_same_v<Real, double>) {
    // The library adds an epsilon above 0 to the denominator, which is 2 exp(-4) at least: this one is lost in it.
    return mechanisms::output("linear",
                              {mechanisms::rows("q", query, dimension), keys.as_keys(), mechanisms::rows("v", v, 1)},
                              {.options = {{"eps", "1e-300"}}})[0];
  } else {
    const auto phi_x = elu_features(std::span<const Real>(query));
    Vector<Real> state(dimension, Real(0));
    Vector<Real> total(dimension, Real(0));
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const auto phi = elu_features(keys.row(j));
      for (std::size_t d = 0; d < dimension; ++d) {
        state[d] += phi[d] * v[j];
        total[d] += phi[d];
      }
    }
    return inner_product(phi_x, state) / inner_product(phi_x, total);
  }
}

// Eq 4 with w of Eq 8, multipliers beta and h(x) = sum_j Phi(x)'Phi(k_j), against linear attention
// of v_j = beta_j / h(k_j), its denominator times `factor`.
template <class Real>
engine::Pair<Real> layer_and_attention(const Inputs& inputs, double factor) {
  const Keys<Real> keys(values(inputs, "keys", samples * dimension), dimension);
  const auto query = as<Real>(values(inputs, "query", dimension));
  const auto beta = as<Real>(values(inputs, "beta", samples));
  std::vector<Vector<Real>> phi;
  for (std::size_t j = 0; j < samples; ++j) phi.push_back(elu_features(keys.row(j)));
  const auto phi_x = elu_features(std::span<const Real>(query));
  Vector<Real> w(dimension, Real(0));
  Vector<Real> v;
  for (std::size_t j = 0; j < samples; ++j) {
    const Real h = normaliser(phi[j], phi);
    v.push_back(beta[j] / h);
    for (std::size_t d = 0; d < dimension; ++d) w[d] += beta[j] * (phi[j][d] / h);
  }
  return {{inner_product(w, phi_x) / normaliser(phi_x, phi)},
          {linear_attention_output<Real>(keys, query, v) / Real(factor)}};
}

engine::Check is_linear_attention(double factor) {
  const engine::Layout layout(
      {{"keys", samples * dimension, -2, 2}, {"query", dimension, -2, 2}, {"beta", samples, -3, 3}});
  // Terms of phi'phi are positive, so that their sums lose nothing. Both sides are averages of v_j = beta_j / h(k_j),
  // at most 3 / (2 exp(-4)) < 82 in size, since phi(k_j)'phi(k_j) is part of h(k_j).
  return identity_of(layout, 82, 64 * 0x1p-53, 1500, [factor](const Inputs& inputs, auto zero) {
    return layer_and_attention<decltype(zero)>(inputs, factor);
  });
}

// Phi(x)'Phi(k) > 0 for Phi = elu + shift.
engine::Check positive_similarity(double shift) {
  engine::InequalityProblem problem;
  search_over(problem, engine::Layout({{"x", dimension, -8, 8}, {"k", dimension, -8, 8}}));
  problem.relation = engine::Relation::greater;
  const auto similarity = [shift](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto x = as<Real>(values(inputs, "x", dimension));
    const auto k = as<Real>(values(inputs, "k", dimension));
    return inner_product(elu_features(std::span<const Real>(x), shift), elu_features(std::span<const Real>(k), shift));
  };
  constexpr double size = dimension;  // of the similarity where every feature is 1
  problem.sides = [similarity](const Inputs& inputs) -> engine::Sides { return {similarity(inputs, 0.0), 0, size}; };
  problem.ball_sides = [similarity](const Inputs& inputs) -> engine::BallSides {
    return {similarity(inputs, Ball(0)), Ball(0), true, size};
  };
  problem.evaluations = 1500;
  return engine::inequality(std::move(problem));
}

engine::Check derived(double factor, double shift) {
  return engine::composite(
      {{"the layer is linear attention", engine::Kind::identity, is_linear_attention(factor)},
       {"the similarity is positive", engine::Kind::universal_inequality, positive_similarity(shift)}});
}

}  // namespace

engine::Claims linear_attention() {
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/linear-attention",
      .label = "Sec 2.2.1 (linear attention)",
      .title = "With Phi = elu + 1 the expansion is linear attention, and its similarity is positive",
      .kind = engine::Kind::identity,
      .tex =
          R"(\frac{\sum_j \Phi(q)^\top\Phi(k_j)\,v_j}{\sum_{j'}\Phi(q)^\top\Phi(k_{j'})} = \frac{\Phi(q)^\top\sum_j\Phi(k_j)v_j}{\Phi(q)^\top\sum_{j'}\Phi(k_{j'})},\qquad \Phi(x)^\top\Phi(k) > 0,\quad \Phi = \mathrm{elu}+1)",
      .assumptions = {"b = 0", "no scale 1/sqrt(D) in the features and no epsilon in the denominator",
                      "the left side is evaluated as the layer of Eq 4 with w of Eq 8"},
      .expected = engine::Verdict::supported,
      .depends_on = {"primal-dual/eq-10", "primal-dual/eq-11"}};
  claim.check = derived(1, 1);
  claim.near_misses = {{"denominator one percent larger", 0.01, derived(1.01, 1)},
                       {"elu + 0.99", 0.01, derived(1, 0.99)}};
  return {claim};
}

}  // namespace attest::primal_dual
