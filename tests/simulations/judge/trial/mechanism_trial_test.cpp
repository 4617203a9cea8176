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
  const char* property;
  const char* class_name;
  std::function<void(const Seen&)> fault;
};

CaseSpec spec_of(const std::string& property) {
  CaseSpec spec;
  spec.mechanism = "twicing";
  spec.property = property;
  spec.batch = 2, spec.heads = spec.kv_heads = 4, spec.queries = spec.keys = 12;
  spec.gradient = property == "own differences";
  spec.causal = property == "leak" || property == "causality";
  return spec;
}

double& last(attention::Tensor<double>& array) { return array.values().back(); }
double& first(attention::Tensor<double>& array) { return array.values().front(); }

std::vector<Planted> planted() {
  return {
      {"clipped_values", "linearity", "not linear in the values",
       [](const Seen& s) {
         if (s.out == nullptr)
           for (double& entry : s.inputs.at("v").values()) entry = std::clamp(entry, -2.5, 2.5);
       }},
      {"a_head_that_reads_another", "heads", "sequences or heads are mixed up",
       [](const Seen& s) {
         if (s.out != nullptr) last(*s.out) *= 1 + little * first(s.inputs.at("q"));
       }},
      {"a_sequence_that_reads_another", "sequences", "sequences or heads are mixed up",
       [](const Seen& s) {
         if (s.out != nullptr) last(*s.out) *= 1 + little * first(s.inputs.at("k"));
       }},
      {"underflow_beside_large_logits", "mates", "a sequence depends on its batch mates",
       [](const Seen& s) {
         if (s.out != nullptr && std::abs(first(s.inputs.at("q"))) > 10) last(*s.out) = 0;
       }},
      {"another_path_for_one_sequence", "alone", "a sequence depends on its batch mates",
       [](const Seen& s) {
         if (s.out != nullptr && s.out->extent(0) == 1) first(*s.out) *= 1 + little;
       }},
      {"another_order_in_each_call", "repeat", "results differ between runs",
       [](const Seen& s) {
         if (s.out != nullptr && s.calls % 2 == 0) first(*s.out) *= 1 + little;
       }},
      {"a_row_that_reads_the_last_token", "causality", "a masked key or value reaches the output",
       [](const Seen& s) {
         if (s.out != nullptr) first(*s.out) *= 1 + little * last(s.inputs.at("k"));
       }},
      // The library refuses NaN; 1e30 it takes.
      {"zero_times_what_is_hidden", "leak", "a masked key or value reaches the output",
       [](const Seen& s) {
         if (s.out != nullptr) first(*s.out) += little * 1e-30 * last(s.inputs.at("v"));
       }},
      {"a_gradient_a_millionth_too_large", "own differences", "gradient disagrees with own forward",
       [](const Seen& s) {
         if (s.gradients != nullptr && s.gradients->contains("q"))
           for (double& entry : s.gradients->at("q").values()) entry *= 1 + 1e-6;
       }},
  };
}

Record tried(const std::string& property, const std::function<void(const Seen&)>& fault) {
  LibraryImitation target("twicing", fault);
  TrialSettings settings;
  settings.conventions.signature = target.signature();
  return run_trial(spec_of(property), target, settings);
}

TEST(MechanismTrial, finds_what_each_property_is_for) {
  for (const Planted& one : planted()) {
    SCOPED_TRACE(one.name);
    const Record record = tried(one.property, one.fault);
    ASSERT_FALSE(record.failures.empty());
    EXPECT_EQ(record.failures.front().class_name, one.class_name);
  }
}

TEST(MechanismTrial, finds_nothing_in_the_library) {
  for (const char* property : {"values", "strides", "permutation", "shift", "linearity", "heads", "sequences", "mates",
                               "alone", "repeat", "causality", "own differences"}) {
    SCOPED_TRACE(property);
    const Record record = tried(property, {});
    EXPECT_TRUE(record.judged);
    EXPECT_FALSE(record.ratios.empty());
    for (const Failure& failure : record.failures) ADD_FAILURE() << failure.message;
  }
}

}  // namespace
}  // namespace attest::judge
