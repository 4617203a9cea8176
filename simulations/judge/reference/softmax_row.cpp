#include "simulations/judge/reference/softmax_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t at(Index n) { return static_cast<std::size_t>(n); }

/// What the hypotheses about hidden keys put in the place of their logit.
template <typename T>
T hidden_logit(const Reading& r, T s, double added) {
  using Masked = Semantics::Masked;
  switch (r.is.masked) {
    case Masked::zero_logit:
      return 0;
    case Masked::capped:
      return static_cast<T>(-r.p.softcap + added);
    case Masked::lowered:
      return s + static_cast<T>(r.is.hidden_logit);
    case Masked::replaced:
      return static_cast<T>(r.is.hidden_logit);
    default:
      return s;
  }
}

/// In tiles, what was summed before a higher maximum keeps its old scale: in the numerator or in the sum.
template <typename T>
void forget_rescaling(const Reading& r, SoftmaxRow<T>& row) {
  T running = T(-infinity);
  row.sum = 0;
  for (Index first = 0; first < r.p.keys; first += r.is.tile) {
    const Index end = std::min(first + r.is.tile, r.p.keys);
    T top = running;
    for (Index j = first; j < end; ++j) top = std::max(top, row.logits[at(j)]);
    if (!r.is.normaliser_not_rescaled && running != T(-infinity)) row.sum *= std::exp(running - top);
    for (Index j = first; j < end; ++j) row.sum += row.weights[at(j)] = std::exp(row.logits[at(j)] - top);
    if (r.is.normaliser_not_rescaled && running != T(-infinity) && top != running)
      for (Index j = 0; j < first; ++j) row.weights[at(j)] *= std::exp(running - top);
    running = top;
  }
}

/// Parts of the keys, each normalised by itself, with equal weights or weights 2^lse.
template <typename T>
void combine_parts(const Reading& r, SoftmaxRow<T>& row) {
  const Index parts = std::min(r.is.tile, r.p.keys);
  row.sum = 0;
  for (Index part = 0, first = 0; part < parts; ++part) {
    const Index end = first + r.p.keys / parts + (part < r.p.keys % parts ? 1 : 0);
    T of_part = 0;
    for (Index j = first; j < end; ++j) of_part += row.weights[at(j)];
    T share = of_part == 0 ? T(0) : T(1);
    if (r.is.parts == Semantics::Parts::base_2 && of_part != 0) share = std::exp2(std::log(of_part));
    for (Index j = first; j < end && of_part != 0; ++j) row.weights[at(j)] *= share / of_part;
    row.sum += share;
    first = end;
  }
}

template <typename T>
void fill_dropout(const Reading& r, Index b, Index h, Index i, SoftmaxRow<T>& row) {
  row.drop.assign(at(r.p.keys), 1.0);
  if (!r.p.kept.present()) return;
  T kept_sum = 0;
  for (Index j = 0; j < r.p.keys; ++j) {
    row.drop[at(j)] = r.drop_factor(b, h, i, j);
    if (row.drop[at(j)] != 0) kept_sum += row.weights[at(j)];
  }
  if (r.is.dropout == Semantics::Dropout::normalised_again && kept_sum != 0)
    for (double& factor : row.drop) factor = factor == 0 ? 0 : static_cast<double>(1 / kept_sum);
}

}  // namespace

template <typename T>
void fill_logits(const Reading& r, Index b, Index h, Index i, SoftmaxRow<T>& row) {
  using Masked = Semantics::Masked;
  using Softcap = Semantics::Softcap;
  const Problem& p = r.p;
  const Index g = r.kv_head(h);
  const double u = r.precision.sums, w = r.precision.between, factor = r.scale();
  row.logits.assign(at(p.keys), T(-infinity));
  row.errors.assign(at(p.keys), 0.0);
  row.slopes.assign(at(p.keys), T(1));
  row.seen.assign(at(p.keys), 0);
  row.seen_count = 0;
  const bool excluded = r.is.masked == Masked::excluded || (r.is.masked == Masked::capped && p.softcap == 0);
  const Index features = r.is.odd_width_cut && p.width > 1 ? p.width / 2 * 2 : p.width;
  const bool early_cap = r.is.softcap == Softcap::before_scale;
  for (Index j = 0; j < p.keys; ++j) {
    const bool sees = r.visibility.sees(b, h, i, j);
    row.seen[at(j)] = sees ? 1 : 0;
    row.seen_count += sees ? 1 : 0;
    if (!sees && excluded) continue;
    T dot = 0;
    double magnitude = 0;
    const double* key = p.k.data() + r.key_at(b, g, j);
    for (Index d = 0; d < features; ++d) {
      const double x = p.q_at(b, h, i, d), y = key[d];
      dot += static_cast<T>(x) * static_cast<T>(y);
      magnitude += std::abs(x * y);
    }
    const double term = r.added(b, h, i, j);
    T s = early_cap ? dot : dot * static_cast<T>(factor);
    double e = std::abs(factor) * magnitude * (static_cast<double>(p.width + 3) * u + 3 * w);
    if (r.is.softcap == Softcap::after_bias) s += static_cast<T>(term);
    if (p.softcap != 0 && r.is.softcap != Softcap::ignored) {
      const T cap = static_cast<T>(p.softcap), t = std::tanh(s / cap);
      row.slopes[at(j)] = r.is.no_softcap_derivative ? T(1) : 1 - t * t;
      s = r.is.softcap == Softcap::without_factor ? t : r.is.softcap == Softcap::times_logit ? s * t : cap * t;
      e += 3 * (u + w) * std::abs(static_cast<double>(s));
    }
    if (early_cap) s *= static_cast<T>(factor);
    if (r.is.softcap != Softcap::after_bias) s += static_cast<T>(term);
    e += 3 * (u + w) * (std::abs(static_cast<double>(s)) + std::abs(term));
    if (!sees) s = hidden_logit(r, s, term);
    if (r.is.sinks == Semantics::Sinks::at_first_key && j == 0 && !p.sinks.empty()) s += static_cast<T>(p.sinks[at(h)]);
    row.logits[at(j)] = s;
    row.errors[at(j)] = e;
  }
}

template <typename T>
bool fill_weights(const Reading& r, Index b, Index h, Index i, const T* column_sums, SoftmaxRow<T>& row) {
  using Keys = Semantics::Keys;
  const Index keys = r.p.keys;
  const double u = r.precision.sums, w = r.precision.between, sink = r.sink(h);
  row.largest = static_cast<T>(sink);
  for (const T s : row.logits) row.largest = std::max(row.largest, s);
  T padding = 0;  // keys that are not there
  if (r.is.keys == Keys::last_partial_tile_padded && keys % r.is.tile != 0) {
    row.largest = std::max(row.largest, T(0));
    padding = static_cast<T>(r.is.tile - keys % r.is.tile);
  }
  if (row.largest == T(-infinity)) return false;
  row.weights.assign(at(keys), T(0));
  row.sum = std::exp(static_cast<T>(sink) - row.largest) + (padding != 0 ? padding * std::exp(-row.largest) : T(0));
  for (Index j = 0; j < keys; ++j) {
    if (row.logits[at(j)] == T(-infinity)) continue;  // hidden from the query
    T& weight = row.weights[at(j)];
    weight = std::exp(row.logits[at(j)] - row.largest);
    if (r.is.keys == Keys::last_twice && j == keys - 1) weight *= 2;
    if (r.is.keys == Keys::first_tile_twice && keys > r.is.tile && j < r.is.tile) weight *= 2;
    row.sum += weight;
  }
  if (r.is.two_tiles_forget_rescale || r.is.normaliser_not_rescaled) forget_rescaling(r, row);
  if (r.is.parts != Semantics::Parts::none) combine_parts(r, row);
  if (r.is.rows == Semantics::Rows::not_normalised) row.sum = 1;
  row.error = row.largest_error = 0;
  row.relative.assign(at(keys), 0.0);
  const bool any_weight = row.sum != T(0);
  for (Index j = 0; j < keys; ++j) {
    T& weight = row.weights[at(j)];
    if (column_sums != nullptr) row.sum = column_sums[j] * std::exp(-row.largest);
    weight = any_weight ? weight / row.sum : T(0);
    if (r.is.masked == Semantics::Masked::after_normalising && row.seen[at(j)] == 0) weight = 0;
    if (row.logits[at(j)] == T(-infinity)) continue;
    const double e = row.errors[at(j)] + u * std::abs(static_cast<double>(row.logits[at(j)] - row.largest)) + 4 * u + w;
    row.largest_error = std::max(row.largest_error, e);
    if (weight == 0) continue;
    row.relative[at(j)] = std::expm1(std::min(e, 60.0));
    row.error += static_cast<double>(weight) * row.relative[at(j)];
  }
  fill_dropout(r, b, h, i, row);
  return true;
}

template <typename T>
double lse_of(const Reading& r, const SoftmaxRow<T>& row) {
  using Lse = Semantics::Lse;
  const T log_sum = std::log(row.sum);
  const T lse = row.largest + log_sum;
  switch (r.is.lse) {
    case Lse::base_2:
      return static_cast<double>(lse / std::log(T(2)));
    case Lse::without_largest:
      return static_cast<double>(log_sum);
    case Lse::without_scale:
      return static_cast<double>(row.largest / static_cast<T>(r.scale()) + log_sum);
    case Lse::largest_only:
      return static_cast<double>(row.largest);
    case Lse::negated:
      return static_cast<double>(-lse);
    case Lse::zero:
      return 0;
    case Lse::after_dropout: {
      T kept = 0;
      for (Index j = 0; j < r.p.keys; ++j) kept += row.weights[at(j)] * static_cast<T>(row.drop[at(j)]);
      return static_cast<double>(lse + std::log(kept));
    }
    case Lse::right:
      break;
  }
  return static_cast<double>(lse);
}

template void fill_logits(const Reading&, Index, Index, Index, SoftmaxRow<double>&);
template void fill_logits(const Reading&, Index, Index, Index, SoftmaxRow<long double>&);
template bool fill_weights(const Reading&, Index, Index, Index, const double*, SoftmaxRow<double>&);
template bool fill_weights(const Reading&, Index, Index, Index, const long double*, SoftmaxRow<long double>&);
template double lse_of(const Reading&, const SoftmaxRow<double>&);
template double lse_of(const Reading&, const SoftmaxRow<long double>&);

}  // namespace attest::judge
