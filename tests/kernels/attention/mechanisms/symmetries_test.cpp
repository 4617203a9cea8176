// What a mechanism's traits say of two calls against each other holds, and where they say nothing it does not.
#include "kernels/attention/mechanism/symmetries.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/kernels/attention/mechanisms/mechanism_calls.hpp"
#include "tests/kernels/attention/mechanisms/mechanism_names.hpp"

namespace attest::attention {
namespace {

/// Logits of at most 100 with D + 2 = 6 roundings each move weights by 1e-13 of themselves; the pseudo-inverse of
/// Nystromformer and the variances of recentred keys multiply that by up to 1e3.
constexpr double shift_tolerance = 1e-10;
/// What is not a symmetry moves the output by about its own size.
constexpr double clearly = 1e-6;

class Symmetries : public testing::TestWithParam<std::string> {
 protected:
  const Mechanism& mechanism() const { return find_mechanism(GetParam()); }

  template <typename Visit>
  void for_each_variant(const Visit& visit) const {
    for (const Variant& variant : variants_of(mechanism())) {
      SCOPED_TRACE(description(mechanism(), variant));
      visit(variant, call_of<double>(mechanism(), variant));
    }
  }

  Tensor<double> out(const Call<double>& call) const { return evaluate(mechanism(), call).out; }
};

double relative_change(const Tensor<double>& a, const Tensor<double>& b) {
  double largest = 0, change = 0;
  for (Index i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a.data()[i]));
    change = std::max(change, std::abs(a.data()[i] - b.data()[i]));
  }
  return change / largest;
}

void add_vector(Tensor<double>& array) {
  const Index width = array.shape().back();
  for (Index i = 0; i < array.size(); ++i) array.data()[i] += 1 - 0.7 * static_cast<double>(i % width);
}

Call<double> shifted(Call<double> call, Shift shift) {
  if (shift == Shift::queries_and_keys) add_vector(call.inputs.at("q"));
  add_vector(call.inputs.at("k"));
  return call;
}

/// Every entry that belongs to extent `at` of the axes called `letter` (H_kv for H too, of as many heads) by another.
Call<double> with_other(const Mechanism& mechanism, Call<double> call, const std::string& letter, Index at) {
  for (const InputSpec& input : present_inputs(mechanism, call.inputs)) {
    Tensor<double>& array = call.inputs.at(input.name);
    const std::vector<std::string> letters = letters_of(input.shape);
    for (std::size_t axis = 0; axis < letters.size(); ++axis) {
      if (letters[axis] != letter && !(letter == "H" && letters[axis] == "H_kv")) continue;
      Index inner = 1;
      for (std::size_t later = axis + 1; later < letters.size(); ++later)
        inner *= array.extent(static_cast<Index>(later));
      for (Index i = 0; i < array.size(); ++i)
        if (i / inner % array.extent(static_cast<Index>(axis)) == at) array.data()[i] *= input.positive ? 3 : -3;
    }
  }
  return call;
}

/// Whether all entries but those at extent `at` of the axis are the same numbers.
bool others_are_kept(const Tensor<double>& a, const Tensor<double>& b, Index axis, Index at) {
  Index inner = 1;
  for (Index later = axis + 1; later < 4; ++later) inner *= a.extent(later);
  for (Index i = 0; i < a.size(); ++i)
    if (i / inner % a.extent(axis) != at && a.data()[i] != b.data()[i]) return false;
  return true;
}

TEST_P(Symmetries, a_vector_added_to_keys_changes_nothing_where_the_trait_says_so_and_only_there) {
  for_each_variant([&](const Variant&, const Call<double>& call) {
    for (const Shift shift : {Shift::keys, Shift::queries_and_keys}) {
      const double change = relative_change(out(call), out(shifted(call, shift)));
      const Shift said = shift_of(mechanism(), call.settings, call.inputs);
      if (shift == said) {
        EXPECT_LE(change, shift_tolerance);
      } else if (said == mechanism().shift || shift == mechanism().shift) {
        // Another shift than the mechanism's, or its own with what is said to break it.
        EXPECT_GT(change, clearly);
      }
    }
  });
}

TEST_P(Symmetries, twice_the_values_of_all_layers_give_exactly_twice_the_output) {
  for_each_variant([&](const Variant&, const Call<double>& call) {
    Call<double> doubled = call;
    for (const InputSpec& input : mechanism().inputs) {
      if (!is_of_values(input) || !doubled.inputs.contains(input.name)) continue;
      for (double& entry : doubled.inputs.at(input.name).values()) entry *= 2;
    }
    Tensor<double> expected = out(call);
    for (double& entry : expected.values()) entry *= 2;
    EXPECT_EQ(out(doubled), expected);
  });
}

TEST_P(Symmetries, heads_and_sequences_do_not_depend_on_each_other_unless_an_option_joins_them) {
  for_each_variant([&](const Variant& variant, const Call<double>& call) {
    const Tensor<double> before = out(call);
    bool all_kept = true;
    const auto keeps = [&](const char* letter, Index axis) {
      for (Index at = 0; at < before.extent(axis); ++at)
        all_kept = all_kept && others_are_kept(before, out(with_other(mechanism(), call, letter, at)), axis, at);
    };
    keeps("B", 0);
    if (!variant.grouped_heads) keeps("H", 1);
    EXPECT_EQ(all_kept, !joins_heads_and_sequences(mechanism(), call.settings));
  });
}

INSTANTIATE_TEST_SUITE_P(EveryMechanism, Symmetries, testing::ValuesIn(mechanism_names()), mechanism_test_name);

}  // namespace
}  // namespace attest::attention
