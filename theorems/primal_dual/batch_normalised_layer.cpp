#include "theorems/primal_dual/batch_normalised_layer.hpp"

#include "theorems/primal_dual/batch_normalised_keys.hpp"
#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/pooling.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;

constexpr std::size_t groups = 3;
constexpr std::size_t dimension = 2;

std::vector<engine::Block> blocks(std::size_t factor) {
  return {{"keys", groups * factor * dimension, -2, 2}, {"query", dimension, -2, 2}, {"epsilon", 1, 0.1, 1}};
}

template <class Real>
Keys<Real> pooled_keys(const Inputs& inputs, std::size_t factor) {
  const auto rows = as<Real>(values(inputs, "keys", groups * factor * dimension));
  return {average_pooled<Real>(rows, dimension, factor), dimension};
}

}  // namespace

engine::Check batch_normalised_expansion(std::size_t factor, double value, bool raw_normaliser) {
  auto list = blocks(factor);
  list.push_back({"beta", groups, -3, 3});
  list.push_back({"b", 1, -2, 2});
  const FiniteFeatures map(dimension, 2);
  // |BN(k_j)|^2 <= D N and |BN(q)|^2 <= 2 * 16 / 0.1: features up to 160 in size, kernels up to 10^4 over h >= 0.5
  // each.
  return identity_of(engine::Layout(list), 1e6, 200 * 0x1p-53, 2000, [=](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const Keys<Real> keys = pooled_keys<Real>(inputs, factor);
    const auto query = as<Real>(values(inputs, "query", dimension));
    const KeyStatistics<Real> statistics(keys, Real(inputs.scalar("epsilon")));
    const auto phi = map.of_rows(statistics.normalised(keys));
    const auto raw = map.of_rows(keys);
    const auto at = statistics.normalised(query);
    const auto phi_x = map(std::span<const Real>(at));
    const Real h_x = normaliser(phi_x, phi);
    std::vector<Real> w(map.size(), Real(0));
    Real rhs(inputs.scalar("b"));
    for (std::size_t j = 0; j < groups; ++j) {
      const Real beta(values(inputs, "beta", groups)[j]);
      const Real h = normaliser(phi[j], phi);
      for (std::size_t l = 0; l < w.size(); ++l) w[l] += beta * phi[j][l] / h;
      const Real v = Real(value) * beta / (raw_normaliser ? normaliser(raw[j], phi) : h);
      rhs += inner_product(phi_x, phi[j]) / h_x * v;
    }
    const Real lhs = inner_product(w, phi_x) / h_x + Real(inputs.scalar("b"));
    return engine::Pair<Real>({lhs}, {rhs});
  });
}

engine::Check batch_normalised_weights(std::size_t factor, bool raw_keys, double height) {
  // Exponents below 230 with about 20 roundings each; a weight of Eq 21 with raw keys may exceed 1, where it is
  // refuted.
  return identity_of(engine::Layout(blocks(factor)), 1, 40 * 230 * 0x1p-53, 2000, [=](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const Keys<Real> keys = pooled_keys<Real>(inputs, factor);
    const auto query = as<Real>(values(inputs, "query", dimension));
    const KeyStatistics<Real> statistics(keys, Real(inputs.scalar("epsilon")));
    const Keys<Real> normalised = statistics.normalised(keys);
    const auto at = statistics.normalised(query);
    const std::span<const Real> x(at);
    const Real h = Real(height) * (raw_keys ? keys.normaliser(x) : normalised.normaliser(x));
    std::vector<Real> lhs;
    for (std::size_t j = 0; j < groups; ++j) lhs.push_back(normalised.similarity(x, j) / h);
    return engine::Pair<Real>(lhs, batch_normalised_softmax<Real>(as<Real>(inputs["keys"]), dimension, factor, query,
                                                                  Real(inputs.scalar("epsilon"))));
  });
}

engine::Check batch_normalised_invariance(std::size_t factor, bool with_epsilon) {
  auto list = blocks(factor);
  list.push_back({"scale", 1, 0.5, 2});
  list.push_back({"shift", dimension, -1, 1});
  return identity_of(engine::Layout(list), 1, 64 * 230 * 0x1p-53, 2000, [=](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto query = as<Real>(values(inputs, "query", dimension));
    const Real scale(inputs.scalar("scale"));
    const Real epsilon(inputs.scalar("epsilon"));
    const auto moved = [&](const std::vector<Real>& rows) {
      std::vector<Real> out;
      for (std::size_t i = 0; i < rows.size(); ++i)
        out.push_back(scale * rows[i] + Real(values(inputs, "shift", dimension)[i % dimension]));
      return out;
    };
    const auto rows = as<Real>(values(inputs, "keys", groups * factor * dimension));
    return engine::Pair<Real>(batch_normalised_softmax<Real>(rows, dimension, factor, query, epsilon),
                              batch_normalised_softmax<Real>(moved(rows), dimension, factor, moved(query),
                                                             with_epsilon ? Real(scale * scale * epsilon) : epsilon));
  });
}

}  // namespace attest::primal_dual
