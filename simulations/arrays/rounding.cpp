#include "simulations/arrays/rounding.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <fmt/format.h>

namespace attest::arrays {
namespace {

/// Bits of the significand, the exponent of the least normal number, and the largest number.
struct Format {
  int bits, least_exponent;
  double largest;
};

Format format_of(ElementType type) {
  switch (type) {
    case ElementType::float16:
      return {11, -14, 65504};
    case ElementType::bfloat16:
      return {8, -126, 0x1.fep127};
    case ElementType::float32:
      return {24, -126, 0x1.fffffep127};
    case ElementType::float64:
      return {53, -1022, 0x1.fffffffffffffp1023};
    default:
      throw std::invalid_argument(fmt::format("{} is not a floating-point type", name(type)));
  }
}

template <typename Stored>
std::string bytes_of(const std::vector<double>& values) {
  std::string bytes(values.size() * sizeof(Stored), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Exact: the value has been rounded to this type. (From double, Eigen's half types would round twice.)
    const auto stored =
        static_cast<Stored>(static_cast<std::conditional_t<sizeof(Stored) < 4, float, Stored>>(values[i]));
    std::memcpy(bytes.data() + i * sizeof(Stored), &stored, sizeof(Stored));
  }
  return bytes;
}

}  // namespace

double unit_roundoff(ElementType type) { return std::ldexp(1.0, -format_of(type).bits); }

double largest_finite(ElementType type) { return format_of(type).largest; }

double least_kept(ElementType type) {
  const Format format = format_of(type);
  return std::ldexp(1.0, format.least_exponent - (type == ElementType::float16 ? format.bits - 1 : 0));
}

double rounded(double x, ElementType type) {
  const Format format = format_of(type);
  if (type == ElementType::float64 || !std::isfinite(x) || x == 0) return x;
  const int exponent = std::max(std::ilogb(x), format.least_exponent) - (format.bits - 1);
  // Both products by a power of two are exact: the quotient is below 2^53, the result has few bits.
  const double result = std::ldexp(std::nearbyint(std::ldexp(x, -exponent)), exponent);
  return std::abs(result) > format.largest ? std::copysign(HUGE_VAL, x) : result;
}

Array array_in(ElementType type, std::vector<std::int64_t> shape, std::span<const double> values) {
  std::vector<double> entries(values.begin(), values.end());
  for (double& entry : entries) entry = rounded(entry, type);
  Array result{type, std::move(shape), {}};
  switch (type) {
    case ElementType::float16:
      result.bytes = bytes_of<Eigen::half>(entries);
      break;
    case ElementType::bfloat16:
      result.bytes = bytes_of<Eigen::bfloat16>(entries);
      break;
    case ElementType::float32:
      result.bytes = bytes_of<float>(entries);
      break;
    default:
      result.bytes = bytes_of<double>(entries);
  }
  return result;
}

Array rounded(const Array& array, ElementType type) {
  return array.type == type ? array : array_in(type, array.shape, floating_values<double>(array));
}

}  // namespace attest::arrays
