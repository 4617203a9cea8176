#include "kernels/attention/nystrom/nystrom.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/attention/nystrom/nystrom_run.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

Index length(const std::vector<Index>& lengths, Index b, Index all) {
  return lengths.empty() ? all : lengths[static_cast<std::size_t>(b)];
}

/// Head h of sequence b, times `factor`: what the kernels compute with, and back.
template <typename T>
void widen(const Tensor<T>& x, double factor, Index b, Index h, TokenArray& to) {
  const T* const from = &x.at(b, h, 0, 0);
  double* const wide = to.head(b, h);
  for (Index i = 0; i < to.head_size(); ++i) wide[i] = factor * static_cast<double>(from[i]);
}
template <typename T>
void narrow(const TokenArray& x, double factor, Index b, Index h, Tensor<T>& to) {
  const double* const wide = x.head(b, h);
  T* const narrowed = &to.at(b, h, 0, 0);
  for (Index i = 0; i < x.head_size(); ++i) narrowed[i] = static_cast<T>(factor * wide[i]);
}

Landmarks landmarks_of(const NystromOptions& options, Index b, Index queries, Index keys) {
  Landmarks l{.keys = length(options.key_lengths, b, keys), .mean_rows = length(options.query_lengths, b, queries)};
  if (l.keys == 0 || l.mean_rows == 0) return l;
  l.count = std::min({options.landmarks, l.mean_rows, l.keys});
  l.exact = l.count == l.mean_rows && l.count == l.keys;
  return l;
}

/// The means of sequence b and head h, and what their logits become.
void prepare(NystromRun& run, const NystromOptions& options, Index b, Index h) {
  const Landmarks& l = run.landmarks[static_cast<std::size_t>(b)];
  const Index m = l.count;
  if (m == 0) return;
  run.k_means.rows(b, h, m) = segment_means(std::as_const(run.k).rows(b, h, l.keys), m);
  RowMajor logits;
  if (l.exact) {
    run.zgv.rows(b, h, m) = std::as_const(run.v).rows(b, h, m);
  } else {
    run.q_means.rows(b, h, m) = segment_means(std::as_const(run.q).rows(b, h, l.mean_rows), m);
    logits = std::as_const(run.q_means).rows(b, h, m) * std::as_const(run.k_means).rows(b, h, m).transpose();
  }
  if (!options.slopes.empty()) {
    const double slope = options.slopes[static_cast<std::size_t>(h)];
    Tensor<double>&f = run.f_bias[static_cast<std::size_t>(b)], &g = run.g_bias[static_cast<std::size_t>(b)];
    const RowMajor to_landmarks = segment_distances(l.keys, m, f.extent(1));
    WritableRows(f.data() + h * f.extent(1) * f.extent(2), f.extent(1), f.extent(2)).leftCols(m) =
        -slope * to_landmarks;
    if (!l.exact) {
      logits -= slope * segment_means(RowsView(to_landmarks.data(), l.mean_rows, m), m);
      WritableRows(g.data() + h * g.extent(1) * g.extent(2), g.extent(1), g.extent(2)).topLeftCorner(m, l.keys) =
          -slope * segment_distances(l.mean_rows, m, l.keys).transpose();
    }
  }
  if (!l.exact) run.heads[static_cast<std::size_t>(b * run.head_count() + h)].prepare(std::move(logits));
}

}  // namespace

template <typename T>
NystromAttended<T> nystrom_attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                  const NystromOptions& options) {
  if (options.landmarks < 1)
    throw std::invalid_argument(fmt::format("nystrom_attend: {} landmarks; give at least 1", options.landmarks));
  if (options.iterations < 0)
    throw std::invalid_argument(fmt::format("nystrom_attend: {} iterations; give at least 0", options.iterations));
  const Index batch = q.extent(0), heads = q.extent(1), dim = q.extent(3);
  const double root = std::pow(static_cast<double>(dim), -0.25);
  auto run = std::make_shared<NystromRun>();
  run->threads = options.threads;
  run->q = TokenArray(batch, heads, q.extent(2), dim);
  run->k = TokenArray(batch, heads, k.extent(2), dim);
  run->v = TokenArray(batch, heads, v.extent(2), v.extent(3));
  Index most = 1;
  for (Index b = 0; b < batch; ++b) {
    const Landmarks& l = run->landmarks.emplace_back(landmarks_of(options, b, q.extent(2), k.extent(2)));
    run->seen_keys.push_back(l.inverts() ? l.keys : 0);
    run->seen_landmarks.push_back(l.count);
    most = std::max(most, l.count);
  }
  run->q_means = TokenArray(batch, heads, most, dim);
  run->k_means = TokenArray(batch, heads, most, dim);
  run->zgv = TokenArray(batch, heads, most, v.extent(3));
  for (TokenArray* rows : {&run->q_means, &run->k_means, &run->zgv}) rows->set_zero();
  if (!options.slopes.empty()) {
    run->g_bias.assign(static_cast<std::size_t>(batch), Tensor<double>({heads, most, k.extent(2)}));
    run->f_bias.assign(static_cast<std::size_t>(batch), Tensor<double>({heads, q.extent(2), most}));
  }
  run->heads.resize(static_cast<std::size_t>(batch * heads));
  parallel::for_each_block(batch * heads, options.threads, [&](Index block) {
    const Index b = block / heads, h = block % heads;
    widen(q, root, b, h, run->q);
    widen(k, root, b, h, run->k);
    widen(v, 1, b, h, run->v);
    prepare(*run, options, b, h);
  });
  run->attend_to_keys();
  double largest = 0;
  for (std::size_t i = 0; i < run->heads.size(); ++i)
    if (run->landmarks[i / static_cast<std::size_t>(heads)].inverts()) largest = std::max(largest, run->heads[i].c);
  parallel::for_each_block(batch * heads, options.threads, [&](Index block) {
    const Index b = block / heads, h = block % heads;
    const Landmarks& l = run->landmarks[static_cast<std::size_t>(b)];
    if (!l.inverts()) return;
    NystromHead& head = run->heads[static_cast<std::size_t>(block)];
    if (options.batch_maximum) head.c = largest;
    head.invert(options.iterations);
    run->zgv.rows(b, h, l.count).noalias() = head.z * std::as_const(run->g.out).rows(b, h, l.count);
  });
  run->attend_to_landmarks();
  NystromAttended<T> result{Tensor<T>::unfilled({batch, heads, q.extent(2), v.extent(3)}), run};
  parallel::for_each_block(batch * heads, options.threads,
                           [&](Index block) { narrow(run->f.out, 1, block / heads, block % heads, result.out); });
  return result;
}

template <typename T>
NystromGradients<T> nystrom_attend_backward(const NystromOptions& options, const NystromAttended<T>& attended,
                                            const Tensor<T>& dout) {
  const NystromRun& run = *attended.run;
  const Index heads = run.head_count(), blocks = run.batch() * heads;
  const double root = std::pow(static_cast<double>(run.q.width()), -0.25);
  TokenArray wide(run.batch(), heads, dout.extent(2), dout.extent(3));
  parallel::for_each_block(blocks, options.threads,
                           [&](Index block) { widen(dout, 1, block / heads, block % heads, wide); });
  const NystromRunGradients g = backward(run, wide, options.batch_maximum);
  const auto shape_of = [](const TokenArray& x) { return Shape{x.batch(), x.heads(), x.tokens(), x.width()}; };
  NystromGradients<T> result{Tensor<T>::unfilled(shape_of(g.q)), Tensor<T>::unfilled(shape_of(g.k)),
                             Tensor<T>::unfilled(shape_of(g.v))};
  parallel::for_each_block(blocks, options.threads, [&](Index block) {
    const Index b = block / heads, h = block % heads;
    narrow(g.q, root, b, h, result.q);
    narrow(g.k, root, b, h, result.k);
    narrow(g.v, 1, b, h, result.v);
  });
  return result;
}

#define ATTEST_INSTANTIATE(T)                                                                            \
  template NystromAttended<T> nystrom_attend(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,       \
                                             const NystromOptions&);                                     \
  template NystromGradients<T> nystrom_attend_backward(const NystromOptions&, const NystromAttended<T>&, \
                                                       const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
