#include "simulations/judge/activations/activations.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace attest::judge {
namespace {

TEST(Activations, AreThoseOfATrainedLayer) {
  const Activations& a = activations();
  EXPECT_EQ(a.heads, 4);
  EXPECT_EQ(a.tokens, 32);
  EXPECT_EQ(a.features, 8);
  // Logits of a trained head spread: at random weights of deviation .08 they stay below one.
  double largest = 0;
  for (int i = 0; i < a.tokens; ++i)
    for (int j = 0; j < a.tokens; ++j) {
      double logit = 0;
      for (int d = 0; d < a.features; ++d) logit += a.at(a.q, 0, i, d) * a.at(a.k, 0, j, d) / std::sqrt(8.0);
      largest = std::max(largest, std::abs(logit));
    }
  EXPECT_GT(largest, 2);
}

TEST(Activations, IndicesWrapAround) {
  const Activations& a = activations();
  EXPECT_EQ(a.at(a.v, 1, 2, 3), a.at(a.v, 5, 34, 11));
}

TEST(Activations, ATableThatDoesNotFitNamesItsLine) {
  const std::string good = "# comment\nq\t0\t0\t1\t2\nk\t0\t0\t3\t4\nv\t0\t0\t5\t6\n";
  EXPECT_EQ(parse_activations(good).q, (std::vector<double>{1, 2}));
  for (const char* line : {"w\t0\t0\t1\t2\n", "q\t0\t1\t1\n", "q\t0\t1\t1\tx\n", "q\t-1\t0\t1\t2\n"}) {
    try {
      parse_activations(good + line);
      FAIL() << line;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("line 5"), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(parse_activations("q\t0\t0\t1\t2\n"), std::invalid_argument);
}

}  // namespace
}  // namespace attest::judge
