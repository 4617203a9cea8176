#include "simulations/apply/call_from_arrays.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulations/scratch_folder.hpp"

namespace attest::apply {

using arrays::ElementType;
using arrays::floating_array;

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Array zeros(ElementType type, std::vector<std::int64_t> shape) {
  return {type, shape, std::string(*byte_count(shape, type), '\0')};
}

/// q and k of two sequences, one head, two queries, three keys, one feature.
NamedArrays queries_and_keys() {
  return {{"q", zeros(ElementType::float32, {2, 1, 2, 1})}, {"k", zeros(ElementType::float64, {2, 1, 3, 1})}};
}

NamedArrays with(const std::string& name, Array array) {
  NamedArrays arrays = queries_and_keys();
  arrays[name] = std::move(array);
  return arrays;
}

std::string refusal(const std::string& name, const Array& array) {
  return message_of<std::invalid_argument>([&] { call_from_arrays<float>(with(name, array), {}); });
}

Array int64s(std::initializer_list<char> values) {
  Array array{ElementType::int64, {static_cast<std::int64_t>(values.size())}, {}};
  for (const char value : values) array.bytes += std::string(1, value) + std::string(7, '\0');
  return array;
}

TEST(CallFromArrays, tells_inputs_from_mask_lengths_and_output_weights) {
  NamedArrays arrays = with("mask", {ElementType::boolean, {2, 3}, std::string("\1\0\1\0\0\1", 6)});
  arrays["key_lengths"] = int64s({3, 0});
  arrays["R"] = zeros(ElementType::float64, {7});
  const auto call = call_from_arrays<double>(arrays, {{"causal", "true"}});
  EXPECT_EQ(call.inputs.size(), 2U);
  EXPECT_EQ(call.inputs.at("q").shape(), (attention::Shape{2, 1, 2, 1}));
  EXPECT_THAT(call.mask.visible, ElementsAre(1, 0, 1, 0, 0, 1));
  EXPECT_THAT(call.mask.key_lengths, ElementsAre(3, 0));
  EXPECT_EQ(call.settings.at("causal"), "true");
}

TEST(CallFromArrays, takes_masks_of_zeros_and_ones_and_no_others) {
  EXPECT_NO_THROW(call_from_arrays<float>(with("mask", zeros(ElementType::int32, {2, 3})), {}));
  EXPECT_THAT(refusal("mask", zeros(ElementType::boolean, {3, 2})), AllOf(HasSubstr("[3][2]"), HasSubstr("[2][3]")));
  EXPECT_THAT(refusal("mask", zeros(ElementType::boolean, {6})), HasSubstr("[6]"));
  EXPECT_THAT(refusal("mask", {ElementType::int32, {2, 3}, "\2" + std::string(23, '\0')}), HasSubstr("mask holds 2"));
}

TEST(CallFromArrays, takes_masks_per_sequence_and_head) {
  const auto mask_of = [](std::vector<std::int64_t> shape) {
    return call_from_arrays<float>(with("mask", zeros(ElementType::boolean, std::move(shape))), {}).mask;
  };
  EXPECT_EQ(mask_of({2, 3}).visible_sequences, 1);
  EXPECT_EQ(mask_of({2, 1, 2, 3}).visible_sequences, 2);
  EXPECT_EQ(mask_of({2, 1, 2, 3}).visible.size(), 12U);
  EXPECT_THAT(refusal("mask", zeros(ElementType::boolean, {3, 1, 2, 3})), HasSubstr("[3][1][2][3]"));
}

TEST(CallFromArrays, takes_a_mask_of_numbers_for_the_bias) {
  const std::vector<double> numbers = {0, -HUGE_VAL, 1.5, 0, 0, 0};
  const auto call = call_from_arrays<double>(with("mask", floating_array<double>({2, 3}, numbers)), {});
  EXPECT_TRUE(call.mask.visible.empty());
  EXPECT_THAT(call.inputs.at("bias").values(), testing::ElementsAreArray(numbers));
  NamedArrays both = with("mask", floating_array<double>({2, 3}, numbers));
  both["bias"] = floating_array<double>({2, 3}, numbers);
  EXPECT_THAT(message_of<std::invalid_argument>([&] { call_from_arrays<double>(both, {}); }), HasSubstr("their sum"));
}

TEST(CallFromArrays, takes_cumulative_lengths_for_both_or_for_each) {
  NamedArrays arrays = with("cu_seqlens_q", int64s({0, 2}));
  arrays["cu_seqlens_k"] = int64s({0, 3});
  const auto each = call_from_arrays<float>(arrays, {});
  EXPECT_THAT(each.mask.query_starts, ElementsAre(0, 2));
  EXPECT_THAT(each.mask.key_starts, ElementsAre(0, 3));
  const auto both = call_from_arrays<float>(with("cu_seqlens", int64s({0, 1, 2})), {});
  EXPECT_THAT(both.mask.query_starts, ElementsAre(0, 1, 2));
  EXPECT_EQ(both.mask.query_starts, both.mask.key_starts);
  EXPECT_THAT(refusal("cu_seqlens", zeros(ElementType::float64, {2})), HasSubstr("int64"));
}

TEST(CallFromArrays, takes_a_boolean_dropout_mask_for_zeros_and_ones) {
  const auto call =
      call_from_arrays<float>(with("dropout_mask", {ElementType::boolean, {1, 1, 1, 2}, std::string("\1\0", 2)}), {});
  EXPECT_THAT(call.inputs.at("dropout_mask").values(), ElementsAre(1, 0));
}

TEST(CallFromArrays, takes_one_length_a_sequence_within_the_keys) {
  EXPECT_THAT(refusal("key_lengths", int64s({3})), HasSubstr("[2]"));
  EXPECT_THAT(refusal("key_lengths", int64s({3, 4})), AllOf(HasSubstr("key_lengths holds 4"), HasSubstr("3 keys")));
  EXPECT_THAT(refusal("key_lengths", {ElementType::int32, {2}, std::string(8, '\xff')}), HasSubstr("holds -1"));
  EXPECT_THAT(refusal("key_lengths", zeros(ElementType::float64, {2})), HasSubstr("int64"));
}

TEST(CallFromArrays, takes_inputs_of_floating_point_numbers_that_its_type_can_hold) {
  EXPECT_THAT(refusal("v", zeros(ElementType::int64, {1})), AllOf(HasSubstr("v holds int64"), HasSubstr("float64")));
  const std::vector<double> large = {1e300};
  const Array array = floating_array<double>({1}, large);
  EXPECT_THAT(refusal("v", array), AllOf(HasSubstr("1e+300"), HasSubstr("--dtype float64")));
  EXPECT_EQ(call_from_arrays<double>(with("v", array), {}).inputs.at("v").data()[0], 1e300);
}

}  // namespace
}  // namespace attest::apply
