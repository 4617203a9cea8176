#include "simulations/judge/case/number_types.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

namespace attest::judge {
namespace {

using arrays::ElementType;

/// Significant bits, and the least and largest exponents e of normal numbers 2^e.
struct Format {
  int digits, least, largest;
};

Format format_of(ElementType type) {
  switch (type) {
    case ElementType::float16:
      return {11, -14, 15};
    case ElementType::bfloat16:
      return {8, -126, 127};
    case ElementType::float32:
      return {24, -126, 127};
    case ElementType::float64:
      return {53, -1022, 1023};
    default:
      throw std::logic_error("not a floating-point type");
  }
}

/// The 16 bits of a number that the format holds exactly.
std::uint16_t bits_of(const Format& format, double x) {
  const int stored = format.digits - 1, bias = format.largest;
  const auto sign = static_cast<unsigned>(std::signbit(x) ? 1 : 0);
  const unsigned all_ones = static_cast<unsigned>(2 * bias + 1) << stored;
  if (std::isnan(x)) return static_cast<std::uint16_t>(all_ones | (1U << (stored - 1)));
  if (std::isinf(x)) return static_cast<std::uint16_t>((sign << 15) | all_ones);
  const double magnitude = std::abs(x);
  unsigned exponent = 0;
  double fraction = std::ldexp(magnitude, stored - format.least);  // of a subnormal
  if (magnitude >= std::ldexp(1.0, format.least)) {
    const int e = std::ilogb(magnitude);
    exponent = static_cast<unsigned>(e + bias);
    fraction = std::ldexp(magnitude, stored - e) - std::ldexp(1.0, stored);
  }
  return static_cast<std::uint16_t>((sign << 15) | (exponent << stored) | static_cast<unsigned>(fraction));
}

}  // namespace

double unit_roundoff(ElementType type) { return std::ldexp(1.0, -format_of(type).digits); }

double least_kept(ElementType type) {
  const Format format = format_of(type);
  return std::ldexp(1.0, type == ElementType::float16 ? format.least - format.digits + 1 : format.least);
}

double largest_finite(ElementType type) {
  const Format format = format_of(type);
  return std::ldexp(2.0 - std::ldexp(1.0, 1 - format.digits), format.largest);
}

double rounded_to(ElementType type, double x) {
  if (type == ElementType::float64 || x == 0 || !std::isfinite(x)) return x;
  const Format format = format_of(type);
  const int e = std::max(std::ilogb(x), format.least);
  // nearbyint rounds to nearest even in the default mode, and scaling by powers of two is exact here.
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, format.digits - 1 - e)), e - format.digits + 1);
  return std::abs(rounded) > largest_finite(type) ? std::copysign(std::numeric_limits<double>::infinity(), x) : rounded;
}

arrays::Array array_in(ElementType type, std::vector<std::int64_t> shape, std::span<const double> values) {
  arrays::Array array{type, std::move(shape), std::string(values.size() * arrays::size_of(type), '\0')};
  char* to = array.bytes.data();
  for (const double value : values) {
    const double entry = rounded_to(type, value);
    if (type == ElementType::float64) {
      std::memcpy(to, &entry, sizeof entry);
    } else if (type == ElementType::float32) {
      const auto narrow = static_cast<float>(entry);
      std::memcpy(to, &narrow, sizeof narrow);
    } else {
      const std::uint16_t bits = bits_of(format_of(type), entry);
      std::memcpy(to, &bits, sizeof bits);
    }
    to += arrays::size_of(type);
  }
  return array;
}

}  // namespace attest::judge
