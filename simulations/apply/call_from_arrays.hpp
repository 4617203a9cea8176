// From the arrays of a file to a mechanism's call.
#pragma once

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/arrays/array.hpp"

namespace attest::simulations {

/// The call whose inputs are all `arrays` but `mask` ([N_q][N_k] boolean, true = visible), `key_lengths` ([B] integer)
/// and `R` (the output's gradient). T is float or double; numbers are rounded to nearest where T is narrower. Errors:
/// std::invalid_argument in one sentence naming the array when its element type is another, a length is not in 0..N_k,
/// the extents do not fit those of q and k, or a finite number is beyond T.
template <typename T>
attention::Call<T> call_from_arrays(const NamedArrays& arrays, attention::Settings settings);

/// One array of floating-point numbers. Errors: as above.
template <typename T>
attention::Tensor<T> tensor_from(const std::string& name, const Array& array);

}  // namespace attest::simulations
