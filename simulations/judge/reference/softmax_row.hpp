// One row of attention: its logits, then its weights, each with a bound on what rounding may do to it.
#pragma once

#include <cstdint>
#include <vector>

#include "simulations/judge/reference/reading.hpp"

namespace attest::judge {

/// Reused from row to row; everything is [N_k]. T: double or long double. Formulas: attention_reference.hpp.
template <typename T>
struct SoftmaxRow {
  std::vector<T> logits;           ///< s_j, -infinity where the key is not seen
  std::vector<double> errors;      ///< e_j
  std::vector<T> slopes;           ///< derivative of the softcap at s_j
  std::vector<std::uint8_t> seen;  ///< whether the query sees the key
  Index seen_count = 0;
  std::vector<T> weights;        ///< p_j
  std::vector<double> relative;  ///< g_j
  std::vector<double> drop;      ///< the factor of dropout
  T largest = 0, sum = 0;        ///< of logits and sink; of exp(s_j - largest) over keys and sink
  double error = 0;              ///< g
  double largest_error = 0;      ///< max_j log(1 + g_j)
};

/// Logits of row (b, h, i).
template <typename T>
void fill_logits(const Reading& r, Index b, Index h, Index i, SoftmaxRow<T>& row);

/// Weights from logits. `column_sums`: the sums over queries of exp(s_j) of this head, for the hypothesis that the
/// softmax runs over them; otherwise nullptr. False for a row that sees nothing, of which nothing but the logits is
/// filled.
template <typename T>
bool fill_weights(const Reading& r, Index b, Index h, Index i, const T* column_sums, SoftmaxRow<T>& row);

/// log of the sum of exponentials of a row with weights.
template <typename T>
double lse_of(const Reading& r, const SoftmaxRow<T>& row);

}  // namespace attest::judge
