#include "simulations/sweeping/run.hpp"

#include <memory>
#include <optional>
#include <stdexcept>

#include "simulations/sweeping/rank_message.hpp"
#include "simulations/sweeping/workers.hpp"

namespace attest::sweeps {
namespace {

constexpr std::chrono::milliseconds patience{20};

// The first byte of a message. To rank 0: a point, or that the sender has ended. From rank 0: begin nothing more, and
// at the very end that all have ended.
constexpr char point_byte = 'p', end_byte = 'e', halt_byte = 'h';
constexpr char fine = 'y', failed = 'n';

/// The share of `pending` that falls to one rank.
std::vector<std::uint64_t> share_of(const std::vector<std::uint64_t>& pending, const journal::Ranks& ranks) {
  std::vector<std::uint64_t> share;
  for (auto i = static_cast<std::size_t>(ranks.rank()); i < pending.size(); i += static_cast<std::size_t>(ranks.size()))
    share.push_back(pending[i]);
  return share;
}

/// Computes for rank 0 until it is done or told to stop.
void compute_for_rank_0(Workers& workers, journal::Ranks& ranks) {
  while (!workers.finished()) {
    if (const std::optional<PointEnd> end = workers.next(patience)) ranks.send(0, point_byte + packed(*end));
    while (ranks.receive()) workers.halt();
  }
  ranks.send(0, {end_byte});
}

/// Rank 0: its own points, everyone's messages, and the journal.
class Collector {
 public:
  Collector(const Spec& spec, const std::vector<Point>& points, Journal& journal, RunEnd& end,
            const OnProgress& on_progress)
      : spec_(spec), points_(points), journal_(journal), end_(end), on_progress_(on_progress) {}

  /// Ends when every rank has. A failure stops them all, and is thrown only then.
  void run(Workers& workers, journal::Ranks& ranks, const std::atomic<bool>& stop) {
    int others = ranks.size() - 1;
    bool halted = false;
    while (!workers.finished() || others > 0) {
      const std::optional<PointEnd> own = workers.next(workers.finished() ? std::chrono::milliseconds(1) : patience);
      if (workers.finished() && !own) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (own) take(*own);
      while (const std::optional<journal::Message> message = ranks.receive()) {
        if (message->bytes.front() == end_byte) --others;
        if (message->bytes.front() == point_byte) take(unpacked_point(std::string_view(message->bytes).substr(1)));
      }
      if (!halted && (stop || failure_)) {
        halted = true;
        workers.halt();
        for (int rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, {halt_byte});
      }
    }
    // What was finished before the failure is worth keeping, unless it was the journal that failed.
    if (!journal_failed_) journal_.commit();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void take(const PointEnd& end) {
    if (!end.failure.empty()) {
      if (failure_) return;
      failure_ = end.bad_input ? std::make_exception_ptr(std::invalid_argument(end.failure))
                               : std::make_exception_ptr(std::runtime_error(end.failure));
      return;
    }
    if (journal_failed_) return;
    try {
      journal_.add(*spec_.quantity, points_[end.point], end.outcomes);
    } catch (...) {
      journal_failed_ = true;
      failure_ = std::current_exception();
      return;
    }
    ++end_.computed;
    on_progress_(end_.computed, end_.points - end_.taken, label(spec_, points_[end.point]));
  }

  const Spec& spec_;
  const std::vector<Point>& points_;
  Journal& journal_;
  RunEnd& end_;
  const OnProgress& on_progress_;
  std::exception_ptr failure_;
  bool journal_failed_ = false;
};

std::vector<std::uint64_t> missing(const std::vector<Point>& points, const Finished& finished) {
  std::vector<std::uint64_t> pending;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!finished.contains(points[i].id)) pending.push_back(i);
  return pending;
}

}  // namespace

std::vector<Point> shard_of(std::vector<Point> points, std::uint64_t index, std::uint64_t count) {
  std::vector<Point> shard;
  for (std::uint64_t i = index - 1; i < points.size(); i += count) shard.push_back(std::move(points[i]));
  return shard;
}

RunEnd run_points(const Spec& spec, const std::vector<Point>& points, const RunOptions& options, journal::Ranks& ranks,
                  const std::atomic<bool>& stop, const OnProgress& on_progress) {
  RunEnd end;
  end.points = points.size();
  if (ranks.rank() != 0) {
    const std::string plan = ranks.broadcast({});
    if (plan.front() == failed) return end;
    Workers workers(spec, points, share_of(unpacked_list(std::string_view(plan).substr(1)), ranks), options.threads,
                    stop);
    compute_for_rank_0(workers, ranks);
    return end;
  }
  std::unique_ptr<Journal> journal;
  std::vector<std::uint64_t> pending;
  try {
    journal = std::make_unique<Journal>(options.directory, options.resume);
    if (options.resume) journal->require_only(points_of(spec));  // `points` may be one shard of them.
    for (const auto& directory : options.merged) journal->take_from(directory, *spec.quantity, points);
    pending = missing(points, journal->finished(*spec.quantity, points));
  } catch (...) {
    ranks.broadcast({failed});  // The others wait for a plan.
    throw;
  }
  end.taken = points.size() - pending.size();
  ranks.broadcast(fine + packed(pending));
  Workers workers(spec, points, share_of(pending, ranks), options.threads, stop);
  Collector(spec, points, *journal, end, on_progress).run(workers, ranks, stop);
  return end;
}

}  // namespace attest::sweeps
