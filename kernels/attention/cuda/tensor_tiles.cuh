// Tiles of rows for tensor cores that keep their sums in registers: half and bfloat16 of up to 128 features.
#pragma once

#include "kernels/attention/cuda/forward.cuh"
#include "kernels/attention/cuda/warp_instructions.cuh"

namespace attest::attention::cuda {

constexpr int warps = threads_a_block / 32;
constexpr float log2_of_e = 1.4426950408889634F;

/// Rows of `dim` entries, 8 to a chunk of 16 bytes. Chunks change places by row, so that 8 rows' chunks of one column
/// lie in different banks.
template <int dim>
__device__ inline int place(int row, int chunk) {
  static_assert(dim % 64 == 0);
  return row * dim + (chunk ^ (row & 7)) * 8;
}

/// Copies rows of one head to tiles; what lies beyond the tokens or features is zero. Precondition: can_copy_by_chunks
/// of the view and features.
template <int dim, typename D>
class RowCopies {
 public:
  __device__ RowCopies(const HeadsView<const D>& from, Index b, Index h, Index tokens, Index features)
      : chunk_(static_cast<int>(threadIdx.x) % chunks),
        first_(static_cast<int>(threadIdx.x) / chunks),
        tokens_(8 * chunk_ < features ? static_cast<int>(tokens) : 0),
        readable_(from.data),
        source_(from.row(b, h, first_) + 8 * chunk_),
        token_(from.token) {}

  /// Starts copying rows first, ..., first + rows - 1.
  template <int rows>
  __device__ void start(D* tile, int first) const {
    static_assert(at_once % 8 == 0 && rows % at_once == 0);
    D* to = tile + place<dim>(first_, chunk_);
    const D* from = source_ + first * token_;
    ATTEST_UNROLL
    for (int row = 0; row < rows; row += at_once) {
      const bool exists = first + first_ + row < tokens_;
      start_copy(to + row * dim, exists ? from + row * token_ : readable_, exists);
    }
  }

 private:
  static constexpr int chunks = dim / 8, at_once = threads_a_block / chunks;
  int chunk_, first_, tokens_;
  const D *readable_, *source_;
  Index token_;
};

/// Fragment of rows row, ..., row + 15 and columns 16 step, ..., 16 step + 15 of a tile, as the matrix A.
template <int dim, typename D>
__device__ inline void load_left(std::uint32_t (&to)[4], const D* tile, int row, int step) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  load_matrices(to, tile + place<dim>(row + lane % 16, 2 * step + lane / 16));
}

/// Two matrices B whose columns are rows row, ..., row + 7 and row + 8, ..., row + 15 of a tile, and whose rows are its
/// columns 16 step, ...: to[0], to[1] and to[2], to[3].
template <int dim, typename D>
__device__ inline void load_right_of_rows(std::uint32_t (&to)[4], const D* tile, int row, int step) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  load_matrices(to, tile + place<dim>(row + lane / 16 * 8 + lane % 8, 2 * step + lane / 8 % 2));
}

/// Two matrices B whose rows are rows row, ..., row + 15 of a tile, and whose columns are its columns 16 step, ...,
/// 16 step + 7 and those after them.
template <int dim, typename D>
__device__ inline void load_right_of_columns(std::uint32_t (&to)[4], const D* tile, int row, int step) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  load_transposed(to, tile + place<dim>(row + lane % 16, 2 * step + lane / 16));
}

/// sums[m][n] += the fragments left[m] times rows 8n, ..., 8n + 7 of `right`, over features 16 step, ...
template <int dim, int columns, int row_tiles, typename D>
__device__ inline void add_step_of_rows(float (&sums)[row_tiles][columns / 8][4],
                                        const std::uint32_t (&left)[row_tiles][4], const D* right, int step) {
  ATTEST_UNROLL
  for (int pair = 0; pair < columns / 16; ++pair) {
    std::uint32_t both[4];
    load_right_of_rows<dim>(both, right, 16 * pair, step);
    ATTEST_UNROLL
    for (int m = 0; m < row_tiles; ++m) {
      multiply_add<D>(sums[m][2 * pair], left[m], both[0], both[1]);
      multiply_add<D>(sums[m][2 * pair + 1], left[m], both[2], both[3]);
    }
  }
}

/// sums[m][n] += rows row + 16 m, ... of `left` times rows 8n, ..., 8n + 7 of `right`, over their features.
template <int dim, int columns, int row_tiles, typename D>
__device__ inline void add_products_of_rows(float (&sums)[row_tiles][columns / 8][4], const D* left, int row,
                                            const D* right) {
  ATTEST_UNROLL
  for (int step = 0; step < dim / 16; ++step) {
    std::uint32_t a[row_tiles][4];
    ATTEST_UNROLL
    for (int m = 0; m < row_tiles; ++m) load_left<dim>(a[m], left, row + 16 * m, step);
    add_step_of_rows<dim, columns, row_tiles, D>(sums, a, right, step);
  }
}

/// Sums of products, 16 x `columns`, as left factors of 16 columns each.
template <int columns, typename D>
__device__ inline void pack_left(std::uint32_t (&to)[columns / 16][4], const float (&sums)[columns / 8][4]) {
  ATTEST_UNROLL
  for (int step = 0; step < columns / 16; ++step) ATTEST_UNROLL
  for (int part = 0; part < 4; ++part) {
    const auto& tile = sums[2 * step + part / 2];
    to[step][part] = packed<D>(tile[part % 2 * 2], tile[part % 2 * 2 + 1]);
  }
}

/// sums[m][n] += the 16 x `inner` matrix left[m] times columns 8n, ..., 8n + 7 of `right`.
template <int dim, int inner, int row_tiles, typename D>
__device__ inline void add_products_of_columns(float (&sums)[row_tiles][dim / 8][4],
                                               const std::uint32_t (&left)[row_tiles][inner / 16][4], const D* right) {
  ATTEST_UNROLL
  for (int step = 0; step < inner / 16; ++step) ATTEST_UNROLL
  for (int pair = 0; pair < dim / 16; ++pair) {
    std::uint32_t both[4];
    load_right_of_columns<dim>(both, right, 16 * step, pair);
    ATTEST_UNROLL
    for (int m = 0; m < row_tiles; ++m) {
      multiply_add<D>(sums[m][2 * pair], left[m][step], both[0], both[1]);
      multiply_add<D>(sums[m][2 * pair + 1], left[m][step], both[2], both[3]);
    }
  }
}

/// Writes a warp's 16 rows of sums, times `factor[0]` (rows g) and `factor[1]` (rows g + 8), to tokens first, ...
template <int dim, typename D>
__device__ inline void store_rows(const float (&sums)[dim / 8][4], const float (&factor)[2], const HeadsView<D>& to,
                                  Index b, Index h, Index first, Index tokens, Index features) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  ATTEST_UNROLL
  for (int half = 0; half < 2; ++half) {
    const Index token = first + lane / 4 + 8 * half;
    if (token >= tokens) continue;
    D* const row = to.row(b, h, token) + 2 * (lane % 4);
    ATTEST_UNROLL
    for (int n = 0; n < dim / 8; ++n)
      if (8 * n < features)
        *reinterpret_cast<std::uint32_t*>(row + 8 * n) =
            packed<D>(factor[half] * sums[n][2 * half], factor[half] * sums[n][2 * half + 1]);
  }
}

/// Which block of tokens, sequence and head a block of threads takes, the longest first under a causal mask: the last
/// queries have the most keys, and the first keys the most queries.
struct BlockOf {
  Index b, h, first;

  __device__ BlockOf(Index heads, Index all_heads, Index tokens, int tile, bool causal, bool from_the_end) {
    const Index blocks = (tokens + tile - 1) / tile, number = blockIdx.x;
    // Without a mask the blocks of a head run together, and find its keys in the cache.
    const Index head = causal ? number % all_heads : number / blocks,
                at = causal ? number / all_heads : number % blocks;
    b = head / heads, h = head % heads, first = (from_the_end ? blocks - 1 - at : at) * tile;
  }
};

/// Whether every row of a view can be copied by chunks of 16 bytes.
template <typename D>
bool can_copy_by_chunks(const HeadsView<D>& view, Index features) {
  return features % 8 == 0 && view.batch % 8 == 0 && view.head % 8 == 0 && view.token % 8 == 0 &&
         reinterpret_cast<std::uintptr_t>(view.data) % 16 == 0;
}

/// Whether a problem's logits are scaled products alone, some of them masked by causality.
template <typename D>
bool is_plain(const CudaAttendProblem<D>& p) {
  return p.slopes == nullptr && p.dense_bias == nullptr && p.mask.key_lengths == nullptr && p.mask.visible == nullptr &&
         p.dropout.rate == 0 && p.scale > 0;
}

/// What the exponent of two multiplies: a plain problem's products, any other's logits.
template <bool plain>
__device__ inline float exponent_factor(float scale) {
  return plain ? scale * log2_of_e : log2_of_e;
}

/// Which query and key the entries of a warp's sums belong to: rows are queries and columns keys, or the other way
/// round. `first_row`, `first_column`: of the 16 rows and of the columns.
template <bool rows_are_keys>
class EntryTokens {
 public:
  __device__ EntryTokens(int first_row, int first_column)
      : row_(first_row + static_cast<int>(threadIdx.x) % 32 / 4),
        column_(first_column + static_cast<int>(threadIdx.x) % 4 * 2) {}

  /// Of entry `entry` of columns 8n, ...
  __device__ int query(int n, int entry) const { return rows_are_keys ? column(n, entry) : row(entry); }
  __device__ int key(int n, int entry) const { return rows_are_keys ? row(entry) : column(n, entry); }

 private:
  __device__ int row(int entry) const { return row_ + entry / 2 * 8; }
  __device__ int column(int n, int entry) const { return column_ + 8 * n + entry % 2; }

  int row_, column_;
};

/// Makes products of queries and keys into what exponent_factor multiplies; minus infinity where masked.
/// `all_visible`: no entry of a problem without lengths and mask of pairs is masked.
template <bool plain, int count, typename D, typename Tokens>
__device__ inline void finish_logits(float (&s)[count][4], const CudaAttendProblem<D>& p, Index b, Index h,
                                     bool all_visible, const Tokens& at) {
  if (plain && all_visible) return;
  const int keys = static_cast<int>(p.keys);
  // Options that are read entry by entry.
  if (!plain && (p.mask.key_lengths != nullptr || p.mask.visible != nullptr || p.dense_bias != nullptr)) {
    ATTEST_UNROLL
    for (int n = 0; n < count; ++n) ATTEST_UNROLL
    for (int entry = 0; entry < 4; ++entry)
      s[n][entry] = logit(p, b, h, at.query(n, entry), at.key(n, entry), s[n][entry]);
    return;
  }
  const float slope = plain || p.slopes == nullptr ? 0.0F : p.slopes[h];
  ATTEST_UNROLL
  for (int n = 0; n < count; ++n) ATTEST_UNROLL
  for (int entry = 0; entry < 4; ++entry) {
    const int query = at.query(n, entry), key = at.key(n, entry);
    if constexpr (!plain) {
      s[n][entry] *= p.scale;
      if (slope != 0) s[n][entry] -= slope * static_cast<float>(query < key ? key - query : query - key);
    }
    if (!all_visible && (key >= keys || (p.mask.causal && key > query))) s[n][entry] = -INFINITY;
  }
}

}  // namespace attest::attention::cuda
