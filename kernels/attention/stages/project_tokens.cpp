#include "kernels/attention/stages/project_tokens.hpp"

#include <algorithm>
#include <utility>

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

/// sums [r][D] = e^T x over the tokens of one head, in double: what rounding changed, large logits would make more of.
template <typename T>
std::vector<double> projected(const T* e, const T* x, Index tokens, Index rank, Index dim) {
  Matrix weights(summed_at_once, rank), rows(summed_at_once, dim), sums(rank, dim);
  for (Index first = 0; first < tokens; first += summed_at_once) {
    const Index count = std::min(summed_at_once, tokens - first);
    load_rows(e + first * rank, rank, count, rank, weights);
    load_rows(x + first * dim, dim, count, dim, rows);
    multiply(rank, count, weights, Turned::yes, rows.at(0), rows.row, sums.at(0), Onto::what_is_there);
  }
  return std::move(sums.entries);
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
        of_tokens_(static_cast<std::size_t>(summed_at_once * width_)),
        of_weights_(static_cast<std::size_t>(summed_at_once * padded_rank_)),
        of_e(static_cast<std::size_t>(summed_at_once * rank)) {}

  /// `dout` [r][D], `turned` [D][padded r].
  void add(const T* e, const T* x, Index count, const T* dout, const T* turned, T* dx) {
    const WholeRows<T> gradients(dout, rank_, dim_, memory_);
    multiply_in_parts<T>({.rows = count,
                          .columns = width_,
                          .inner = rank_,
                          .a = e,
                          .a_row = rank_,
                          .a_inner = 1,
                          .b = gradients.data,
                          .b_row = gradients.row,
                          .c = of_tokens_.data(),
                          .c_row = width_});
    multiply_in_parts<T>({.rows = count,
                          .columns = padded_rank_,
                          .inner = dim_,
                          .a = x,
                          .a_row = dim_,
                          .a_inner = 1,
                          .b = turned,
                          .b_row = padded_rank_,
                          .c = of_weights_.data(),
                          .c_row = padded_rank_});
    for (Index i = 0; i < count; ++i) {
      std::copy_n(of_tokens_.data() + i * width_, dim_, dx + i * dim_);
      for (Index r = 0; r < rank_; ++r)
        of_e[static_cast<std::size_t>(i * rank_ + r)] +=
            static_cast<double>(of_weights_[static_cast<std::size_t>(i * padded_rank_ + r)]);
    }
  }

 private:
  Index rank_, dim_, width_, padded_rank_;
  std::vector<T> of_tokens_, of_weights_, memory_;

 public:
  std::vector<double> of_e;  // [token][r]
};

}  // namespace

template <typename T>
Tensor<T> project_tokens(const Tensor<T>& x, const Tensor<T>& e, const std::vector<Index>& lengths, unsigned threads) {
  const Index rank = e.shape().back(), heads = x.extent(1), dim = x.extent(3);
  Tensor<T> out({x.extent(0), heads, rank, dim});
  parallel::for_each_block(x.extent(0) * heads, threads, [&](Index head) {
    const Index b = head / heads, h = head % heads;
    const std::vector<double> sums =
        projected(projection(e, h), &x.at(b, h, 0, 0), real(lengths, b, x.extent(2)), rank, dim);
    for (Index r = 0; r < rank; ++r)
      for (Index d = 0; d < dim; ++d)
        out.at(b, h, r, d) = static_cast<T>(sums[static_cast<std::size_t>(r * padded<double>(dim) + d)]);
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
    T* const rows = g.e.data() + (projection(e, first_head) - e.data()) + first * rank;
    for (Index i = 0; i < std::min(summed_at_once, tokens - first) * rank; ++i)
      rows[i] = static_cast<T>(part.of_e[static_cast<std::size_t>(i)]);
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
