// One row of the attention matrix with all that its gradients need; for attend_rows*.cpp alone.
#pragma once

#include <vector>

#include "kernels/attention/attend/attend.hpp"

namespace attest::attention {

/// The arguments of attend.
template <typename T>
struct RowArguments {
  const Tensor<T>&q, &k, &v;
  const AttendOptions<T>& options;

  Index key_head(Index h) const { return h / (q.extent(1) / k.extent(1)); }
};

/// Row (b, h, i): entry n of each list belongs to the n-th key that the query sees, keys[n].
struct AttentionRow {
  std::vector<Index> keys;
  std::vector<double> weights;      ///< A_ij
  std::vector<double> factors;      ///< what dropout or `weight_factors` multiply A_ij with
  std::vector<double> through_cap;  ///< derivative of the capped logit by the scaled product; empty: 1
  double largest = 0, normaliser = 0;
  double sink = 0;       ///< the weight that the sink takes
  Index diagonal = 0;    ///< the query's diagonal key
  bool empty = false;    ///< no key and no sink
  bool uniform = false;  ///< empty, with the mean of all values: the weights depend on no logit

  /// Overwrites everything with row (b, h, i); memory is kept.
  template <typename T>
  void fill(const RowArguments<T>& in, Index b, Index h, Index i);

 private:
  template <typename T>
  void find_keys(const RowArguments<T>& in, Index b, Index h, Index i);
  template <typename T>
  void form_logits(const RowArguments<T>& in, Index b, Index h, Index i);  // into `weights`
  void normalise(const double* sink_logit);
};

/// sum_d x_d y_d in double.
template <typename X, typename Y>
double dot(const X* x, const Y* y, Index count) {
  // Four sums, because one would wait for itself at every addition.
  double sums[4] = {0, 0, 0, 0};
  Index d = 0;
  for (; d + 4 <= count; d += 4)
    for (Index part = 0; part < 4; ++part)
      sums[part] += static_cast<double>(x[d + part]) * static_cast<double>(y[d + part]);
  for (; d < count; ++d) sums[0] += static_cast<double>(x[d]) * static_cast<double>(y[d]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace attest::attention
