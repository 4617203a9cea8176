// The library's own mechanisms under judgement: no finding, and every property is judged or said not to be.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/judge/case/comparisons.hpp"
#include "simulations/judge/judgement/judgement.hpp"
#include "simulations/judge/judgement/probing.hpp"
#include "simulations/judge/trial/properties.hpp"
#include "tests/kernels/attention/mechanisms/mechanism_names.hpp"
#include "tests/simulations/judge/library_imitation.hpp"

namespace attest::judge {
namespace {

/// Options without a default, as in the examples.
std::map<std::string, std::string, std::less<>> needed_settings(const attention::Mechanism& mechanism) {
  std::map<std::string, std::string, std::less<>> settings;
  for (const attention::OptionSpec& option : mechanism.options)
    if (option.fallback.empty()) settings[option.name] = option.example;
  return settings;
}

class JudgedMechanism : public testing::TestWithParam<std::string> {};

TEST_P(JudgedMechanism, of_the_library_has_no_finding) {
  const attention::Mechanism& mechanism = attention::find_mechanism(GetParam());
  JudgementRequest request;
  request.target = [] { return std::make_unique<LibraryImitation>(GetParam()); };
  request.cases.mechanism = mechanism.name;
  request.cases.settings = needed_settings(mechanism);
  request.seconds = 600;
  const Judgement judgement = judge(request);
  for (const Finding& finding : judgement.findings)
    ADD_FAILURE() << finding.fault.name << ": " << finding.message << " (" << name(finding.property) << ", "
                  << text_of(finding.spec) << ")";
  EXPECT_GT(judgement.cases, 20U);
  EXPECT_GE(judgement.cases, judgement.offered / 2) << "what the mechanism cannot do is not offered";
}

TEST_P(JudgedMechanism, has_each_property_among_its_cases_or_among_what_is_not_judged) {
  const attention::Mechanism& mechanism = attention::find_mechanism(GetParam());
  CatalogueRequest request;
  request.mechanism = mechanism.name;
  request.settings = needed_settings(mechanism);
  request.far = true;
  std::vector<Property> judged;
  for (const CaseSpec& spec : catalogue(request)) judged.push_back(spec.property);
  std::vector<Property> left_out;
  for (const Comparison& one :
       comparisons_of(mechanism, attention::Settings(request.settings.begin(), request.settings.end())))
    if (!one.why_not.empty()) left_out.push_back(one.property);
  for (const auto& [property, word] : property_words) {
    const bool among = std::find(judged.begin(), judged.end(), property) != judged.end();
    const bool said = std::find(left_out.begin(), left_out.end(), property) != left_out.end();
    EXPECT_NE(among, said) << word;
  }
}

TEST_P(JudgedMechanism, is_asked_for_masks_and_padded_keys_where_it_takes_them) {
  const attention::Mechanism& mechanism = attention::find_mechanism(GetParam());
  CatalogueRequest request;
  request.mechanism = mechanism.name;
  request.types = {ElementType::float64};
  request.settings = needed_settings(mechanism);
  LibraryImitation right(GetParam());
  LibraryImitation wrong(GetParam(), [](const Seen& s) {
    if (s.out != nullptr) s.out->values().front() += 0.1;
  });
  TrialSettings settings;
  settings.conventions.signature = right.signature();
  int masked = 0, padded = 0;
  for (const CaseSpec& spec : catalogue(request)) {
    if (spec.property != Property::values || (spec.mask.empty() && spec.padding == 0)) continue;
    if (!possible_mechanism_case(spec)) continue;
    SCOPED_TRACE(text_of(spec));
    const Record record = run_trial(spec, right, settings);
    EXPECT_TRUE(record.judged);
    EXPECT_TRUE(record.failures.empty());
    EXPECT_FALSE(run_trial(spec, wrong, settings).failures.empty());
    ++(spec.mask.empty() ? padded : masked);
  }
  EXPECT_EQ(masked > 0, mechanism.takes_mask);
  EXPECT_EQ(padded > 0, mechanism.takes_key_lengths);
}

/// Softmax attention has a catalogue of its own.
std::vector<std::string> names() {
  std::vector<std::string> all = attention::mechanism_names();
  std::erase(all, "softmax");
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, JudgedMechanism, testing::ValuesIn(names()), attention::mechanism_test_name);

}  // namespace
}  // namespace attest::judge
