// The header of a .npy array: a Python dictionary in text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest::arrays {

struct NpyHeader {
  std::string descriptor;  ///< "<f8"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Reads `{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }`, its keys in any order, each exactly once.
/// `place` stands for file and array in messages. Errors: std::invalid_argument in one sentence.
NpyHeader parse_npy_header(std::string_view text, const std::string& place);

}  // namespace attest::arrays
