// The tile operations for lanes of any width; included only by the files that compile them for one set of instructions.
#pragma once

#include <bit>
#include <type_traits>

#include "kernels/attention/attend/tile_operations.hpp"
#include "kernels/elementary/exponential.hpp"
#include "kernels/simd/lanes.hpp"
#include "kernels/simd/transpose.hpp"

namespace attest::attention {

using elementary::exponential_steps;
using simd::Lanes;

/// The operations on V = Lanes<T, bytes>. `row_block` rows of a product by two registers of columns are accumulated in
/// registers: enough independent chains to hide the latency of the multiply-add.
template <typename T, int bytes, int row_block>
struct LaneOperations {
  using V = Lanes<T, bytes>;
  using W = Lanes<double, bytes>;
  using Keep = typename TileProduct<T>::Keep;

  // C [R][N registers] at (row, column). One of A's strides is known to be 1, so that its addresses are offsets.
  template <int R, int N, bool rows_contiguous>
  static void product_block(const TileProduct<T>& p, Index row, Index column) {
    V sums[R][N];
    const Index a_row = rows_contiguous ? 1 : p.a_row, a_inner = rows_contiguous ? p.a_inner : 1;
    const T* a = p.a + row * a_row;
    const T* b = p.b + column;
#pragma GCC unroll 4
    for (Index i = 0; i < p.inner; ++i, a += a_inner, b += p.b_row) {
      V right[N];
#pragma GCC unroll 2
      for (int n = 0; n < N; ++n) right[n] = V::load(b + n * V::count);
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        const V left(a[r * a_row]);
#pragma GCC unroll 2
        for (int n = 0; n < N; ++n) sums[r][n] = fused(left, right[n], sums[r][n]);
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 2
      for (int n = 0; n < N; ++n) {
        T* c = p.c + (row + r) * p.c_row + column + n * V::count;
        if (p.keep == Keep::all) sums[r][n] = V::load(c) + sums[r][n];
        if (p.keep == Keep::scaled) sums[r][n] = fused(V::load(c), V(p.factors[row + r]), sums[r][n]);
        sums[r][n].store(c);
      }
  }

  // What lies ahead is asked for a little before every block, so that the requests never wait for each other. It goes
  // to the second cache: the first is full of what the product needs.
  class Fetching {
   public:
    explicit Fetching(const TileProduct<T>& p) : p_(p) {
      const Index whole = p.rows / row_block * (p.columns / (2 * V::count)), blocks = whole > 0 ? whole : 1;
      for (const Ahead& ahead : p.ahead) {
        const Index rows = (ahead.rows + blocks - 1) / blocks;
        if (rows > rows_) rows_ = rows;
      }
    }
    void before_block() {
      if (rows_ == 0) return;
      for (const Ahead& ahead : p_.ahead)
        for (Index row = done_; row < done_ + rows_ && row < ahead.rows; ++row)
          for (Index byte = 0; byte < ahead.row_bytes; byte += 64)
            __builtin_prefetch(static_cast<const char*>(ahead.first) + row * ahead.stride_bytes + byte, 0, 2);
      done_ += rows_;
    }

   private:
    const TileProduct<T>& p_;
    Index rows_ = 0, done_ = 0;
  };

  // Blocks of R rows, then of the largest power of two below R for what is left.
  template <int R, int N, bool rows_contiguous>
  static void product_rows(const TileProduct<T>& p, Index row, Index column, Fetching& fetching) {
    for (; row + R <= p.rows; row += R) {
      fetching.before_block();
      product_block<R, N, rows_contiguous>(p, row, column);
    }
    if constexpr (R > 1)
      product_rows<int(std::bit_ceil(unsigned(R)) / 2), N, rows_contiguous>(p, row, column, fetching);
  }

  template <bool rows_contiguous>
  static void product_columns(const TileProduct<T>& p) {
    Fetching fetching(p);
    Index column = 0;
    for (; column + 2 * V::count <= p.columns; column += 2 * V::count)
      product_rows<row_block, 2, rows_contiguous>(p, 0, column, fetching);
    if (column < p.columns) product_rows<row_block, 1, rows_contiguous>(p, 0, column, fetching);
  }

  static void product(const TileProduct<T>& p) {
    if (p.a_inner == 1)
      product_columns<false>(p);
    else
      product_columns<true>(p);
  }

  // As many queries as V has lanes, in double: one register or two.
  static constexpr int halves = W::count == V::count ? 1 : 2;
  struct Wide {
    W part[halves];
    static Wide load(const double* from) {
      Wide result;
      for (int i = 0; i < halves; ++i) result.part[i] = W::load(from + i * W::count);
      return result;
    }
    void store(double* to) const {
      for (int i = 0; i < halves; ++i) part[i].store(to + i * W::count);
    }
    friend Wide larger(const Wide& a, const Wide& b) {
      Wide result;
      for (int i = 0; i < halves; ++i) result.part[i] = larger(a.part[i], b.part[i]);
      return result;
    }
    friend Wide unless_minus_infinity(const Wide& x, double replacement) {
      Wide result;
      for (int i = 0; i < halves; ++i) result.part[i] = unless_minus_infinity(x.part[i], W(replacement));
      return result;
    }
  };

  // Differences are taken in double and then rounded to T. Those of two numbers of type float are rounded once either
  // way: double has more than twice the digits and two.
  static V difference(const Wide& a, const Wide& b) {
    if constexpr (halves == 1)
      return a.part[0] - b.part[0];
    else
      return V::narrowed(a.part[0] - b.part[0], a.part[1] - b.part[1]);
  }
  static V difference(V a, V b) { return a - b; }

  // R is V or Wide and L its entries; `weights` may be `logits`.
  template <typename R, typename L>
  static void softmax_steps(const L* logits, T* weights, Index keys, Index queries, L* largest, T* normaliser,
                            T* correction) {
    for (Index i = 0; i < queries; i += V::count) {
      const R before = R::load(largest + i);
      R now = before;
      for (Index j = 0; j < keys; ++j) now = larger(now, R::load(logits + j * queries + i));
      R shift;  // Minus infinity minus itself would be NaN.
      if constexpr (std::is_same_v<R, V>)
        shift = unless_minus_infinity(now, V(T(0)));
      else
        shift = unless_minus_infinity(now, 0.0);
      V sum(T(0));
      for (Index j = 0; j < keys; ++j) {
        const V weight = exponential_steps<T>(difference(R::load(logits + j * queries + i), shift));
        weight.store(weights + j * queries + i);
        sum = sum + weight;
      }
      const V factor = exponential_steps<T>(difference(before, shift));
      fused(V::load(normaliser + i), factor, sum).store(normaliser + i);
      factor.store(correction + i);
      now.store(largest + i);
    }
  }

  static void softmax_step(T* tile, Index keys, Index queries, T* largest, T* normaliser, T* correction) {
    softmax_steps<V>(tile, tile, keys, queries, largest, normaliser, correction);
  }
  static void wide_softmax_step(const double* logits, T* weights, Index keys, Index queries, double* largest,
                                T* normaliser, T* correction) {
    softmax_steps<Wide>(logits, weights, keys, queries, largest, normaliser, correction);
  }

  template <typename R, typename L>
  static void gradient_steps(const L* logits, T* weights, T* dweights, Index keys, Index queries, const L* largest,
                             const T* inverse_normaliser, const T* mean) {
    for (Index i = 0; i < queries; i += V::count) {
      const R shift = R::load(largest + i);
      const V inverse = V::load(inverse_normaliser + i), centre = V::load(mean + i);
      for (Index j = 0; j < keys; ++j) {
        const Index at = j * queries + i;
        const V weight = exponential_steps<T>(difference(R::load(logits + at), shift)) * inverse;
        weight.store(weights + at);
        if (dweights != nullptr) (weight * (V::load(dweights + at) - centre)).store(dweights + at);
      }
    }
  }

  static void logit_gradients(T* tile, T* dweights, Index keys, Index queries, const T* largest,
                              const T* inverse_normaliser, const T* mean) {
    gradient_steps<V>(tile, tile, dweights, keys, queries, largest, inverse_normaliser, mean);
  }
  static void wide_logit_gradients(const double* logits, T* weights, T* dweights, Index keys, Index queries,
                                   const double* largest, const T* inverse_normaliser, const T* mean) {
    gradient_steps<Wide>(logits, weights, dweights, keys, queries, largest, inverse_normaliser, mean);
  }

  static void features(T* x, Index count) {
    const V zero(T(0));
    for (Index i = 0; i < count; i += V::count) {
      const V value = V::load(x + i);
      (larger(value, zero) + exponential_steps<T>(if_less(value, zero, value, zero))).store(x + i);
    }
  }

  // Squares of as many rows as a register has lanes are turned in registers; what is left, entry by entry.
  static void transpose(const T* from, Index from_row, Index rows, Index features, T factor, T* to, Index to_row) {
    Index turned_rows = 0, turned_features = 0;
    if constexpr (simd::turns_squares<bytes>) {
      turned_rows = rows / V::count * V::count;
      turned_features = features / V::count * V::count;
      for (Index i = 0; i < turned_rows; i += V::count)
        for (Index d = 0; d < turned_features; d += V::count)
          simd::transpose_square<T, bytes>(from + i * from_row + d, from_row, factor, to + d * to_row + i, to_row);
    }
    for (Index i = 0; i < rows; ++i)
      for (Index d = i < turned_rows ? turned_features : 0; d < features; ++d)
        to[d * to_row + i] = factor * from[i * from_row + d];
  }

  static constexpr TileOperations<T> table(const char* name) {
    TileOperations<T> operations{.name = name,
                                 .product = &product,
                                 .wide_product = &LaneOperations<double, bytes, row_block>::product,
                                 .transpose = &transpose,
                                 .softmax_step = &softmax_step,
                                 .wide_softmax_step = nullptr,
                                 .features = &features,
                                 .logit_gradients = &logit_gradients,
                                 .wide_logit_gradients = nullptr};
    if constexpr (halves == 2) {
      operations.wide_softmax_step = &wide_softmax_step;
      operations.wide_logit_gradients = &wide_logit_gradients;
    }
    return operations;
  }
};

}  // namespace attest::attention
