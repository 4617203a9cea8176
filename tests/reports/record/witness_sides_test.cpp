#include "reports/record/witness_sides.hpp"

#include <tuple>

#include <gtest/gtest.h>

namespace attest::reports {
namespace {

Sides sides(const std::string& left, const std::string& right) {
  Witness witness;
  witness.left = left;
  witness.right = right;
  return readable_sides(witness);
}

TEST(WitnessSides, take_the_middle_of_an_enclosure_and_both_ends_of_an_interval) {
  EXPECT_EQ(sides("[0.96820411732 +/- 3.1e-152]", "1").left, "0.9682");
  EXPECT_EQ(sides("[-0.0101875974, -0.000182834]", "0").left, "[-0.01019, -0.0001828]");
}

TEST(WitnessSides, show_as_many_digits_as_tell_them_apart) {
  const Sides close = sides("2.33400001", "[2.33400002 +/- 1e-30]");
  EXPECT_EQ(close.left, "2.33400001");
  EXPECT_EQ(close.right, "2.33400002");
  const Sides closer = sides("[1.00000000000000000000000001 +/- 1e-40]", "1");
  EXPECT_EQ(closer.left, "[1.00000000000000000000000001 +/- 1e-40]") << "no double tells them apart";
}

TEST(WitnessSides, keep_what_is_no_number) { EXPECT_EQ(sides("a vector", "0").left, "a vector"); }

TEST(WitnessSides, know_the_relation_and_its_contradiction) {
  Witness witness;
  for (const auto& [claimed, shown, contradicted] :
       {std::tuple{"<=", "≤", ">"}, {"<", "<", "≥"}, {">=", "≥", "<"}, {">", ">", "≤"}, {"=", "=", "≠"}}) {
    witness.relation = claimed;
    EXPECT_EQ(claimed_relation(witness), shown);
    EXPECT_EQ(contradicted_relation(witness), contradicted);
  }
}

}  // namespace
}  // namespace attest::reports
