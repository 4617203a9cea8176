// What a judgement learns of a target before it chooses the cases.
#include "simulations/judge/judgement/probing.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/judge/judgement/judgement.hpp"
#include "tests/simulations/judge/imitation.hpp"

namespace attest::judge {
namespace {

/// Right, and causal whatever it is asked: refuses calls that are not, or has no such option.
class AlwaysCausal : public Imitation {
 public:
  explicit AlwaysCausal(bool has_option) : Imitation({}), has_option_(has_option), signature_(Imitation::signature()) {
    if (!has_option) std::erase(signature_.parameters, "causal");
  }
  const Signature& signature() const override { return signature_; }
  Answer call(const Request& request) override {
    Request causal = request;
    if (has_option_ && !request.options.value("causal", false))
      return without_arrays(Answer::Status::raised, "only causal");
    causal.options["causal"] = true;
    return Imitation::call(causal);
  }

 private:
  bool has_option_;
  Signature signature_;
};

Judgement judged(bool has_option, bool user_says_so) {
  JudgementRequest request;
  request.target = [=] { return std::make_unique<AlwaysCausal>(has_option); };
  request.cases.types = {ElementType::float64};
  request.settings.conventions.causal_always = user_says_so;
  request.seconds = 1e9;
  request.shrink = false;
  return judge(request);
}

TEST(Probing, judges_a_target_that_refuses_other_calls_by_causal_ones) {
  const Judgement judgement = judged(true, false);
  EXPECT_TRUE(judgement.findings.empty());
  EXPECT_GT(judgement.cases, 200U);
  EXPECT_THAT(judgement.skipped,
              testing::Contains(testing::HasSubstr("calls that are not causal: the target refuses")));
}

TEST(Probing, takes_the_users_word_for_a_target_without_the_option) {
  const Judgement judgement = judged(false, true);
  EXPECT_TRUE(judgement.findings.empty());
  EXPECT_GT(judgement.cases, 200U);
  EXPECT_FALSE(judged(false, false).findings.empty());
}

template <typename Imitated>
Judgement judged(std::vector<ElementType> types) {
  JudgementRequest request;
  request.target = [] { return std::make_unique<Imitated>(); };
  request.cases.types = std::move(types);
  request.seconds = 1e9;
  request.shrink = false;
  return judge(request);
}

void expect_right_by_most_cases(const Judgement& judgement) {
  for (const Finding& finding : judgement.findings)
    ADD_FAILURE() << finding.fault.name << ": " << finding.message << ", " << text_of(finding.spec);
  EXPECT_GT(judgement.cases, 200U);
}

/// Right, and of float32 alone.
class OfFloat32 : public Imitation {
 public:
  OfFloat32() : Imitation({}) {}
  Answer call(const Request& request) override {
    if (request.arrays.at("q").type != ElementType::float32)
      return without_arrays(Answer::Status::raised, "only float32");
    return Imitation::call(request);
  }
};

TEST(Probing, judges_a_target_of_one_type_by_every_case_in_it) {
  const Judgement judgement = judged<OfFloat32>({ElementType::float64, ElementType::float32, ElementType::float16});
  expect_right_by_most_cases(judgement);
  EXPECT_THAT(judgement.skipped, testing::Contains(testing::HasSubstr("float64: the target refuses it (only float32")));
  EXPECT_THAT(judgement.skipped, testing::Contains(testing::HasSubstr("float16: the target refuses it")));
}

/// Right, of float32 and of 8 and 16 features alone.
class OfTwoWidths : public Imitation {
 public:
  OfTwoWidths() : Imitation({}) {}
  Answer call(const Request& request) override {
    const arrays::Array& q = request.arrays.at("q");
    if (q.type != ElementType::float32) return without_arrays(Answer::Status::absent, "only float32");
    if ((q.shape[3] != 8 && q.shape[3] != 16) || request.arrays.at("v").shape[3] != q.shape[3])
      return without_arrays(Answer::Status::absent, "only 8 or 16 features");
    return Imitation::call(request);
  }
};

TEST(Probing, judges_a_target_of_few_widths_by_every_case_in_them) {
  const Judgement judgement = judged<OfTwoWidths>({ElementType::float64, ElementType::float32});
  expect_right_by_most_cases(judgement);
  EXPECT_THAT(judgement.skipped, testing::Contains(testing::HasSubstr("judged by those of 8, 16")));
  EXPECT_THAT(judgement.skipped,
              testing::Contains(testing::HasSubstr("float64: the target refuses it (only float32)")));
}

/// Right, of 8 or 16 features and of whole tiles of 8 tokens.
class OfWholeTiles : public Imitation {
 public:
  OfWholeTiles() : Imitation({}) {}
  Answer call(const Request& request) override {
    const arrays::Array& q = request.arrays.at("q");
    if (q.shape[2] % 8 != 0 || request.arrays.at("k").shape[2] % 8 != 0)
      return without_arrays(Answer::Status::absent, "only multiples of 8 tokens");
    if ((q.shape[3] != 8 && q.shape[3] != 16) || request.arrays.at("v").shape[3] != q.shape[3])
      return without_arrays(Answer::Status::absent, "only 8 or 16 features");
    return Imitation::call(request);
  }
};

TEST(Probing, judges_a_target_of_whole_tiles_by_every_case_in_them) {
  const Judgement judgement = judged<OfWholeTiles>({ElementType::float32});
  expect_right_by_most_cases(judgement);
  EXPECT_THAT(judgement.skipped, testing::Contains(testing::HasSubstr("not multiples of 8")));
  EXPECT_THAT(judgement.skipped, testing::Contains(testing::HasSubstr("judged by those of 8, 16")));
}

/// Broken: an error at every call.
class RaisesAlways : public Imitation {
 public:
  RaisesAlways() : Imitation({}) {}
  Answer call(const Request&) override { return without_arrays(Answer::Status::raised, "a slip"); }
};

TEST(Probing, asks_no_other_widths_of_a_target_that_is_broken) {
  const Judgement judgement = judged<RaisesAlways>({ElementType::float64});
  ASSERT_FALSE(judgement.findings.empty());
  EXPECT_EQ(judgement.findings.front().fault.name, "raises an error");
  EXPECT_THAT(judgement.skipped, testing::Not(testing::Contains(testing::HasSubstr("widths of"))));
}

/// Never answers.
class HangsAlways : public Imitation {
 public:
  HangsAlways() : Imitation({}) {}
  Answer call(const Request&) override { return without_arrays(Answer::Status::hung, ""); }
};

TEST(Probing, ends_with_the_second_call_that_hangs) {
  const Judgement judgement = judged<HangsAlways>({ElementType::float64, ElementType::float32, ElementType::float16});
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_EQ(judgement.findings.front().fault.name, "does not return in time");
  EXPECT_EQ(judgement.calls, static_cast<std::size_t>(most_hangs));
}

TEST(Tiles, hold_what_the_target_takes_and_leave_what_differs_different) {
  CaseSpec spec;
  spec.queries = 5, spec.keys = 17;
  EXPECT_EQ(in_tiles(spec, 1), spec);
  EXPECT_EQ(in_tiles(spec, 16).queries, 16);
  EXPECT_EQ(in_tiles(spec, 16).keys, 32);
  EXPECT_EQ(in_tiles(spec, 64).queries, 64);
  EXPECT_EQ(in_tiles(spec, 64).keys, 128);
  spec.packed = {3, 0, 20}, spec.queries = spec.keys = 23;
  EXPECT_EQ(in_tiles(spec, 16).packed, (std::vector<Index>{16, 0, 32}));
  EXPECT_EQ(in_tiles(spec, 16).queries, 48);
  EXPECT_EQ(in_tiles(spec, 16).keys, 48);
  spec.packed_keys = {4, 2, 20}, spec.keys = 26;
  EXPECT_EQ(in_tiles(spec, 16).packed_keys, (std::vector<Index>{32, 16, 32}));
  EXPECT_EQ(in_tiles(spec, 16).keys, 80);
}

TEST(Catalogue, has_no_case_of_too_many_products_but_in_the_tiles_of_some) {
  CatalogueRequest request;
  request.types = {ElementType::float64, ElementType::float32, ElementType::float16, ElementType::bfloat16};
  request.budget = Budget::standard;
  EXPECT_TRUE(std::ranges::none_of(catalogue(request), takes_too_many_products));
  request.widths = {64}, request.tile = 64;
  EXPECT_TRUE(std::ranges::any_of(catalogue(request), takes_too_many_products));
}

TEST(Widths, of_a_case_become_the_next_that_the_target_takes) {
  CaseSpec spec;
  spec.width = spec.value_width = 5;
  EXPECT_EQ(in_widths(spec, {}), spec);
  EXPECT_EQ(in_widths(spec, {8, 64}).width, 8);
  EXPECT_EQ(in_widths(spec, {8, 64}).value_width, 8);
  spec.value_width = 3;
  EXPECT_EQ(in_widths(spec, {8, 64}).value_width, 64);
  EXPECT_EQ(in_widths(spec, {8}).value_width, 8);
  spec.width = 100;
  EXPECT_EQ(in_widths(spec, {8, 64}).width, 64);
}

}  // namespace
}  // namespace attest::judge
