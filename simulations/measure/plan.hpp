// How many units a measurement looks at, and in what order their results are combined.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/parallel/blocks.hpp"

namespace attest::measure {

/// The size of one measurement.
struct Plan {
  std::uint64_t seed = 1;
  unsigned threads = 0;     ///< 0 means one per core
  std::int64_t units = 64;  ///< images or windows
};

/// function(0), function(1), ..., function(units - 1), in that order for any number of threads.
template <typename Function>
auto for_each_unit(const Plan& plan, Function function) {
  std::vector<std::decay_t<decltype(function(std::uint64_t{0}))>> results(static_cast<std::size_t>(plan.units));
  parallel::for_each_block(plan.units, plan.threads, [&](std::int64_t unit) {
    results[static_cast<std::size_t>(unit)] = function(static_cast<std::uint64_t>(unit));
  });
  return results;
}

/// member(result) of every result: the sample of which an estimate is made.
template <typename Result, typename Member>
std::vector<double> column(const std::vector<Result>& results, Member member) {
  std::vector<double> values;
  values.reserve(results.size());
  for (const Result& result : results) values.push_back(static_cast<double>(member(result)));
  return values;
}

}  // namespace attest::measure
