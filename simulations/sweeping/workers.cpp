#include "simulations/sweeping/workers.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"

namespace attest::sweeps {

Workers::Workers(const Spec& spec, const std::vector<Point>& points, std::vector<std::uint64_t> pending,
                 unsigned threads, const std::atomic<bool>& stop)
    : spec_(spec),
      points_(points),
      pending_(std::move(pending)),
      threads_(threads == 0 ? parallel::hardware_threads() : threads),
      stop_(stop) {
  working_ = static_cast<unsigned>(std::min<std::size_t>(threads_, pending_.size()));
  pool_.reserve(working_);
  for (unsigned i = working_; i > 0; --i) pool_.emplace_back([this] { work(); });
}

Workers::~Workers() {
  halt();
  pool_.clear();
}

PointEnd Workers::evaluate_point(std::uint64_t point, unsigned threads) const {
  PointEnd end{point, {}};
  const auto failed = [&](const char* what) { return fmt::format("{}: {}", label(spec_, points_[point]), what); };
  try {
    end.outcomes = quantities::evaluate(*spec_.quantity, points_[point].arguments,
                                        {points_[point].seed, spec_.samples, threads, spec_.on_cuda});
  } catch (const std::invalid_argument& refusal) {
    end.failure = failed(refusal.what());
    end.bad_input = true;
  } catch (const std::bad_alloc&) {
    end.failure = failed("there is not enough memory; make the point smaller");
  } catch (const std::exception& failure) {
    end.failure = failed(failure.what());
  }
  return end;
}

void Workers::work() {
  while (!stop_ && !halted_) {
    const std::size_t taken = next_.fetch_add(1);
    if (taken >= pending_.size()) break;
    const std::size_t left = pending_.size() - taken;
    const auto share = static_cast<unsigned>(std::max<std::size_t>(1, threads_ / left));
    PointEnd end = evaluate_point(pending_[taken], share);
    if (!end.failure.empty()) halted_ = true;
    const std::scoped_lock lock(mutex_);
    ends_.push_back(std::move(end));
    something_.notify_one();
  }
  const std::scoped_lock lock(mutex_);
  --working_;
  something_.notify_one();
}

std::optional<PointEnd> Workers::next(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  something_.wait_for(lock, patience, [&] { return !ends_.empty() || working_ == 0; });
  if (ends_.empty()) return std::nullopt;
  PointEnd end = std::move(ends_.front());
  ends_.pop_front();
  return end;
}

bool Workers::finished() {
  const std::scoped_lock lock(mutex_);
  return ends_.empty() && working_ == 0;
}

}  // namespace attest::sweeps
