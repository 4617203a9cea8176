// What untrained transformer blocks make of the latents of many images: the clusters of Probabilistic Laplacian
// Eigenmaps.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "kernels/random/stream.hpp"
#include "simulations/data/images/idx.hpp"
#include "simulations/measure/measurement.hpp"
#include "simulations/measure/plan.hpp"

namespace attest::measure {

using data::IdxImages;

/// The network of "Transformers as Unrolled Inference in Probabilistic Laplacian Eigenmaps", Section 4.1, one image a
/// token: W_q and W_k such that an image's logit with itself is kappa, W_v = 2 eta, W_lin = -2 eta, no training.
struct UnrolledNetwork {
  double kappa = 30;
  double eta = 0.4;  ///< below 1/2, so that the feed-forward step X - 2 eta X leaves every direction
  Eigen::Index features = 128;
  bool diffusion = false;  ///< A - I, as derived there, in place of A
};

/// Every row less its mean and divided by its length: layer normalisation without its guard, on the unit sphere.
/// Precondition: no row of equal entries.
Eigen::MatrixXd on_sphere(Eigen::MatrixXd x);

/// Images as latents before the first block: rows X W of length 1 and mean 0, W (pixels x features) normal of variance
/// 1/pixels.
Eigen::MatrixXd projected(const Eigen::MatrixXd& images, Eigen::Index features, random::Stream& stream);

/// One block, X <- P(X + 2 eta A X) or P(X + 2 eta (A - I) X), A = softmax(kappa X X^T), P = on_sphere. X: n x features
/// with rows of length 1.
Eigen::MatrixXd next_latents(const Eigen::MatrixXd& x, const UnrolledNetwork& network);

/// How clustered latents on the unit sphere are.
struct ClusterState {
  double tightness = 0;  ///< mean distance to the nearest other latent over the mean distance of all pairs
  double clusters = 0;   ///< parts that latents fall into when those of a kernel exp(kappa (cos - 1)) >= 1/e are joined
  double largest = 0;    ///< share of the latents in the largest of these parts
  double same_class = 0;  ///< share of latents whose nearest other one is of their class; 0 without classes
};

/// `classes`: one per row of x, or none. Errors: std::invalid_argument for fewer than three rows or another number of
/// classes.
ClusterState cluster_state(const Eigen::MatrixXd& x, double kappa, std::span<const std::uint8_t> classes);

/// Fewer images have no clusters to speak of.
inline constexpr std::size_t least_images = 16;

/// Figure 1 of the paper: the first two latent dimensions before and after eight blocks, and what becomes of the
/// clusters over more blocks than it shows, with A and with A - I; means over random projections of random images.
/// `labels`: one per image, or none. Errors: std::invalid_argument for fewer than `least_images` images, or as
/// cluster_state.
Measurement measure_latents(const std::string& name, const IdxImages& images, std::span<const std::uint8_t> labels,
                            const Plan& plan);

}  // namespace attest::measure
