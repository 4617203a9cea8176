#include "simulations/measure/untrained/class_clusters.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::measure {
namespace {

/// Three crowds far apart, ten points each.
Eigen::MatrixXd crowds(random::Stream& stream) {
  Eigen::MatrixXd x(30, 2);
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const double angle = 2 * static_cast<double>(i / 10);
    x.row(i) << std::cos(angle) + 0.01 * stream.normal(), std::sin(angle) + 0.01 * stream.normal();
  }
  return x;
}

TEST(KMeansPurity, CountsTheMostFrequentClassOfEachCluster) {
  random::Stream stream(3, random::stream_key("test/crowds"), 0);
  const Eigen::MatrixXd x = crowds(stream);
  std::vector<std::uint8_t> classes;
  for (int i = 0; i < 30; ++i) classes.push_back(static_cast<std::uint8_t>(i / 10));
  EXPECT_EQ(k_means_purity(x, classes, 3, stream), 1);
  // Four of another class in the first crowd, three in the second.
  for (const int i : {0, 1, 2, 3, 10, 11, 12}) classes[static_cast<std::size_t>(i)] = 7;
  EXPECT_DOUBLE_EQ(k_means_purity(x, classes, 3, stream), 23.0 / 30);
  // One cluster: the class of the ten in the third crowd.
  EXPECT_DOUBLE_EQ(k_means_purity(x, classes, 1, stream), 10.0 / 30);
  EXPECT_EQ(k_means_purity(x, classes, 30, stream), 1);
}

/// Bright columns at a place that tells the class, with noise.
data::IdxImages images_of(std::size_t count, std::vector<std::uint8_t>& labels) {
  data::IdxImages images{count, 4, 4, {}};
  random::Stream stream(5, random::stream_key("test/images"), 0);
  for (std::size_t i = 0; i < count; ++i) {
    labels.push_back(static_cast<std::uint8_t>(i % 4));
    for (std::size_t k = 0; k < 16; ++k)
      images.pixels.push_back(static_cast<std::uint8_t>((k % 4 == i % 4 ? 150 : 0) + stream.integer(100)));
  }
  return images;
}

TEST(RunBlocks, HasOneValuePerRunThatNoThreadChanges) {
  std::vector<std::uint8_t> labels;
  const data::IdxImages images = images_of(1100, labels);
  const auto once = run_blocks("columns", images, labels, {.seed = 2, .threads = 1, .units = 2});
  const auto again = run_blocks("columns", images, labels, {.seed = 2, .threads = 2, .units = 2});
  ASSERT_EQ(once.size(), 3U);
  EXPECT_EQ(once.front().attention, "none");
  for (std::size_t v = 0; v < once.size(); ++v) {
    EXPECT_EQ(once[v].metrics, again[v].metrics);
    for (const char* metric : {"nearest_distance", "same_class", "purity", "largest_part"})
      EXPECT_EQ(once[v].metrics.at(metric).size(), 2U) << metric;
    // Classes this far apart stay the clusters.
    EXPECT_EQ(once[v].metrics.at("purity").front(), 1);
  }
  EXPECT_LT(once[2].metrics.at("nearest_distance").front(), once[0].metrics.at("nearest_distance").front());
}

TEST(RunBlocks, RefusesTooFewImagesAndImagesWithoutLabels) {
  std::vector<std::uint8_t> labels;
  const data::IdxImages few = images_of(900, labels);
  EXPECT_THROW(run_blocks("few", few, labels, {}), std::invalid_argument);
  labels.clear();
  const data::IdxImages images = images_of(1000, labels);
  labels.pop_back();
  EXPECT_THROW(run_blocks("bare", images, labels, {}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::measure
