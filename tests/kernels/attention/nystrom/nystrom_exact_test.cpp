// Nystrom attention with a landmark for every token.
#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "tests/kernels/attention/plain/comparison.hpp"
#include "tests/kernels/attention/plain/rounding.hpp"

namespace attest::attention {
namespace {

using plain::normal_array, plain::queries_keys_values;

Call<double> call_of(Arrays<double> arrays, Settings settings, Mask mask = {}) {
  return {std::move(arrays), std::move(settings), std::move(mask), {}, 1};
}

/// As in the authors' code: there is nothing to approximate.
TEST(NystromformerMechanism, with_a_landmark_for_every_token_is_softmax_attention) {
  const Arrays<double> arrays = queries_keys_values(2, 4, 9, 9, 4, 3);
  const double rounding = plain::attention_rounding(arrays.at("q"), arrays.at("k"));
  for (const auto& [approximate, exact] :
       {std::pair<const char*, const char*>{"nystromformer", "softmax"}, {"nystromformer-alibi", "alibi"}})
    for (const char* maximum : {"own", "batch"})
      for (const char* landmarks : {"9", "64"})
        for (const std::vector<Index>& lengths : {std::vector<Index>{}, {9, 6}}) {
          Evaluation<double> found =
              evaluate(find_mechanism(approximate),
                       call_of(arrays, {{"landmarks", landmarks}, {"maximum", maximum}}, {.key_lengths = lengths}));
          Evaluation<double> expected = evaluate(find_mechanism(exact), call_of(arrays, {}, {.key_lengths = lengths}));
          EXPECT_LE(plain::scaled_difference(found.out, expected.out), rounding) << approximate;
          const Tensor<double> dout = normal_array("R", found.out.shape());
          const Arrays<double> of_found = found.backward(dout), of_expected = expected.backward(dout);
          for (const char* name : {"q", "k", "v"})
            EXPECT_LE(plain::scaled_difference(of_found.at(name), of_expected.at(name)), 8 * rounding) << name;
        }
}

/// A short sequence that is exact has no part in the maximum of the batch.
TEST(NystromformerMechanism, takes_the_maximum_of_the_heads_that_are_approximated) {
  Arrays<double> arrays = queries_keys_values(2, 2, 9, 9, 4, 3);
  const Call<double> both = call_of(arrays, {{"landmarks", "4"}, {"maximum", "batch"}}, {.key_lengths = {9, 4}});
  Call<double> first = call_of({}, {{"landmarks", "4"}, {"maximum", "batch"}});
  for (auto& [name, array] : arrays)
    first.inputs[name] =
        Tensor<double>({1, 2, 9, array.extent(3)},
                       std::vector<double>(array.values().begin(), array.values().begin() + 18 * array.extent(3)));
  const Tensor<double> together = evaluate(find_mechanism("nystromformer"), both).out,
                       alone = evaluate(find_mechanism("nystromformer"), first).out;
  EXPECT_TRUE(std::equal(alone.values().begin(), alone.values().end(), together.values().begin()));
}

}  // namespace
}  // namespace attest::attention
