#include "simulations/judge/reference/attention_reference.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "simulations/judge/reference/visibility.hpp"
#include "simulations/judge/trial/trial.hpp"
#include "tests/support/rounding.hpp"

namespace attest::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Precision exact() { return precision_of(ElementType::float64, Accumulation::widened); }

/// One head, D = D_v = 1.
Problem line(std::vector<double> q, std::vector<double> k, std::vector<double> v) {
  Problem p;
  p.queries = static_cast<Index>(q.size());
  p.keys = static_cast<Index>(k.size());
  p.q = std::move(q), p.k = std::move(k), p.v = std::move(v);
  return p;
}

TEST(AttentionReference, TwoKeysWeighByTheLogisticFunctionOfTheirDifference) {
  const Expected expected = expected_attention(line({2}, {0.5, -0.25}, {3, 7}), exact());
  const double weight = 1 / (1 + std::exp(-1.5));
  // Seven operations here, on numbers up to 7, each rounded by 2^-53 of its result.
  constexpr double rounding = 7 * 7 * 0x1p-53;
  EXPECT_NEAR(expected.out.values[0], 3 * weight + 7 * (1 - weight), rounding);
  EXPECT_NEAR(expected.lse.values[0], std::log(std::exp(1.0) + std::exp(-0.5)), rounding);
}

TEST(AttentionReference, RowsThatSeeNoKeyAreZeroWithAnLseOfMinusInfinity) {
  Problem p = line({1, 1, 1}, {1}, {5});
  p.causal = true;  // bottom right: only the last of three queries sees the one key
  const Expected expected = expected_attention(p, exact());
  EXPECT_EQ(expected.out.values, (std::vector<double>{0, 0, 5}));
  EXPECT_EQ(expected.lse.values[0], -infinity);
  EXPECT_EQ(expected.lse.values[2], 1);
}

TEST(AttentionReference, TheDiagonalEndsAtTheCornerAskedFor) {
  Problem p = line({0, 0}, {0, 0, 0}, {1, 2, 6});
  p.causal = true;
  EXPECT_EQ(expected_attention(p, exact()).out.values, (std::vector<double>{1.5, 3}));
  p.corner = Corner::top_left;
  EXPECT_EQ(expected_attention(p, exact()).out.values, (std::vector<double>{1, 1.5}));
}

TEST(AttentionReference, ASinkJoinsTheDenominatorAlone) {
  Problem p = line({0}, {0}, {4});
  p.sinks = {0};
  EXPECT_EQ(expected_attention(p, exact()).out.values[0], 2);
  EXPECT_NEAR(expected_attention(p, exact()).lse.values[0], std::log(2.0), tests::unit_roundoff);
}

TEST(AttentionReference, ComputesNoRowAfterThatWhereItIsToldToStop) {
  CaseSpec spec;
  spec.queries = 5;
  const Problem p = problem_of(spec);
  std::vector<std::size_t> rows;
  expected_attention(p, precision_of(p.type, Accumulation::widened), {}, nullptr,
                     [&](const Expected& until_now, std::size_t row) {
                       EXPECT_EQ(until_now.lse.values.size(), 5U);
                       rows.push_back(row);
                       return row < 2;
                     });
  EXPECT_EQ(rows, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(AttentionReference, GivesTheRowThatIsAskedAboutFirstTheSameNumbers) {
  CaseSpec spec;
  spec.batch = 2, spec.heads = spec.kv_heads = 3, spec.queries = 4;
  const Problem p = problem_of(spec);
  const Precision precision = precision_of(p.type, Accumulation::widened);
  for (const Semantics::Rows kind : {Semantics::Rows::right, Semantics::Rows::over_queries}) {
    Semantics semantics;
    semantics.rows = kind;
    const Expected all = expected_attention(p, precision, semantics);
    std::vector<std::size_t> rows;
    const GoesOn only_first = [&](const Expected& until_now, std::size_t row) {
      rows.push_back(row);
      EXPECT_EQ(until_now.lse.values[row], all.lse.values[row]);
      return false;
    };
    const std::size_t asked = 17;  // sequence 1, head 1, query 1
    expected_attention(p, precision, semantics, nullptr, only_first, asked);
    EXPECT_EQ(rows, std::vector<std::size_t>{asked});
    const GoesOn always = [](const Expected&, std::size_t) { return true; };
    const Expected again = expected_attention(p, precision, semantics, nullptr, always, asked);
    EXPECT_EQ(again.out.values, all.out.values);
    EXPECT_EQ(again.out.bounds, all.out.bounds);
  }
}

TEST(AttentionReference, GroupedHeadsReadSuccessively) {
  Problem p = line({0}, {0}, {1});
  p.heads = 4, p.kv_heads = 2;
  p.q = {0, 0, 0, 0}, p.k = {0, 0}, p.v = {10, 20};
  EXPECT_EQ(expected_attention(p, exact()).out.values, (std::vector<double>{10, 10, 20, 20}));
}

/// A case with everything in it.
CaseSpec rich() {
  CaseSpec spec;
  spec.batch = 2, spec.heads = 4, spec.kv_heads = 2, spec.queries = 5, spec.keys = 7, spec.width = 3,
  spec.value_width = 2;
  spec.causal = true, spec.softcap = 1.5, spec.scale = 0.7, spec.mask = "float BHNN", spec.bias = "HNN";
  spec.alibi = spec.sinks = spec.gradient = spec.lse_gradient = true;
  spec.dropout = 0.5;
  return spec;
}

/// sum(out dout) + sum(lse dlse) over rows that see a key.
long double loss(const Problem& p) {
  const Expected expected = expected_attention(p, exact());
  long double sum = 0;
  for (std::size_t n = 0; n < p.dout.size(); ++n) sum += static_cast<long double>(p.dout[n]) * expected.out.values[n];
  for (std::size_t n = 0; n < p.dlse.size(); ++n)
    if (std::isfinite(expected.lse.values[n])) sum += static_cast<long double>(p.dlse[n]) * expected.lse.values[n];
  return sum;
}

TEST(AttentionReference, GradientsAreThoseOfCentralDifferences) {
  const Problem p = problem_of(rich());
  const Expected expected = expected_attention(p, exact());
  constexpr double h = 1e-5, tolerance = 1e-8;  // h^2 times third derivatives of order one, roundings of 1e-16 / h
  const auto check = [&](std::vector<double> Problem::*member, const Judged& gradient) {
    ASSERT_EQ(gradient.values.size(), (p.*member).size());
    for (std::size_t n = 0; n < gradient.values.size(); ++n) {
      Problem up = p, down = p;
      (up.*member)[n] += h;
      (down.*member)[n] -= h;
      EXPECT_NEAR(gradient.values[n], static_cast<double>((loss(up) - loss(down)) / (2 * h)), tolerance) << n;
    }
  };
  check(&Problem::q, expected.dq);
  check(&Problem::k, expected.dk);
  check(&Problem::v, expected.dv);
}

TEST(AttentionReference, DoubleIsWithinTheBoundsOfFloatByFar) {
  CaseSpec spec = rich();
  spec.type = ElementType::float32;
  const Problem narrow = problem_of(spec);
  Problem wide = narrow;
  wide.type = ElementType::float64;  // the same numbers, in long double
  const Precision precision = precision_of(ElementType::float32, Accumulation::widened);
  const Expected in_double = expected_attention(narrow, precision),
                 in_long_double = expected_attention(wide, precision);
  constexpr double by_far = 1e-6;  // the roundoffs' ratio is 2e-9
  for (const char* name : {"out", "lse", "dq", "dk", "dv"})
    EXPECT_LT(distance(*in_long_double.find(name), in_double.find(name)->values).ratio, by_far) << name;
}

TEST(AttentionReference, WhatIsBelowTheLeastNormalNumberMayBeFlushedToZero) {
  const Precision precision = precision_of(ElementType::float32, Accumulation::widened);
  const auto bound_over_weight = [&](double logit) {
    Problem p = line({1}, {0, logit}, {0, 1});
    p.type = ElementType::float32;
    p.dout = {1};
    const Judged dv = expected_attention(p, precision).dv;
    return dv.bounds[1] / dv.values[1];
  };
  // The least normal number is 1.2e-38; the weights are 1.0e-38 and 1.8e-35.
  EXPECT_GE(bound_over_weight(-87.5), 1);
  EXPECT_LT(bound_over_weight(-80), 0.01);
}

TEST(AttentionReference, BoundsGrowWithTheLogitsAndTheRoundoff) {
  CaseSpec spec;
  spec.queries = 3, spec.keys = 9;
  const auto bound = [&](const char* family, ElementType type) {
    CaseSpec s = spec;
    s.family = family;
    s.type = ElementType::float64;
    return expected_attention(problem_of(s), precision_of(type, Accumulation::widened)).out.bounds[0];
  };
  constexpr double ninety_roundings = 90 * tests::unit_roundoff;  // of outputs of order one over nine keys
  EXPECT_LT(bound("gaussian", ElementType::float64), ninety_roundings);
  EXPECT_GT(bound("times-5", ElementType::float64), bound("gaussian", ElementType::float64));
  EXPECT_GT(bound("gaussian", ElementType::float32), 1e8 * bound("gaussian", ElementType::float64));
  EXPECT_GT(bound("gaussian", ElementType::float16), bound("gaussian", ElementType::float32) * 1000);
}

TEST(Visibility, WindowsAreCountedFromTheQuerysPosition) {
  Problem p = line({0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0});
  p.window = {1, 0};
  const Visibility visible(p);  // query 0 stands at key 2
  EXPECT_FALSE(visible.sees(0, 0, 0, 0));
  EXPECT_TRUE(visible.sees(0, 0, 0, 1));
  EXPECT_TRUE(visible.sees(0, 0, 0, 2));
  EXPECT_FALSE(visible.sees(0, 0, 0, 3));
}

TEST(Visibility, PackedSequencesDoNotSeeEachOtherAndCountTheirOwnPositions) {
  Problem p = line({0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0});
  p.q_bounds = {0, 1, 3}, p.k_bounds = {0, 2, 4};
  p.causal = true;
  const Visibility visible(p);
  EXPECT_TRUE(visible.sees(0, 0, 0, 1));   // one query over two keys: the corner is at the bottom right
  EXPECT_FALSE(visible.sees(0, 0, 0, 2));  // the neighbour
  EXPECT_TRUE(visible.sees(0, 0, 1, 2));
  EXPECT_FALSE(visible.sees(0, 0, 1, 3));
}

}  // namespace
}  // namespace attest::judge
