#include "simulations/measure/untrained/class_clusters.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <fmt/core.h>

#include "simulations/measure/untrained/latents.hpp"

namespace attest::measure {
namespace {

constexpr std::uint32_t run_key = random::stream_key("measure/class-clusters");

struct Partition {
  std::vector<Eigen::Index> cluster;  ///< of each row
  double inertia = std::numeric_limits<double>::infinity();
};

/// Rows of x as centres, each drawn with a chance proportional to its squared distance to the nearest so far.
Eigen::MatrixXd first_centres(const Eigen::MatrixXd& x, Eigen::Index clusters, random::Stream& stream) {
  Eigen::MatrixXd centres(clusters, x.cols());
  centres.row(0) = x.row(static_cast<Eigen::Index>(stream.integer(static_cast<std::uint64_t>(x.rows()))));
  Eigen::VectorXd squares = (x.rowwise() - centres.row(0)).rowwise().squaredNorm();
  for (Eigen::Index c = 1; c < clusters; ++c) {
    double left = stream.uniform() * squares.sum();
    Eigen::Index drawn = 0;
    while (drawn + 1 < x.rows() && (left -= squares(drawn)) > 0) ++drawn;
    centres.row(c) = x.row(drawn);
    squares = squares.cwiseMin((x.rowwise() - centres.row(c)).rowwise().squaredNorm());
  }
  return centres;
}

Partition nearest_centres(const Eigen::MatrixXd& x, const Eigen::MatrixXd& centres) {
  // |x - c|^2 less |x|^2, which no choice of c changes.
  const Eigen::MatrixXd distances =
      (-2 * x * centres.transpose()).rowwise() + centres.rowwise().squaredNorm().transpose();
  Partition found{std::vector<Eigen::Index>(static_cast<std::size_t>(x.rows())), x.squaredNorm()};
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    found.inertia += distances.row(i).minCoeff(&found.cluster[static_cast<std::size_t>(i)]);
  return found;
}

Partition lloyd(const Eigen::MatrixXd& x, Eigen::MatrixXd centres) {
  constexpr int most_steps = 100;
  Partition found = nearest_centres(x, centres);
  for (int step = 0; step < most_steps; ++step) {
    Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(centres.rows(), centres.cols());
    Eigen::VectorXd sizes = Eigen::VectorXd::Zero(centres.rows());
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      sums.row(found.cluster[static_cast<std::size_t>(i)]) += x.row(i);
      sizes(found.cluster[static_cast<std::size_t>(i)]) += 1;
    }
    for (Eigen::Index c = 0; c < centres.rows(); ++c)
      if (sizes(c) > 0) centres.row(c) = sums.row(c) / sizes(c);  // an empty cluster keeps its centre
    Partition next = nearest_centres(x, centres);
    const bool settled = next.cluster == found.cluster;
    found = std::move(next);
    if (settled) break;
  }
  return found;
}

/// The images of one run as latents before the first block, and their classes.
struct Start {
  Eigen::MatrixXd latents;
  std::vector<std::uint8_t> classes;
};

Start start_of(const data::IdxImages& images, std::span<const std::uint8_t> labels, random::Stream& stream) {
  std::vector<std::size_t> order(images.count);
  std::iota(order.begin(), order.end(), 0);
  Eigen::MatrixXd x(images_of_a_run, static_cast<Eigen::Index>(images.rows * images.columns));
  Start start;
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    std::swap(order[at], order[at + stream.integer(images.count - at)]);
    const auto image = images.image(order[at]);
    for (Eigen::Index k = 0; k < x.cols(); ++k) x(i, k) = static_cast<double>(image[static_cast<std::size_t>(k)]) / 255;
    start.classes.push_back(labels[order[at]]);
  }
  start.latents = projected(x, UnrolledNetwork().features, stream);
  return start;
}

struct Network {
  const char* name;
  const char* attention;
  int blocks;
  bool diffusion;
};
constexpr std::array networks = {Network{"projection", "none", 0, false},
                                 Network{"blocks of A", "softmax", blocks_of_the_paper, false},
                                 Network{"blocks of A - I", "graph-diffusion", blocks_of_the_paper, true}};

struct Values {
  ClusterState state;
  double purity = 0;
};
using Run = std::array<Values, networks.size()>;

}  // namespace

double k_means_purity(const Eigen::MatrixXd& x, std::span<const std::uint8_t> classes, Eigen::Index clusters,
                      random::Stream& stream) {
  constexpr int starts = 10;
  Partition best;
  for (int start = 0; start < starts; ++start)
    if (Partition found = lloyd(x, first_centres(x, clusters, stream)); found.inertia < best.inertia)
      best = std::move(found);
  std::map<std::pair<Eigen::Index, std::uint8_t>, double> counts;
  for (std::size_t i = 0; i < classes.size(); ++i) ++counts[{best.cluster[i], classes[i]}];
  std::map<Eigen::Index, double> most;
  for (const auto& [of, count] : counts) most[of.first] = std::max(most[of.first], count);
  double pure = 0;
  for (const auto& [cluster, count] : most) pure += count;
  return pure / static_cast<double>(classes.size());
}

std::vector<BlockVariant> run_blocks(const std::string& name, const data::IdxImages& images,
                                     std::span<const std::uint8_t> labels, const Plan& plan) {
  if (images.count < static_cast<std::size_t>(images_of_a_run) || labels.size() != images.count)
    throw std::invalid_argument(
        fmt::format("{} has {} images and {} labels; runs of blocks take {} images or more, each "
                    "with a label",
                    name, images.count, labels.size(), images_of_a_run));
  const Eigen::Index classes = *std::ranges::max_element(labels) + 1;
  const auto runs = for_each_unit(plan, [&](std::uint64_t run) {
    random::Stream stream(plan.seed, run_key, run);
    const Start start = start_of(images, labels, stream);
    Run values;
    for (std::size_t v = 0; v < networks.size(); ++v) {
      UnrolledNetwork network;
      network.diffusion = networks[v].diffusion;
      Eigen::MatrixXd x = start.latents;
      for (int block = 0; block < networks[v].blocks; ++block) x = next_latents(x, network);
      values[v] = {cluster_state(x, network.kappa, start.classes), k_means_purity(x, start.classes, classes, stream)};
    }
    return values;
  });
  std::vector<BlockVariant> variants;
  for (std::size_t v = 0; v < networks.size(); ++v)
    variants.push_back({networks[v].name,
                        networks[v].attention,
                        {{"nearest_distance", column(runs, [v](const Run& r) { return r[v].state.tightness; })},
                         {"same_class", column(runs, [v](const Run& r) { return r[v].state.same_class; })},
                         {"largest_part", column(runs, [v](const Run& r) { return r[v].state.largest; })},
                         {"purity", column(runs, [v](const Run& r) { return r[v].purity; })}}});
  return variants;
}

}  // namespace attest::measure
