#include "simulations/measure/untrained/latents.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/core.h>

#include "kernels/spectra/attention_matrices.hpp"

namespace attest::measure {

Eigen::MatrixXd on_sphere(Eigen::MatrixXd x) {
  for (auto row : x.rowwise()) {
    row.array() -= row.mean();
    row /= row.norm();
  }
  return x;
}

Eigen::MatrixXd projected(const Eigen::MatrixXd& images, Eigen::Index features, random::Stream& stream) {
  Eigen::MatrixXd w(images.cols(), features);
  const double scale = 1 / std::sqrt(static_cast<double>(images.cols()));
  for (Eigen::Index i = 0; i < w.rows(); ++i)
    for (Eigen::Index j = 0; j < w.cols(); ++j) w(i, j) = scale * stream.normal();
  return on_sphere(images * w);
}

Eigen::MatrixXd next_latents(const Eigen::MatrixXd& x, const UnrolledNetwork& network) {
  const Eigen::MatrixXd smooth = spectra::softmax_attention(x, x, 1 / network.kappa) * x;
  const double kept = network.diffusion ? 1 - 2 * network.eta : 1;
  // The feed-forward step multiplies by 1 - 2 eta > 0, which the projection after it takes off again.
  return on_sphere(kept * x + 2 * network.eta * smooth);
}

ClusterState cluster_state(const Eigen::MatrixXd& x, double kappa, std::span<const std::uint8_t> classes) {
  const Eigen::Index n = x.rows();
  if (n < 3) throw std::invalid_argument(fmt::format("cluster_state: {} latents; give three or more", n));
  if (!classes.empty() && classes.size() != static_cast<std::size_t>(n))
    throw std::invalid_argument(fmt::format("cluster_state: {} classes of {} latents", classes.size(), n));
  const Eigen::MatrixXd cosines = x * x.transpose();
  std::vector<Eigen::Index> parent(static_cast<std::size_t>(n));
  std::iota(parent.begin(), parent.end(), 0);
  const auto part_of = [&](Eigen::Index i) {
    while (parent[static_cast<std::size_t>(i)] != i) i = parent[static_cast<std::size_t>(i)];
    return i;
  };
  ClusterState state;
  double pairs = 0, nearest_sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    Eigen::Index nearest = i == 0 ? 1 : 0;
    for (Eigen::Index j = 0; j < n; ++j) {
      if (j == i) continue;
      if (cosines(i, j) > cosines(i, nearest)) nearest = j;
      if (j > i) continue;
      pairs += std::sqrt(std::max(0.0, 2 - 2 * cosines(i, j)));
      if (kappa * (cosines(i, j) - 1) >= -1) parent[static_cast<std::size_t>(part_of(i))] = part_of(j);
    }
    nearest_sum += (x.row(i) - x.row(nearest)).norm();
    if (!classes.empty() && classes[static_cast<std::size_t>(i)] == classes[static_cast<std::size_t>(nearest)])
      state.same_class += 1;
  }
  state.same_class /= static_cast<double>(n);
  std::vector<double> sizes(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i) {
    state.clusters += part_of(i) == i ? 1 : 0;
    ++sizes[static_cast<std::size_t>(part_of(i))];
  }
  state.largest = *std::ranges::max_element(sizes) / static_cast<double>(n);
  const double mean_pair = pairs / (0.5 * static_cast<double>(n) * static_cast<double>(n - 1));
  state.tightness = mean_pair > 0 ? nearest_sum / static_cast<double>(n) / mean_pair : 0;
  return state;
}

}  // namespace attest::measure
