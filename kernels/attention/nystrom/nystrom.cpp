#include "kernels/attention/nystrom/nystrom.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/attention/nystrom/nystrom_head.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

template <typename T>
using RowsOf = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The first `rows` tokens of one head, in double.
template <typename T>
Eigen::MatrixXd matrix(const Tensor<T>& x, Index b, Index h, Index rows) {
  return Eigen::Map<const RowsOf<T>>(&x.at(b, h, 0, 0), rows, x.extent(3)).template cast<double>();
}

template <typename T>
void put(Tensor<T>& x, Index b, Index h, const Eigen::MatrixXd& m) {
  Eigen::Map<RowsOf<T>>(&x.at(b, h, 0, 0), m.rows(), m.cols()) = m.template cast<T>();
}

Index length(const std::vector<Index>& lengths, Index b, Index all) {
  return lengths.empty() ? all : lengths[static_cast<std::size_t>(b)];
}

/// The head whose column sum is c for every head, with `batch_maximum`.
std::size_t owner_of_maximum(const std::vector<NystromHead>& heads) {
  std::size_t owner = 0;
  for (std::size_t i = 1; i < heads.size(); ++i)
    if (heads[i].inverts() && (!heads[owner].inverts() || heads[i].c > heads[owner].c)) owner = i;
  return owner;
}

}  // namespace

template <typename T>
NystromAttended<T> nystrom_attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                  const NystromOptions& options) {
  if (options.landmarks < 1)
    throw std::invalid_argument(fmt::format("nystrom_attend: {} landmarks; give at least 1", options.landmarks));
  if (options.iterations < 0)
    throw std::invalid_argument(fmt::format("nystrom_attend: {} iterations; give at least 0", options.iterations));
  const Index heads = q.extent(1);
  auto kept = std::make_shared<std::vector<NystromHead>>(static_cast<std::size_t>(q.extent(0) * heads));
  const double root = std::pow(static_cast<double>(q.extent(3)), -0.25);
  parallel::for_each_block(q.extent(0) * heads, options.threads, [&](std::int64_t block) {
    const Index b = block / heads, h = block % heads, keys = length(options.key_lengths, b, k.extent(2));
    NystromHead& head = (*kept)[static_cast<std::size_t>(block)];
    head.q = root * matrix(q, b, h, q.extent(2));
    head.k = root * matrix(k, b, h, keys);
    head.v = matrix(v, b, h, keys);
    head.mean_rows = length(options.query_lengths, b, q.extent(2));
    if (!options.slopes.empty()) head.slope = options.slopes[static_cast<std::size_t>(h)];
    if (!head.empty()) head.prepare(options.landmarks);
  });
  const double largest = (*kept)[owner_of_maximum(*kept)].c;
  NystromAttended<T> result{Tensor<T>({q.extent(0), heads, q.extent(2), v.extent(3)}), kept};
  parallel::for_each_block(q.extent(0) * heads, options.threads, [&](std::int64_t block) {
    NystromHead& head = (*kept)[static_cast<std::size_t>(block)];
    if (head.empty()) return;
    if (options.batch_maximum) head.c = largest;
    put(result.out, block / heads, block % heads, head.finish(options.iterations));
  });
  return result;
}

template <typename T>
NystromGradients<T> nystrom_attend_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                            const NystromOptions& options, const NystromAttended<T>& attended,
                                            const Tensor<T>& dout) {
  const Index heads = q.extent(1), blocks = q.extent(0) * heads;
  const std::vector<NystromHead>& kept = *attended.heads;
  std::vector<NystromHeadGradients> parts(kept.size());
  parallel::for_each_block(blocks, options.threads, [&](std::int64_t block) {
    const auto at = static_cast<std::size_t>(block);
    if (!kept[at].empty()) parts[at] = to_matrices(kept[at], matrix(dout, block / heads, block % heads, q.extent(2)));
  });
  std::vector<double> of_c(kept.size(), 0.0);
  if (options.batch_maximum) {
    // With one c for all, the head that attains it: its own column sum is that c.
    std::size_t owner = 0;
    double largest = -1, total = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!kept[i].inverts()) continue;
      const double own = kept[i].a.col(kept[i].column).sum();
      if (own > largest) {
        largest = own;
        owner = i;
      }
      total += parts[i].c;
    }
    of_c[owner] = total;
  } else {
    for (std::size_t i = 0; i < kept.size(); ++i) of_c[i] = parts[i].c;
  }
  NystromGradients<T> g{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<T>(v.shape())};
  const double root = std::pow(static_cast<double>(q.extent(3)), -0.25);
  parallel::for_each_block(blocks, options.threads, [&](std::int64_t block) {
    const auto at = static_cast<std::size_t>(block);
    if (kept[at].empty()) return;
    to_tokens(kept[at], of_c[at], parts[at]);
    put(g.q, block / heads, block % heads, root * parts[at].q);
    put(g.k, block / heads, block % heads, root * parts[at].k);
    put(g.v, block / heads, block % heads, parts[at].v);
  });
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                                \
  template NystromAttended<T> nystrom_attend(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,           \
                                             const NystromOptions&);                                         \
  template NystromGradients<T> nystrom_attend_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                       const NystromOptions&, const NystromAttended<T>&,     \
                                                       const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
