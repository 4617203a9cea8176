#include "theorems/engine/protocols/layout.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::engine {
namespace {

TEST(Layout, is_inverted_by_its_decoder) {
  const Layout layout({{"keys", 2, -1, 1}, {"C", 1, 0.5, 4}});
  EXPECT_EQ(layout.lower(), (std::vector<double>{-1, -1, 0.5}));
  EXPECT_EQ(layout.upper(), (std::vector<double>{1, 1, 4}));
  const Inputs inputs{{"keys", {0.25, -0.5}}, {"C", {2}}};
  EXPECT_EQ(layout.decode()(layout.point(inputs)), inputs);
}

TEST(Layout, names_what_does_not_fit) {
  const Layout layout({{"keys", 2, -1, 1}});
  try {
    layout.point(Inputs{{"keys", {1, 2, 3}}});
    FAIL() << "a vector of the wrong length must be refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "the input 'keys' has 3 values; this statement needs 2");
  }
  EXPECT_THROW(layout.point(Inputs{{"queries", {1, 2}}}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::engine
