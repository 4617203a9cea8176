#include "kernels/simd/transpose.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace attest::simd {
namespace {

constexpr std::int64_t from_row = 11, to_row = 13;

// Every entry differs, and doubled it is still exact.
template <typename T>
std::vector<T> numbered(std::int64_t rows, std::int64_t row) {
  std::vector<T> numbers(static_cast<std::size_t>(rows * row));
  for (std::size_t at = 0; at < numbers.size(); ++at) numbers[at] = T(at + 1);
  return numbers;
}

template <typename T>
void turns_a_square() {
  if constexpr (!turns_squares<32>) {
    GTEST_SKIP() << "compiled without AVX";
  } else {
    constexpr std::int64_t side = Lanes<T, 32>::count;
    const std::vector<T> from = numbered<T>(side, from_row);
    const T untouched = -1;
    std::vector<T> to(static_cast<std::size_t>(side * to_row), untouched);

    transpose_square<T, 32>(from.data(), from_row, T(2), to.data(), to_row);

    for (std::int64_t j = 0; j < side; ++j)
      for (std::int64_t i = 0; i < to_row; ++i)
        EXPECT_EQ(to[static_cast<std::size_t>(j * to_row + i)],
                  i < side ? 2 * from[static_cast<std::size_t>(i * from_row + j)] : untouched)
            << "row " << j << ", column " << i;
  }
}

TEST(TransposeSquare, TurnsAndScalesEightRowsOfEightFloatsAndTouchesNothingElse) { turns_a_square<float>(); }

TEST(TransposeSquare, TurnsAndScalesFourRowsOfFourDoublesAndTouchesNothingElse) { turns_a_square<double>(); }

}  // namespace
}  // namespace attest::simd
