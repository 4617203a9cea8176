#include "kernels/attention/attend/attend_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/attention/attend/attention_row.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

/// Queries of one task: enough work to be worth handing out.
constexpr Index queries_per_task = 16;

}  // namespace

template <typename T>
bool runs_in_tiles(const Shape& q, const Shape& k, const AttendOptions<T>& o) {
  const Mask& mask = o.mask;
  const bool has_window = mask.window_left >= 0 || mask.window_right >= 0;
  const bool has_diagonal = mask.causal || has_window || !o.bias.slopes.empty();
  return q[1] == k[1] && !(has_window && o.device == Device::cuda) && mask.query_starts.empty() &&
         mask.visible_sequences == 1 && mask.visible_heads == 1 &&
         !(has_diagonal && mask.alignment == Alignment::bottom_right && q[2] != k[2]) &&
         (o.bias.dense.empty() || o.bias.dense.rank() == 3) && o.softcap == 0 && o.sinks.empty() &&
         o.weight_factors.empty() && o.empty_rows == EmptyRows::zero && !(o.learns_slopes && !o.bias.slopes.empty());
}

template <typename T>
Attended<T> attend_rows(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v, const AttendOptions<T>& options) {
  const RowArguments<T> in{q, k, v, options};
  const Index heads = q.extent(1), queries = q.extent(2), value_dim = v.extent(3);
  const Shape rows{q.extent(0), heads, queries};
  Attended<T> result{Tensor<T>({q.extent(0), heads, queries, value_dim}), Tensor<T>(rows), Tensor<T>(rows)};
  const Index blocks = (queries + queries_per_task - 1) / queries_per_task;
  parallel::for_each_block(q.extent(0) * heads * blocks, options.threads, [&](Index task) {
    const Index b = task / blocks / heads, h = task / blocks % heads, first = task % blocks * queries_per_task;
    AttentionRow row;
    std::vector<double> sums(static_cast<std::size_t>(value_dim));
    for (Index i = first; i < std::min(first + queries_per_task, queries); ++i) {
      row.fill(in, b, h, i);
      std::fill(sums.begin(), sums.end(), 0.0);
      for (std::size_t n = 0; n < row.keys.size(); ++n) {
        const double weight = row.weights[n] * row.factors[n];
        if (weight == 0) continue;  // a dropped value is not read either
        const T* const value = &v.at(b, in.key_head(h), row.keys[n], 0);
        for (std::size_t d = 0; d < sums.size(); ++d) sums[d] += weight * static_cast<double>(value[d]);
      }
      if (row.empty && options.empty_rows == EmptyRows::nan)
        std::fill(sums.begin(), sums.end(), std::numeric_limits<double>::quiet_NaN());
      std::transform(sums.begin(), sums.end(), &result.out.at(b, h, i, 0),
                     [](double sum) { return static_cast<T>(sum); });
      const auto at = static_cast<std::size_t>((b * heads + h) * queries + i);
      result.largest.values()[at] = static_cast<T>(row.largest);
      // What rounding the largest logit changes goes into the normaliser.
      const auto rounded = static_cast<double>(result.largest.values()[at]);
      result.normaliser.values()[at] =
          static_cast<T>(row.normaliser > 0 ? row.normaliser * std::exp(row.largest - rounded) : row.normaliser);
    }
  });
  return result;
}

#define ATTEST_INSTANTIATE(T)                                                       \
  template bool runs_in_tiles(const Shape&, const Shape&, const AttendOptions<T>&); \
  template Attended<T> attend_rows(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, const AttendOptions<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
