// From the arrays of a file to a mechanism's call.
#pragma once

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/arrays/array.hpp"

namespace attest::apply {

using arrays::Array;
using arrays::NamedArrays;

/// The call whose inputs are all `arrays` but these:
/// - `mask`, [N_q][N_k] or [B or 1][H or 1][N_q][N_k]: boolean, true = visible; of floating-point numbers it is the
///   input `bias` by another name (added to the logits, -infinity hides), and its gradient is that of `bias`;
/// - `key_lengths` [B], and `cu_seqlens` (or `cu_seqlens_q` and `cu_seqlens_k`), the cumulative lengths of packed
///   sequences, integers;
/// - `R` and `R_lse`, the gradients of the output and of lse.
/// A boolean `dropout_mask` is an input of zeros and ones. T is float or double; numbers are rounded to nearest where T
/// is narrower. Errors: std::invalid_argument in one sentence naming the array when its element type is another, a
/// length is not in 0..N_k, the extents do not fit those of q and k, or a finite number is beyond T.
template <typename T>
attention::Call<T> call_from_arrays(const NamedArrays& arrays, attention::Settings settings);

/// One array of floating-point numbers. Errors: as above.
template <typename T>
attention::Tensor<T> tensor_from(const std::string& name, const Array& array);

}  // namespace attest::apply
