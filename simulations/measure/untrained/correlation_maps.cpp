#include "simulations/measure/untrained/correlation_maps.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "simulations/tokens/positions.hpp"

namespace attest::measure {

using tokens::sinusoidal_positions;
namespace {

constexpr Eigen::Index most_tokens = 24;  // of a map, so that its cells can be told apart

struct Part {
  const char* name;
  int row, column;  // which quarter
};
constexpr Part parts[] = {
    {"token to token", 0, 0}, {"token to position", 0, 1}, {"position to token", 1, 0}, {"position to position", 1, 1}};

Eigen::MatrixXd quarter(const Eigen::MatrixXd& logits, const Part& part) {
  const Eigen::Index n = logits.rows() / 2;
  return logits.block(part.row * n, part.column * n, n, n);
}

Figure map_of(const Eigen::MatrixXd& mean, const Sequences& sequences, std::int64_t units) {
  Figure figure{.name = "correlations-" + sequences.stem(),
                .title = "Mean logits of tokens and positions",
                .x_label = "keys: tokens, then positions",
                .y_label = "queries: tokens, then positions"};
  figure.heat = Heat{.label = "logit", .x = {}, .y = {}, .z = {}};
  for (Eigen::Index i = 0; i < mean.rows(); ++i)
    for (Eigen::Index j = 0; j < mean.cols(); ++j) {
      figure.heat->x.push_back(static_cast<double>(j));
      figure.heat->y.push_back(static_cast<double>(i));
      figure.heat->z.push_back(mean(i, j));
    }
  figure.caption = fmt::format("{} tokens and {} positions, mean over {} {}s.", mean.rows() / 2, mean.rows() / 2, units,
                               sequences.unit);
  return figure;
}

}  // namespace

Eigen::MatrixXd correlation_logits(const Eigen::MatrixXd& tokens, const Eigen::MatrixXd& positions) {
  Eigen::MatrixXd both(2 * tokens.rows(), tokens.cols());
  both << tokens, positions;
  return both * both.transpose() / std::sqrt(static_cast<double>(tokens.cols()));
}

double covariance_over_places(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const auto places = static_cast<double>(a.size() - a.rows());
  const auto off = [](const Eigen::MatrixXd& m) { return m.sum() - m.trace(); };
  const double products = off(a.cwiseProduct(b)) / places;
  return products - off(a) / places * (off(b) / places);
}

void add_correlation_maps(Measurement& measurement, const Sequences& sequences, const Plan& plan) {
  const std::size_t length = sequences.lengths.front();
  const Eigen::Index n = std::min(static_cast<Eigen::Index>(length), most_tokens);
  const Eigen::MatrixXd positions = sinusoidal_positions(n, static_cast<Eigen::Index>(sequences.features));
  const auto logits = for_each_unit(
      plan, [&](std::uint64_t unit) { return correlation_logits(sequences.draw(unit, length).topRows(n), positions); });
  Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  for (const Eigen::MatrixXd& one : logits) mean += one / static_cast<double>(logits.size());
  measurement.figures.push_back(map_of(mean, sequences, plan.units));

  Table table{.columns = {"logits"}};
  for (const Part& part : parts) {
    std::vector<double> pattern, whole;
    for (std::size_t u = 0; u + 1 < logits.size(); u += 2) {
      const Eigen::MatrixXd a = quarter(logits[u], part), b = quarter(logits[u + 1], part);
      pattern.push_back(covariance_over_places(a, b));
      whole.push_back((covariance_over_places(a, a) + covariance_over_places(b, b)) / 2);
    }
    add_row(measurement, table, {part.name}, {{"pattern / variance", ratio_estimate(pattern, whole)}});
  }
  table.caption = fmt::format(
      "Share of the variance over places i ≠ j that is the same in every {} (0: no pattern, 1: nothing else), from {}"
      " pairs of {}s, with {:.0f} % intervals.",
      sequences.unit, logits.size() / 2, sequences.unit, 100 * confidence_level);
  measurement.tables.push_back(std::move(table));
}

}  // namespace attest::measure
