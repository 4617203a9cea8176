#include "simulations/tasks/task.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::tasks {
namespace {

using test_support::message_of;

/// Ten images of one pixel, whose label is the pixel.
Task digits() {
  Task task;
  task.kind = ModelSpec::Kind::vision;
  task.shape = {10, 1, 1, 1};
  task.train.images = {
      10, 1, 1, 1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, data::numbered_labels(10)};
  task.channels = {{0, 1.0 / 255}};
  return task;
}

Batch drawn(const Task& task, std::uint64_t seed, std::uint64_t number, Index size) {
  EpochOrder none;
  return task.training_batch(seed, number, size, none);
}

TEST(Task, shows_every_image_once_in_an_epoch_in_an_order_of_the_seed) {
  const Task task = digits();
  std::vector<std::int64_t> first, second, other;
  for (std::uint64_t b = 0; b < 5; ++b) {
    const Batch one = drawn(task, 1, b, 2), next = drawn(task, 1, b + 5, 2), seeded = drawn(task, 2, b, 2);
    first.insert(first.end(), one.answers.begin(), one.answers.end());
    second.insert(second.end(), next.answers.begin(), next.answers.end());
    other.insert(other.end(), seeded.answers.begin(), seeded.answers.end());
    EXPECT_FLOAT_EQ(one.values[0], static_cast<float>(one.answers[0]));
  }
  EXPECT_NE(first, second);
  EXPECT_NE(first, other);
  for (auto* epoch : {&first, &second}) {
    std::sort(epoch->begin(), epoch->end());
    EXPECT_EQ(*epoch, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  }
}

TEST(Task, takes_batches_across_the_end_of_an_epoch) {
  const Task task = digits();
  std::vector<std::int64_t> all;
  for (std::uint64_t b = 0; b < 10; ++b) {
    const Batch batch = drawn(task, 1, b, 3);
    all.insert(all.end(), batch.answers.begin(), batch.answers.end());
  }
  for (std::int64_t label = 0; label < 10; ++label) EXPECT_EQ(std::count(all.begin(), all.end(), label), 3);
}

TEST(Task, cuts_a_text_in_three_and_asks_for_the_next_character) {
  const test_support::ScratchFolder folder;
  const auto file = folder.write("text.txt", "abcabcabcabcabcabcab");
  DataSpec data;
  data.name = file.string();
  data.train_share = 0.5;
  data.validation_share = 0.25;
  const Task task = load_task(data, ModelSpec::Kind::language, 2, {});
  EXPECT_EQ(task.shape.classes, 3);
  EXPECT_EQ(task.train.tokens.size(), 10U);
  EXPECT_EQ(task.validation.tokens.size(), 5U);
  EXPECT_EQ(task.test.tokens.size(), 5U);
  EXPECT_EQ(task.examples(task.validation), 2U);
  const Batch batch = task.batch(task.validation, 1, 1);
  EXPECT_EQ(batch.tokens, (std::vector<std::int64_t>{0, 1}));  // characters 12 and 13
  EXPECT_EQ(batch.answers, (std::vector<std::int64_t>{1, 2}));
  const Batch windows = drawn(task, 1, 0, 50);
  for (std::size_t i = 0; i < windows.tokens.size(); ++i) EXPECT_EQ(windows.answers[i], (windows.tokens[i] + 1) % 3);
  EXPECT_EQ(std::set<std::int64_t>(windows.tokens.begin(), windows.tokens.end()).size(), 3U);
}

TEST(Task, mirrors_and_moves_pictures_and_fills_with_the_mean) {
  Task task = digits();
  task.shape = {2, 1, 3, 1};
  task.train.images = {1, 1, 1, 3, {10, 20, 30}, {1}, data::numbered_labels(2)};
  task.channels = {{20.0 / 255, 10.0 / 255}};
  task.augmentation = {true, 1};
  std::set<std::vector<int>> seen;
  for (std::uint64_t b = 0; b < 200; ++b) {
    const Batch batch = drawn(task, 1, b, 1);
    std::vector<int> rounded;
    for (const float value : batch.values) rounded.push_back(static_cast<int>(std::lround(value)));
    seen.insert(rounded);
  }
  // Both ways round, each moved by -1, 0 or 1; moved out of its one row, a picture is the mean colour alone.
  EXPECT_EQ(seen, (std::set<std::vector<int>>{{-1, 0, 1}, {1, 0, -1}, {0, -1, 0}, {0, 1, 0}, {0, 0, 0}}));
  EXPECT_EQ(drawn(task, 1, 3, 1).values, drawn(task, 1, 3, 1).values);
}

TEST(Task, fills_series_up_and_standardises_by_the_training_part) {
  const test_support::ScratchFolder folder;
  const std::string header =
      "@problemName p\n@timeStamps false\n@missing true\n@univariate false\n@dimensions 2\n@equalLength false\n"
      "@classLabel true a b\n@data\n";
  folder.write("p_TRAIN.ts", header + "1,3:10,30:a\n1,?,3:10,20,30:b\n3,1:30,10:a\n1,3:10,30:b\n");
  folder.write("p_TEST.ts", header + "3,2,1,1:30,20,10,10:b\n");
  DataSpec data;
  data.name = folder.path().string();
  data.validation = 0.5;
  const Task task = load_task(data, ModelSpec::Kind::series, 0, {});
  EXPECT_EQ(task.shape.tokens, 4);
  EXPECT_EQ(task.shape.dimensions, 2);
  EXPECT_EQ(task.shape.classes, 2);
  EXPECT_TRUE(task.shape.unequal);
  EXPECT_EQ(task.examples(task.train), 2U);
  EXPECT_EQ(task.examples(task.validation), 2U);
  const Batch batch = task.batch(task.test, 0, 1);
  EXPECT_EQ(batch.answers, (std::vector<std::int64_t>{1}));
  EXPECT_EQ(batch.lengths, (std::vector<Index>{4}));
  ASSERT_EQ(batch.values.size(), 8U);
  // A number below 2, made in double or with three roundings in single precision.
  constexpr double rounding = 3 * 2 * tests::single_roundoff;
  EXPECT_NEAR(batch.values[0], (3 - task.channels[0].mean) / task.channels[0].deviation, rounding);
  EXPECT_EQ(task.batch(task.train, 0, 1).values.back(), 0.0F);  // filled up
}

TEST(Task, reads_listops_token_by_token) {
  DataSpec data;
  data.name = "listops-generated";
  data.train = 50;
  data.validation = 10;
  data.test = 10;
  data.above = 5;
  data.below = 30;
  data.deepest = 4;
  const Task task = load_task(data, ModelSpec::Kind::sequence, 0, {});
  EXPECT_EQ(task.shape.vocabulary, 15);
  EXPECT_EQ(task.shape.classes, 10);
  EXPECT_LT(task.shape.tokens, 30);
  EXPECT_EQ(task.examples(task.train), 50U);
  EXPECT_EQ(task.examples(task.test), 10U);
  const Batch batch = task.batch(task.validation, 3, 1);
  EXPECT_EQ(batch.lengths.front(), static_cast<Index>(task.validation.sequences[3].size()));
  EXPECT_EQ(batch.tokens.size(), static_cast<std::size_t>(task.shape.tokens));
}

TEST(Task, refuses_data_that_do_not_suit) {
  const test_support::ScratchFolder folder;
  DataSpec data;
  data.name = folder.write("short.txt", "abcabcabc").string();
  EXPECT_NE(message_of<std::invalid_argument>([&] {
              load_task(data, ModelSpec::Kind::language, 8, {});
            }).find("too few for a context of 8"),
            std::string::npos);
  EXPECT_NE(
      message_of<std::invalid_argument>([&] { load_task(data, ModelSpec::Kind::vision, 0, {}); }).find("running text"),
      std::string::npos);
}

}  // namespace
}  // namespace attest::tasks
