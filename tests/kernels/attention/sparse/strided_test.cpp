#include "kernels/attention/sparse/strided.hpp"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "tests/kernels/attention/attend/attend_problems.hpp"

namespace attest::attention {
namespace {

template <typename T>
class Strided : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Strided, Precisions);

template <typename T>
StridedOptions<T> options_of(const TestProblem<T>& p, Index stride) {
  return {stride, p.options.mask.causal, p.options.scale, p.options.mask.key_lengths, p.options.threads};
}

/// The same as attention under the pattern as a mask.
template <typename T>
void expect_masked_attention(TestProblem<T> p, Index stride, const std::string& what) {
  const Index queries = p.q.extent(2), keys = p.k.extent(2);
  const StridedOptions<T> options = options_of(p, stride);
  for (Index i = 0; i < queries; ++i)
    for (Index j = 0; j < keys; ++j)
      p.options.mask.visible.push_back(std::abs(i - j) <= stride || (i - j) % stride == 0);
  const Attended<T> found = strided_attend(p.q, p.k, p.v, options), masked = attend(p.q, p.k, p.v, p.options);
  constexpr double within = 2 * stated_error<T>;  // each is off by the stated error at most
  const auto error = [](const Tensor<T>& a, const Tensor<T>& b) { return relative_error(a, converted<double>(b)); };
  EXPECT_LE(error(found.out, masked.out), within) << what;
  const auto of_found = strided_attend_backward(p.q, p.k, p.v, options, found, p.dout);
  const auto of_masked = attend_backward(p.q, p.k, p.v, p.options, masked, p.dout);
  EXPECT_LE(error(of_found.q, of_masked.q), within) << what;
  EXPECT_LE(error(of_found.k, of_masked.k), within) << what;
  EXPECT_LE(error(of_found.v, of_masked.v), within) << what;
}

TYPED_TEST(Strided, is_attention_under_its_pattern_for_any_stride_and_extents) {
  for (const Index stride : {1, 2, 3, 8, 16, 40, 200})
    for (const bool causal : {false, true})
      for (const Extents& e : {Extents{2, 2, 70, 70, 16, 12}, Extents{1, 3, 67, 90, 5, 16},
                               Extents{1, 1, 150, 33, 8, 8}, Extents{1, 1, 257, 257, 16, 16}}) {
        auto p = random_problem<TypeParam>(e, static_cast<std::uint64_t>(stride));
        p.options.mask.causal = causal;
        const std::string what = "stride " + std::to_string(stride) + ", " + std::to_string(e.queries) + " queries, " +
                                 std::to_string(e.keys) + " keys" + (causal ? ", causal" : "");
        expect_masked_attention(p, stride, what);
        p.options.mask.key_lengths.assign(static_cast<std::size_t>(e.batch), e.keys / 3);
        p.options.mask.key_lengths.back() = e.batch > 1 ? 0 : e.keys - 1;
        expect_masked_attention(p, stride, what + ", padded");
      }
}

TYPED_TEST(Strided, has_the_same_bits_for_any_number_of_threads) {
  auto p = random_problem<TypeParam>({2, 2, 300, 300, 16, 16}, 7);
  const auto run = [&](unsigned threads) {
    auto options = options_of(p, 17);
    options.threads = threads;
    auto attended = strided_attend(p.q, p.k, p.v, options);
    auto gradients = strided_attend_backward(p.q, p.k, p.v, options, attended, p.dout);
    return std::pair{std::move(attended), std::move(gradients)};
  };
  const auto one = run(1);
  for (const unsigned threads : {2U, 5U}) {
    const auto several = run(threads);
    EXPECT_EQ(one.first.out, several.first.out);
    EXPECT_EQ(one.second.q, several.second.q);
    EXPECT_EQ(one.second.k, several.second.k);
    EXPECT_EQ(one.second.v, several.second.v);
  }
}

}  // namespace
}  // namespace attest::attention
