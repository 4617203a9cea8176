// Claims written as text, through the engine: verdicts, near-misses, near-hits, witnesses that replay, evidence files.
#include "theorems/ledger/typed_claims.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/rules.hpp"
#include "theorems/engine/runner/runner.hpp"
#include "theorems/engine/verdict_rule.hpp"
#include "theorems/ledger/texts.hpp"
#include "theorems/ledger/typed_check.hpp"

namespace attest::ledger {
namespace {

using engine::Verdict;
using testing::HasSubstr;

engine::Claims claims_in(const std::string& blocks) {
  return claims_of(language::read_paper("paper \"A note\"\n" + blocks, "note.attest"), "note", "note.attest");
}

engine::ClaimResult judged(const engine::Claim& claim) {
  engine::RunOptions options;
  options.near_misses = true;
  options.threads = 1;
  return engine::run({&claim}, options).results.at(0);
}

TEST(TypedClaim, StandsWithTheSmallestChangesThatFell) {
  const auto claims = claims_in(
      "claim lipschitz\n  says forall n in 2..8, x, y in R^n: norm(softmax(x) - softmax(y)) <= 1/2*norm(x - y)\n");
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(claims[0].statement.id, "note/lipschitz");
  EXPECT_EQ(claims[0].source, "note.attest:2");
  EXPECT_EQ(claims[0].statement.kind, engine::Kind::universal_inequality);
  engine::validate(claims);
  const engine::ClaimResult result = judged(claims[0]);
  EXPECT_EQ(result.judgement.verdict, Verdict::supported) << result.judgement.reason;
  EXPECT_TRUE(result.as_expected());
  ASSERT_FALSE(result.near_misses.empty());
  double least = 1;
  for (const auto& miss : result.near_misses) least = std::min(least, miss.delta);
  EXPECT_LE(least, 0.01);
}

TEST(TypedClaim, ThatFallsHasAWitnessThatReplaysAndARepairThatStands) {
  const auto claims = claims_in(
      "claim wrong\n  says forall n in 2..8, x, y in R^n: norm(softmax(x) - softmax(y)) <= 0.4*norm(x - y)\n"
      "  expected refuted\n  finding constant\n");
  const engine::ClaimResult result = judged(claims[0]);
  ASSERT_EQ(result.judgement.verdict, Verdict::refuted) << result.judgement.reason;
  EXPECT_EQ(result.near_hits.size(), 1U);
  EXPECT_TRUE(result.breaks.none());
  const auto witness = engine::witness_of(result.evidence);
  ASSERT_TRUE(witness.has_value());
  EXPECT_TRUE(claims[0].check.replay(*witness, engine::Context{}).confirmed);
  engine::Witness moved = *witness;
  moved.inputs = {};
  for (const auto& [name, numbers] : witness->inputs.entries())
    moved.inputs.add(name, name == "n" ? numbers : std::vector<double>(numbers.size(), 1.0));
  EXPECT_FALSE(claims[0].check.replay(moved, engine::Context{}).confirmed);
}

TEST(TypedClaim, WithEquationsHasAWitnessThatReplaysWhereTheyAreSolvedAndWhereTheyAreASet) {
  for (const char* where : {"sum(x) = 0", "norm(x) = 1", "sum(x) = 0 and norm(x) = 1", "x[1] + x[2] = 1"}) {
    const auto claims = claims_in(std::string("claim wrong\n  says forall x in R^3 where ") + where +
                                  ": max(x) <= 0.8*norm(x)\n  expected refuted\n  finding constant\n");
    const engine::ClaimResult result = judged(claims[0]);
    ASSERT_EQ(result.judgement.verdict, Verdict::refuted) << where << ": " << result.judgement.reason;
    const auto witness = engine::witness_of(result.evidence);
    ASSERT_TRUE(witness.has_value());
    EXPECT_TRUE(claims[0].check.replay(*witness, engine::Context{}).confirmed) << where;
  }
}

TEST(EmbeddedTexts, AreReadableInFullThoughTheirStatementsAreReadWhenJudged) {
  for (const Text& text : embedded_texts()) {
    try {
      for (const language::PaperClaim& claim :
           language::read_paper(text.text, std::string(text.stem), std::nullopt).claims)
        for (const auto* statements : {&claim.says, &claim.near_misses, &claim.near_hits})
          for (const language::PaperStatement& each : *statements) EXPECT_TRUE(each.statement.claim) << claim.id;
    } catch (const language::PaperProblem& problem) {
      ADD_FAILURE() << problem.what();
    }
  }
}

TEST(TypedClaim, IsReadWhenItIsJudged) {
  const engine::Check check = typed_check(statement_of_text("forall x in [0, 1]: x*(1 - x) <= 0.2"));
  EXPECT_EQ(engine::judge(engine::Kind::universal_inequality, check.run(engine::Context{})).verdict, Verdict::refuted);
  EXPECT_EQ(check.domain(), "the sets that the statement names: forall x in [0, 1]: x*(1 - x) <= 0.2");
}

TEST(TypedClaim, IsNotReplayedAtSizesThatItDoesNotSpeakOf) {
  const auto claims = claims_in("claim sizes\n  says forall n in 2..4, x in R^n: norm(x, 1) <= 2*norm(x)\n");
  engine::Witness forged;
  forged.inputs.add("n", {5});
  forged.inputs.add("x", {1, 1, 1, 1, 1});
  EXPECT_THROW(claims[0].check.replay(forged, engine::Context{}), std::invalid_argument);
  engine::Witness huge;
  huge.inputs.add("n", {1e12});
  huge.inputs.add("x", {1});
  EXPECT_THROW(claims[0].check.replay(huge, engine::Context{}), std::invalid_argument);
}

TEST(TypedClaim, NamesItsPartsInItsFormulaAsTextThatTexTakes) {
  const auto claims = claims_in(
      "claim names\n  says [2A - A^2 of x_1] forall x in R: x^2 >= 0\n"
      "  says [10^(-6) & more, 50 %] forall x in R: x^2 >= -1\n");
  EXPECT_THAT(claims[0].statement.tex.get(), HasSubstr(R"(\text{2A - A}^{\text{2}}\text{ of x\_1: })"));
  EXPECT_THAT(claims[0].statement.tex.get(), HasSubstr(R"(\text{10}^{\text{(-6)}}\text{ \& more, 50 \%: })"));
}

TEST(TypedClaim, OfSeveralPartsIsCertifiedWhenEachIs) {
  const auto claims = claims_in(
      "claim parts\n  says [expansion] forall x, y in R: (x + y)^2 = x^2 + 2*x*y + y^2\n"
      "  says [difference] forall x, y in R: (x + y)*(x - y) = x^2 - y^2\n  expected certified\n");
  const engine::ClaimResult result = judged(claims[0]);
  EXPECT_EQ(result.judgement.verdict, Verdict::certified) << result.judgement.reason;
  EXPECT_TRUE(result.as_expected());
  const auto parts = engine::statement_parts(result.evidence);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[1].path, "difference");
  const auto document = nlohmann::json::parse(parts[1].evidence->document(nullptr).text);
  EXPECT_EQ(document.at("id"), "note/parts.2");
  EXPECT_EQ(document.at("part"), "difference");
}

TEST(TypedClaim, WithoutARecordedVerdictIsExpectedToStand) {
  const auto claims = claims_in("claim fine\n  says 1 + 1 = 2\nclaim wrong\n  says 1 + 1 = 3\n");
  EXPECT_TRUE(judged(claims[0]).as_expected());
  EXPECT_FALSE(judged(claims[1]).as_expected());
}

TEST(TypedClaim, OfAPartIsMeantByANearMissThatBeginsWithItsName) {
  const auto claims =
      claims_in("claim parts\n  says [a] forall x in R: x^2 >= 0\n  says [b] 1 < 2\n  near_miss [b: turned] 1 > 2\n");
  ASSERT_EQ(claims[0].near_misses.size(), 1U);
  EXPECT_EQ(claims[0].near_misses[0].part, "b");
}

TEST(PaperOfAFile, IsItsNameInLowerCase) {
  EXPECT_EQ(paper_of("some/My_Paper 2.attest"), "my-paper-2");
  EXPECT_THROW(paper_of("some/__.attest"), std::invalid_argument);
}

}  // namespace
}  // namespace attest::ledger
