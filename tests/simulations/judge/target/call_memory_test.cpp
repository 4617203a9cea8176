#include "simulations/judge/target/call_memory.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace attest::judge {
namespace {

constexpr Layout all_layouts[] = {Layout::packed, Layout::tokens_first, Layout::features_first};

Array counted() {
  std::vector<double> values(2 * 3 * 4 * 5);
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<double>(n);
  return arrays::floating_array<double>({2, 3, 4, 5}, values);
}

double* at(const attest_judge_array& a, std::int64_t b, std::int64_t h, std::int64_t n, std::int64_t d) {
  return static_cast<double*>(a.data) + b * a.strides[0] + h * a.strides[1] + n * a.strides[2] + d * a.strides[3];
}

TEST(CallMemory, EntriesAreWhereTheStridesSay) {
  for (const Layout layout : all_layouts) {
    CallMemory memory;
    const Array array = counted();
    const attest_judge_array input = memory.input(array, layout);
    EXPECT_EQ(CallMemory::bytes(input, sizeof(double)), array.bytes) << name(layout);
    EXPECT_EQ(*at(input, 1, 2, 3, 4), 119) << name(layout);
    EXPECT_EQ(*at(input, 0, 1, 2, 3), 33) << name(layout);
    EXPECT_TRUE(memory.intact());
  }
}

TEST(CallMemory, OnlyPackedRowsTouchEachOther) {
  CallMemory memory;
  EXPECT_EQ(memory.input(counted(), Layout::packed).strides[2], 5);
  const attest_judge_array by_tokens = memory.input(counted(), Layout::tokens_first);
  EXPECT_EQ(by_tokens.strides[3], 1);
  EXPECT_GT(by_tokens.strides[1], 5);
  EXPECT_GT(by_tokens.strides[2], by_tokens.strides[1]);
  const attest_judge_array by_features = memory.input(counted(), Layout::features_first);
  EXPECT_EQ(by_features.strides[2], 1);
  EXPECT_GT(by_features.strides[3], 4);
}

TEST(CallMemory, FarHeadsOrRowsAreBeyondOffsetsOf32Bits) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  for (const Layout layout : {Layout::packed, Layout::tokens_first}) {
    CallMemory memory;
    const Array array = counted();
    const attest_judge_array far = memory.far_input(array, layout);
    if (far.data == nullptr) GTEST_SKIP() << "no address space";
    EXPECT_GT(layout == Layout::packed ? far.strides[1] : 2 * far.strides[2], most);
    EXPECT_LT(layout == Layout::packed ? far.strides[2] : far.strides[1], 100);
    EXPECT_EQ(CallMemory::bytes(far, sizeof(double)), array.bytes) << name(layout);
    EXPECT_EQ(*at(far, 1, 2, 3, 4), 119) << name(layout);
  }
}

TEST(CallMemory, WhatLiesAroundInputsIsNotANumber) {
  for (const Layout layout : all_layouts) {
    CallMemory memory;
    const attest_judge_array input = memory.input(counted(), layout);
    EXPECT_TRUE(std::isnan(static_cast<double*>(input.data)[-1])) << name(layout);
    EXPECT_TRUE(std::isnan(at(input, 1, 2, 3, 4)[1])) << name(layout);
  }
}

TEST(CallMemory, TellsWritesOutsideAndBetweenRowsFromResults) {
  for (const Layout layout : all_layouts) {
    CallMemory memory;
    const attest_judge_array output = memory.output(ElementType::float64, {2, 3, 4, 5}, layout);
    for (std::int64_t b = 0; b < 2; ++b)
      for (std::int64_t h = 0; h < 3; ++h)
        for (std::int64_t n = 0; n < 4; ++n)
          for (std::int64_t d = 0; d < 5; ++d) *at(output, b, h, n, d) = 1;
    EXPECT_TRUE(memory.intact()) << name(layout);
    at(output, 1, 2, 3, 4)[1] = 1;
    EXPECT_FALSE(memory.intact()) << name(layout);
  }
  CallMemory memory;
  const attest_judge_array output = memory.output(ElementType::float64, {2, 3, 4, 5}, Layout::tokens_first);
  at(output, 0, 0, 0, 4)[1] = 0;
  EXPECT_FALSE(memory.intact());
}

}  // namespace
}  // namespace attest::judge
