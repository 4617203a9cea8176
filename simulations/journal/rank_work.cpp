#include "simulations/journal/rank_work.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attest::journal {
namespace {

constexpr const char* go = "go";
constexpr const char* halt = "halt";
constexpr auto patience = std::chrono::milliseconds(20);

}  // namespace

RankWork::RankWork(Ranks& ranks, std::filesystem::path directory, std::string canonical, bool resume)
    : ranks_(ranks), directory_(std::move(directory)), canonical_(std::move(canonical)) {
  if (!is_first()) {
    const std::string word = ranks_.broadcast({});
    cancelled_ = word == halt;
    if (cancelled_) return;
    finished_ = nlohmann::json::parse(word).get<FinishedRuns>();
    record_ = std::make_unique<RunRecord>(directory_ / "ranks" / fmt::format("{}", ranks_.rank()), canonical_, true);
    return;
  }
  try {
    record_ = std::make_unique<RunRecord>(directory_, canonical_, resume);
    take_over();
    finished_ = record_->finished();
  } catch (...) {
    ranks_.broadcast(halt);  // The others wait for it.
    throw;
  }
  // The others' records begin empty: without this list they would train again what is in this one.
  ranks_.broadcast(nlohmann::json(finished_).dump());
}

void RankWork::take_over() {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / "ranks", none)) {
    RunRecord other(entry.path(), canonical_, true);
    record_->take_from(other);
  }
  // Only when all of them are in DIR/run.db.
  std::filesystem::remove_all(directory_ / "ranks", none);
}

std::string RankWork::end(const std::string& failure) {
  if (!is_first()) {
    record_.reset();
    ranks_.send(0, failure.empty() ? go : failure);
    return failure;
  }
  std::string first = failure;
  for (int others = ranks_.size() - 1; others > 0;) {
    if (const auto message = ranks_.receive()) {
      --others;
      if (first.empty() && message->bytes != go) first = message->bytes;
    } else {
      std::this_thread::sleep_for(patience);
    }
  }
  if (ranks_.size() > 1) take_over();
  return first;
}

}  // namespace attest::journal
