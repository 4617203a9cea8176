// One array as files of arrays hold it: an element type, extents and bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest::arrays {

enum class ElementType { boolean, int32, int64, float16, bfloat16, float32, float64 };

/// NumPy's name: "bool", "int32", ..., "float64"; "bfloat16", which NumPy does not have.
std::string_view name(ElementType type);
/// Bytes an element takes.
std::size_t size_of(ElementType type);
bool is_floating(ElementType type);

struct Array {
  ElementType type = ElementType::float64;
  std::vector<std::int64_t> shape;  ///< empty: a scalar
  std::string bytes;                ///< row-major, little-endian, product(shape) * size_of(type) of them

  bool operator==(const Array&) const = default;
};

/// Arrays by name, in the order of their names.
using NamedArrays = std::map<std::string, Array, std::less<>>;

/// product(shape) * size_of(type); empty when an extent is negative or the product exceeds 2^62.
std::optional<std::size_t> byte_count(std::span<const std::int64_t> shape, ElementType type);

/// "[2][3]"; "[]" for a scalar.
std::string shape_text(std::span<const std::int64_t> shape);

/// A name from a file as messages show it: in quotes, control characters as \x0a, cut after 64 characters.
std::string quoted_name(std::string_view text);

/// The entries as T (float or double), rounded to nearest where T is narrower.
/// Errors: std::invalid_argument when the array does not hold floating-point numbers.
template <typename T>
std::vector<T> floating_values(const Array& array);

/// The entries of a boolean or integer array; true is 1. Errors: std::invalid_argument when it holds floating-point
/// numbers.
std::vector<std::int64_t> integer_values(const Array& array);

/// The array of these entries, for T float or double. Precondition: as many values as the shape says.
template <typename T>
Array floating_array(std::vector<std::int64_t> shape, std::span<const T> values);

}  // namespace attest::arrays
