#include "simulations/judge/diagnosis/diagnose.hpp"

#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "simulations/judge/diagnosis/hypotheses.hpp"
#include "simulations/judge/judgement/judgement.hpp"
#include "tests/simulations/judge/imitation.hpp"
#include "tests/simulations/judge/library_imitation.hpp"

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

TEST(Diagnosis, NamesDistancesThatAreRightButForOneNumberARow) {
  // Under a causal mask out is right, and lse alone is not.
  for (const Semantics::Alibi alibi : {Semantics::Alibi::by_column, Semantics::Alibi::from_last_key}) {
    Semantics semantics;
    semantics.alibi = alibi;
    expect_class(semantics, "ALiBi distances wrong");
  }
}

/// Right for several queries; for one alone a part of its keys is lost.
class DecodesWholeTilesAlone : public Imitation {
 public:
  DecodesWholeTilesAlone() : Imitation({}), lone_(lossy()) {}
  Answer call(const Request& request) override {
    return request.arrays.at("q").shape[2] == 1 ? lone_.call(request) : Imitation::call(request);
  }

 private:
  static Semantics lossy() {
    Semantics semantics;
    semantics.keys = Semantics::Keys::last_partial_tile_dropped, semantics.tile = 64;
    return semantics;
  }
  Imitation lone_;
};

TEST(Diagnosis, NamesTilesOfALoneQuery) {
  JudgementRequest request;
  request.target = [] { return std::make_unique<DecodesWholeTilesAlone>(); };
  request.cases.types = {ElementType::float64};
  request.seconds = 1e9;
  request.shrink = false;
  const Judgement judgement = judge(request);
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_EQ(judgement.findings.front().fault.name, "wrong at lengths that are not multiples of the tile");
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

/// The classes that the judge finds in a target for a mechanism, in float64.
std::set<std::string_view> classes_of(const std::string& mechanism,
                                      const std::function<std::unique_ptr<Target>()>& target) {
  JudgementRequest request;
  request.target = target;
  request.cases.mechanism = mechanism;
  request.cases.types = {ElementType::float64};
  request.seconds = 1e9;
  request.shrink = false;
  std::set<std::string_view> classes;
  for (const Finding& finding : judge(request).findings) classes.insert(finding.fault.name);
  return classes;
}

/// The library's form with an output that is off by a thousandth where `off` says so.
std::function<std::unique_ptr<Target>()> off_where(const std::string& mechanism,
                                                   const std::function<bool(const attention::Tensor<double>&)>& off) {
  return [=] {
    return std::make_unique<LibraryImitation>(mechanism, [=](const Seen& seen) {
      if (seen.out != nullptr && off(seen.inputs.at("q")))
        for (double& entry : seen.out->values()) entry *= 1.001;
    });
  };
}

TEST(Diagnosis, TellsSlopesFromHeadsThatReadEachOther) {
  const auto three_heads = [](const attention::Tensor<double>& q) { return q.extent(1) == 3; };
  EXPECT_EQ(classes_of("alibi", off_where("alibi", three_heads)), std::set<std::string_view>{"ALiBi slopes wrong"});
}

TEST(Diagnosis, TellsTilesOfOtherMechanisms) {
  const auto beyond_a_tile = [](const attention::Tensor<double>& q) { return q.extent(2) > 64; };
  EXPECT_EQ(classes_of("twicing", off_where("twicing", beyond_a_tile)),
            std::set<std::string_view>{"wrong across tiles of keys"});
}

class WithoutKeyLengths : public LibraryImitation {
 public:
  using LibraryImitation::LibraryImitation;
  Answer call(const Request& request) override {
    Request whole = request;
    whole.arrays.erase("key_lengths");
    return LibraryImitation::call(whole);
  }
};

TEST(Diagnosis, TellsKeyLengthsThatAreIgnored) {
  const std::set<std::string_view> classes =
      classes_of("linear", [] { return std::make_unique<WithoutKeyLengths>("linear"); });
  EXPECT_TRUE(classes.contains("padded keys take part"));
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
