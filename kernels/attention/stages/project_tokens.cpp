#include "kernels/attention/stages/project_tokens.hpp"

#include <algorithm>
#include <utility>

#include "kernels/attention/attend/tile_memory.hpp"
#include "kernels/attention/attend/tile_operations.hpp"
#include "kernels/attention/matrix/matrix.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

/// Tokens, rows or features whose products are summed in one go.
constexpr Index summed_at_once = 64;

Index real(const std::vector<Index>& lengths, Index b, Index tokens) {
  return lengths.empty() ? tokens : lengths[static_cast<std::size_t>(b)];
}

/// The projection of head h, [N][r].
template <typename T>
const T* projection(const Tensor<T>& e, Index h) {
  return e.data() + (e.rank() == 3 ? h * e.extent(1) * e.extent(2) : 0);
}

/// Rows of whole registers: in place where that is what they are, else copied and filled up with zeros.
template <typename T>
class WholeRows {
 public:
  WholeRows(const T* from, Index rows, Index features, std::vector<T>& memory) : data(from), row(padded<T>(features)) {
    if (row == features) return;
    memory.assign(static_cast<std::size_t>(rows * row), T(0));
    for (Index i = 0; i < rows; ++i) std::copy_n(from + i * features, features, memory.data() + i * row);
    data = memory.data();
  }
  const T* data;
  Index row;
};

/// C = A B, `summed_at_once` products at a time.
template <typename T>
void multiply_in_parts(TileProduct<T> product) {
  const Index inner = product.inner;
  for (Index first = 0; first < inner; first += summed_at_once) {
    product.inner = std::min(summed_at_once, inner - first);
    tile_operations<T>().back()->product(product);
    product.a += summed_at_once * product.a_inner;
    product.b += summed_at_once * product.b_row;
    product.keep = TileProduct<T>::Keep::all;
  }
}

/// Rows of the result that one task forms.
constexpr Index rows_at_once = 64;

/// Heads of one sequence that share a projection, and the rows first .. first + count - 1 of what becomes of them.
struct ProjectedPart {
  Index b, first_head, heads, first, count;
};

/// out = e^T x over the first `tokens` tokens, in double: what rounding changed, large logits would make more of.
template <typename T>
void project_part(const Tensor<T>& x, const Tensor<T>& e, const ProjectedPart& part, Index tokens, Tensor<T>& out) {
  const Index rank = e.shape().back(), dim = x.extent(3);
  Matrix weights(summed_at_once, part.count), rows(summed_at_once, dim);
  std::vector<Matrix> sums(static_cast<std::size_t>(part.heads), Matrix(part.count, dim));
  for (Index first = 0; first < tokens; first += summed_at_once) {
    const Index count = std::min(summed_at_once, tokens - first);
    load_rows(projection(e, part.first_head) + first * rank + part.first, rank, count, part.count, weights);
    for (Index h = 0; h < part.heads; ++h) {
      load_rows(&x.at(part.b, part.first_head + h, first, 0), dim, count, dim, rows);
      multiply(part.count, count, weights, Turned::yes, rows.at(0), rows.row, sums[static_cast<std::size_t>(h)].at(0),
               Onto::what_is_there);
    }
  }
  for (Index h = 0; h < part.heads; ++h)
    store_rows(sums[static_cast<std::size_t>(h)], part.count, dim, &out.at(part.b, part.first_head + h, part.first, 0),
               dim);
}

/// The gradients of some tokens and of their rows of the projection.
template <typename T>
class TokenGradients {
 public:
  TokenGradients(Index rank, Index dim)
      : rank_(rank),
        dim_(dim),
        width_(padded<T>(dim)),
        padded_rank_(padded<T>(rank)),
        of_tokens_(aligned_array<T>(summed_at_once * width_)),
        of_weights_(aligned_array<T>(summed_at_once * padded_rank_)),
        of_e_(aligned_array<double>(summed_at_once * rank)) {}

  /// `dout` [r][D], `turned` [D][padded r].
  void add(const T* e, const T* x, Index count, const T* dout, const T* turned, T* dx) {
    const WholeRows<T> gradients(dout, rank_, dim_, memory_);
    const bool whole = width_ == dim_;
    multiply_in_parts<T>({.rows = count,
                          .columns = width_,
                          .inner = rank_,
                          .a = e,
                          .a_row = rank_,
                          .a_inner = 1,
                          .b = gradients.data,
                          .b_row = gradients.row,
                          .c = whole ? dx : of_tokens_.get(),
                          .c_row = width_});
    for (Index i = 0; i < count && !whole; ++i) std::copy_n(of_tokens_.get() + i * width_, dim_, dx + i * dim_);
    multiply_in_parts<T>({.rows = count,
                          .columns = padded_rank_,
                          .inner = dim_,
                          .a = x,
                          .a_row = dim_,
                          .a_inner = 1,
                          .b = turned,
                          .b_row = padded_rank_,
                          .c = of_weights_.get(),
                          .c_row = padded_rank_});
    // Sums over heads and sequences in double; tokens beyond a shorter sequence have none of it.
    for (Index i = 0; i < count; ++i) {
      const T* const from = of_weights_.get() + i * padded_rank_;
      double* const to = of_e_.get() + i * rank_;
      if (i < summed_)
        for (Index r = 0; r < rank_; ++r) to[r] += static_cast<double>(from[r]);
      else
        std::transform(from, from + rank_, to, [](T entry) { return static_cast<double>(entry); });
    }
    summed_ = std::max(summed_, count);
  }

  /// The gradient of `count` tokens' rows of the projection.
  void write_projection(Index count, T* rows) const {
    const Index entries = std::min(count, summed_) * rank_;
    std::transform(of_e_.get(), of_e_.get() + entries, rows, [](double entry) { return static_cast<T>(entry); });
    std::fill(rows + entries, rows + count * rank_, T(0));
  }

 private:
  Index rank_, dim_, width_, padded_rank_, summed_ = 0;
  AlignedArray<T> of_tokens_, of_weights_;
  AlignedArray<double> of_e_;  // [token][r], `summed_` tokens of it
  std::vector<T> memory_;
};

}  // namespace

template <typename T>
Tensor<T> project_tokens(const Tensor<T>& x, const Tensor<T>& e, const std::vector<Index>& lengths, unsigned threads) {
  const Index rank = e.shape().back(), heads = x.extent(1), dim = x.extent(3);
  Tensor<T> out({x.extent(0), heads, rank, dim});
  const Index projections = e.rank() == 3 ? heads : 1, sharing = heads / projections,
              parts = (rank + rows_at_once - 1) / rows_at_once;
  parallel::for_each_block(x.extent(0) * projections * parts, threads, [&](Index task) {
    const Index first = task % parts * rows_at_once, group = task / parts, b = group / projections;
    project_part(x, e, {b, group % projections * sharing, sharing, first, std::min(rows_at_once, rank - first)},
                 real(lengths, b, x.extent(2)), out);
  });
  return out;
}

template <typename T>
ProjectTokensGradients<T> project_tokens_backward(const Tensor<T>& x, const Tensor<T>& e,
                                                  const std::vector<Index>& lengths, const Tensor<T>& dout,
                                                  unsigned threads) {
  const Index rank = e.shape().back(), batch = x.extent(0), heads = x.extent(1), tokens = x.extent(2),
              dim = x.extent(3), padded_rank = padded<T>(rank);
  ProjectTokensGradients<T> g{Tensor<T>(x.shape()), Tensor<T>(e.shape())};
  std::vector<T> turned(static_cast<std::size_t>(batch * heads * dim * padded_rank));
  const auto turned_of = [&](Index b, Index h) { return turned.data() + (b * heads + h) * dim * padded_rank; };
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      tile_operations<T>().back()->transpose(&dout.at(b, h, 0, 0), dim, rank, dim, T(1), turned_of(b, h), padded_rank);
  // A task has some tokens, whose rows of the projection's gradient nobody else adds to, of all heads that share it.
  const Index projections = e.rank() == 3 ? heads : 1, sharing = heads / projections,
              parts = (tokens + summed_at_once - 1) / summed_at_once;
  parallel::for_each_block(projections * parts, threads, [&](Index task) {
    const Index first_head = task / parts * sharing, first = task % parts * summed_at_once;
    TokenGradients<T> part(rank, dim);
    for (Index b = 0; b < batch; ++b) {
      const Index count = std::min(summed_at_once, real(lengths, b, tokens) - first);
      for (Index h = first_head; count > 0 && h < first_head + sharing; ++h)
        part.add(projection(e, h) + first * rank, &x.at(b, h, first, 0), count, &dout.at(b, h, 0, 0), turned_of(b, h),
                 &g.x.at(b, h, first, 0));
    }
    part.write_projection(std::min(summed_at_once, tokens - first),
                          g.e.data() + (projection(e, first_head) - e.data()) + first * rank);
  });
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                                 \
  template Tensor<T> project_tokens(const Tensor<T>&, const Tensor<T>&, const std::vector<Index>&, unsigned); \
  template ProjectTokensGradients<T> project_tokens_backward(const Tensor<T>&, const Tensor<T>&,              \
                                                             const std::vector<Index>&, const Tensor<T>&, unsigned);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
