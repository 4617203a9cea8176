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
  std::vector<Real> rows, query;
};

template <class Real>
Head<Real> head(const Inputs& inputs, std::size_t factor, const std::vector<Real>& shift = {Real(0), Real(0)}) {
  const auto shifted = [&](std::vector<Real> rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += shift[i % dimension];
    return rows;
  };
  return {shifted(as<Real>(values(inputs, "keys", groups * factor * dimension))),
          shifted(as<Real>(values(inputs, "query", dimension)))};
}

// softmax_j((q - beta mu)'(k_j - beta mu) / sqrt(D)) with mu the mean of the pooled keys.
template <class Real>
std::vector<Real> recentred(const Head<Real>& head, std::size_t factor, const Real& beta) {
  return recentred_softmax<Real>(head.rows, dimension, factor, head.query, beta);
}

// softmax_j((q - beta mu)'k_j / sqrt(D)).
template <class Real>
std::vector<Real> query_recentred(const Head<Real>& head, std::size_t factor, const Real& beta) {
  const Keys<Real> keys(average_pooled<Real>(head.rows, dimension, factor), dimension);
  const auto mean = KeyStatistics<Real>(keys, Real(0)).mean;
  std::vector<Real> query;
  for (std::size_t d = 0; d < dimension; ++d) query.push_back(head.query[d] - beta * mean[d]);
  return keys.softmax(query);
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
    const Real epsilon(inputs.scalar("epsilon"));
    auto lhs = batch_normalised_softmax<Real>(at.rows, dimension, factor, at.query, epsilon);
    if (whitened) {
      const KeyStatistics<Real> statistics(Keys<Real>(average_pooled<Real>(at.rows, dimension, factor), dimension),
                                           epsilon);
      for (std::size_t i = 0; i < at.rows.size(); ++i) at.rows[i] /= sqrt(statistics.variance[i % dimension]);
      for (std::size_t d = 0; d < dimension; ++d) at.query[d] /= sqrt(statistics.variance[d]);
    }
    return engine::Pair<Real>(std::move(lhs), recentred(at, factor, Real(beta)));
  });
}

engine::Check keys_need_no_recentring(std::size_t factor, double ratio) {
  auto list = blocks(factor);
  list.push_back({"beta", 1, 0, 1.5});
  return identity_of(engine::Layout(list), 1, rounding, 1000, [=](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const Real beta(inputs.scalar("beta"));
    const Head<Real> at = head<Real>(inputs, factor);
    return engine::Pair<Real>(recentred(at, factor, beta), query_recentred(at, factor, Real(Real(ratio) * beta)));
  });
}

engine::Check shift_invariance(std::size_t factor, double beta) {
  auto list = blocks(factor);
  list.push_back({"shift", dimension, -1, 1});
  return identity_of(engine::Layout(list), 1, rounding, 1000, [=](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto shift = as<Real>(values(inputs, "shift", dimension));
    return engine::Pair<Real>(recentred(head<Real>(inputs, factor), factor, Real(beta)),
                              recentred(head<Real>(inputs, factor, shift), factor, Real(beta)));
  });
}

}  // namespace attest::primal_dual
