#include "simulations/measure/untrained/latents.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::measure {
namespace {

constexpr double rounding = 1e-13;

Eigen::MatrixXd random_latents(Eigen::Index n, Eigen::Index features) {
  random::Stream stream(3, random::stream_key("test/latents"), 0);
  Eigen::MatrixXd x(n, features);
  for (double& entry : x.reshaped()) entry = stream.normal();
  return on_sphere(x);
}

TEST(NextLatents, is_the_formula_written_out_and_stays_on_the_sphere) {
  const Eigen::MatrixXd x = random_latents(5, 4);
  for (const bool diffusion : {false, true}) {
    const Eigen::MatrixXd y = next_latents(x, {.kappa = 3, .eta = 0.3, .features = 4, .diffusion = diffusion});
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      Eigen::RowVectorXd moved = Eigen::RowVectorXd::Zero(4);
      double total = 0;
      for (Eigen::Index j = 0; j < x.rows(); ++j) {
        const double weight = std::exp(3 * x.row(i).dot(x.row(j)));
        moved += weight * x.row(j);
        total += weight;
      }
      moved = x.row(i) + 2 * 0.3 * (moved / total - (diffusion ? 1 : 0) * x.row(i));
      // The feed-forward step and its normalisation, which next_latents leaves out.
      moved = (1 - 2 * 0.3) * moved;
      moved.array() -= moved.mean();
      EXPECT_NEAR((y.row(i) - moved / moved.norm()).norm(), 0, rounding);
      EXPECT_NEAR(y.row(i).norm(), 1, rounding);
      EXPECT_NEAR(y.row(i).sum(), 0, rounding);
    }
  }
}

TEST(NextLatents, leaves_what_has_already_collapsed) {
  Eigen::MatrixXd x(3, 2);
  const double s = std::sqrt(0.5);
  x << s, -s, s, -s, s, -s;
  EXPECT_NEAR((next_latents(x, {}) - x).norm(), 0, rounding);
}

TEST(Projected, lies_on_the_sphere_whatever_the_images_are_scaled_by) {
  const Eigen::MatrixXd images = random_latents(6, 20);
  random::Stream once(1, 2, 3), again(1, 2, 3);
  const Eigen::MatrixXd x = projected(images, 7, once);
  EXPECT_EQ(x.cols(), 7);
  EXPECT_NEAR((x - projected(1000 * images, 7, again)).norm(), 0, rounding);
  for (const auto row : x.rowwise()) EXPECT_NEAR(row.norm(), 1, rounding);
}

TEST(ClusterState, counts_parts_and_neighbours_as_worked_out_by_hand) {
  // Two latents a little apart and one across the circle.
  const double angle = 0.1;
  Eigen::MatrixXd x(3, 2);
  x << 1, 0, std::cos(angle), std::sin(angle), -1, 0;
  const std::vector<std::uint8_t> classes = {4, 4, 5};
  const ClusterState state = cluster_state(x, 30, classes);
  EXPECT_EQ(state.clusters, 2);
  EXPECT_NEAR(state.largest, 2.0 / 3, rounding);
  const double near = 2 * std::sin(angle / 2), far = 2 * std::cos(angle / 2);
  EXPECT_NEAR(state.tightness, ((2 * near + far) / 3) / ((near + far + 2) / 3), rounding);
  EXPECT_NEAR(state.same_class, 2.0 / 3, rounding);
  // A kernel that falls faster parts them: 30 times wider, 1 - cos(0.1) is above 1/900.
  EXPECT_EQ(cluster_state(x, 900, {}).clusters, 3);
  EXPECT_EQ(cluster_state(x, 900, {}).same_class, 0);
}

TEST(ClusterState, refuses_what_has_no_neighbours) {
  const Eigen::MatrixXd x = random_latents(4, 3);
  const std::vector<std::uint8_t> classes = {1, 2};
  EXPECT_THROW(cluster_state(x.topRows(2), 30, {}), std::invalid_argument);
  EXPECT_THROW(cluster_state(x, 30, classes), std::invalid_argument);
}

IdxImages two_kinds_of_images(std::vector<std::uint8_t>& labels) {
  // Bright left or right halves with some noise.
  IdxImages images{40, 8, 8, {}};
  random::Stream stream(5, random::stream_key("test/images"), 0);
  for (std::size_t i = 0; i < images.count; ++i) {
    labels.push_back(static_cast<std::uint8_t>(i % 2));
    for (std::size_t k = 0; k < 64; ++k)
      images.pixels.push_back(
          static_cast<std::uint8_t>((k % 8 < 4) == (i % 2 == 0) ? 200 + stream.integer(56) : stream.integer(56)));
  }
  return images;
}

TEST(MeasureLatents, finds_the_two_clusters_of_two_kinds_of_images) {
  std::vector<std::uint8_t> labels;
  const IdxImages images = two_kinds_of_images(labels);
  const Measurement measured = measure_latents("two kinds", images, labels, {1, 1, 16});
  for (const Quantity& quantity : measured.quantities) {
    if (quantity.where != "A, 16" && quantity.where != "A − I, 16") continue;
    if (quantity.name == "clusters") {
      EXPECT_EQ(quantity.estimate.value, 2) << quantity.where;
    } else if (quantity.name == "nearest of the same class") {
      EXPECT_EQ(quantity.estimate.value, 1) << quantity.where;
    }
  }
  ASSERT_EQ(measured.figures.size(), 5U);
  EXPECT_EQ(measured.figures.front().name, "latents-start-two-kinds");
  ASSERT_TRUE(measured.figures.front().heat.has_value());
  EXPECT_EQ(measured.figures.front().heat->z.size(), images.count);
}

TEST(MeasureLatents, needs_images_enough_but_no_labels) {
  std::vector<std::uint8_t> labels;
  IdxImages images = two_kinds_of_images(labels);
  EXPECT_FALSE(measure_latents("x", images, {}, {1, 1, 16}).figures.front().heat.has_value());
  images.count = least_images - 1;
  images.pixels.resize(images.count * 64);
  EXPECT_THROW(measure_latents("x", images, {}, {1, 1, 16}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::measure
