#include "simulations/checkpoints/start_weights.hpp"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace attest::checkpoints {
namespace {

using test_support::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<ParameterSpec> parameters(std::int64_t positions, std::int64_t classes) {
  return {{"layer 0.qkv.weight", {1, 2}, {}}, {"positions", {positions, 2}, {}}, {"classifier.bias", {classes}, {}}};
}

TEST(StartWeights, takes_what_has_the_same_name_and_shape) {
  const test_support::ScratchFolder folder;
  const auto file = folder.path() / "old.safetensors";
  write_weights(file, parameters(2, 3), {{1, 2}, {3, 4, 5, 6}, {7, 8, 9}}, {"", "plain", 1, {}});
  const StartWeights found = start_weights(file, parameters(3, 2), {{0, 0}, {-1, -1, -1, -1, -1, -1}, {-2, -2}});
  EXPECT_THAT(found.values[0], ElementsAre(1, 2));
  EXPECT_THAT(found.values[1], ElementsAre(3, 4, 5, 6, -1, -1));
  EXPECT_THAT(found.values[2], ElementsAre(-2, -2));
  EXPECT_THAT(found.fresh, ElementsAre("classifier.bias"));
  EXPECT_THAT(start_weights(file, parameters(1, 3), {{0, 0}, {0, 0}, {0, 0, 0}}).values[1], ElementsAre(3, 4));
}

TEST(StartWeights, refuses_a_model_of_other_layers) {
  const test_support::ScratchFolder folder;
  const auto file = folder.path() / "old.safetensors";
  write_weights(file, {{"layer 0.qkv.weight", {1, 3}, {}}}, {{1, 2, 3}}, {"", "plain", 1, {}});
  EXPECT_THAT(message_of<std::invalid_argument>([&] {
                start_weights(file, parameters(1, 1), {{0, 0}, {0, 0}, {0}});
              }),
              HasSubstr("has no layer of the model's shape; give [model] the layers"));
}

}  // namespace
}  // namespace attest::checkpoints
