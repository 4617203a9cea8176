#include "simulations/apply/call_from_arrays.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace attest::apply {

using arrays::ElementType;
using arrays::floating_values;
using arrays::name;
using arrays::shape_text;

namespace {

using attention::Index;

constexpr const char* mask_name = "mask";
constexpr const char* lengths_name = "key_lengths";
constexpr const char* weights_name = "R";
constexpr const char* lse_weights_name = "R_lse";
constexpr const char* bias_name = "bias";
constexpr const char* dropout_name = "dropout_mask";

/// Extent of axis 2 (the tokens) or 0 (the sequences) of q or k; -1 when that array is not there or has no such axis.
Index extent_of(const NamedArrays& arrays, std::string_view name, std::size_t axis) {
  const auto found = arrays.find(name);
  return found == arrays.end() || found->second.shape.size() <= axis ? -1 : found->second.shape[axis];
}

bool is_integer(const Array& array) { return array.type == ElementType::int32 || array.type == ElementType::int64; }

/// Errors: std::invalid_argument unless a mask is [N_q][N_k], or [B or 1][H or 1][N_q][N_k] where q and k are as
/// expected.
void require_mask_shape(const NamedArrays& arrays, const std::vector<Index>& shape) {
  std::vector<Index> expected = {extent_of(arrays, "q", 2), extent_of(arrays, "k", 2)};
  if (expected[0] < 0 || expected[1] < 0) return;
  if (shape == expected) return;
  const auto fits = [&](std::size_t axis) { return shape[axis] == 1 || shape[axis] == extent_of(arrays, "q", axis); };
  if (shape.size() == 4 && fits(0) && fits(1) && shape[2] == expected[0] && shape[3] == expected[1]) return;
  throw std::invalid_argument(fmt::format(
      "{} has the shape {} where q and k need {}, or the same after [{}] or [1] "
      "sequences and [{}] or [1] heads",
      mask_name, shape_text(shape), shape_text(expected), extent_of(arrays, "q", 0), extent_of(arrays, "q", 1)));
}

void put_visible(const NamedArrays& arrays, const Array& mask, attention::Mask& to) {
  require_mask_shape(arrays, mask.shape);
  for (const std::int64_t entry : integer_values(mask)) {
    if (entry != 0 && entry != 1)
      throw std::invalid_argument(
          fmt::format("{} holds {}; save it as bool, true where a query sees a key", mask_name, entry));
    to.visible.push_back(static_cast<std::uint8_t>(entry));
  }
  if (mask.shape.size() < 4) return;
  to.visible_sequences = mask.shape[0];
  to.visible_heads = mask.shape[1];
}

std::vector<Index> starts_from(const std::string& name, const Array& starts) {
  if (!is_integer(starts) || starts.shape.size() != 1)
    throw std::invalid_argument(
        fmt::format("{} holds {} of the shape {}; save it as a list of int64, the cumulative lengths from 0", name,
                    arrays::name(starts.type), shape_text(starts.shape)));
  return integer_values(starts);
}

std::vector<Index> lengths_from(const NamedArrays& arrays, const Array& lengths) {
  if (!is_integer(lengths))
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
        fmt::format("{} holds {}; save it as float64 or float32", name, arrays::name(array.type)));
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

namespace {

/// A mask of numbers is the mechanism's bias by another name: it is added to the logits, and -infinity hides.
template <typename T>
void put_additive_mask(const NamedArrays& arrays, const Array& mask, attention::Call<T>& call) {
  if (arrays.contains(bias_name))
    throw std::invalid_argument(
        fmt::format("{} holds {} and {} is there too: both are added to the logits; give their sum as one of them, or "
                    "save the mask as bool",
                    mask_name, name(mask.type), bias_name));
  require_mask_shape(arrays, mask.shape);
  call.inputs.emplace(bias_name, tensor_from<T>(mask_name, mask));
}

}  // namespace

template <typename T>
// NOLINTNEXTLINE(performance-unnecessary-value-param): settings are moved from
attention::Call<T> call_from_arrays(const NamedArrays& arrays, attention::Settings settings) {
  attention::Call<T> call;
  call.settings = std::move(settings);
  for (const auto& [name, array] : arrays) {
    if (name == mask_name && is_floating(array.type)) {
      put_additive_mask(arrays, array, call);
    } else if (name == mask_name) {
      put_visible(arrays, array, call.mask);
    } else if (name == lengths_name) {
      call.mask.key_lengths = lengths_from(arrays, array);
    } else if (name == "cu_seqlens" || name == "cu_seqlens_q" || name == "cu_seqlens_k") {
      if (!name.ends_with("_k")) call.mask.query_starts = starts_from(name, array);
      if (!name.ends_with("_q")) call.mask.key_starts = starts_from(name, array);
    } else if (name == dropout_name && array.type == ElementType::boolean) {
      const std::vector<std::int64_t> kept = integer_values(array);
      call.inputs.emplace(name, attention::Tensor<T>(array.shape, std::vector<T>(kept.begin(), kept.end())));
    } else if (name != weights_name && name != lse_weights_name) {
      call.inputs.emplace(name, tensor_from<T>(name, array));
    }
  }
  return call;
}

template attention::Tensor<float> tensor_from(const std::string&, const Array&);
template attention::Tensor<double> tensor_from(const std::string&, const Array&);
template attention::Call<float> call_from_arrays(const NamedArrays&, attention::Settings);
template attention::Call<double> call_from_arrays(const NamedArrays&, attention::Settings);

}  // namespace attest::apply
