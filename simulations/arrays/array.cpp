#include "simulations/arrays/array.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include <Eigen/Core>
#include <fmt/format.h>

namespace attest::arrays {
namespace {

static_assert(std::endian::native == std::endian::little, "array files hold little-endian numbers");

template <typename Stored>
std::vector<Stored> stored(const Array& array) {
  std::vector<Stored> values(array.bytes.size() / sizeof(Stored));
  if (!values.empty()) std::memcpy(values.data(), array.bytes.data(), values.size() * sizeof(Stored));
  return values;
}

template <typename Stored, typename T>
std::vector<T> converted(const Array& array) {
  std::vector<T> result;
  result.reserve(array.bytes.size() / sizeof(Stored));
  for (const Stored value : stored<Stored>(array)) result.push_back(static_cast<T>(value));
  return result;
}

}  // namespace

std::string_view name(ElementType type) {
  static constexpr std::array<std::string_view, 7> names = {"bool",     "int32",   "int64",  "float16",
                                                            "bfloat16", "float32", "float64"};
  return names[static_cast<std::size_t>(type)];
}

std::size_t size_of(ElementType type) {
  static constexpr std::array<std::size_t, 7> sizes = {1, 4, 8, 2, 2, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

bool is_floating(ElementType type) { return type >= ElementType::float16; }

std::optional<std::size_t> byte_count(std::span<const std::int64_t> shape, ElementType type) {
  constexpr std::size_t largest = std::size_t{1} << 62U;
  std::size_t count = size_of(type);
  bool no_entry = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    no_entry = no_entry || extent == 0;
    // Compared before it is multiplied: a damaged header must not wrap around to a plausible product.
    if (extent > 0 && count > largest / static_cast<std::size_t>(extent)) return std::nullopt;
    if (extent > 0) count *= static_cast<std::size_t>(extent);
  }
  return no_entry ? 0 : count;
}

std::string shape_text(std::span<const std::int64_t> shape) {
  if (shape.empty()) return "[]";
  std::string text;
  for (const std::int64_t extent : shape) text += fmt::format("[{}]", extent);
  return text;
}

std::string quoted_name(std::string_view text) {
  constexpr std::size_t longest = 64;
  std::string shown = "'";
  for (const char c : text.substr(0, longest)) {
    const bool is_control = (c >= 0 && c < ' ') || c == '\x7f';
    shown += is_control ? fmt::format("\\x{:02x}", static_cast<int>(c)) : std::string(1, c);
  }
  return shown + (text.size() > longest ? "...'" : "'");
}

template <typename T>
std::vector<T> floating_values(const Array& array) {
  switch (array.type) {
    case ElementType::float16:
      return converted<Eigen::half, T>(array);
    case ElementType::bfloat16:
      return converted<Eigen::bfloat16, T>(array);
    case ElementType::float32:
      return converted<float, T>(array);
    case ElementType::float64:
      return converted<double, T>(array);
    default:
      throw std::invalid_argument(fmt::format("an array of {} holds no floating-point numbers", name(array.type)));
  }
}

std::vector<std::int64_t> integer_values(const Array& array) {
  switch (array.type) {
    case ElementType::boolean:
      return converted<std::int8_t, std::int64_t>(array);
    case ElementType::int32:
      return converted<std::int32_t, std::int64_t>(array);
    case ElementType::int64:
      return converted<std::int64_t, std::int64_t>(array);
    default:
      throw std::invalid_argument(fmt::format("an array of {} holds no integers", name(array.type)));
  }
}

template <typename T>
Array floating_array(std::vector<std::int64_t> shape, std::span<const T> values) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
  Array array{sizeof(T) == sizeof(float) ? ElementType::float32 : ElementType::float64, std::move(shape), {}};
  array.bytes.resize(values.size_bytes());
  if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), values.size_bytes());
  return array;
}

template std::vector<float> floating_values(const Array&);
template std::vector<double> floating_values(const Array&);
template Array floating_array(std::vector<std::int64_t>, std::span<const float>);
template Array floating_array(std::vector<std::int64_t>, std::span<const double>);

}  // namespace attest::arrays
