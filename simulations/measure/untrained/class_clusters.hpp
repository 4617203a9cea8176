// Whether the clusters that untrained blocks make of images are their classes: runs that a statement is judged by.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "kernels/random/stream.hpp"
#include "simulations/data/images/idx.hpp"
#include "simulations/measure/plan.hpp"

namespace attest::measure {

/// The share of the rows of x whose class is the most frequent one of their cluster, for `clusters` clusters by Lloyd's
/// algorithm: the partition with the least sum of squared distances to centres among ten starts by k-means++. Purity is
/// 1 where every cluster is of one class. Preconditions: one class per row, 1 <= clusters <= rows.
double k_means_purity(const Eigen::MatrixXd& x, std::span<const std::uint8_t> classes, Eigen::Index clusters,
                      random::Stream& stream);

/// One network: no block, or the paper's eight, and what its latents are like, a value per run.
struct BlockVariant {
  std::string name;
  std::string attention;  ///< the mechanism of attest list --attention, or "none"
  /// "nearest_distance" and "same_class" (ClusterState), "purity" (k_means_purity with as many clusters as classes) and
  /// "largest_part": the share of latents in the largest part (ClusterState).
  std::map<std::string, std::vector<double>> metrics;
};

/// How many images a run draws.
inline constexpr std::int64_t images_of_a_run = 1000;
/// Blocks of the paper's experiment.
inline constexpr int blocks_of_the_paper = 8;

/// The random projection alone, eight blocks of A and eight of A - I (UnrolledNetwork), from common images and
/// projections: run r draws 1000 images without repetition and a projection from the seed and r. Pixels are taken from
/// 0 to 1, as they are in the file. `plan.units` is the number of runs. Errors: std::invalid_argument for fewer than
/// 1000 images or without a label for each.
std::vector<BlockVariant> run_blocks(const std::string& name, const data::IdxImages& images,
                                     std::span<const std::uint8_t> labels, const Plan& plan);

}  // namespace attest::measure
