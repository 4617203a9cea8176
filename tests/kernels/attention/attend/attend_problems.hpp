// Problems for the tests of attention, each with its answer from the float64 reference.
#pragma once

#include <string>

#include "kernels/attention/attend/attend_reference.hpp"
#include "tests/kernels/attention/random_arrays.hpp"

namespace attest::attention {

/// The largest error that values and gradients may have, relative to the largest entry of the array (or to the sizes of
/// its terms, where they cancel): the stated accuracy of the attention library.
template <typename T>
constexpr double stated_error = sizeof(T) == 8 ? 1e-12 : 2e-6;

/// The same for arrays held in half (11 bits) and bfloat16 (8 bits): rounding an input, a weight, a logit's gradient or
/// a result errs by half a unit each; a dozen such errors at most meet in an entry.
constexpr double half_error = 12 * 0x1p-11, bfloat16_error = 12 * 0x1p-8;

struct Extents {
  Index batch, heads, queries, keys, dim, value_dim;
};

template <typename T>
struct TestProblem {
  Tensor<T> q, k, v, dout;
  AttendOptions<T> options;
};

/// Entries uniform on (-1, 1), so that logits with the usual scale are of order one.
template <typename T>
TestProblem<T> random_problem(const Extents& e, std::uint64_t seed) {
  TestProblem<T> p{random_array<T>({e.batch, e.heads, e.queries, e.dim}, 4 * seed, 2),
                   random_array<T>({e.batch, e.heads, e.keys, e.dim}, 4 * seed + 1, 2),
                   random_array<T>({e.batch, e.heads, e.keys, e.value_dim}, 4 * seed + 2),
                   random_array<T>({e.batch, e.heads, e.queries, e.value_dim}, 4 * seed + 3),
                   {}};
  p.options.scale = static_cast<T>(1 / std::sqrt(static_cast<double>(e.dim)));
  return p;
}

/// Turns on every option: causal, lengths, a mask with a hidden row, slopes, a dense bias, dropout.
template <typename T>
void turn_everything_on(TestProblem<T>& p, std::uint64_t seed) {
  const Index batch = p.q.extent(0), heads = p.q.extent(1), queries = p.q.extent(2), keys = p.k.extent(2);
  p.options.mask.causal = true;
  for (Index b = 0; b < batch; ++b) p.options.mask.key_lengths.push_back(std::max<Index>(0, keys - 3 * b));
  p.options.mask.visible.resize(static_cast<std::size_t>(queries * keys));
  for (std::size_t i = 0; i < p.options.mask.visible.size(); ++i)
    p.options.mask.visible[i] = i >= static_cast<std::size_t>(keys) && counter_uniform(seed, i) < 0.7 ? 1 : 0;
  for (Index h = 0; h < heads; ++h) p.options.bias.slopes.push_back(static_cast<T>(0.25) / static_cast<T>(h + 1));
  p.options.bias.dense = random_array<T>({heads, queries, keys}, seed + 1);
  p.options.dropout = {0.25, seed};
}

template <typename T>
AttendOptions<double> in_double(const AttendOptions<T>& options) {
  AttendOptions<double> result;
  result.scale = static_cast<double>(options.scale);
  result.mask = options.mask;
  result.bias.slopes.assign(options.bias.slopes.begin(), options.bias.slopes.end());
  result.bias.dense = converted<double>(options.bias.dense);
  result.dropout = options.dropout;
  return result;
}

/// The largest sums of absolute terms, max_id sum_j scale A_ij (|dA_ij| + |sum_l A_il dA_il|) |k_jd| for dq and
/// likewise for dk: what rounding the terms is relative to where they cancel.
struct TermSizes {
  double q = 1, k = 1;
};

/// For one sequence, without dropout and bias.
TermSizes gradient_term_sizes(const Tensor<double>& q, const Tensor<double>& k, const Tensor<double>& v, double scale,
                              const AttendedReference<double>& attended, const Tensor<double>& dout);

/// Runs forward and backward and compares both with the reference on the same numbers in float64; `saturated` says that
/// weights are near 0 and 1, where the terms of dq and dk cancel.
template <typename T>
void expect_agreement(const TestProblem<T>& p, const std::string& what, bool saturated = false);

}  // namespace attest::attention
