// The mean of a statistic over independent samples, as an outcome.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/monte_carlo/replicates.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/statistics/welford.hpp"

namespace attest::quantities {

/// `statistic` of the samples 0, ..., execution.samples - 1, on the execution's threads in blocks that are merged in
/// order: the same bits for any number of threads, and memory independent of the number of samples. `statistic` is a
/// pure function of the sample's number, which it draws its random numbers by, and is called from several threads at
/// once. `see`, where given, is handed every value in order, on the calling thread.
statistics::Welford sampled_moments(const Execution& execution, const std::function<double(std::uint64_t)>& statistic,
                                    const std::function<void(double)>& see = {});

/// The mean with the interval at `error_level` of samples whose law is in the class `known`
/// (statistics::anytime_mean_interval), after every number of samples, so that a point may be looked at and computed
/// again with more samples. A mean that is not finite has an open interval.
Outcome mean_outcome(const statistics::Welford& moments, const statistics::LawClass& known);

/// A share of samples with an interval of the same kind, exact for every share: of the class `shares`.
Outcome share_outcome(std::uint64_t successes, std::uint64_t samples);

/// The class of a sample that is 0 or 1, whatever the arguments.
KnownLaw shares();

/// The parameter `interval` of quantities whose samples are bounded: "guaranteed" or "asymptotic".
Parameter interval_parameter();

/// The class of samples in [lower, upper]: that range, or asymptotic where the parameter `interval` asks for it.
statistics::LawClass bounded(const Arguments& at, double lower, double upper);

/// The same as a result's class, for bounds that do not depend on the arguments.
KnownLaw bounded_within(double lower, double upper);

/// The parameter `sampling`: how samples are drawn and weighted, of which only the interval's width depends. Words:
/// "plain" and what else the quantity offers, explained in `meaning`.
Parameter sampling_parameter(std::vector<std::string> others, std::string meaning);

/// The mean over 16 replicates of the design that `sampling` names: "quasi" (Sobol points with random digital shifts;
/// the largest power of two points that execution.samples/16 holds) or "stratified" (Latin hypercubes; the next lower
/// prime). Another number of points is another experiment, not more of the same, so that looks at several budgets are
/// covered differently from mean_outcome's: its asymptotic interval for 16 normal means is Student's at
/// error_level/25.5, and execution.samples below 2^29 give 25 numbers of points. Errors: those of replicate_means.
Outcome designed_mean(const Execution& execution, const std::string& sampling, std::size_t dimensions,
                      std::uint32_t key, const monte_carlo::PointStatistic& statistic);

/// Whether an execution's threads take whole samples or share the elements of each: few large samples would leave some
/// idle.
struct ThreadShare {
  unsigned over_samples, inner;

  /// `elements`: of one sample.
  ThreadShare(const Execution& execution, std::uint64_t elements);
  /// The execution for sampled_moments; `inner` is for the kernel that its statistic calls.
  Execution outer(Execution execution) const {
    execution.threads = over_samples;
    return execution;
  }
};

}  // namespace attest::quantities
