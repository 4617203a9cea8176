// Arrays, and comparisons of arrays, for the tests of the attention library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/attention/tensor.hpp"
#include "tests/kernels/counter_uniform.hpp"

namespace attest::attention {

/// Entries uniform on (-scale, scale), a pure function of (stream, position).
template <typename T>
Tensor<T> random_array(const Shape& shape, std::uint64_t stream, double scale = 1) {
  Tensor<T> array(shape);
  for (Index i = 0; i < array.size(); ++i)
    array.data()[i] = static_cast<T>(scale * (2 * counter_uniform(stream, static_cast<std::uint64_t>(i)) - 1));
  return array;
}

/// The same entries in another type.
template <typename To, typename From>
Tensor<To> converted(const Tensor<From>& array) {
  return Tensor<To>(array.shape(), std::vector<To>(array.values().begin(), array.values().end()));
}

/// max |a - b| / max |b|, and max |a - b| where b vanishes; NaN when an entry is NaN or the shapes differ.
template <typename T>
double relative_error(const Tensor<T>& a, const Tensor<double>& b) {
  if (a.shape() != b.shape()) return NAN;
  double error = 0, size = 0;
  for (Index i = 0; i < a.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a.data()[i]) - b.data()[i]);
    if (std::isnan(difference)) return NAN;
    error = std::max(error, difference);
    size = std::max(size, std::abs(b.data()[i]));
  }
  return size > 0 ? error / size : error;
}

/// max_i |a_i|.
inline double largest_entry(const Tensor<double>& a) {
  double size = 0;
  for (const double value : a.values()) size = std::max(size, std::abs(value));
  return size;
}

/// sum_i a_i b_i.
template <typename T>
double inner_product(const Tensor<T>& a, const Tensor<T>& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += static_cast<double>(a.data()[i]) * static_cast<double>(b.data()[i]);
  return sum;
}

}  // namespace attest::attention
