#include "simulations/judge/target/processor_time.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attest::judge {
namespace {

/// Waits until the child has come to what it does; false where that takes a minute.
template <typename Reached>
bool comes_to(pid_t child, const Reached& reached) {
  for (int tenths = 0; tenths < 600; ++tenths) {
    if (reached(processor_time_of(child))) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

template <typename Body>
pid_t child_that(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  return child;
}

void end(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(ProcessorTime, TellsWhoComputesFromWhoSleeps) {
  const pid_t busy = child_that([] {
    for (volatile bool always = true; always;) {
    }
  });
  const pid_t asleep = child_that([] { pause(); });
  EXPECT_TRUE(comes_to(busy, [](const ProcessorTime& time) { return time.computes && time.seconds > 0.1; }));
  EXPECT_TRUE(comes_to(asleep, [](const ProcessorTime& time) { return !time.computes; }));
  EXPECT_LT(processor_time_of(asleep).seconds, 1);
  end(busy), end(asleep);
}

TEST(ProcessorTime, IsNothingForAProcessThatIsNotThere) {
  const pid_t gone = child_that([] {});
  waitpid(gone, nullptr, 0);
  const ProcessorTime time = processor_time_of(gone);
  EXPECT_EQ(time.seconds, 0);
  EXPECT_FALSE(time.computes);
}

}  // namespace
}  // namespace attest::judge
