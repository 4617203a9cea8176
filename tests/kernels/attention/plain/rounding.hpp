// What rounding can make of attention in double: the tolerances of tests that compare two evaluations of one formula.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/attention/tensor.hpp"
#include "tests/support/rounding.hpp"

namespace attest::attention::plain {

using tests::unit_roundoff;

/// Relative error of sum_j w_j v_j / sum_j w_j for given weights, relative to the largest |v_j|: terms - 1 additions in
/// each sum, a product in each term, a reciprocal and its product.
constexpr double average_rounding(Index terms) { return (2.0 * static_cast<double>(terms) + 1) * unit_roundoff; }

/// max |q_i . k_j| / sqrt(D).
inline double largest_logit(const Tensor<double>& q, const Tensor<double>& k) {
  double largest = 0;
  for (Index b = 0; b < q.extent(0); ++b)
    for (Index h = 0; h < q.extent(1); ++h)
      for (Index i = 0; i < q.extent(2); ++i)
        for (Index j = 0; j < k.extent(2); ++j) {
          double sum = 0;
          for (Index d = 0; d < q.extent(3); ++d) sum += std::abs(q.at(b, h, i, d) * k.at(b, h, j, d));
          largest = std::max(largest, sum);
        }
  return largest / std::sqrt(static_cast<double>(q.extent(3)));
}

/// How far two evaluations of softmax attention may lie apart, relative to the largest |v|: on each side a logit of D
/// products errs by D + 2 roundings (two of the scale) of sum |q k| and so does the weight, relatively, and its
/// normaliser; the exponential adds 2, the average the rest.
inline double attention_rounding(const Tensor<double>& q, const Tensor<double>& k) {
  const double logits = (static_cast<double>(q.extent(3)) + 2) * largest_logit(q, k) * unit_roundoff;
  return 2 * (2 * (logits + 2 * unit_roundoff) + average_rounding(k.extent(2)));
}

}  // namespace attest::attention::plain
