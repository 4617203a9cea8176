// Small arrays that suit any mechanism's description: for examples and for the tests over all mechanisms.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/attention/mechanism/letters.hpp"
#include "kernels/attention/mechanism/mechanism.hpp"

namespace attest::attention {

/// B = 2, H = H_kv = 4, N = N_q = N_k = 12, D = 4, D_v = 3, s = 3, r = 5, C = 6.
Letters example_letters();

/// Standard normal entries, a pure function of (seed, name, position). T is float or double.
template <typename T>
Tensor<T> example_array(const Shape& shape, std::string_view name, std::uint64_t seed);

/// A call with every required input of the mechanism, every `InputSpec::shown` one, and those named in `optional`.
template <typename T>
Call<T> example_call(const Mechanism& mechanism, const Settings& settings, std::uint64_t seed,
                     const std::vector<std::string>& optional = {}, const Letters& letters = example_letters());

}  // namespace attest::attention
