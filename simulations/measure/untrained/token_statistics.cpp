#include "simulations/measure/untrained/token_statistics.hpp"

#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "simulations/measure/untrained/depth.hpp"
#include "simulations/tokens/positions.hpp"

namespace attest::measure {

using tokens::sinusoidal_positions;

TokenStatistics token_statistics(const Eigen::MatrixXd& tokens) {
  TokenStatistics result;
  result.cosine = mean_pairwise_cosine(tokens);
  const auto n = static_cast<double>(tokens.rows());
  const Eigen::VectorXd lengths = tokens.rowwise().norm();
  result.length = lengths.mean();
  result.length_variation = std::sqrt((lengths.array() - result.length).square().mean()) / result.length;
  double equal = 0;
  for (Eigen::Index i = 0; i < tokens.rows(); ++i) {
    for (Eigen::Index j = 0; j < i; ++j) equal += tokens.row(i) == tokens.row(j) ? 1 : 0;
  }
  result.duplicates = equal / (n * (n - 1) / 2);
  const Eigen::MatrixXd positions = sinusoidal_positions(tokens.rows(), tokens.cols());
  const Eigen::VectorXd position_lengths = positions.rowwise().norm();
  double sum = 0;
  double count = 0;
  for (Eigen::Index i = 0; i < tokens.rows(); ++i) {
    if (lengths[i] == 0) continue;
    sum += ((positions * tokens.row(i).transpose()).array() / position_lengths.array()).abs().sum() / lengths[i];
    count += n;
  }
  result.position_cosine = sum / count;
  return result;
}

double mean_cosine_of_random_directions(std::size_t d) {
  // Gamma(d/2)/Gamma((d+1)/2) by the recursion d -> d + 2 from Gamma(1/2) = sqrt(pi) and Gamma(1) = 1.
  double ratio = d % 2 == 1 ? std::sqrt(std::numbers::pi) : 2 / std::sqrt(std::numbers::pi);
  for (std::size_t k = d % 2 == 1 ? 1 : 2; k < d; k += 2) ratio *= static_cast<double>(k) / static_cast<double>(k + 1);
  return ratio / std::sqrt(std::numbers::pi);
}

Measurement measure_tokens(const Sequences& sequences, const Plan& plan) {
  const auto units = for_each_unit(
      plan, [&](std::uint64_t unit) { return token_statistics(sequences.draw(unit, sequences.usual_length)); });
  const auto mean = [&](double TokenStatistics::*member) {
    return mean_estimate(column(units, [member](const TokenStatistics& unit) { return unit.*member; }));
  };
  const double random = mean_cosine_of_random_directions(sequences.features);
  const Estimate variation = mean(&TokenStatistics::length_variation);
  const Estimate position = mean(&TokenStatistics::position_cosine);
  Measurement result;
  result.id = "tokens/" + sequences.name;
  result.title = "The tokens of " + sequences.name;
  Table table{.columns = {"N", "d"}};
  add_row(result, table, {fmt::format("{}", sequences.usual_length), fmt::format("{}", sequences.features)},
          {{"mean length", mean(&TokenStatistics::length)},
           {"deviation / mean of lengths", variation},
           {"mean cosine between tokens", mean(&TokenStatistics::cosine)},
           {"equal pairs", mean(&TokenStatistics::duplicates)},
           {"mean |cos| of token and position", position}});
  table.caption = fmt::format("Means over {} {}s with {:.0f} % asymptotic Student intervals.", plan.units,
                              sequences.unit, 100 * confidence_level);
  result.text = fmt::format(
      "{}\n\nBoosting, Prop 3.2 assumes tokens of one length: here the lengths deviate by {} of their mean."
      " Section 3.3 takes tokens and positions for nearly orthogonal: the mean |cos| is {}, where"
      " independent random directions of {} features have {:.3f}.",
      sequences.description, to_percent(variation), to_text(position), sequences.features, random);
  result.tables.push_back(std::move(table));
  return result;
}

}  // namespace attest::measure
