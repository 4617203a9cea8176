#include <algorithm>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/judge/case/catalogue.hpp"
#include "simulations/judge/case/families.hpp"
#include "simulations/judge/case/problem.hpp"

namespace attest::judge {
namespace {

TEST(CaseSpec, ComesBackFromItsJson) {
  CatalogueRequest request;
  request.both_corners = true;
  for (const CaseSpec& spec : catalogue(request))
    ASSERT_EQ(case_from_json(nlohmann::json::parse(json_of(spec).dump())), spec) << json_of(spec).dump();
}

TEST(CaseSpec, RefusesWhatIsNoCase) {
  EXPECT_THROW(case_from_json(nlohmann::json::parse(R"({"heads": 3, "kv_heads": 2})")), std::invalid_argument);
  EXPECT_THROW(case_from_json(nlohmann::json::parse(R"({"queries": 0})")), std::invalid_argument);
  EXPECT_THROW(case_from_json(nlohmann::json::parse(R"({"querys": 2})")), std::invalid_argument);
  EXPECT_THROW(case_from_json(nlohmann::json::parse(R"({"dtype": "float8"})")), std::invalid_argument);
  EXPECT_THROW(case_from_json(nlohmann::json::parse(R"({"padding": 1})")), std::invalid_argument);
  EXPECT_THROW(case_from_json(nlohmann::json::parse(R"({"mechanism": "linear", "keys": 4, "padding": 4})")),
               std::invalid_argument);
  EXPECT_THROW(case_from_json(nlohmann::json::parse(R"({"mechanism": "linear", "padding": -1})")),
               std::invalid_argument);
  EXPECT_THROW(case_from_json(nlohmann::json::parse(R"({"queries": 4.5})")), std::invalid_argument);
  EXPECT_THROW(case_from_json(nlohmann::json::parse(R"({"window": [3, 1e20]})")), std::invalid_argument);
  EXPECT_THROW(case_from_json(nlohmann::json::parse(R"({"packed": [1, 9], "queries": 4, "keys": 4})")),
               std::invalid_argument);
}

TEST(Problem, IsAPureFunctionOfTheSpec) {
  for (const std::string& family : families()) {
    CaseSpec spec;
    spec.family = family;
    spec.gradient = true;
    const Problem a = problem_of(spec), b = problem_of(spec);
    EXPECT_EQ(a.q, b.q) << family;
    EXPECT_EQ(a.v, b.v) << family;
    spec.number += 1;
    EXPECT_NE(problem_of(spec).dout, a.dout) << family;
  }
}

TEST(Problem, SaturatedLogitsAreTenThousand) {
  CaseSpec spec;
  spec.family = "saturated";
  spec.width = 16;
  const Problem p = problem_of(spec);
  EXPECT_EQ(std::abs(p.q[0] * p.k[0]) / 4, 1e4);
}

TEST(Problem, OnlyTheRowAskedForIsEmpty) {
  CaseSpec spec;
  spec.batch = 2, spec.heads = spec.kv_heads = 2, spec.mask = "bool BHNN", spec.empty_row = true;
  const Problem p = problem_of(spec);
  for (Index b = 0; b < 2; ++b)
    for (Index i = 0; i < spec.queries; ++i) {
      int seen = 0;
      for (Index j = 0; j < spec.keys; ++j) seen += p.visible.at(b, 1, i, j);
      EXPECT_EQ(seen == 0, i == spec.queries / 2);
    }
}

TEST(Catalogue, HoldsWhatKernelsTripOver) {
  const std::vector<CaseSpec> cases = catalogue({});
  const auto some = [&](auto&& which) { return std::any_of(cases.begin(), cases.end(), which); };
  EXPECT_TRUE(some([](const CaseSpec& s) { return s.keys == 1; }));
  EXPECT_TRUE(some([](const CaseSpec& s) { return s.keys > 65536; }));
  EXPECT_TRUE(some([](const CaseSpec& s) { return s.causal && s.queries > s.keys; }));
  EXPECT_TRUE(some([](const CaseSpec& s) { return s.heads != s.kv_heads && s.gradient; }));
  EXPECT_TRUE(some([](const CaseSpec& s) { return s.value_width != s.width && s.gradient; }));
  EXPECT_TRUE(some([](const CaseSpec& s) { return std::find(s.packed.begin(), s.packed.end(), 0) != s.packed.end(); }));
  for (const std::string& family : families())
    EXPECT_TRUE(some([&](const CaseSpec& s) { return s.family == family; })) << family;
}

TEST(Catalogue, HoldsWholeTilesAndLongSumsInEveryNarrowType) {
  CatalogueRequest request;
  request.types = {ElementType::float64, ElementType::float16, ElementType::bfloat16};
  const std::vector<CaseSpec> cases = catalogue(request);
  const auto holds = [&](auto&& wanted) { return std::any_of(cases.begin(), cases.end(), wanted); };
  for (const Index keys : {64, 128, 256})
    EXPECT_TRUE(holds([&](const CaseSpec& s) { return s.keys == keys && compares_values(s.property); })) << keys;
  EXPECT_TRUE(holds([](const CaseSpec& s) { return s.queries > 512 && s.causal; }));
  for (const ElementType type : {ElementType::float16, ElementType::bfloat16}) {
    EXPECT_TRUE(holds([&](const CaseSpec& s) { return s.keys > 65536 && s.type == type; }));
    EXPECT_TRUE(holds([&](const CaseSpec& s) { return s.queries > 65536 && s.type == type && s.gradient; }));
  }
  EXPECT_TRUE(holds([](const CaseSpec& s) { return s.keys > 65536 && s.causal && s.window; }));
  EXPECT_TRUE(holds([](const CaseSpec& s) { return s.width == 64 && s.scale != 0; }));
  EXPECT_TRUE(holds([](const CaseSpec& s) { return s.property == Property::strides && s.mask == "bool BHNN"; }));
}

TEST(Catalogue, HoldsLoneQueriesOverManyKeysAndLengthsFarApart) {
  CatalogueRequest request;
  request.both_corners = true;
  const std::vector<CaseSpec> cases = catalogue(request);
  const auto holds = [&](auto&& wanted) {
    return std::ranges::any_of(cases, [&](const CaseSpec& s) { return compares_values(s.property) && wanted(s); });
  };
  EXPECT_TRUE(holds([](const CaseSpec& s) { return s.queries == 1 && s.keys > 64 && s.keys % 64 != 0 && !s.causal; }));
  EXPECT_TRUE(holds([](const CaseSpec& s) { return s.queries == 1 && s.keys > 256 && s.keys < 65536 && s.gradient; }));
  // Sinks over more keys than are handled at once, whether or not causal masks are taken.
  EXPECT_TRUE(holds([](const CaseSpec& s) { return s.sinks && s.keys > 512 && !s.causal; }));
  for (const Corner corner : {Corner::bottom_right, Corner::top_left}) {
    EXPECT_TRUE(holds(
        [&](const CaseSpec& s) { return s.causal && s.window && s.queries >= s.keys + 32 && s.corner == corner; }));
    EXPECT_TRUE(holds(
        [&](const CaseSpec& s) { return s.causal && s.window && s.keys >= s.queries + 64 && s.corner == corner; }));
  }
}

TEST(Catalogue, OfOtherMechanismsNeedsNoSettingFromTheUser) {
  CatalogueRequest request;
  request.mechanism = "attention-sh";
  const std::vector<std::string> filled = fill_needed_settings(request);
  EXPECT_EQ(filled, (std::vector<std::string>{"factors=" + request.settings.at("factors")}));
  EXPECT_TRUE(fill_needed_settings(request).empty());
  for (const CaseSpec& spec : catalogue(request)) EXPECT_TRUE(spec.settings.contains("factors"));
}

TEST(Catalogue, OfOtherMechanismsHoldsTiesLargeFeaturesAndCallsWithoutOptionalInputs) {
  const auto families_of = [](const char* mechanism) {
    CatalogueRequest request;
    request.mechanism = mechanism;
    std::vector<std::string> families;
    for (const CaseSpec& spec : catalogue(request)) families.push_back(spec.family);
    return families;
  };
  EXPECT_THAT(families_of("kernel-regression"), testing::Contains("keys as queries"));
  EXPECT_THAT(families_of("linear"), testing::Contains("large features"));
  EXPECT_THAT(families_of("neutreno"), testing::Contains("required inputs alone"));
  EXPECT_THAT(families_of("twicing"), testing::Not(testing::Contains("required inputs alone")));
}

TEST(Catalogue, OfATargetThatIsAlwaysCausalHasOnlyCausalCases) {
  CatalogueRequest request;
  const std::size_t all = catalogue(request).size();
  request.causal_only = true;
  const std::vector<CaseSpec> cases = catalogue(request);
  EXPECT_GT(cases.size(), all / 2);
  for (const CaseSpec& spec : cases) {
    EXPECT_TRUE(spec.causal);
    EXPECT_NE(spec.property, Property::permutation);
  }
  // Where the diagonal of linear attention ends between other numbers of queries and keys is not said.
  request.mechanism = "linear";
  for (const CaseSpec& spec : catalogue(request)) {
    EXPECT_TRUE(spec.causal);
    EXPECT_EQ(spec.queries, spec.keys);
  }
}

TEST(JudgingOrder, meets_every_kind_before_any_a_second_time_and_leaves_out_none) {
  CaseSpec plain, causal, packed;
  causal.causal = true;
  packed.packed = {2, 2};
  EXPECT_EQ(judging_order({plain, plain, plain, causal, causal, packed}), (std::vector<std::size_t>{0, 3, 5, 1, 4, 2}));
  const std::vector<CaseSpec> all = catalogue({});
  std::vector<std::size_t> order = judging_order(all);
  std::ranges::sort(order);
  for (std::size_t n = 0; n < all.size(); ++n) EXPECT_EQ(order.at(n), n);
}

}  // namespace
}  // namespace attest::judge
