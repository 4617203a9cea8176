#include "simulations/arrays/npy.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "reports/text/numbers.hpp"
#include "simulations/arrays/npy_header.hpp"

namespace attest::arrays {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;

constexpr std::array<std::pair<std::string_view, ElementType>, 6> descriptors = {{{"|b1", ElementType::boolean},
                                                                                  {"<i4", ElementType::int32},
                                                                                  {"<i8", ElementType::int64},
                                                                                  {"<f2", ElementType::float16},
                                                                                  {"<f4", ElementType::float32},
                                                                                  {"<f8", ElementType::float64}}};

[[noreturn]] void refuse(const std::string& place, std::string_view what) {
  throw std::invalid_argument(fmt::format("{} {}", place, what));
}

ElementType element_type(const std::string& descriptor, const std::string& place) {
  for (const auto& [text, type] : descriptors)
    if (descriptor == text) return type;
  if (descriptor.find('O') != std::string::npos)
    refuse(place, "holds pickled Python objects, which are never loaded; save it as an array of numbers");
  if (descriptor.starts_with('>'))
    refuse(place, fmt::format("is big-endian ({}); save it with .astype({})", quoted_name(descriptor),
                              quoted_name("<" + descriptor.substr(1))));
  refuse(place, fmt::format("has the element type {}; save it as float16, float32, float64, int32, int64 or bool",
                            quoted_name(descriptor)));
}

/// Entry (i_0, ..., i_r) of Fortran order lies at sum i_a * (n_0 ... n_{a-1}).
std::string in_c_order(std::string_view bytes, const std::vector<std::int64_t>& shape, std::size_t size) {
  std::string result;
  result.reserve(bytes.size());
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::size_t entry = 0; entry < bytes.size() / size; ++entry) {
    std::int64_t source = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) source = source * shape[axis] + index[axis];
    result += bytes.substr(static_cast<std::size_t>(source) * size, size);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return result;
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8U | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

}  // namespace

Array parse_npy(std::string_view bytes, const std::string& place) {
  if (!bytes.starts_with(magic.substr(0, bytes.size())) || bytes.empty())
    refuse(place, "does not begin as a .npy array; save it with numpy.savez");
  const auto require = [&](std::size_t length, std::string_view part) {
    if (bytes.size() < length) refuse(place, fmt::format("is cut short in its {}; save it again", part));
  };
  require(magic.size() + 2, "version");
  const int major = static_cast<std::uint8_t>(bytes[magic.size()]);
  const int minor = static_cast<std::uint8_t>(bytes[magic.size() + 1]);
  if ((major != 1 && major != 2) || minor != 0)
    refuse(place,
           fmt::format("has .npy version {}.{}; save an array of plain numbers (version 1.0 or 2.0)", major, minor));
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t header_at = magic.size() + 2 + length_bytes;
  require(header_at, "header's length");
  const std::size_t header_length = little_endian(bytes.substr(magic.size() + 2, length_bytes));
  require(header_at + header_length, "header");
  const NpyHeader header = parse_npy_header(bytes.substr(header_at, header_length), place);

  Array array{element_type(header.descriptor, place), header.shape, {}};
  const std::string_view data = bytes.substr(header_at + header_length);
  const auto expected = byte_count(array.shape, array.type);
  if (!expected || data.size() < *expected)
    refuse(place,
           fmt::format("is cut short: its header says {} {}, and {} of data follow; save it again", name(array.type),
                       shape_text(array.shape), reports::counted(static_cast<std::int64_t>(data.size()), "byte")));
  if (data.size() > *expected)
    refuse(place, fmt::format("has {} left over after its {} {}; save it again",
                              reports::counted(static_cast<std::int64_t>(data.size() - *expected), "byte"),
                              name(array.type), shape_text(array.shape)));
  if (array.type == ElementType::boolean &&
      std::any_of(data.begin(), data.end(), [](char c) { return c < 0 || c > 1; }))
    refuse(place, "holds a boolean that is neither 0 nor 1; save it again");
  const bool reorder = header.fortran_order && array.shape.size() > 1;
  array.bytes = reorder ? in_c_order(data, array.shape, size_of(array.type)) : std::string(data);
  return array;
}

std::string npy_bytes(const Array& array) {
  const auto* known = std::find_if(descriptors.begin(), descriptors.end(),
                                   [&](const auto& descriptor) { return descriptor.second == array.type; });
  if (known == descriptors.end())
    throw std::invalid_argument("NumPy's format has no bfloat16; write a .safetensors file");
  std::string shape;
  for (const std::int64_t extent : array.shape) shape += fmt::format("{}, ", extent);
  // A tuple of one has a comma, others need none after the last.
  if (array.shape.size() == 1) shape.pop_back();
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", known->first, shape);
  const std::size_t unpadded = magic.size() + 4 + header.size() + 1;
  header.append((alignment - unpadded % alignment) % alignment, ' ');
  header += '\n';
  std::string bytes(magic);
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xffU);
  bytes += static_cast<char>(header.size() >> 8U);
  return bytes + header + array.bytes;
}

}  // namespace attest::arrays
