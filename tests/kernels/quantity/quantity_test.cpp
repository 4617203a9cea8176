#include "kernels/quantity/quantity.hpp"

#include <algorithm>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::quantities {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Quantity example() {
  Quantity q;
  q.name = "example";
  q.parameters = {Parameter::real("x", 0.5, 0, 1, "a number"), Parameter::integer("n", 3, 1, 10, "a count"),
                  Parameter::word("law", "gaussian", {"gaussian", "laplace"}, "a law")};
  q.results = {{"sum", "x + n"}};
  q.evaluate = [](const Arguments& at, const Execution&) {
    return Outcomes{{"sum", Outcome::exact(at.real("x") + static_cast<double>(at.integer("n")))}};
  };
  return q;
}

TEST(Quantity, completes_what_is_given_by_the_defaults) {
  const Quantity q = example();
  const Arguments all = complete(q, {{"n", 7.0}});
  EXPECT_EQ(all.real("x"), 0.5);
  EXPECT_EQ(all.integer("n"), 7);
  EXPECT_EQ(all.word("law"), "gaussian");
  EXPECT_EQ(evaluate(q, all, {}).at("sum").value, 7.5);
}

TEST(Quantity, refuses_what_a_parameter_does_not_take) {
  const Quantity q = example();
  const auto refuses = [&](const char* name, const Value& value, const char* sentence) {
    EXPECT_THAT([&] { complete(q, {{name, value}}); }, ThrowsMessage<std::invalid_argument>(HasSubstr(sentence)));
  };
  refuses("x", 1.5, "x = 1.5: it is a number from 0 to 1");
  refuses("x", std::numeric_limits<double>::quiet_NaN(), "x = nan");
  refuses("x", "much", "x = \"much\"");
  refuses("n", 2.5, "n = 2.5: it is an integer from 1 to 10");
  refuses("law", 3.0, "one of gaussian, laplace");
  refuses("law", "cauchy", "law = \"cauchy\"");
  refuses("y", 1.0, "example has no parameter y; it takes x, n, law");
}

TEST(Quantity, does_not_hand_on_outcomes_that_are_missing_unknown_or_outside_their_interval) {
  Quantity q = example();
  for (const Outcomes& given :
       {Outcomes{}, Outcomes{{"product", Outcome::exact(1)}}, Outcomes{{"sum", Outcome{2, {0, 1}}}}}) {
    q.evaluate = [&](const Arguments&, const Execution&) { return given; };
    EXPECT_THROW(evaluate(q, complete(q, {}), {}), std::logic_error);
  }
}

TEST(Quantity, gives_the_same_whatever_the_order_in_which_its_results_are_listed) {
  Quantity q = find_quantity("softmax_lipschitz");
  const Arguments at = complete(q, {{"N", 4.0}});
  const Outcomes before = evaluate(q, at, {1, 20, 1});
  std::reverse(q.results.begin(), q.results.end());
  const Outcomes after = evaluate(q, at, {1, 20, 1});
  EXPECT_EQ(before.at("mean").value, after.at("mean").value);
  EXPECT_EQ(after.at("global_constant").value, 0.5);
  EXPECT_EQ(interval_class(q, result_named(q, "mean"), at)->promise, statistics::Promise::range);
  EXPECT_FALSE(interval_class(q, result_named(q, "global_constant"), at).has_value());
  EXPECT_THROW(result_named(q, "median"), std::logic_error);
}

TEST(Quantity, is_found_by_name_and_the_nearest_are_named_otherwise) {
  EXPECT_EQ(find_quantity("grc_ratio").name, "grc_ratio");
  EXPECT_THAT(
      [] { find_quantity("grc_ration"); },
      ThrowsMessage<std::invalid_argument>(HasSubstr("no quantity is called grc_ration; did you mean grc_ratio?")));
}

TEST(QuantityText, reads_back_as_the_same_value) {
  EXPECT_EQ(text(Value{100000.0}), "100000");
  EXPECT_EQ(text(Value{0.1}), "0.1");
  EXPECT_EQ(text(Value{1e12}), "1000000000000");
  EXPECT_EQ(text(Value{std::string("gaussian")}), "gaussian");
}

}  // namespace
}  // namespace attest::quantities
