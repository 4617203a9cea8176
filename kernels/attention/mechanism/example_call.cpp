#include "kernels/attention/mechanism/example_call.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/random/stream.hpp"

namespace attest::attention {

Letters example_letters() {
  return {{"B", 2},   {"H", 4}, {"N", 12}, {"N_q", 12}, {"N_k", 12}, {"D", 4},
          {"D_v", 3}, {"s", 3}, {"r", 5},  {"C", 6},    {"H_kv", 4}};
}

template <typename T>
Tensor<T> example_array(const Shape& shape, std::string_view name, std::uint64_t seed) {
  Tensor<T> array(shape);
  random::Stream stream(seed, random::stream_key(name), 0);
  for (T& entry : array.values()) entry = static_cast<T>(stream.normal());
  return array;
}

template <typename T>
Call<T> example_call(const Mechanism& mechanism, const Settings& settings, std::uint64_t seed,
                     const std::vector<std::string>& optional, const Letters& letters) {
  Call<T> call;
  call.settings = settings;
  for (const InputSpec& input : mechanism.inputs) {
    if (!input.required && !input.shown && std::find(optional.begin(), optional.end(), input.name) == optional.end())
      continue;
    Tensor<T> array = example_array<T>(shape_of(input.shape, letters), input.name, seed);
    if (input.positive)
      for (T& entry : array.values()) entry = std::abs(entry) + T{1} / 2;
    call.inputs.emplace(input.name, std::move(array));
  }
  return call;
}

template Tensor<float> example_array(const Shape&, std::string_view, std::uint64_t);
template Tensor<double> example_array(const Shape&, std::string_view, std::uint64_t);
template Call<float> example_call(const Mechanism&, const Settings&, std::uint64_t, const std::vector<std::string>&,
                                  const Letters&);
template Call<double> example_call(const Mechanism&, const Settings&, std::uint64_t, const std::vector<std::string>&,
                                   const Letters&);

}  // namespace attest::attention
