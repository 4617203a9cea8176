#include "theorems/primal_dual/recentred_attention.hpp"

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
  return {{"keys", groups * factor * dimension, -2, 2}, {"query", dimension, -2, 2}};
}

template <class Real>
struct Head {
  Keys<Real> keys;
  std::vector<Real> query;
};

template <class Real>
Head<Real> head(const Inputs& inputs, std::size_t factor, const std::vector<Real>& shift = {Real(0), Real(0)}) {
  const auto shifted = [&](std::vector<Real> rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += shift[i % dimension];
    return rows;
  };
  const auto rows = shifted(as<Real>(values(inputs, "keys", groups * factor * dimension)));
  return {Keys<Real>(average_pooled<Real>(rows, dimension, factor), dimension),
          shifted(as<Real>(values(inputs, "query", dimension)))};
}

// softmax_j((q - beta_q mu)'(k_j - beta_k mu) / sqrt(D)) with mu the mean of the keys.
template <class Real>
std::vector<Real> recentred(const Head<Real>& head, const Real& beta_q, const Real& beta_k) {
  const auto mean = KeyStatistics<Real>(head.keys, Real(0)).mean;
  std::vector<Real> query;
  std::vector<Real> rows;
  for (std::size_t d = 0; d < dimension; ++d) query.push_back(head.query[d] - beta_q * mean[d]);
  for (std::size_t j = 0; j < groups; ++j) {
    for (std::size_t d = 0; d < dimension; ++d) rows.push_back(head.keys.row(j)[d] - beta_k * mean[d]);
  }
  return Keys<Real>(std::move(rows), dimension).softmax(query);
}

// Recentred entries are at most 5 in size, logits at most 50 / sqrt(2), each from about 20 roundings.
constexpr double rounding = 2 * 20 * 36 * 0x1p-53;

}  // namespace

engine::Check simplified_weights(std::size_t factor, double beta, bool whitened) {
  auto list = blocks(factor);
  list.push_back({"epsilon", 1, 0.1, 1});
  // Logits of normalised vectors are below 230 in size.
  return identity_of(engine::Layout(list), 1, 2 * 20 * 230 * 0x1p-53, 1000, [=](const Inputs& inputs, auto zero) {
    using std::sqrt;
    using Real = decltype(zero);
    Head<Real> at = head<Real>(inputs, factor);
    const KeyStatistics<Real> statistics(at.keys, Real(inputs.scalar("epsilon")));
    auto lhs = statistics.normalised(at.keys).softmax(statistics.normalised(at.query));
    if (whitened) {
      std::vector<Real> rows;
      for (std::size_t j = 0; j < groups; ++j) {
        for (std::size_t d = 0; d < dimension; ++d) rows.push_back(at.keys.row(j)[d] / sqrt(statistics.variance[d]));
      }
      for (std::size_t d = 0; d < dimension; ++d) at.query[d] /= sqrt(statistics.variance[d]);
      at.keys = Keys<Real>(std::move(rows), dimension);
    }
    return engine::Pair<Real>(std::move(lhs), recentred(at, Real(beta), Real(beta)));
  });
}

engine::Check keys_need_no_recentring(std::size_t factor, double ratio) {
  auto list = blocks(factor);
  list.push_back({"beta", 1, 0, 1.5});
  return identity_of(engine::Layout(list), 1, rounding, 1000, [=](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const Real beta(inputs.scalar("beta"));
    const Head<Real> at = head<Real>(inputs, factor);
    return engine::Pair<Real>(recentred(at, beta, beta), recentred(at, Real(Real(ratio) * beta), Real(0)));
  });
}

engine::Check shift_invariance(std::size_t factor, double beta) {
  auto list = blocks(factor);
  list.push_back({"shift", dimension, -1, 1});
  return identity_of(engine::Layout(list), 1, rounding, 1000, [=](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto shift = as<Real>(values(inputs, "shift", dimension));
    return engine::Pair<Real>(recentred(head<Real>(inputs, factor), Real(beta), Real(beta)),
                              recentred(head<Real>(inputs, factor, shift), Real(beta), Real(beta)));
  });
}

}  // namespace attest::primal_dual
