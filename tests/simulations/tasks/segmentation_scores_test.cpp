#include "simulations/tasks/segmentation_scores.hpp"

#include <gtest/gtest.h>

namespace attest::tasks {
namespace {

TEST(SegmentationScores, are_those_of_a_table_by_hand) {
  // Class 0: 6 right of 8; class 1: 1 right of 2. Union of 0: 8 + 7 - 6 = 9, of 1: 2 + 3 - 1 = 4.
  const SegmentationScores found = segmentation_scores({6, 2, 1, 1});
  EXPECT_DOUBLE_EQ(found.pixel_accuracy, 0.7);
  EXPECT_DOUBLE_EQ(found.mean_accuracy, (6.0 / 8 + 1.0 / 2) / 2);
  EXPECT_DOUBLE_EQ(found.mean_iou, (6.0 / 9 + 1.0 / 4) / 2);
}

TEST(SegmentationScores, leave_out_classes_that_are_nowhere) {
  // Class 2 neither occurs nor is answered; class 1 is answered once, but never right.
  const SegmentationScores found = segmentation_scores({3, 1, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_DOUBLE_EQ(found.pixel_accuracy, 0.75);
  EXPECT_DOUBLE_EQ(found.mean_accuracy, 0.75);
  EXPECT_DOUBLE_EQ(found.mean_iou, (3.0 / 4 + 0) / 2);
}

}  // namespace
}  // namespace attest::tasks
