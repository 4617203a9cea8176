#include "simulations/apply/call_from_arrays.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace attest::simulations {
namespace {

using attention::Index;

constexpr const char* mask_name = "mask";
constexpr const char* lengths_name = "key_lengths";
constexpr const char* weights_name = "R";

/// Extent of axis 2 (the tokens) or 0 (the sequences) of q or k; -1 when that array is not there or has no such axis.
Index extent_of(const NamedArrays& arrays, std::string_view name, std::size_t axis) {
  const auto found = arrays.find(name);
  return found == arrays.end() || found->second.shape.size() <= axis ? -1 : found->second.shape[axis];
}

std::vector<std::uint8_t> visible_from(const NamedArrays& arrays, const Array& mask) {
  if (is_floating(mask.type))
    throw std::invalid_argument(
        fmt::format("{} holds {}; save it as bool, true where a query sees a key", mask_name, name(mask.type)));
  const std::vector<Index> expected = {extent_of(arrays, "q", 2), extent_of(arrays, "k", 2)};
  if (mask.shape != expected && expected[0] >= 0 && expected[1] >= 0)
    throw std::invalid_argument(fmt::format("{} has the shape {} where q and k need {}", mask_name,
                                            shape_text(mask.shape), shape_text(expected)));
  std::vector<std::uint8_t> visible;
  for (const std::int64_t entry : integer_values(mask)) {
    if (entry != 0 && entry != 1)
      throw std::invalid_argument(
          fmt::format("{} holds {}; save it as bool, true where a query sees a key", mask_name, entry));
    visible.push_back(static_cast<std::uint8_t>(entry));
  }
  return visible;
}

std::vector<Index> lengths_from(const NamedArrays& arrays, const Array& lengths) {
  if (is_floating(lengths.type) || lengths.type == ElementType::boolean)
    throw std::invalid_argument(
        fmt::format("{} holds {}; save it as int64, one length a sequence", lengths_name, name(lengths.type)));
  const Index sequences = extent_of(arrays, "k", 0);
  const Index keys = extent_of(arrays, "k", 2);
  if (sequences >= 0 && lengths.shape != std::vector<Index>{sequences})
    throw std::invalid_argument(fmt::format("{} has the shape {} where k's {} sequences need [{}]", lengths_name,
                                            shape_text(lengths.shape), sequences, sequences));
  std::vector<Index> values = integer_values(lengths);
  for (const Index length : values)
    if (length < 0 || (keys >= 0 && length > keys))
      throw std::invalid_argument(
          fmt::format("{} holds {}, which is not between 0 and the {} keys there are", lengths_name, length, keys));
  return values;
}

}  // namespace

template <typename T>
attention::Tensor<T> tensor_from(const std::string& name, const Array& array) {
  if (!is_floating(array.type))
    throw std::invalid_argument(
        fmt::format("{} holds {}; save it as float64 or float32", name, simulations::name(array.type)));
  std::vector<T> values = floating_values<T>(array);
  if constexpr (sizeof(T) < sizeof(double)) {
    const std::vector<double> exact = floating_values<double>(array);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::isinf(values[i]) && std::isfinite(exact[i]))
        throw std::invalid_argument(
            fmt::format("{} holds {}, which is beyond float32; use --dtype float64", name, exact[i]));
  }
  return {array.shape, std::move(values)};
}

template <typename T>
attention::Call<T> call_from_arrays(const NamedArrays& arrays, attention::Settings settings) {
  attention::Call<T> call;
  call.settings = std::move(settings);
  for (const auto& [name, array] : arrays) {
    if (name == mask_name) {
      call.mask.visible = visible_from(arrays, array);
    } else if (name == lengths_name) {
      call.mask.key_lengths = lengths_from(arrays, array);
    } else if (name != weights_name) {
      call.inputs.emplace(name, tensor_from<T>(name, array));
    }
  }
  return call;
}

template attention::Tensor<float> tensor_from(const std::string&, const Array&);
template attention::Tensor<double> tensor_from(const std::string&, const Array&);
template attention::Call<float> call_from_arrays(const NamedArrays&, attention::Settings);
template attention::Call<double> call_from_arrays(const NamedArrays&, attention::Settings);

}  // namespace attest::simulations
