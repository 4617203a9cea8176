#include "simulations/training/watch.hpp"

#include <gtest/gtest.h>

namespace attest::training {
namespace {

TEST(Watch, says_once_that_the_loss_is_far_above_knowing_nothing) {
  Watch watch(2);
  int said = 0;
  for (int step = 0; step < 30; ++step) said += watch.see(step < 10 ? 2.0 : 6.0).has_value() ? 1 : 0;
  EXPECT_EQ(said, 1);
}

TEST(Watch, is_silent_about_single_high_losses_and_about_the_first_ones) {
  Watch watch(2);
  for (int step = 0; step < 200; ++step) EXPECT_FALSE(watch.see(step % 50 == 7 ? 9.0 : 1.9).has_value()) << step;
  Watch at_first(2);
  for (int step = 0; step < 9; ++step) EXPECT_FALSE(at_first.see(100).has_value()) << step;
}

TEST(Watch, names_dead_heads_once) {
  Watch watch(2);
  const std::vector<HeadEntropy> heads = {{0, 0, 0.5, 0.1}, {0, 1, 0.001, 0}, {1, 0, 1, 1}, {1, 1, 0.9999, 0.999}};
  const auto sentences = watch.see(heads);
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_NE(sentences[0].find("layer 0, head 1 is dead: its queries see one key alone"), std::string::npos);
  EXPECT_NE(sentences[1].find("layer 1, head 0 is dead: its rows are uniform"), std::string::npos);
  EXPECT_TRUE(watch.see(heads).empty());
}

}  // namespace
}  // namespace attest::training
