// Each property that compares calls of a mechanism finds the fault that it is for, in values that are right.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "simulations/judge/trial/properties.hpp"
#include "tests/simulations/judge/library_imitation.hpp"

namespace attest::judge {
namespace {

/// A few units in the last place: far below what rounding allows.
constexpr double little = 0x1p-50;

struct Planted {
  const char* name;
  Property property;
  Fault found;
  std::function<void(const Seen&)> change;
};

CaseSpec spec_of(Property property) {
  CaseSpec spec;
  spec.mechanism = "twicing";
  spec.property = property;
  spec.batch = 2, spec.heads = spec.kv_heads = 4, spec.queries = spec.keys = 12;
  spec.gradient = property == Property::own_differences;
  spec.causal = property == Property::leak || property == Property::causality;
  return spec;
}

double& last(attention::Tensor<double>& array) { return array.values().back(); }
double& first(attention::Tensor<double>& array) { return array.values().front(); }

std::vector<Planted> planted() {
  return {
      {"clipped_values", Property::linearity, fault::not_linear_in_the_values,
       [](const Seen& s) {
         if (s.out == nullptr)
           for (double& entry : s.inputs.at("v").values()) entry = std::clamp(entry, -2.5, 2.5);
       }},
      {"a_head_that_reads_another", Property::heads, fault::mixed_up,
       [](const Seen& s) {
         if (s.out != nullptr) last(*s.out) *= 1 + little * first(s.inputs.at("q"));
       }},
      {"a_sequence_that_reads_another", Property::sequences, fault::mixed_up,
       [](const Seen& s) {
         if (s.out != nullptr) last(*s.out) *= 1 + little * first(s.inputs.at("k"));
       }},
      {"underflow_beside_large_logits", Property::mates, fault::depends_on_mates,
       [](const Seen& s) {
         if (s.out != nullptr && std::abs(first(s.inputs.at("q"))) > 10) last(*s.out) = 0;
       }},
      {"another_path_for_one_sequence", Property::alone, fault::depends_on_mates,
       [](const Seen& s) {
         if (s.out != nullptr && s.out->extent(0) == 1) first(*s.out) *= 1 + little;
       }},
      {"another_order_in_each_call", Property::repeat, fault::results_differ_between_runs,
       [](const Seen& s) {
         if (s.out != nullptr && s.calls % 2 == 0) first(*s.out) *= 1 + little;
       }},
      {"a_row_that_reads_the_last_token", Property::causality, fault::leak,
       [](const Seen& s) {
         if (s.out != nullptr) first(*s.out) *= 1 + little * last(s.inputs.at("k"));
       }},
      // The library refuses NaN; 1e30 it takes.
      {"zero_times_what_is_hidden", Property::leak, fault::leak,
       [](const Seen& s) {
         if (s.out != nullptr) first(*s.out) += little * 1e-30 * last(s.inputs.at("v"));
       }},
      {"a_gradient_a_millionth_too_large", Property::own_differences, fault::gradient_disagrees_with_own_forward,
       [](const Seen& s) {
         if (s.gradients != nullptr && s.gradients->contains("q"))
           for (double& entry : s.gradients->at("q").values()) entry *= 1 + 1e-6;
       }},
  };
}

Record tried(Property property, const std::function<void(const Seen&)>& change) {
  LibraryImitation target("twicing", change);
  TrialSettings settings;
  settings.conventions.signature = target.signature();
  return run_trial(spec_of(property), target, settings);
}

TEST(MechanismTrial, finds_what_each_property_is_for) {
  for (const Planted& one : planted()) {
    SCOPED_TRACE(one.name);
    const Record record = tried(one.property, one.change);
    ASSERT_FALSE(record.failures.empty());
    EXPECT_EQ(record.failures.front().fault.name, one.found.name);
  }
}

TEST(MechanismTrial, finds_nothing_in_the_library) {
  for (const Property property : {Property::values, Property::strides, Property::permutation, Property::shift,
                                  Property::linearity, Property::heads, Property::sequences, Property::mates,
                                  Property::alone, Property::repeat, Property::causality, Property::own_differences}) {
    SCOPED_TRACE(name(property));
    const Record record = tried(property, {});
    EXPECT_TRUE(record.judged);
    EXPECT_FALSE(record.ratios.empty());
    for (const Failure& failure : record.failures) ADD_FAILURE() << failure.message;
  }
}

}  // namespace
}  // namespace attest::judge
