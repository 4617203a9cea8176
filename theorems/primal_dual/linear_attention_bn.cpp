// Section 2.3.2, last paragraph: batch normalisation and scaled heads for linear attention, "we replace the softmax
// kernel in Eqn. 22 and Eqn. 25 by the linear kernel".
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/primal_dual/batch_normalised_keys.hpp"
#include "theorems/primal_dual/elu_features.hpp"
#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/pooling.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 4;
constexpr std::size_t dimension = 2;

engine::Layout layout() {
  return engine::Layout({{"keys", samples * dimension, -2, 2}, {"query", dimension, -2, 2}, {"epsilon", 1, 0.1, 1}});
}

template <class Real>
struct Normalised {
  std::vector<Real> query;
  Keys<Real> keys;
};

// The normalised query and keys of Eq 22, over all keys or over keys pooled in groups of `factor`. `mean` multiplies
// mu.
template <class Real>
Normalised<Real> normalised(const Inputs& inputs, std::size_t factor, double mean = 1) {
  const auto query = as<Real>(inputs["query"]);
  const auto rows = as<Real>(inputs["keys"]);
  const Keys<Real> keys(average_pooled<Real>(rows, query.size(), factor), query.size());
  KeyStatistics<Real> statistics(keys, Real(inputs.scalar("epsilon")));
  for (Real& entry : statistics.mean) entry *= Real(mean);
  return {statistics.normalised(query), statistics.normalised(keys)};
}

// sum_j q'k_j > 0 for the normalised query and keys, at one head in which everything is exact: N = 2, D = 1, sigma^2 +
// epsilon = 1.
engine::Check positive_linear_normaliser(double mean) {
  engine::EnumerationProblem problem;
  problem.domain = "a head with two keys, D = 1";
  problem.cases = 1;
  problem.relation = engine::Relation::greater;
  problem.case_inputs = [](std::int64_t) { return Inputs{{"keys", {1.5, 0.5}}, {"query", {-1}}, {"epsilon", {0.75}}}; };
  problem.ball_sides = [mean](const Inputs& inputs) -> engine::BallSides {
    const auto at = normalised<Ball>(inputs, 1, mean);
    Ball total;
    for (std::size_t j = 0; j < at.keys.size(); ++j)
      total += inner_product(std::span<const Ball>(at.query), at.keys.row(j));
    return {total, Ball(0), inputs.scalar("epsilon") > 0};
  };
  return engine::enumerate(std::move(problem));
}

// q'k_1 = -(q'k_2 + ... + q'k_N) for the normalised query and keys.
engine::Check vanishing_normaliser(double mean) {
  // Normalised entries are at most 4 / sqrt(0.1) < 13 in size; eight products with about 20 roundings.
  return identity_of(layout(), 8 * 13 * 13, 32 * 0x1p-53, 800, [mean](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto at = normalised<Real>(inputs, 1, mean);
    const std::span<const Real> query(at.query);
    Real others(0);
    for (std::size_t j = 1; j < samples; ++j) others -= inner_product(query, at.keys.row(j));
    return engine::Pair<Real>({inner_product(query, at.keys.row(0))}, {others});
  });
}

// sum_j phi(q)'phi(k_j) > 0 for the normalised query and keys, phi = elu + shift.
engine::Check positive_normaliser(std::size_t factor, double shift) {
  engine::InequalityProblem problem;
  search_over(problem, layout());
  problem.relation = engine::Relation::greater;
  const auto sum = [=](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto at = normalised<Real>(inputs, factor);
    const auto phi = elu_features(std::span<const Real>(at.query), shift);
    Real total(0);
    for (std::size_t j = 0; j < at.keys.size(); ++j) total += inner_product(phi, elu_features(at.keys.row(j), shift));
    return total;
  };
  constexpr double size = samples * dimension;  // of the sum where every feature is 1
  problem.sides = [sum](const Inputs& inputs) -> engine::Sides { return {sum(inputs, 0.0), 0, size}; };
  problem.ball_sides = [sum](const Inputs& inputs) -> engine::BallSides {
    return {sum(inputs, Ball(0)), Ball(0), true, size};
  };
  problem.evaluations = 800;
  return engine::inequality(std::move(problem));
}

engine::Check well_posed(double shift) {
  return engine::composite(
      {{"all keys", engine::Kind::universal_inequality, positive_normaliser(1, shift)},
       {"keys pooled in pairs", engine::Kind::universal_inequality, positive_normaliser(2, shift)}});
}

}  // namespace

engine::Claims linear_attention_bn() {
  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/linear-attention-bn-plain-kernel",
      .label = "Linear Attention-BN (the kernel x'k itself)",
      .title = "With the kernel x'k the weights of Eq 22 have a positive normaliser",
      .kind = engine::Kind::definition,
      .tex = R"(\sum_j \bar q^\top\bar k_j > 0,\qquad \bar x = (x-\mu)\odot s^{-1})",
      .assumptions = {"'linear kernel' read as x'k, and the weights normalised to sum one, as Eq 22 has them",
                      "epsilon > 0"},
      .expected = engine::Verdict::refuted,
      .printed = false,
      .amends = "primal-dual/linear-attention-bn",
      .note =
          "The stricter reading of 'the linear kernel'. Batch-normalised keys sum to zero, so this normaliser is 0 for "
          "every query and every set of keys: read "
          "so, the mechanism does not exist (next statement).",
      .depends_on = {"primal-dual/def-1", "primal-dual/def-2"}};
  printed.check = positive_linear_normaliser(1);
  printed.near_hits = {{"a hundredth more of the mean taken out", 0.01, positive_linear_normaliser(1.01)}};

  engine::Claim vanishing;
  vanishing.statement = {
      .id = "primal-dual/linear-attention-bn-vanishing",
      .label = "Linear Attention-BN (the linear kernel's normaliser)",
      .title = "With the linear kernel the normaliser of batch-normalised attention vanishes identically",
      .kind = engine::Kind::identity,
      .tex = R"(\sum_j \bar q^\top\bar k_j = 0\quad\text{for all } q, k_1,\dots,k_N)",
      .assumptions = {"mu over the same keys that are attended to"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/linear-attention-bn"};
  vanishing.check = vanishing_normaliser(1);
  vanishing.near_misses = {{"one percent of the mean left in", 0.01, vanishing_normaliser(0.99)}};

  engine::Claim amended;
  amended.statement = {
      .id = "primal-dual/linear-attention-bn",
      .label = "Linear Attention-BN (\"replace the softmax kernel by the linear kernel\")",
      .title =
          "With the kernel of linear attention the normaliser is positive, over all keys and over "
          "pooled ones",
      .kind = engine::Kind::definition,
      .tex = R"(\sum_j \phi(\bar q)^\top\phi(\bar k_j) > 0,\qquad \phi = \mathrm{elu}+1)",
      .assumptions = {"'the linear kernel' read as that of linear attention (Section 2.2.1), phi(x)'phi(k) "
                      "with phi = elu + 1",
                      "epsilon > 0; batch normalisation before phi"},
      .expected = engine::Verdict::supported,
      .note =
          "Both values of phi are above 0, so is every weight. Read as x'k itself the kernel leaves no "
          "mechanism: see the next two statements.",
      .depends_on = {"primal-dual/def-1", "primal-dual/def-2", "primal-dual/linear-attention"}};
  amended.check = well_posed(1);
  amended.near_misses = {{"elu alone", 1, well_posed(0)}, {"elu + 0.5", 0.5, well_posed(0.5)}};
  return {amended, printed, vanishing};
}

}  // namespace attest::primal_dual
