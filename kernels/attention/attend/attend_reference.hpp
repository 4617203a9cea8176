// Scaled dot-product attention by its definition: plain loops, every weight stored. For reading and for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "kernels/attention/attend/attend.hpp"
#include "kernels/attention/attend/dropout.hpp"
#include "kernels/attention/visibility.hpp"

namespace attest::attention {

/// What the reference keeps of a forward pass: all of it.
template <typename T>
struct AttendedReference {
  Tensor<T> out;        ///< [B][H][N_q][D_v]
  Tensor<T> logits;     ///< [B][H][N_q][N_k]; -infinity where masked
  Tensor<T> weights;    ///< A = softmax(logits), [B][H][N_q][N_k]; zero rows where no key is left
  Tensor<T> survivors;  ///< what dropout multiplies a weight with: 0 or 1/(1 - rate)
};

/// Whether query i of sequence b sees key j.
inline bool is_visible(const Mask& mask, Index b, Index i, Index j, Index keys) {
  return sees({mask.causal, mask.key_lengths.empty() ? nullptr : mask.key_lengths.data(),
               mask.visible.empty() ? nullptr : mask.visible.data()},
              b, i, j, keys);
}

/// scale q_i.k_j + bias_ij of one sequence and head, -infinity where masked.
template <typename T>
T reference_logit(const Tensor<T>& q, const Tensor<T>& k, const AttendOptions<T>& options, Index b, Index h, Index i,
                  Index j) {
  const Index keys = k.extent(2);
  if (!is_visible(options.mask, b, i, j, keys)) return -std::numeric_limits<T>::infinity();
  T dot = 0;
  for (Index d = 0; d < q.extent(3); ++d) dot += q.at(b, h, i, d) * k.at(b, h, j, d);
  T logit = options.scale * dot;
  if (!options.bias.slopes.empty())
    logit -= options.bias.slopes[static_cast<std::size_t>(h)] * static_cast<T>(std::abs(i - j));
  if (!options.bias.dense.empty())
    logit += options.bias.dense.values()[static_cast<std::size_t>((h * q.extent(2) + i) * keys + j)];
  return logit;
}

/// attend by its definition. T: a floating-point type. Nothing is checked.
template <typename T>
AttendedReference<T> attend_reference(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                      const AttendOptions<T>& options) {
  using std::exp;
  const Index batch = q.extent(0), heads = q.extent(1), queries = q.extent(2), keys = k.extent(2);
  const Shape square{batch, heads, queries, keys};
  AttendedReference<T> result{Tensor<T>({batch, heads, queries, v.extent(3)}), Tensor<T>(square), Tensor<T>(square),
                              Tensor<T>(square)};
  const std::uint32_t threshold = dropout_threshold(options.dropout.rate);
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < queries; ++i) {
        T largest = -std::numeric_limits<T>::infinity(), total = 0;
        for (Index j = 0; j < keys; ++j)
          largest = std::max(largest, result.logits.at(b, h, i, j) = reference_logit(q, k, options, b, h, i, j));
        const bool has_key = largest > -std::numeric_limits<T>::infinity();
        for (Index j = 0; j < keys && has_key; ++j)
          total += result.weights.at(b, h, i, j) = exp(result.logits.at(b, h, i, j) - largest);
        for (Index j = 0; j < keys; ++j) {
          T& weight = result.weights.at(b, h, i, j);
          if (has_key) weight /= total;
          T& survivor = result.survivors.at(b, h, i, j);
          if (survives_dropout(options.dropout.seed, threshold, b, h, i, j))
            survivor = 1 / (1 - static_cast<T>(options.dropout.rate));
          for (Index d = 0; d < v.extent(3); ++d) result.out.at(b, h, i, d) += weight * survivor * v.at(b, h, j, d);
        }
      }
  return result;
}

/// Gradients of sum(out * dout), by the chain rule through every stored weight: dA = survivors * (dout v^T),
/// dlogits = A * (dA - sum_j A dA).
template <typename T>
AttendGradients<T> attend_backward_reference(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                             const AttendOptions<T>& options, const AttendedReference<T>& attended,
                                             const Tensor<T>& dout) {
  const Index queries = q.extent(2), keys = k.extent(2);
  AttendGradients<T> gradients{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<T>(v.shape()),
                               Tensor<T>(options.bias.dense.shape())};
  std::vector<T> dweight(static_cast<std::size_t>(keys));
  for (Index b = 0; b < q.extent(0); ++b)
    for (Index h = 0; h < q.extent(1); ++h)
      for (Index i = 0; i < queries; ++i) {
        T mean = 0;
        for (Index j = 0; j < keys; ++j) {
          const T weight = attended.weights.at(b, h, i, j), survivor = attended.survivors.at(b, h, i, j);
          T dot = 0;
          for (Index d = 0; d < v.extent(3); ++d) {
            dot += dout.at(b, h, i, d) * v.at(b, h, j, d);
            gradients.v.at(b, h, j, d) += weight * survivor * dout.at(b, h, i, d);
          }
          dweight[static_cast<std::size_t>(j)] = survivor * dot;
          mean += weight * survivor * dot;
        }
        for (Index j = 0; j < keys; ++j) {
          const T dlogit = attended.weights.at(b, h, i, j) * (dweight[static_cast<std::size_t>(j)] - mean);
          for (Index d = 0; d < q.extent(3); ++d) {
            gradients.q.at(b, h, i, d) += options.scale * dlogit * k.at(b, h, j, d);
            gradients.k.at(b, h, j, d) += options.scale * dlogit * q.at(b, h, i, d);
          }
          if (!options.bias.dense.empty())
            gradients.bias.values()[static_cast<std::size_t>((h * queries + i) * keys + j)] += dlogit;
        }
      }
  return gradients;
}

}  // namespace attest::attention
