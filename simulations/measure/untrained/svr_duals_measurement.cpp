#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "kernels/random/stream.hpp"
#include "kernels/spectra/attention_matrices.hpp"
#include "simulations/measure/untrained/svr_duals.hpp"

namespace attest::measure {
namespace {

constexpr std::uint32_t noise_key = random::stream_key("measure/svr-noise");
constexpr double noise_level = 0.5;  // of the keys
constexpr double tube = 0.1;         // epsilon; targets have mean square about 1
constexpr double boxes[] = {1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
constexpr Eigen::Index output = 0;  // the output dimension that is fitted

// One unit: the regression at every C, and attention's own values.
struct UnitResult {
  std::vector<std::optional<DualShares>> fits;  // one per box
  std::vector<double> inside;                   // share of attention's values within [-C/h, C/h], one per box
  double attention_error = 0;                   // root mean square of A(y) y - u in the output dimension
  double needed = 0;                            // the least C whose box holds all values
};

UnitResult look(const Sequences& sequences, const Plan& plan, std::uint64_t unit) {
  const Eigen::MatrixXd clean = sequences.draw(unit, sequences.usual_length);
  random::Stream stream(plan.seed, noise_key, unit);
  Eigen::MatrixXd keys = clean;
  for (Eigen::Index i = 0; i < keys.rows(); ++i) {
    for (Eigen::Index j = 0; j < keys.cols(); ++j) keys(i, j) += noise_level * stream.normal();
  }
  const AttentionKernel kernel = attention_kernel(keys);
  const Eigen::VectorXd targets = clean.col(output);
  const Eigen::VectorXd values = keys.col(output);
  const Eigen::MatrixXd a = spectra::softmax_attention(keys, keys, std::sqrt(static_cast<double>(keys.cols())));
  const auto n = static_cast<double>(keys.rows());
  UnitResult result;
  result.attention_error = (a * values - targets).norm() / std::sqrt(n);
  // Remark 1: v_j = (alpha_j - alpha~_j)/h(k_j), so the value v_j needs |v_j| h(k_j) <= C.
  const Eigen::ArrayXd duals = (values.array() * kernel.normaliser.array()).abs();
  result.needed = duals.maxCoeff();
  for (const double box : boxes) {
    result.fits.push_back(solve_shares(kernel, targets, tube, box));
    result.inside.push_back(static_cast<double>((duals <= box).count()) / n);
  }
  return result;
}

}  // namespace

Measurement measure_svr(const Sequences& sequences, const Plan& plan) {
  const auto units = for_each_unit(plan, [&](std::uint64_t unit) { return look(sequences, plan, unit); });
  const std::string& unit = sequences.unit;
  Measurement result;
  result.id = "svr/" + sequences.name;
  result.title = "Dual variables of the regression behind attention (" + sequences.name + ")";
  Table table{.columns = {"C"}};
  Figure figure{.name = "svr-" + sequences.stem(),
                .title = "Dual variables over C",
                .x_label = "C",
                .y_label = "share",
                .x_log = true};
  Series bound{"dual variables at the bound C", "linespoints"};
  Series zero{"dual variables that are 0", "linespoints"};
  Series inside{"attention's values within Remark 1's box", "linespoints"};
  double largest_gap = 0;
  std::int64_t unsolved = 0;
  std::string fit = "no fit at any C";  // at the largest C that has one
  for (std::size_t b = 0; b < std::size(boxes); ++b) {
    std::vector<DualShares> fits;
    for (const UnitResult& look : units) {
      if (look.fits[b]) fits.push_back(*look.fits[b]);
    }
    unsolved += plan.units - static_cast<std::int64_t>(fits.size());
    const auto mean = [&](double DualShares::*member) -> std::optional<Estimate> {
      if (fits.size() < 2) return std::nullopt;
      return mean_estimate(column(fits, [member](const DualShares& shares) { return shares.*member; }));
    };
    const auto holds = mean_estimate(column(units, [b](const UnitResult& look) { return look.inside[b]; }));
    const auto at_bound = mean(&DualShares::at_bound);
    const auto none = mean(&DualShares::zero);
    const auto error = mean(&DualShares::error);
    add_row(result, table, {fmt::format("{:.0e}", boxes[b])},
            {{"at the bound", at_bound},
             {"zero", none},
             {"relative duality gap", mean(&DualShares::gap)},
             {"error of the fit", error},
             {"attention's values in the box", holds}});
    for (const DualShares& shares : fits) largest_gap = std::max(largest_gap, shares.gap);
    if (at_bound && none && error) {
      bound.add(boxes[b], *at_bound);
      zero.add(boxes[b], *none);
      fit = fmt::format(
          "at C = {:.0e} the fit misses the targets by {} (root mean square) with {} of the dual variables at 0",
          boxes[b], to_text(*error), to_percent(*none));
    }
    inside.add(boxes[b], holds);
  }
  const Estimate attention = mean_estimate(column(units, [](const UnitResult& look) { return look.attention_error; }));
  const Estimate needed = median_estimate(column(units, [](const UnitResult& look) { return look.needed; }));
  result.quantities.push_back({"error of attention", "W_V = I", attention});
  result.quantities.push_back({"C that holds all values", "W_V = I", needed});
  result.text = fmt::format(
      "Primal-dual, Eq 5 and Thm 1. Keys are tokens with normal noise of size {} per coordinate, targets the clean"
      " tokens' first coordinate, the kernel is attention's with its normaliser h, b = 0 and ε = {}. The exact dual"
      " is solved for a range of C, with relative duality gaps of at most {:.1e}; {} of {} problems were left out for"
      " want of convergence or of an optimum other than 0.\n\n"
      "Found: {}; attention with W_V = I, which sees no targets, misses them by {}. To be dual variables, attention's"
      " values vⱼ need |vⱼ| h(kⱼ) ≤ C (Remark 1): the median {} asks for C = {}.",
      noise_level, tube, largest_gap, unsolved, plan.units * static_cast<std::int64_t>(std::size(boxes)), fit,
      to_text(attention), unit, to_text(needed));
  table.caption = fmt::format(
      "Means over {} {}s of {} keys with {:.0f} % asymptotic Student intervals; shares of the dual"
      " variables αⱼ − α̃ⱼ, or of values.",
      plan.units, unit, sequences.usual_length, 100 * confidence_level);
  figure.caption = "Between the two shares lie the free support vectors.";
  figure.series = {std::move(bound), std::move(zero), std::move(inside)};
  result.tables.push_back(std::move(table));
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace attest::measure
