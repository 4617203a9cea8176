#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <fmt/core.h>

#include "simulations/measure/untrained/latents.hpp"

namespace attest::measure {

using data::PixelMoments;
namespace {

constexpr std::int64_t fewest_tokens = 256, most_tokens = 1024;  // images of one run, where there are so many
constexpr int depth = 16;
constexpr int paper_depth = 8;
constexpr int table_blocks[] = {0, 2, 4, 8, 16};
constexpr std::int64_t units_a_run = 16, least_runs = 8;
constexpr std::uint32_t run_key = random::stream_key("measure/latents");

/// The images and the projection of one run.
struct Start {
  Eigen::MatrixXd latents;
  std::vector<std::uint8_t> classes;
};

Start start_of(const IdxImages& images, std::span<const std::uint8_t> labels, PixelMoments moments, const Plan& plan,
               std::uint64_t run) {
  random::Stream stream(plan.seed, run_key, run);
  // The first places of a random order: no image twice.
  std::vector<std::size_t> order(images.count);
  std::iota(order.begin(), order.end(), 0);
  const auto tokens = static_cast<std::size_t>(std::clamp(plan.units / 4, fewest_tokens, most_tokens));
  const std::size_t n = std::min(tokens, images.count);
  const std::size_t pixels = images.rows * images.columns;
  Eigen::MatrixXd x(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(pixels));
  Start start;
  for (std::size_t i = 0; i < n; ++i) {
    std::swap(order[i], order[i + stream.integer(images.count - i)]);
    const auto image = images.image(order[i]);
    for (std::size_t k = 0; k < pixels; ++k)
      x(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) =
          (static_cast<double>(image[k]) / 255 - moments.mean) / moments.deviation;
    if (!labels.empty()) start.classes.push_back(labels[order[i]]);
  }
  start.latents = projected(x, UnrolledNetwork().features, stream);
  return start;
}

struct Rule {
  const char* name;
  const char* stem;
  bool diffusion;
};
constexpr Rule rules[] = {{"A", "attention", false}, {"A − I", "diffusion", true}};

using Trace = std::vector<ClusterState>;

Trace trace(const Start& start, const UnrolledNetwork& network) {
  Eigen::MatrixXd x = start.latents;
  Trace states = {cluster_state(x, network.kappa, start.classes)};
  for (int block = 0; block < depth; ++block) {
    x = next_latents(x, network);
    states.push_back(cluster_state(x, network.kappa, start.classes));
  }
  return states;
}

Figure scatter(const std::string& name, const std::string& title, const Eigen::MatrixXd& x,
               const std::vector<std::uint8_t>& classes) {
  Figure figure{.name = name, .title = title, .x_label = "first latent dimension", .y_label = "second"};
  std::vector<double> first(x.col(0).begin(), x.col(0).end()), second(x.col(1).begin(), x.col(1).end());
  if (classes.empty())
    figure.series.push_back({"", "points", std::move(first), std::move(second)});
  else
    figure.heat = Heat{"class", std::move(first), std::move(second), {classes.begin(), classes.end()}};
  figure.caption = fmt::format("{} images, the first run; rows of length 1.", x.rows());
  return figure;
}

Estimate at_block(const std::vector<Trace>& traces, int block, double ClusterState::*member) {
  return mean_estimate(
      column(traces, [&](const Trace& trace) { return trace[static_cast<std::size_t>(block)].*member; }));
}

void add_rows(Measurement& result, Table& table, const char* rule, const std::vector<Trace>& traces, bool labelled) {
  for (const int block : table_blocks) {
    std::vector<Number> numbers = {{"nearest / mean distance", at_block(traces, block, &ClusterState::tightness)},
                                   {"clusters", at_block(traces, block, &ClusterState::clusters)}};
    if (labelled) numbers.push_back({"nearest of the same class", at_block(traces, block, &ClusterState::same_class)});
    add_row(result, table, {rule, fmt::format("{}", block)}, numbers);
  }
}

Series over_blocks(const char* rule, const std::vector<Trace>& traces, double ClusterState::*member) {
  Series series{rule, "linespoints"};
  for (int block = 0; block <= depth; ++block) series.add(block, at_block(traces, block, member));
  return series;
}

std::string findings_of(const char* rule, const std::vector<Trace>& traces, bool labelled) {
  const auto text = [&](int block, double ClusterState::*member) { return to_text(at_block(traces, block, member)); };
  std::string findings = fmt::format(
      "\n\nWith {}, {} blocks bring the nearest image from {} of the mean distance to {} and the clusters from {} to "
      "{}; {} blocks leave {}.",
      rule, paper_depth, text(0, &ClusterState::tightness), text(paper_depth, &ClusterState::tightness),
      text(0, &ClusterState::clusters), text(paper_depth, &ClusterState::clusters), depth,
      text(depth, &ClusterState::clusters));
  if (labelled)
    findings += fmt::format(" The nearest image is of the same class in {} before and {} after {} blocks.",
                            to_percent(at_block(traces, 0, &ClusterState::same_class)),
                            to_percent(at_block(traces, paper_depth, &ClusterState::same_class)), paper_depth);
  return findings;
}

}  // namespace

Measurement measure_latents(const std::string& name, const IdxImages& images, std::span<const std::uint8_t> labels,
                            const Plan& plan) {
  if (images.count < least_images)
    throw std::invalid_argument(
        fmt::format("{} has {} images; clusters need {} or more", name, images.count, least_images));
  const PixelMoments moments = pixel_moments(images);
  Plan runs = plan;
  runs.units = std::max(least_runs, plan.units / units_a_run);
  const auto starts =
      for_each_unit(runs, [&](std::uint64_t run) { return start_of(images, labels, moments, plan, run); });

  Measurement result;
  result.id = "latents/" + name;
  result.title = "What untrained blocks make of images as tokens (" + name + ")";
  const std::string stem = file_stem(name);
  Figure tight{.name = "latents-tightness-" + stem,
               .title = "How tight the clusters are",
               .x_label = "blocks",
               .y_label = "nearest distance / mean distance"};
  Figure parts{
      .name = "latents-clusters-" + stem, .title = "Number of clusters", .x_label = "blocks", .y_label = "clusters"};
  result.figures.push_back(scatter("latents-start-" + stem, "Latents after the random projection",
                                   starts.front().latents, starts.front().classes));
  Table table{.columns = {"update", "blocks"}};
  std::string findings;
  for (const Rule& rule : rules) {
    UnrolledNetwork network;
    network.diffusion = rule.diffusion;
    const auto traces =
        for_each_unit(runs, [&](std::uint64_t run) { return trace(starts[static_cast<std::size_t>(run)], network); });
    Eigen::MatrixXd x = starts.front().latents;
    for (int block = 0; block < paper_depth; ++block) x = next_latents(x, network);
    result.figures.push_back(scatter(fmt::format("latents-{}-{}", rule.stem, stem),
                                     fmt::format("Latents after {} blocks with {}", paper_depth, rule.name), x,
                                     starts.front().classes));
    add_rows(result, table, rule.name, traces, !labels.empty());
    tight.series.push_back(over_blocks(rule.name, traces, &ClusterState::tightness));
    parts.series.push_back(over_blocks(rule.name, traces, &ClusterState::clusters));
    findings += findings_of(rule.name, traces, !labels.empty());
  }
  const UnrolledNetwork network;
  result.text = fmt::format(
      "Laplacian Eigenmaps, Section 4.1 and Fig 1: whole images of standardised pixels are tokens, projected to {} "
      "features by a random "
      "matrix,"
      " and go through blocks without training (κ = {}, η = {}), whose feed-forward step their normalisation undoes."
      " Clusters are what remains joined where the kernel exp(κ(cos − 1)) is 1/e or more; they are the tighter the "
      "more images there are.{}",
      network.features, network.kappa, network.eta, findings);
  table.caption =
      fmt::format("Means over {} runs of {} images and a projection each, {:.0f} % asymptotic Student intervals.",
                  runs.units, starts.front().latents.rows(), 100 * confidence_level);
  result.tables = {std::move(table)};
  result.figures.push_back(std::move(tight));
  result.figures.push_back(std::move(parts));
  return result;
}

}  // namespace attest::measure
