// A target that finds what it kept by the extents of a call alone is found, whichever option it is.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "simulations/judge/case/catalogue.hpp"
#include "simulations/judge/trial/properties.hpp"
#include "tests/simulations/judge/imitation.hpp"

namespace attest::judge {
namespace {

/// Right, but for one option that is what it was in the first call of the same extents since the process began.
class KeepsByExtents : public Imitation {
 public:
  explicit KeepsByExtents(std::string option) : Imitation({}), option_(std::move(option)) {}

  Answer call(const Request& request) override {
    Request asked = request;
    const std::vector<Index> extents = {request.arrays.at("q").shape[2], request.arrays.at("k").shape[2]};
    if (request.arrays.contains(option_))
      asked.arrays[option_] = arrays_.try_emplace(extents, request.arrays.at(option_)).first->second;
    else if (request.options.contains(option_) || option_ == "causal")
      asked.options[option_] =
          options_.try_emplace(extents, request.options.value(option_, nlohmann::json(false))).first->second;
    return Imitation::call(asked);
  }
  void start_afresh() override { arrays_.clear(), options_.clear(); }

 private:
  std::string option_;
  std::map<std::vector<Index>, arrays::Array> arrays_;
  std::map<std::vector<Index>, nlohmann::json> options_;
};

/// The classes found by all cases of the property.
std::map<std::string_view, int> found_in(Imitation& target) {
  CatalogueRequest request;
  request.types = {ElementType::float64};
  request.both_corners = true;
  TrialSettings settings;
  settings.conventions.signature = target.signature();
  std::map<std::string_view, int> found;
  for (const CaseSpec& spec : catalogue(request)) {
    std::string lacking;
    if (spec.property != Property::other_options || !takes_all(settings.conventions, spec, lacking)) continue;
    target.start_afresh();
    const Record record = run_trial(spec, target, settings);
    EXPECT_TRUE(record.judged) << text_of(spec);
    for (const Failure& failure : record.failures) ++found[failure.fault.name];
  }
  return found;
}

TEST(OtherOptions, TellWhatIsKeptBetweenCallsOfTheSameExtents) {
  for (const char* option :
       {"causal", "alignment", "scale", "window", "softcap", "mask", "bias", "alibi_slopes", "sinks"}) {
    KeepsByExtents target(option);
    const std::map<std::string_view, int> found = found_in(target);
    ASSERT_EQ(found.size(), 1U) << option;
    EXPECT_EQ(found.begin()->first, "a result depends on earlier calls") << option;
  }
}

TEST(OtherOptions, FindNothingInTheTruthNorInWhatIsWrongInAFreshProcessToo) {
  Imitation right({});
  EXPECT_TRUE(found_in(right).empty());
  Semantics semantics;
  semantics.alibi = Semantics::Alibi::ignored;
  semantics.causal = Semantics::Causal::ignored;
  Imitation wrong(semantics);
  EXPECT_TRUE(found_in(wrong).empty());
}

TEST(OtherOptions, SayWhichOptionChanged) {
  KeepsByExtents target("window");
  CaseSpec spec;
  spec.property = Property::other_options;
  spec.queries = spec.keys = 9;
  spec.window = {2, 1};
  TrialSettings settings;
  settings.conventions.signature = target.signature();
  const Record record = run_trial(spec, target, settings);
  ASSERT_EQ(record.failures.size(), 1U);
  EXPECT_TRUE(record.failures.front().message.ends_with("another window")) << record.failures.front().message;
}

}  // namespace
}  // namespace attest::judge
