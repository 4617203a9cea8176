// The memory of one call of a shared library.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <string>
#include <vector>

#include "simulations/arrays/array.hpp"
#include "simulations/judge/attest_judge.h"
#include "simulations/judge/target/far_buffer.hpp"
#include "simulations/judge/target/guarded_buffer.hpp"
#include "simulations/judge/target/target.hpp"

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

/// The arrays of one call: copies of the inputs, and outputs full of NaN, all between canaries. What lies around the
/// inputs is NaN in every type: who reads it and multiplies by 0 shows.
class CallMemory {
 public:
  attest_judge_array input(const Array& array, Layout layout) {
    constexpr std::uint8_t nan = 0xFF;
    return placed(array, layout, nan);
  }

  /// [B][H][N][D] with heads, or by `tokens_first` a row and the second after it, more than 2^31 entries apart; data is
  /// NULL where there is no address space for that.
  attest_judge_array far_input(const Array& array, Layout layout) {
    attest_judge_array result = described(array.type, array.shape, Layout::packed);
    const bool rows = layout == Layout::tokens_first;
    if (rows) result.strides[1] = array.shape[3];
    result.strides[rows ? 2 : 1] = (std::int64_t{1} << (rows ? 30 : 31)) + 64;
    result.strides[0] = rows ? result.strides[2] * array.shape[2] : result.strides[1] * array.shape[1];
    const std::size_t size = arrays::size_of(array.type);
    FarBuffer& buffer = far_.emplace_back(static_cast<std::size_t>(result.strides[0] * array.shape[0]) * size);
    result.data = buffer.data();
    if (result.data == nullptr) return result;
    for_each_entry(result, [&](std::size_t n, std::int64_t offset) {
      std::memcpy(buffer.data() + static_cast<std::size_t>(offset) * size, array.bytes.data() + n * size, size);
    });
    return result;
  }

  attest_judge_array output(ElementType type, const std::vector<std::int64_t>& shape, Layout layout) {
    constexpr std::uint8_t canary = 0xA5;
    return placed({type, shape, untouched(type, *arrays::byte_count(shape, type) / arrays::size_of(type))}, layout,
                  canary);
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

  /// Whether every byte around the arrays' entries, and between their rows, is what it was.
  bool intact() const {
    return std::all_of(held_.begin(), held_.end(),
                       [](const Held& held) { return held.buffer.intact() && gaps_intact(held); });
  }

 private:
  struct Held {
    GuardedBuffer buffer;
    attest_judge_array array;
    std::size_t size;  ///< bytes per entry
  };

  static bool gaps_intact(const Held& held) {
    if (held.buffer.size() == static_cast<std::size_t>(entries(held.array)) * held.size) return true;
    std::vector<bool> of_entries(held.buffer.size(), false);
    const auto first = static_cast<std::size_t>(static_cast<const char*>(held.array.data) - held.buffer.data());
    for_each_entry(held.array, [&](std::size_t, std::int64_t offset) {
      std::fill_n(
          of_entries.begin() + static_cast<std::ptrdiff_t>(first + static_cast<std::size_t>(offset) * held.size),
          held.size, true);
    });
    for (std::size_t n = 0; n < of_entries.size(); ++n)
      if (!of_entries[n] && static_cast<std::uint8_t>(held.buffer.data()[n]) != held.buffer.canary()) return false;
    return true;
  }

  attest_judge_array placed(const Array& array, Layout layout, std::uint8_t canary) {
    if (array.shape.size() != 4) layout = Layout::packed;
    attest_judge_array result = described(array.type, array.shape, layout);
    const std::size_t size = arrays::size_of(array.type), before = layout == Layout::packed ? 0 : 1;
    const std::size_t room = layout == Layout::packed
                                 ? static_cast<std::size_t>(entries(result))
                                 : static_cast<std::size_t>(result.shape[0] * result.strides[0]) + before;
    Held& held = held_.emplace_back(Held{GuardedBuffer(room * size, canary), result, size});
    held.array.data = held.buffer.data() + before * size;
    for_each_entry(held.array, [&](std::size_t n, std::int64_t offset) {
      std::memcpy(static_cast<char*>(held.array.data) + static_cast<std::size_t>(offset) * size,
                  array.bytes.data() + n * size, size);
    });
    return held.array;
  }

  static std::int64_t entries(const attest_judge_array& array) {
    std::int64_t count = 1;
    for (int axis = 0; axis < array.rank; ++axis) count *= array.shape[axis];
    return count;
  }

  static attest_judge_array described(ElementType type, const std::vector<std::int64_t>& shape, Layout layout) {
    attest_judge_array result{};
    result.type = c_type(type);
    result.rank = static_cast<std::int32_t>(shape.size());
    std::int64_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      result.shape[axis] = shape[axis];
      result.strides[axis] = stride;
      stride *= shape[axis];
    }
    constexpr std::int64_t gap = 3;  // entries between rows
    if (layout == Layout::tokens_first) {
      result.strides[1] = shape[3] + gap;
      result.strides[2] = shape[1] * result.strides[1];
      result.strides[0] = shape[2] * result.strides[2];
    }
    if (layout == Layout::features_first) {
      result.strides[2] = 1;
      result.strides[3] = shape[2] + gap;
      result.strides[1] = shape[3] * result.strides[3];
      result.strides[0] = shape[1] * result.strides[1];
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

  std::list<Held> held_;
  std::list<FarBuffer> far_;
};

}  // namespace attest::judge
