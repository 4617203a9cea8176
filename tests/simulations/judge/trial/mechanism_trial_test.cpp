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
  spec.padding = property == Property::padding ? 2 : 0;
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
      {"a_call_that_is_answered_with_what_the_one_before_left", Property::other_options,
       fault::depends_on_earlier_calls,
       [](const Seen& s) {
         if (s.out != nullptr && s.calls == 2) first(*s.out) *= 1.001;
       }},
      {"a_row_that_reads_the_last_token", Property::causality, fault::leak,
       [](const Seen& s) {
         if (s.out != nullptr) first(*s.out) *= 1 + little * last(s.inputs.at("k"));
       }},
      {"a_row_that_reads_a_padded_token", Property::padding, fault::padded_keys_take_part,
       [](const Seen& s) {
         if (s.out != nullptr) s.out->values()[s.out->values().size() / 2] *= 1 + little * last(s.inputs.at("k"));
       }},
      // The library refuses NaN; 1e15 it takes.
      {"zero_times_what_is_hidden", Property::leak, fault::leak,
       [](const Seen& s) {
         if (s.out != nullptr) first(*s.out) += little * 1e-15 * last(s.inputs.at("v"));
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
  for (const Property property :
       {Property::values, Property::strides, Property::permutation, Property::shift, Property::linearity,
        Property::heads, Property::sequences, Property::mates, Property::alone, Property::repeat,
        Property::other_options, Property::causality, Property::padding, Property::own_differences}) {
    SCOPED_TRACE(name(property));
    const Record record = tried(property, {});
    EXPECT_TRUE(record.judged);
    EXPECT_FALSE(record.ratios.empty());
    for (const Failure& failure : record.failures) ADD_FAILURE() << failure.message;
  }
}

TEST(MechanismTrial, hides_nothing_without_a_causal_mask) {
  for (const Planted& one : planted()) {
    if (one.property != Property::leak && one.property != Property::causality) continue;
    CaseSpec spec = spec_of(one.property);
    spec.causal = false;
    LibraryImitation target("twicing", one.change);
    TrialSettings settings;
    settings.conventions.signature = target.signature();
    const Record record = run_trial(spec, target, settings);
    EXPECT_TRUE(record.failures.empty()) << one.name;
    EXPECT_FALSE(record.judged) << one.name << ": what is not compared has not passed";
  }
}

CaseSpec with(const std::function<void(CaseSpec&)>& change) {
  CaseSpec spec = spec_of(Property::values);
  spec.gradient = true;
  change(spec);
  return spec;
}

Record judged(const CaseSpec& spec, const std::function<void(const Seen&)>& change) {
  LibraryImitation target(spec.mechanism, change);
  TrialSettings settings;
  settings.conventions.signature = target.signature();
  return run_trial(spec, target, settings);
}

TEST(MechanismTrial, judges_masks_and_padding_against_the_library) {
  for (const CaseSpec& spec : {with([](CaseSpec& s) { s.mask = "bool NN"; }), with([](CaseSpec& s) { s.padding = 4; }),
                               with([](CaseSpec& s) { s.mechanism = "alibi", s.mask = "bool BHNN"; })}) {
    SCOPED_TRACE(text_of(spec));
    const Record right = judged(spec, {});
    EXPECT_TRUE(right.judged);
    EXPECT_TRUE(right.failures.empty());
    // The first row of the first sequence is never padded.
    const Record wrong = judged(spec, [](const Seen& s) {
      if (s.out != nullptr) first(*s.out) *= 1.001;
    });
    EXPECT_FALSE(wrong.failures.empty());
  }
}

TEST(MechanismTrial, does_not_judge_what_stands_in_padded_rows) {
  const auto last_row_of_nothing = [](const Seen& s) {
    if (s.out != nullptr) last(*s.out) = std::numeric_limits<double>::quiet_NaN();
    if (s.gradients != nullptr && s.gradients->contains("q")) last(s.gradients->at("q")) = 7;
  };
  EXPECT_TRUE(judged(with([](CaseSpec& s) { s.padding = 1; }), last_row_of_nothing).failures.empty());
  EXPECT_FALSE(judged(with([](CaseSpec&) {}), last_row_of_nothing).failures.empty());
}

TEST(MechanismTrial, demands_no_gradient_of_padded_values) {
  const Record record = judged(with([](CaseSpec& s) { s.padding = 1; }), [](const Seen& s) {
    if (s.gradients != nullptr && s.gradients->contains("v")) last(s.gradients->at("v")) = 0.01;
  });
  ASSERT_FALSE(record.failures.empty());
  EXPECT_EQ(record.failures.front().output, "dv");
}

}  // namespace
}  // namespace attest::judge
