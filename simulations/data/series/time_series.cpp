#include "simulations/data/series/time_series.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/core.h>

namespace attest::data {

std::size_t SeriesSet::longest() const {
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

SeriesSet select(const SeriesSet& series, std::span<const std::size_t> indices) {
  SeriesSet chosen;
  chosen.problem = series.problem;
  chosen.dimensions = series.dimensions;
  chosen.classes = series.classes;
  for (const std::size_t index : indices) {
    chosen.lengths.push_back(series.lengths.at(index));
    chosen.starts.push_back(chosen.values.size());
    const auto first = static_cast<std::ptrdiff_t>(series.starts[index]);
    const auto last = first + static_cast<std::ptrdiff_t>(series.lengths[index] * series.dimensions);
    chosen.values.insert(chosen.values.end(), series.values.begin() + first, series.values.begin() + last);
    chosen.observed.insert(chosen.observed.end(), series.observed.begin() + first, series.observed.begin() + last);
    if (!series.labels.empty()) chosen.labels.push_back(series.labels[index]);
    if (!series.targets.empty()) chosen.targets.push_back(series.targets[index]);
  }
  return chosen;
}

std::vector<DimensionMoments> dimension_moments(const SeriesSet& series) {
  std::vector<DimensionMoments> moments(series.dimensions);
  std::vector<std::size_t> seen(series.dimensions);
  // Welford's recurrence: values far from zero lose no digits of the deviation.
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    if (series.observed[i] == 0) continue;
    const std::size_t d = i % series.dimensions;
    const double distance = series.values[i] - moments[d].mean;
    moments[d].mean += distance / static_cast<double>(++seen[d]);
    moments[d].deviation += distance * (series.values[i] - moments[d].mean);
  }
  for (std::size_t d = 0; d < series.dimensions; ++d)
    moments[d].deviation = seen[d] == 0 ? 0 : std::sqrt(moments[d].deviation / static_cast<double>(seen[d]));
  return moments;
}

}  // namespace attest::data
