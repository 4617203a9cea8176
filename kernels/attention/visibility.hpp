// Which keys a query sees, the same on every device.
#pragma once

#include <cstdint>

#include "kernels/device/host_device.hpp"

namespace attest::attention {

/// A mask as pointers; a null pointer is an absent condition.
struct MaskPointers {
  bool causal = false;
  const std::int64_t* key_lengths = nullptr;  ///< [B]
  const std::uint8_t* visible = nullptr;      ///< [N_q][N_k]
};

/// Whether query i of sequence b sees key j of `keys`.
ATTEST_HOST_DEVICE inline bool sees(const MaskPointers& mask, std::int64_t b, std::int64_t i, std::int64_t j,
                                    std::int64_t keys) {
  if (mask.causal && j > i) return false;
  if (mask.key_lengths != nullptr && j >= mask.key_lengths[b]) return false;
  return mask.visible == nullptr || mask.visible[i * keys + j] != 0;
}

/// One past the last key that any of the queries first .. first + count - 1 can see, `visible` aside.
ATTEST_HOST_DEVICE inline std::int64_t keys_end(const MaskPointers& mask, std::int64_t b, std::int64_t first,
                                                std::int64_t count, std::int64_t keys) {
  std::int64_t end = keys;
  if (mask.key_lengths != nullptr && mask.key_lengths[b] < end) end = mask.key_lengths[b];
  if (mask.causal && first + count < end) end = first + count;
  return end;
}

}  // namespace attest::attention
