// Tests with every mechanism as a parameter: the names, and what such a test is called.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/attention/mechanism/mechanism.hpp"

namespace attest::attention {

inline std::vector<std::string> mechanism_names() {
  std::vector<std::string> all;
  for (const Mechanism& mechanism : mechanisms()) all.push_back(mechanism.name);
  return all;
}

/// The mechanism's name with underscores, which GoogleTest wants.
inline std::string mechanism_test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace attest::attention
