// Proofs by Taylor expansions where both sides touch: what they reach, and that nothing false passes.
#include "theorems/referee/proof/expansion.hpp"

#include <string>

#include <gtest/gtest.h>

#include "theorems/language/read.hpp"
#include "theorems/referee/proof/box_proof.hpp"

namespace attest::referee {
namespace {

BoxProof proof_of(const std::string& text, bool expansions) {
  const language::Program program = language::compile(language::read_statement(text), {});
  return prove_on_box(program, {}, 5000, {.expansions = expansions});
}

TEST(Expansion, ReachesTouchingEndsThatBoxesDoNot) {
  for (const char* text : {
           "forall x in [0, 1]: sin(x) <= x",
           "forall x in [0, 1]: sin(x) >= x - x^3/6",
           "forall x in [0, 1]: cos(x) <= 1 - x^2/2 + x^4/24",
           "forall x in [0, 1]: tanh(x) >= x - x^3/3",
           "forall x in [0, 1/2]: log(1 + x) >= x - x^2/2",
           "forall x in [-1, 0]: exp(x) <= 1 + x + x^2/2",
           "forall x in [-1, 1]: exp(x) >= 1 + x + x^2/2 + x^3/6",
           "forall x in [0, 1]: x/(1 + x) <= log1p(x)",
           "forall x in [0, 1]: sigmoid(x) <= 1/2 + x/4",
           "forall x in [1, 2]: log(x) >= (x - 1) - (x - 1)^2/2",
           "forall x in [0, 1]: sqrt(1 + x) <= 1 + x/2",
           "forall x in (0, 1]: sin(x) < x",
       }) {
    EXPECT_EQ(proof_of(text, true).status, ProofStatus::certified) << text;
    EXPECT_GT(proof_of(text, true).expanded, 0) << text;
    EXPECT_EQ(proof_of(text, false).status, ProofStatus::undecided) << text << ": boxes alone do";
  }
}

TEST(Expansion, LetsNothingFalsePass) {
  for (const char* text : {
           "forall x in [0, 1]: sin(x) < x",
           "forall x in [0, 1]: sin(x) <= 0.9999999*x",
           "forall x in [0, 1]: sin(x) <= x - x^3/6",
           "forall x in [0, 1]: cos(x) >= 1 - x^2/2 + x^4/24",
           "forall x in [0, 1]: tanh(x) <= x - x^3/3",
           "forall x in [0, 1]: log(1 + x) <= x - x^2/2",
           "forall x in [-1, 0]: exp(x) >= 1 + x + x^2/2",
           "forall x in [-1, 1]: exp(x) <= 1 + x + x^2/2",
           "forall x in [0, 1]: sqrt(1 + x) <= 1 + x/2 - x^2/8",
       })
    EXPECT_NE(proof_of(text, true).status, ProofStatus::certified) << text;
}

TEST(Expansion, SaysNothingOfSidesThatAreNotSmooth) {
  for (const char* text : {"forall x in [0, 1]: sin(abs(x)) <= x", "forall x in [0, 1]: sin(x) <= max(x, 0)"})
    EXPECT_EQ(proof_of(text, true).expanded, 0) << text;
}

TEST(Expansion, TouchingAlongAFaceIsReachedWhereTheCoefficientsAreKnown) {
  const auto held = [](const char* text, const ProofBox& box) {
    const language::Program program = language::compile(language::read_statement(text), {});
    return holds_by_expansion(program, program.claim(), 0, box);
  };
  const char* text = "forall x in [0, 1], y in [1, 2]: y*(1 - cos(x)) >= 0";
  EXPECT_TRUE(held(text, {{0, 0.5}, {1, 2}}));
  EXPECT_FALSE(held("forall x in [0, 1], y in [-1, 2]: y*(1 - cos(x)) >= 0", {{0, 0.5}, {-1, 2}}));
}

}  // namespace
}  // namespace attest::referee
