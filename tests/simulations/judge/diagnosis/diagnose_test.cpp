#include "simulations/judge/diagnosis/diagnose.hpp"

#include <gtest/gtest.h>

#include "simulations/judge/diagnosis/hypotheses.hpp"
#include "simulations/judge/judgement/judgement.hpp"
#include "tests/simulations/judge/imitation.hpp"

namespace attest::judge {
namespace {

Judgement judged(const Semantics& semantics, bool only_gradients = false) {
  JudgementRequest request;
  request.target = [=] { return std::make_unique<Imitation>(semantics, only_gradients); };
  request.cases.types = {ElementType::float64};
  request.seconds = 1e9;
  request.shrink = false;
  return judge(request);
}

TEST(Diagnosis, FindsNothingInTheTruth) {
  const Judgement judgement = judged({});
  EXPECT_TRUE(judgement.findings.empty());
  EXPECT_GT(judgement.cases, 300U);
  EXPECT_FALSE(judgement.caught.empty());
}

void expect_class(const Semantics& semantics, const std::string& wanted, bool only_gradients = false) {
  const Judgement judgement = judged(semantics, only_gradients);
  ASSERT_FALSE(judgement.findings.empty()) << wanted;
  for (const Finding& finding : judgement.findings) EXPECT_EQ(finding.fault.name, wanted) << finding.message;
}

TEST(Diagnosis, NamesTheWrongCorner) {
  Semantics semantics;
  semantics.causal = Semantics::Causal::other_corner;
  expect_class(semantics, "causal mask aligned to the wrong corner");
}

TEST(Diagnosis, NamesOneCauseWhereEveryDiagonalIsHeldAtTheFirstKey) {
  Semantics semantics;
  semantics.diagonal = Semantics::Diagonal::not_before_first_key;
  const Judgement judgement = judged(semantics);
  ASSERT_FALSE(judgement.findings.empty());
  for (const Finding& finding : judgement.findings)
    EXPECT_TRUE(finding.fault.name.ends_with("aligned to the wrong corner")) << finding.fault.name;
}

TEST(Diagnosis, NamesAWindowThatEndsBeforeTheQuery) {
  Semantics semantics;
  semantics.window_after = -1;
  expect_class(semantics, "sliding window has the wrong width");
}

TEST(Diagnosis, GradientsThatFollowFromAWrongScaleAreNotASecondCause) {
  Semantics semantics;
  semantics.scale = Semantics::Scale::by_width;
  JudgementRequest request;
  request.target = [=] { return std::make_unique<Imitation>(semantics); };
  request.cases.types = {ElementType::float64, ElementType::float32};
  request.seconds = 1e9;
  request.shrink = false;
  // Nearly equal logits: out is within the bounds of float32, the gradients are not.
  const Judgement judgement = judge(request);
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_EQ(judgement.findings.front().fault.name, "wrong default scale");
}

TEST(Diagnosis, NamesTiledKeyHeads) {
  Semantics semantics;
  semantics.heads = Semantics::Heads::tiled;
  expect_class(semantics, "key heads mapped wrongly");
}

TEST(Diagnosis, NamesASoftcapAfterTheMask) {
  Semantics semantics;
  semantics.masked = Semantics::Masked::capped;
  const Judgement judgement = judged(semantics);
  ASSERT_FALSE(judgement.findings.empty());
  EXPECT_EQ(judgement.findings.front().fault.name, "softcap applied after the mask");
}

TEST(Diagnosis, TellsABackwardPassThatDisagreesWithItsForwardPass) {
  Semantics semantics;
  semantics.group = Semantics::Group::first;
  const Judgement judgement = judged(semantics, true);
  ASSERT_FALSE(judgement.findings.empty());
  EXPECT_EQ(judgement.findings.front().fault.name, "dk and dv not summed over the group");
}

TEST(Diagnosis, ShrinksACaseToTheSmallestThatShowsTheSame) {
  JudgementRequest request;
  Semantics semantics;
  semantics.causal = Semantics::Causal::one_ahead;
  request.target = [=] { return std::make_unique<Imitation>(semantics); };
  request.cases.types = {ElementType::float64};
  request.seconds = 1e9;
  const Judgement judgement = judge(request);
  ASSERT_FALSE(judgement.findings.empty());
  const CaseSpec& spec = judgement.findings.front().spec;
  EXPECT_EQ(judgement.findings.front().fault.name, "causal mask off by one");
  EXPECT_TRUE(spec.causal);
  EXPECT_EQ(spec.batch * spec.heads * spec.width, 1);
  EXPECT_LE(spec.keys, 3);
}

TEST(Hypotheses, EachDiffersFromTheTruthInSomeCaseOfTheCatalogue) {
  CatalogueRequest request;
  request.both_corners = true;
  const std::vector<CaseSpec> cases = catalogue(request);
  const Precision precision = precision_of(ElementType::float64, Accumulation::widened);
  for (const Hypothesis& hypothesis : hypotheses()) {
    bool differs = false;
    for (const CaseSpec& spec : cases) {
      if (differs) break;
      const bool small = spec.batch * spec.heads * spec.queries * spec.keys < 3000 || spec.keys > 65536;
      const bool wide = spec.type == ElementType::float64 || spec.keys > 65536;
      if (!small || !wide || !hypothesis.applies(spec)) continue;
      if (hypothesis.of == Hypothesis::Of::gradient && !spec.gradient) continue;
      const Problem problem = problem_of(spec);
      const Expected truth = expected_attention(problem, precision);
      const Expected wrong = expected_attention(problem, precision, hypothesis.semantics, &truth);
      for (const char* name : {"out", "lse", "dq", "dk", "dv"})
        if (truth.find(name)->present() && distance(*truth.find(name), wrong.find(name)->values).ratio > 1)
          differs = true;
    }
    EXPECT_TRUE(differs) << hypothesis.fault.name << ": " << hypothesis.text;
  }
}

}  // namespace
}  // namespace attest::judge
