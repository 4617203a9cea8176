// Points evaluated on several threads.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "simulations/sweeping/point.hpp"

namespace attest::sweeps {

/// What became of a point: its outcomes, or why there are none.
struct PointEnd {
  std::uint64_t point = 0;  ///< its place in the sweep
  quantities::Outcomes outcomes;
  std::string failure = {};  ///< one sentence; empty when all went well
  bool bad_input = false;    ///< the failure is the input's, not the machine's
};

/// Evaluates points in the background and hands them over as they are finished. While fewer points than threads are
/// left, a point gets several threads. After a failure, or when `stop` becomes true, no new point is begun.
class Workers {
 public:
  /// All but `pending` and `threads` must outlive the workers; `pending` are places in `points`. 0 threads: one per
  /// core.
  Workers(const Spec& spec, const std::vector<Point>& points, std::vector<std::uint64_t> pending, unsigned threads,
          const std::atomic<bool>& stop);
  /// Waits for the points that were begun.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// The next finished point, or nothing when none was finished within `patience`.
  std::optional<PointEnd> next(std::chrono::milliseconds patience);
  /// Whether everything was handed over and nothing more will come.
  bool finished();
  /// Begins no new point.
  void halt() { halted_ = true; }

 private:
  void work();
  PointEnd evaluate_point(std::uint64_t point, unsigned threads) const;

  const Spec& spec_;
  const std::vector<Point>& points_;
  const std::vector<std::uint64_t> pending_;
  const unsigned threads_;
  const std::atomic<bool>& stop_;
  std::atomic<bool> halted_{false};
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable something_;
  std::deque<PointEnd> ends_;
  unsigned working_ = 0;
  std::vector<std::jthread> pool_;
};

}  // namespace attest::sweeps
