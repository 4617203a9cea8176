// The metrics of segmentation.
#pragma once

#include <vector>

namespace attest::tasks {

/// Of a whole part, over all its pixels that have a class (Long, Shelhamer and Darrell 2015, Section 5). With n_ij
/// pixels of class i called j, t_i = sum_j n_ij and p_i = sum_j n_ji: pixel accuracy sum_i n_ii / sum_i t_i, mean
/// accuracy the mean of n_ii / t_i, mean IoU that of n_ii / (t_i + p_i - n_ii). Classes with no pixel to divide by are
/// left out of a mean, as the published evaluations on ADE20K do.
struct SegmentationScores {
  double pixel_accuracy = 0, mean_accuracy = 0, mean_iou = 0;
};

/// `confusion` is n_ij, [class][answer]. Precondition: classes^2 entries, of which one is above 0.
SegmentationScores segmentation_scores(const std::vector<double>& confusion);

}  // namespace attest::tasks
