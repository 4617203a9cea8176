// What a check is given: its seed, its effort, its share of the error, and no clock.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "theorems/engine/deferred.hpp"

namespace attest::engine {

/// Thrown inside a check when the user has asked the run to stop.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

/// A check is a pure function of this. Checks count evaluations, never seconds, so that the same seed and effort give
/// the same bits on any machine and for any number of threads.
struct Context {
  std::uint64_t seed = 0;
  std::uint32_t key = 0;  ///< of its random streams, distinct for every claim and near-miss
  double effort = 1;      ///< multiplier of all evaluations: 1 quick, 4 standard, 32 deep
  unsigned threads = 1;   ///< threads a check may use; never changes its result
  /// This claim's share of the suite's false-alarm probability. Deferred: the share of one witness that is replayed
  /// asks every statement of the suite how many it takes.
  Deferred<double> alpha = 1e-9;
  bool stop_at_violation = false;  ///< near-misses: one confirmed violation per part is enough, as found
  bool changes = false;            ///< judge small changes of the statement too, where the check can
  std::string only_part = {};      ///< of a composite: evaluate no other, see `Neighbour::part`
  const std::atomic<bool>* interrupted = nullptr;

  /// Evaluations for a quick budget of `quick`, at this effort. At least 1.
  std::int64_t evaluations(double quick) const {
    const double scaled = quick * effort;
    return scaled < 1 ? 1 : static_cast<std::int64_t>(scaled);
  }
  /// Throws `Interrupted` when the user has asked to stop.
  void poll() const {
    if (interrupted != nullptr && interrupted->load(std::memory_order_relaxed)) throw Interrupted();
  }
};

}  // namespace attest::engine
