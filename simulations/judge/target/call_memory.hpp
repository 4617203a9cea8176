// The memory of one call of a shared library.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <list>
#include <string>
#include <vector>

#include "simulations/arrays/array.hpp"
#include "simulations/judge/attest_judge.h"
#include "simulations/judge/target/far_buffer.hpp"
#include "simulations/judge/target/guarded_buffer.hpp"

namespace attest::judge {

using arrays::Array;
using arrays::ElementType;

/// The number of a type in the interface.
inline std::int32_t c_type(ElementType type) {
  switch (type) {
    case ElementType::float64:
      return ATTEST_JUDGE_FLOAT64;
    case ElementType::float32:
      return ATTEST_JUDGE_FLOAT32;
    case ElementType::float16:
      return ATTEST_JUDGE_FLOAT16;
    case ElementType::bfloat16:
      return ATTEST_JUDGE_BFLOAT16;
    case ElementType::boolean:
      return ATTEST_JUDGE_BOOL;
    default:
      return ATTEST_JUDGE_INT32;
  }
}

/// The arrays of one call: copies of the inputs, and outputs full of NaN, all between canaries.
class CallMemory {
 public:
  /// `strided`: [B][H][N][D] stored as [B][N][H][D].
  attest_judge_array input(const Array& array, bool strided) {
    attest_judge_array result = described(array.type, array.shape, strided && array.shape.size() == 4);
    GuardedBuffer& buffer = buffers_.emplace_back(array.bytes.size());
    result.data = buffer.data();
    const std::size_t size = arrays::size_of(array.type);
    for_each_entry(result, [&](std::size_t n, std::int64_t offset) {
      std::memcpy(buffer.data() + static_cast<std::size_t>(offset) * size, array.bytes.data() + n * size, size);
    });
    return result;
  }

  /// [B][H][N][D] with heads more than 2^31 entries apart; data is NULL where there is no address space for that.
  attest_judge_array far_input(const Array& array) {
    attest_judge_array result = described(array.type, array.shape, false);
    result.strides[1] = (std::int64_t{1} << 31) + 64;
    result.strides[0] = result.strides[1] * array.shape[1];
    const std::size_t size = arrays::size_of(array.type);
    FarBuffer& buffer = far_.emplace_back(static_cast<std::size_t>(result.strides[0] * array.shape[0]) * size);
    result.data = buffer.data();
    if (result.data == nullptr) return result;
    for_each_entry(result, [&](std::size_t n, std::int64_t offset) {
      std::memcpy(buffer.data() + static_cast<std::size_t>(offset) * size, array.bytes.data() + n * size, size);
    });
    return result;
  }

  attest_judge_array output(ElementType type, const std::vector<std::int64_t>& shape) {
    attest_judge_array result = described(type, shape, false);
    const std::string filled = untouched(type, static_cast<std::size_t>(entries(result)));
    GuardedBuffer& buffer = buffers_.emplace_back(filled.size());
    std::memcpy(buffer.data(), filled.data(), filled.size());
    result.data = buffer.data();
    return result;
  }

  /// What outputs are filled with: NaN of bits that no operation gives, so that a computed NaN is told from nothing.
  static std::string untouched(ElementType type, std::size_t count) {
    constexpr std::array<unsigned char, 8> of_float64 = {0x01, 0x5a, 0xa5, 0x3c, 0xc3, 0xa7, 0xf8, 0x7f};
    constexpr std::array<unsigned char, 4> of_float32 = {0x5a, 0xa5, 0xc3, 0x7f};
    constexpr std::array<unsigned char, 2> of_float16 = {0x5a, 0x7e}, of_bfloat16 = {0xc5, 0x7f};
    std::string bytes;
    const auto repeat = [&](const auto& pattern) {
      for (std::size_t n = 0; n < count; ++n) bytes.append(pattern.begin(), pattern.end());
    };
    if (type == ElementType::float64) repeat(of_float64);
    if (type == ElementType::float32) repeat(of_float32);
    if (type == ElementType::float16) repeat(of_float16);
    if (type == ElementType::bfloat16) repeat(of_bfloat16);
    return bytes;
  }

  /// The entries in row-major order.
  static std::string bytes(const attest_judge_array& array, std::size_t size) {
    std::string result(static_cast<std::size_t>(entries(array)) * size, '\0');
    for_each_entry(array, [&](std::size_t n, std::int64_t offset) {
      std::memcpy(result.data() + n * size,
                  static_cast<const char*>(array.data) + static_cast<std::size_t>(offset) * size, size);
    });
    return result;
  }

  bool intact() const {
    for (const GuardedBuffer& buffer : buffers_)
      if (!buffer.intact()) return false;
    return true;
  }

 private:
  static std::int64_t entries(const attest_judge_array& array) {
    std::int64_t count = 1;
    for (int axis = 0; axis < array.rank; ++axis) count *= array.shape[axis];
    return count;
  }

  static attest_judge_array described(ElementType type, const std::vector<std::int64_t>& shape, bool tokens_first) {
    attest_judge_array result{};
    result.type = c_type(type);
    result.rank = static_cast<std::int32_t>(shape.size());
    std::int64_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      result.shape[axis] = shape[axis];
      result.strides[axis] = stride;
      stride *= shape[axis];
    }
    if (tokens_first) {
      result.strides[1] = shape[3];
      result.strides[2] = shape[1] * shape[3];
    }
    return result;
  }

  template <typename Visit>
  static void for_each_entry(const attest_judge_array& array, const Visit& visit) {
    std::array<std::int64_t, 4> index{};
    for (std::int64_t n = 0; n < entries(array); ++n) {
      std::int64_t offset = 0;
      for (int axis = 0; axis < array.rank; ++axis)
        offset += index[static_cast<std::size_t>(axis)] * array.strides[axis];
      visit(static_cast<std::size_t>(n), offset);
      for (int axis = array.rank; axis-- > 0;) {
        if (++index[static_cast<std::size_t>(axis)] < array.shape[axis]) break;
        index[static_cast<std::size_t>(axis)] = 0;
      }
    }
  }

  std::list<GuardedBuffer> buffers_;
  std::list<FarBuffer> far_;
};

}  // namespace attest::judge
