// What the convolution attentions share.
#pragma once

#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/attention/stages/convolve.hpp"

namespace attest::attention::definitions {

/// softmax(conv(Q) conv(K)^T/sqrt(D)) V on grids of queries and of keys. With the option `shared`, or without
/// wk, both are convolved with wq.
template <typename T>
Evaluation<T> attend_convolved(const Call<T>& call, const OptionReader& read, ConvolutionGrid queries,
                               ConvolutionGrid keys);

/// The options `causal` where there is one, and `shared`.
std::vector<OptionSpec> convolution_options(bool causal);
/// q, k, v, of the same tokens when `square`, and wq and wk of a shape such as "[H][s]".
std::vector<InputSpec> convolution_inputs(const char* kernel_shape, bool square);
Cost convolved_cost(const CostShape& shape, const Settings& settings, std::int64_t taps);

}  // namespace attest::attention::definitions
