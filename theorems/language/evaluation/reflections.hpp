// Householder vectors to the orthogonal matrix that their reflections make, forwards and backwards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "theorems/language/program/scalar.hpp"

namespace attest::language {

/// Where v_k, k = 0, ..., n - 1, begins among the n (n + 1) / 2 raw numbers: it has n - k entries.
inline std::int64_t reflection_offset(std::int64_t n, std::int64_t k) { return k * n - k * (k - 1) / 2; }

/// m <- H m (or m H), H = 1 - 2 v v'/v'v in the coordinates from k on, m n x n.
template <typename T>
void reflect(std::span<const T> v, std::span<T> m, std::int64_t n, std::int64_t k, bool from_left) {
  const auto at = [&](std::int64_t i, std::int64_t j) -> T& {
    return m[static_cast<std::size_t>(from_left ? i * n + j : j * n + i)];
  };
  T squares(0);
  for (const T& x : v) squares += x * x;
  for (std::int64_t j = 0; j < n; ++j) {
    T along(0);
    for (std::int64_t i = k; i < n; ++i) along += v[static_cast<std::size_t>(i - k)] * at(i, j);
    along = value(Binary::divide, T(2) * along, squares);
    for (std::int64_t i = k; i < n; ++i) at(i, j) -= along * v[static_cast<std::size_t>(i - k)];
  }
}

/// x / |x|: 1 or -1, and no number at 0.
template <typename T>
T orientation(const T& x) {
  return value(Binary::divide, x, value(Unary::abs, x));
}

/// q = H_1 ... H_(n-1) diag(1, ..., 1, sign v_n), n x n.
template <typename T>
void reflections(std::span<const T> raw, std::span<T> q, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) q[static_cast<std::size_t>(i * n + j)] = T(i == j ? 1 : 0);
  q[static_cast<std::size_t>(n * n - 1)] = orientation(raw[static_cast<std::size_t>(reflection_offset(n, n - 1))]);
  for (std::int64_t k = n - 1; k-- > 0;)
    reflect<T>(raw.subspan(static_cast<std::size_t>(reflection_offset(n, k)), static_cast<std::size_t>(n - k)), q, n, k,
               true);
}

/// Adds the gradient. With P_k the reflections before the k-th and S_k the product from the k-th on, q = P_k H_k
/// S_(k+1): the gradient by H_k is P_k' dq S_(k+1)' = W_k H_k, W_k = P_k' dq S_k', and W_(k+1) = H_k W_k H_k.
template <typename T>
void reflections_back(std::span<const T> raw, std::span<const T> q, std::span<const T> dq, std::span<T> out,
                      std::int64_t n) {
  if (out.empty()) return;
  const auto at = [n](std::int64_t i, std::int64_t j) { return static_cast<std::size_t>(i * n + j); };
  std::vector<T> w(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t l = 0; l < n; ++l) w[at(i, j)] += dq[at(i, l)] * q[at(j, l)];
  for (std::int64_t k = 0; k + 1 < n; ++k) {
    const auto offset = static_cast<std::size_t>(reflection_offset(n, k));
    const std::span<const T> v = raw.subspan(offset, static_cast<std::size_t>(n - k));
    reflect<T>(v, w, n, k, false);  // W_k H_k, the gradient by H_k
    T squares(0);
    for (const T& x : v) squares += x * x;
    // -2 v'M v / v'v by v: -2 (M + M') v / v'v + 4 (v'M v) v / (v'v)^2.
    std::vector<T> both(v.size());
    T quadratic(0);
    for (std::int64_t i = k; i < n; ++i) {
      for (std::int64_t j = k; j < n; ++j)
        both[static_cast<std::size_t>(i - k)] += (w[at(i, j)] + w[at(j, i)]) * v[static_cast<std::size_t>(j - k)];
      quadratic += both[static_cast<std::size_t>(i - k)] * v[static_cast<std::size_t>(i - k)];
    }
    for (std::size_t i = 0; i < v.size(); ++i)
      out[offset + i] += T(2) * (quadratic * v[i] / squares - both[i]) / squares;
    reflect<T>(v, w, n, k, true);
  }
}

}  // namespace attest::language
