// The properties that every mechanism of mechanisms() must have, over its defaults and each of its options.
#include <algorithm>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "tests/kernels/attention/mechanisms/mechanism_calls.hpp"
#include "tests/kernels/attention/mechanisms/mechanism_names.hpp"

namespace attest::attention {
namespace {

using testing::IsEmpty;

class EveryMechanism : public testing::TestWithParam<std::string> {
 protected:
  /// Expects no complaint of `property` for any variant that `applies` to; says so when there were none.
  template <typename Property, typename Applies>
  void expect_none(Property property, Applies applies) {
    const Mechanism& mechanism = find_mechanism(GetParam());
    int tried = 0;
    for (const Variant& variant : variants_of(mechanism)) {
      if (!applies(variant)) continue;
      ++tried;
      EXPECT_THAT(property(mechanism, variant), IsEmpty()) << description(mechanism, variant);
    }
    if (tried == 0) GTEST_SKIP() << "does not apply to " << GetParam();
  }
  template <typename Property>
  void expect_none(Property property) {
    expect_none(property, [](const Variant&) { return true; });
  }
};

TEST_P(EveryMechanism, has_gradients_that_differences_confirm) { expect_none(wrong_gradients); }

TEST_P(EveryMechanism, agrees_in_float_and_double) { expect_none(float_errors); }

TEST_P(EveryMechanism, agrees_in_float_and_double_for_other_numbers_of_tokens) {
  const Mechanism& mechanism = find_mechanism(GetParam());
  int tried = 0;
  for (Variant variant : variants_of(mechanism)) {
    if (variant.fewer_queries) continue;
    for (const Index tokens : {1, 2, 3, 16, 17, 64, 257}) {
      variant.tokens = tokens;
      Complaints complaints;
      try {
        complaints = float_errors(mechanism, variant);
      } catch (const std::invalid_argument&) {
        continue;  // a grid or a factor that does not fit
      }
      ++tried;
      EXPECT_THAT(complaints, IsEmpty()) << description(mechanism, variant) << " for " << tokens << " tokens";
    }
  }
  if (tried == 0) GTEST_SKIP() << "the grid of the examples fits no other number of tokens";
}

TEST_P(EveryMechanism, never_sees_the_future_when_causal) { expect_none(leaks_from_the_future, is_causal); }

TEST_P(EveryMechanism, is_permutation_equivariant_unless_positional) {
  expect_none(wrong_equivariance, [](const Variant& variant) { return !is_causal(variant) && !variant.fewer_queries; });
}

TEST_P(EveryMechanism, takes_key_lengths_for_a_cut) {
  if (!find_mechanism(GetParam()).takes_key_lengths) GTEST_SKIP() << GetParam() << " takes no key lengths";
  expect_none(errors_of_key_lengths, [](const Variant& variant) {
    const auto maximum = variant.settings.find("maximum");  // of the whole batch: sequences depend on each other
    return !variant.fewer_queries && (maximum == variant.settings.end() || maximum->second != "batch");
  });
}

TEST_P(EveryMechanism, does_not_read_padded_tokens_where_the_trait_says_so) {
  const Mechanism& mechanism = find_mechanism(GetParam());
  if (!mechanism.ignores_hidden_tokens || mechanism.adds_own_values || !mechanism.takes_key_lengths)
    GTEST_SKIP() << GetParam() << " may read tokens that no query sees";
  expect_none(bits_that_depend_on_hidden_tokens);
}

TEST_P(EveryMechanism, has_the_same_bits_for_any_number_of_threads) { expect_none(bits_that_depend_on_threads); }

TEST_P(EveryMechanism, keeps_the_inputs_that_do_not_stay) { expect_none(errors_of_kept_inputs); }

TEST_P(EveryMechanism, gives_zeros_to_queries_without_keys) {
  expect_none(errors_of_rows_without_keys,
              [](const Variant& variant) { return !variant.settings.contains("empty_rows"); });
}

TEST_P(EveryMechanism, refuses_wrong_calls_by_a_sentence) { expect_none(wrong_calls_accepted); }

INSTANTIATE_TEST_SUITE_P(Attention, EveryMechanism, testing::ValuesIn(mechanism_names()), mechanism_test_name);

TEST(Mechanisms, are_those_that_attest_apply_promises) {
  EXPECT_THAT(
      mechanism_names(),
      testing::IsSupersetOf({"softmax", "twicing", "alibi", "bilateral", "attention-bn", "attention-bn-simplified",
                             "attention-sh", "attention-bn-sh", "conv1d", "conv2d", "linear", "linear-twicing",
                             "nystromformer", "linformer", "graph-diffusion", "neutreno", "sparse", "elliptical"}));
}

}  // namespace
}  // namespace attest::attention
