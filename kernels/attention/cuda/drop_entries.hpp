// Dropout of an array's entries on a CUDA device, in one kernel that keeps no mask.
#pragma once

#include "kernels/attention/attend/attend_cuda.hpp"

namespace attest::attention {

/// out_i = in_i / (1 - rate) where survives_entry_dropout(dropout.seed + *added_seed, threshold, i), else 0, for
/// i < entries; S is float, Half or Bfloat16, to which the quotient is rounded. in, out and added_seed (null: 0) lie in
/// the device's memory; in and out may be one. The same call on the gradient by `out` gives that by `in`. `stream`: a
/// cudaStream_t; null: the default stream; the call does not wait. Precondition: 0 <= rate < 1. Errors: CudaError.
template <typename S>
void drop_entries_cuda(const S* in, S* out, Index entries, const Dropout& dropout, const std::uint64_t* added_seed,
                       void* stream);

}  // namespace attest::attention
