// Section 2.3.1, "The Effect of Normalization": which keys a query attends to less.
#include <cmath>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/batch_normalised_keys.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;

engine::Layout layout() { return engine::Layout({{"keys", samples * dimension, -3, 3}, {"epsilon", 1, 0.1, 1}}); }

// What Eq 24 takes from the logit of key j beside q'k_j, and what the sentence compares it with.
template <class Real>
struct Effect {
  Real adjustment;  // -sum_d mu(d) k_j(d) / (sqrt(D) (sigma_d^2 + epsilon))
  Real others;      // sum over the other keys of <k_j, k_j'>, each feature over sigma_d^2 + epsilon
  Real everything;  // the same over all keys, k_j itself included
};

template <class Real>
Effect<Real> effect(const Inputs& inputs, std::size_t j) {
  using std::sqrt;
  const Keys<Real> keys(values(inputs, "keys", samples * dimension), dimension);
  const KeyStatistics<Real> statistics(keys, Real(inputs.scalar("epsilon")));
  Effect<Real> out{Real(0), Real(0), Real(0)};
  for (std::size_t d = 0; d < dimension; ++d) {
    const Real scaled = keys.row(j)[d] / statistics.variance[d];
    out.adjustment -= statistics.mean[d] * scaled / sqrt(Real(static_cast<double>(dimension)));
    for (std::size_t other = 0; other < samples; ++other) {
      out.everything += scaled * keys.row(other)[d];
      if (other == j) continue;
      out.others += scaled * keys.row(other)[d];
    }
  }
  return out;
}

// (similarity to other keys of key 1 minus that of key 2) times (adjustment of key 1 minus that of key 2) <= 0.
// `itself`: all keys, the key itself included.
engine::Check less_for_similar_keys(bool itself) {
  const engine::Layout box = layout();
  engine::InequalityProblem problem;
  search_over(problem, box);
  const auto product = [itself](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto first = effect<Real>(inputs, 0);
    const auto second = effect<Real>(inputs, 1);
    const Real similarity = itself ? Real(first.everything - second.everything) : Real(first.others - second.others);
    return Real(similarity * (first.adjustment - second.adjustment));
  };
  problem.sides = [product](const Inputs& inputs) -> engine::Sides { return {product(inputs, double{}), 0}; };
  problem.ball_sides = [product](const Inputs& inputs) -> engine::BallSides {
    return {product(inputs, Ball{}), Ball(0)};
  };
  problem.corners = {box.point(Inputs{{"keys", {1, 0, 0, 3, 1, 0}}, {"epsilon", {1}}})};
  problem.evaluations = 2000;
  return engine::inequality(std::move(problem));
}

// adjustment_1 - adjustment_2 = -factor (similarity to all keys of 1 minus that of 2) / (N sqrt(D)).
engine::Check proportional(double factor, bool without_itself) {
  // D products of at most 9 over at least 0.1, for two keys; about 30 operations.
  return identity_of(
      layout(), 2 * 2 * 9 / 0.1, 64 * 0x1p-53, 2000, [factor, without_itself](const Inputs& inputs, auto zero) {
        using std::sqrt;
        using Real = decltype(zero);
        const auto first = effect<Real>(inputs, 0);
        const auto second = effect<Real>(inputs, 1);
        const Real similarity =
            without_itself ? Real(first.others - second.others) : Real(first.everything - second.everything);
        const Real count = Real(static_cast<double>(samples)) * sqrt(Real(static_cast<double>(dimension)));
        return engine::Pair<Real>({first.adjustment - second.adjustment}, {-Real(factor) * similarity / count});
      });
}

}  // namespace

engine::Claims effect_of_normalisation() {
  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/effect-of-normalisation",
      .label = "Sec 2.3.1 \"The Effect of Normalization\" (last sentence)",
      .title = "A key more similar to the other keys loses more of its logit",
      .kind = engine::Kind::universal_inequality,
      .tex =
          R"(\Big(\sum_{j'\ne 1}\langle k_1,k_{j'}\rangle - \sum_{j'\ne 2}\langle k_2,k_{j'}\rangle\Big)\,(a_1 - a_2) \le 0,\quad a_j = -\sum_d \tfrac{\mu(d)k_j(d)}{\sqrt D(\sigma_d^2+\epsilon)})",
      .assumptions = {"similarity is the dot product of Eq 24, each feature over sigma_d^2 + epsilon",
                      "two keys of one sequence with the same similarity to the query"},
      .expected = engine::Verdict::refuted,
      .finding = engine::Finding::assumption,
      .note =
          "\"If the key k_j is too similar to other keys, the query q_i will attend to it less and vice versa\": true "
          "of keys of equal length, or if the key itself is counted among all keys. The sum in Eq 24 runs over all "
          "keys, the key itself included: a long key that resembles no other loses more "
          "than a short one that resembles several.",
      .depends_on = {"primal-dual/eq-24"}};
  printed.check = less_for_similar_keys(false);
  printed.near_hits = {{"similarity to all keys, the key itself included", 1, less_for_similar_keys(true)}};

  engine::Claim amended;
  amended.statement = {
      .id = "primal-dual/effect-of-normalisation-all-keys",
      .label = "Sec 2.3.1 \"The Effect of Normalization\" (all keys, itself included)",
      .title = "A key loses logit in proportion to its similarity to all keys, its own length included",
      .kind = engine::Kind::identity,
      .tex =
          R"(a_1 - a_2 = -\frac{1}{N\sqrt D}\Big(\sum_{j'}\langle k_1,k_{j'}\rangle - \sum_{j'}\langle k_2,k_{j'}\rangle\Big))",
      .assumptions = {"dot products with each feature over sigma_d^2 + epsilon"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/effect-of-normalisation"};
  amended.check = proportional(1, false);
  amended.near_misses = {{"1 percent more", 0.01, proportional(1.01, false)},
                         {"similarity to the other keys only", 1, proportional(1, true)}};
  return {printed, amended};
}

}  // namespace attest::primal_dual
