#include "kernels/attention/linear/linear_recentred.hpp"

#include <numeric>
#include <stdexcept>
#include <utility>

#include "kernels/attention/linear/linear_run.hpp"
#include "kernels/attention/linear/wide_rows.hpp"
#include "kernels/attention/real_tokens.hpp"
#include "kernels/attention/stages/key_statistics.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {

struct LinearRecentredRun {
  std::vector<KeyStatistics> statistics;  // [B H]
  LinearSums sums;
};

namespace {

template <typename T>
LoadRows recentred_rows(const Tensor<T>& x, const std::vector<KeyStatistics>& statistics) {
  return [&x, &statistics](const RowsPlace& at, Matrix& to) {
    const KeyStatistics& s = statistics[static_cast<std::size_t>(at.b * x.extent(1) + at.h)];
    scale_rows(&x.at(at.b, at.h, at.first, 0), x.extent(3), at.count, x.extent(3), s.shift.data(), s.inverse.data(),
               to.at(0), to.row);
  };
}

template <typename T>
LinearProblem recentred_problem(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                const LinearOptions& options, const std::vector<KeyStatistics>& statistics) {
  LinearProblem problem = linear_problem(q, k, v, options);
  problem.q = recentred_rows(q, statistics);
  problem.k = recentred_rows(k, statistics);
  return problem;
}

}  // namespace

template <typename T>
LinearRecentred<T> linear_recentred(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                    const std::vector<double>& beta, const RecentreOptions& recentring,
                                    const LinearOptions& options) {
  if (!(recentring.epsilon > 0)) throw std::invalid_argument("recentre: epsilon must be above 0");
  const Index batch = q.extent(0), heads = q.extent(1);
  auto run = std::make_shared<LinearRecentredRun>();
  run->statistics.resize(static_cast<std::size_t>(batch * heads));
  parallel::for_each_block(batch * heads, options.threads, [&](Index head) {
    const Index b = head / heads, h = head % heads;
    run->statistics[static_cast<std::size_t>(head)] =
        KeyStatistics(&k.at(b, h, 0, 0), real_tokens(options.key_lengths, b, k.extent(2)), k.extent(3),
                      beta[static_cast<std::size_t>(h)], recentring);
  });
  Tensor<T> out({batch, heads, q.extent(2), v.extent(3)});
  run->sums = run_linear(recentred_problem(q, k, v, options, run->statistics), rows_into(out));
  return {std::move(out), std::move(run)};
}

template <typename T>
LinearRecentredGradients<T> linear_recentred_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                                      const std::vector<double>& beta,
                                                      const RecentreOptions& recentring, const LinearOptions& options,
                                                      const LinearRecentred<T>& attended, const Tensor<T>& dout) {
  const Index heads = q.extent(1), keys = k.extent(2), dim = q.extent(3), all = q.extent(0) * heads;
  const std::vector<KeyStatistics>& statistics = attended.run->statistics;
  LinearRecentredGradients<T> g{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<T>(v.shape()),
                                std::vector<double>(beta.size())};
  std::vector<StatisticsGradients> sums(static_cast<std::size_t>(all), StatisticsGradients(dim));
  WideRows dk(q.extent(0), heads, keys, dim);
  const Row zero(static_cast<std::size_t>(dim));
  const auto head_of = [heads](const RowsPlace& at) { return static_cast<std::size_t>(at.b * heads + at.h); };
  const StoreRows take_q = [&](const RowsPlace& at, const Matrix& from) {
    const KeyStatistics& s = statistics[head_of(at)];
    sums[head_of(at)].add(&q.at(at.b, at.h, at.first, 0), from.at(0), from.row, at.count, s);
    scale_rows(from.at(0), from.row, at.count, dim, zero.data(), s.inverse.data(), &g.q.at(at.b, at.h, at.first, 0),
               dim);
  };
  const StoreRows take_k = [&](const RowsPlace& at, const Matrix& from) {
    sums[head_of(at)].add(&k.at(at.b, at.h, at.first, 0), from.at(0), from.row, at.count, statistics[head_of(at)]);
    store_rows(from, at.count, dim, dk.rows(at), dim);
  };
  run_linear_backward(recentred_problem(q, k, v, options, statistics), attended.run->sums, rows_of(dout),
                      {take_q, take_k, rows_into(g.v)});
  parallel::for_each_block(all, options.threads, [&](Index head) {
    const Index b = head / heads, h = head % heads, length = real_tokens(options.key_lengths, b, keys);
    const KeyStatistics& s = statistics[static_cast<std::size_t>(head)];
    StatisticsGradients& of_head = sums[static_cast<std::size_t>(head)];
    of_head.finish(s, beta[static_cast<std::size_t>(h)], length, recentring.normalised);
    of_head.write_keys(&k.at(b, h, 0, 0), dk.row(b, h, 0), dim, length, s, &g.k.at(b, h, 0, 0));
  });
  for (Index head = 0; head < all; ++head) {
    const Row& of_features = sums[static_cast<std::size_t>(head)].of_beta;
    double& of_beta = g.beta[static_cast<std::size_t>(head % heads)];
    of_beta = std::accumulate(of_features.begin(), of_features.end(), of_beta);
  }
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                                   \
  template LinearRecentred<T> linear_recentred(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,            \
                                               const std::vector<double>&, const RecentreOptions&,              \
                                               const LinearOptions&);                                           \
  template LinearRecentredGradients<T> linear_recentred_backward(                                               \
      const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, const std::vector<double>&, const RecentreOptions&, \
      const LinearOptions&, const LinearRecentred<T>&, const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
