// The general path of attention: one row of the attention matrix at a time, over the keys that its query sees.
//
// It knows every option of attend.hpp and evaluates in double whatever T is: sums, weights and gradients are rounded
// once, at the end. A pair of query and key that is masked is never read, so that NaN or infinity in a masked key or
// value reaches neither outputs nor gradients.
#pragma once

#include "kernels/attention/attend/attend.hpp"

namespace attest::attention {

/// Whether the tiles (attend_view.hpp) know all that these options ask for; what they do not know takes the rows:
/// grouped heads, softcap, sinks, factors of the weights, packed sequences, masks and biases that differ
/// between sequences, an alignment that matters, other outputs of empty rows than zeros, and the gradient of slopes; on
/// a device also windows.
template <typename T>
bool runs_in_tiles(const Shape& q, const Shape& k, const AttendOptions<T>& options);

/// attend by rows. Preconditions: those that attend checks.
template <typename T>
Attended<T> attend_rows(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v, const AttendOptions<T>& options);

/// attend_backward by rows, which are formed again; `dlse` may be null. Gradients of keys and values are summed over
/// the heads of a group and over queries in order: the same bits for any number of threads.
template <typename T>
AttendGradients<T> attend_rows_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                        const AttendOptions<T>& options, const Tensor<T>& dout, const Tensor<T>* dlse);

}  // namespace attest::attention
