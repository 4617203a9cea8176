// The numbers of a case: what the reference computes on, and what a target is handed.
#pragma once

#include <optional>
#include <vector>

#include "simulations/judge/case/case_spec.hpp"

namespace attest::judge {

/// An [N_q][N_k] array that may differ between sequences and heads; absent when empty.
template <typename T>
struct PairArray {
  bool per_sequence = false, per_head = false;
  Index heads = 1, queries = 0, keys = 0;
  std::vector<T> values;

  bool present() const { return !values.empty(); }
  std::size_t offset(Index b, Index h, Index i, Index j) const {
    const Index matrix = (per_sequence ? b : 0) * (per_head ? heads : 1) + (per_head ? h : 0);
    return static_cast<std::size_t>((matrix * queries + i) * keys + j);
  }
  T at(Index b, Index h, Index i, Index j) const { return values[offset(b, h, i, j)]; }
};

/// Softmax attention's arguments. Every floating number is one of the case's type, so that no target loses anything by
/// reading it.
struct Problem {
  ElementType type = ElementType::float64;
  Index batch = 1, heads = 1, kv_heads = 1, queries = 1, keys = 1, width = 1, value_width = 1;
  std::vector<double> q, k, v;     ///< [B][H][N_q][D], [B][H_kv][N_k][D], [B][H_kv][N_k][D_v]
  std::vector<double> dout, dlse;  ///< of out and lse; empty: not asked for
  bool causal = false;
  Corner corner = Corner::bottom_right;
  std::optional<double> scale;
  std::optional<Window> window;
  double softcap = 0;
  PairArray<std::uint8_t> visible;  ///< boolean mask
  PairArray<double> added;          ///< additive mask
  PairArray<double> bias;           ///< [H][N_q][N_k]
  std::vector<double> slopes;       ///< [H]
  std::vector<double> sinks;        ///< [H]
  PairArray<std::uint8_t> kept;     ///< [B][H][N_q][N_k], the dropout mask
  double dropout = 0;
  std::vector<Index> q_bounds, k_bounds;  ///< cumulative lengths of packed sequences; empty: not packed

  double q_at(Index b, Index h, Index i, Index d) const {
    return q[static_cast<std::size_t>(((b * heads + h) * queries + i) * width + d)];
  }
  std::size_t key_offset(Index b, Index g, Index j, Index d) const {
    return static_cast<std::size_t>(((b * kv_heads + g) * keys + j) * width + d);
  }
  std::size_t value_offset(Index b, Index g, Index j, Index d) const {
    return static_cast<std::size_t>(((b * kv_heads + g) * keys + j) * value_width + d);
  }
};

/// The boolean mask of a spec whose `mask` is "bool" and its axes: a pure function of the spec.
PairArray<std::uint8_t> boolean_mask(const CaseSpec& spec);

/// The arrays of a case of softmax attention. A pure function of the spec.
Problem problem_of(const CaseSpec& spec);

}  // namespace attest::judge
