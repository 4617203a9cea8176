// Arrays of any scalar by name, and one head of one sequence of them as a matrix: what a mechanism's formula is written
// with.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "tests/kernels/attention/plain/matrix.hpp"

namespace attest::attention::plain {

template <typename S>
struct Array {
  Shape shape;
  std::vector<S> entries;
};

template <typename S>
struct Problem {
  std::map<std::string, Array<S>, std::less<>> inputs;
  Mask mask;

  const Array<S>& operator[](const std::string& name) const { return inputs.at(name); }
  bool has(const std::string& name) const { return inputs.contains(name); }
  Index extent(const std::string& name, std::size_t axis) const { return inputs.at(name).shape[axis]; }

  /// Head h of sequence b of [B][H][N][D] or [H][N][D].
  Matrix<S> head(const std::string& name, Index b, Index h) const {
    const Array<S>& a = inputs.at(name);
    const std::size_t rank = a.shape.size();
    Matrix<S> m(a.shape[rank - 2], a.shape[rank - 1]);
    const Index start = ((rank == 4 ? b * a.shape[rank - 3] : 0) + h) * m.rows * m.cols;
    for (std::size_t i = 0; i < m.entries.size(); ++i) m.entries[i] = a.entries[static_cast<std::size_t>(start) + i];
    return m;
  }
  /// Entry h of [H], or the one number there is.
  S number(const std::string& name, Index h) const {
    const Array<S>& a = inputs.at(name);
    return a.entries[a.entries.size() == 1 ? 0 : static_cast<std::size_t>(h)];
  }
  /// Real keys of sequence b.
  Index length(Index b, Index keys) const {
    return mask.key_lengths.empty() ? keys : mask.key_lengths[static_cast<std::size_t>(b)];
  }
  bool sees(Index b, Index i, Index j, Index keys) const {
    if ((mask.causal && j > i) || j >= length(b, keys)) return false;
    return mask.visible.empty() || mask.visible[static_cast<std::size_t>(i * keys + j)] != 0;
  }
};

/// [B][H][N][D] from f(b, h), head after head.
template <typename S, typename F>
Array<S> heads(Index batch, Index count, F f) {
  Array<S> all;
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < count; ++h) {
      const Matrix<S> m = f(b, h);
      all.shape = {batch, count, m.rows, m.cols};
      all.entries.insert(all.entries.end(), m.entries.begin(), m.entries.end());
    }
  return all;
}

/// Softmax of each row over the entries that `sees(i, j)` shows, the others 0; rows without any are 0.
template <typename S, typename Sees>
Matrix<S> masked_softmax(const Matrix<S>& logits, Sees sees) {
  Matrix<S> a(logits.rows, logits.cols);
  for (Index i = 0; i < a.rows; ++i) {
    bool any = false;
    S largest(0), sum(0);
    for (Index j = 0; j < a.cols; ++j)
      if (sees(i, j)) {
        largest = any ? maximum(largest, logits(i, j)) : logits(i, j);
        any = true;
      }
    for (Index j = 0; j < a.cols; ++j)
      if (sees(i, j)) sum = sum + (a(i, j) = exponent(logits(i, j) - largest));
    for (Index j = 0; j < a.cols; ++j)
      if (sees(i, j)) a(i, j) = a(i, j) / sum;
  }
  return a;
}

/// A = softmax(scale q k^T + bias) of one head under the problem's mask.
template <typename S>
Matrix<S> head_weights(const Problem<S>& p, Index b, const Matrix<S>& q, const Matrix<S>& k, S scale,
                       const Matrix<S>* bias = nullptr) {
  Matrix<S> logits = product(q, transposed(k)) * scale;
  if (bias != nullptr) logits = logits + *bias;
  return masked_softmax(logits, [&](Index i, Index j) { return p.sees(b, i, j, k.rows); });
}

}  // namespace attest::attention::plain
