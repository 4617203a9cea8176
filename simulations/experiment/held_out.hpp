// The parts of a data set of examples as a DataSpec wants them.
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulations/data/files/splits.hpp"
#include "simulations/experiment/experiment.hpp"

namespace attest::experiment {

/// The seed of held-out examples and of generated data: one for all seeds of an experiment, so that all see the same.
constexpr std::uint64_t data_seed = 1;

/// How many examples are generated.
struct GeneratedCounts {
  std::size_t train = 10000, validation = 1000, test = 1000;
};
inline GeneratedCounts generated_counts(const DataSpec& data) {
  GeneratedCounts counts;
  if (data.train > 0) counts.train = static_cast<std::size_t>(data.train);
  if (data.validation >= 1) counts.validation = static_cast<std::size_t>(data.validation);
  if (data.test > 0) counts.test = static_cast<std::size_t>(data.test);
  return counts;
}

/// Examples of a part, where their number is a member or a function.
template <class Examples>
std::size_t count_of(const Examples& examples) {
  if constexpr (requires { examples.count(); })
    return examples.count();
  else
    return examples.count;
}

/// The first `wanted` examples; 0: all.
template <class Examples>
Examples limited(Examples examples, Index wanted) {
  const auto most = static_cast<std::size_t>(wanted);
  if (wanted == 0 || count_of(examples) <= most) return examples;
  std::vector<std::size_t> indices(most);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return select(examples, indices);
}

/// Makes a validation part where there is none, then takes as many examples as wanted. A set that is one part alone,
/// whatever its name, is taken as a training part. Errors: std::invalid_argument when nothing would be left to train
/// on.
template <class Examples>
data::Splits<Examples> as_wanted(data::Splits<Examples> splits, const DataSpec& data) {
  constexpr double usual_share = 0.1;
  for (Examples* alone : {&splits.test, &splits.validation})
    if (count_of(splits.train) == 0) std::swap(splits.train, *alone);
  const std::size_t there = count_of(splits.train);
  if (count_of(splits.validation) == 0) {
    const double wanted = data.validation == 0 ? usual_share : data.validation;
    const double share = wanted < 1 ? wanted : wanted / static_cast<double>(there);
    if (!(share < 1))
      throw std::invalid_argument(
          fmt::format("data.validation is {}, but {} has {} training examples", wanted, data.name, there));
    const data::HeldOut parts = splits.train.labels.empty() ? data::hold_out(there, share, data_seed)
                                                            : data::hold_out(splits.train.labels, share, data_seed);
    splits.validation = select(splits.train, parts.validation);
    splits.train = select(splits.train, parts.train);
  }
  return {limited(std::move(splits.train), data.train), std::move(splits.validation),
          limited(std::move(splits.test), data.test)};
}

}  // namespace attest::experiment
