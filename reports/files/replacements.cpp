#include "reports/files/replacements.hpp"

#include <condition_variable>
#include <mutex>

namespace attest::reports {
namespace {

struct Replacements {
  std::mutex mutex;
  std::condition_variable changed;
  int begun = 0;
  bool stopped = false;
};

/// Never destroyed: threads may wait in it when the program ends.
Replacements& replacements() {
  static auto* const all = new Replacements;
  return *all;
}

}  // namespace

Replacement::Replacement() {
  Replacements& all = replacements();
  std::unique_lock lock(all.mutex);
  all.changed.wait(lock, [&] { return !all.stopped; });
  ++all.begun;
}

Replacement::~Replacement() {
  Replacements& all = replacements();
  const std::scoped_lock lock(all.mutex);
  --all.begun;
  all.changed.notify_all();
}

void stop_replacements(std::chrono::milliseconds most) {
  Replacements& all = replacements();
  std::unique_lock lock(all.mutex);
  all.stopped = true;
  all.changed.wait_for(lock, most, [&] { return all.begun == 0; });
}

}  // namespace attest::reports
