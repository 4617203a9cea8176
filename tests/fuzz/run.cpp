// The mutation loop of compilers without libFuzzer: fuzz_parsers NAME [SECONDS [INPUTS [FIRST_ROUND]]], which ends
// after that time or that number of changed inputs, or FILE of an input that failed: fuzz_parsers NAME FILE. Without a
// name the targets are listed. Exit code 1 where an input is not read or refused as it should be.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <new>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/fuzz/target.hpp"

namespace {

std::atomic<std::size_t> largest{0};
std::string current;  ///< the input that is being read
std::string current_name;

void keep_input() {
  const std::string file = "fuzz-" + current_name + ".input";
  std::ofstream(file, std::ios::binary) << current;
  fmt::print("the input is kept in {}\n", file);
}

/// A crash or a hang: leave the input behind. Not safe in every state, but then there is nothing to lose.
void on_fault(int signal) {
  fmt::print("{}: ended by signal {}\n", current_name, signal);
  keep_input();
  std::fflush(stdout);
  _exit(1);
}

}  // namespace

// Of the sanitizers' runtime, where there is one: called before it ends the process.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

// All forms: memory of one form may be freed by another, and the address sanitizer wants them to belong together.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  std::size_t known = largest.load();
  while (bytes > known && !largest.compare_exchange_weak(known, bytes)) {
  }
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new(std::size_t bytes) {
  if (void* memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace attest::fuzz {

std::size_t largest_allocation() { return largest; }
void forget_allocations() { largest = 0; }

namespace {

using Clock = std::chrono::steady_clock;

// A file may make us hold some multiple of itself and fixed tables, nothing else; a whole input is read in less than
// this. The largest table is an axis of a sweep with the million points that one may have: 40 MB.
constexpr std::size_t most_fixed = std::size_t{40} << 20, most_each_byte = 4096;
constexpr unsigned most_seconds = 20;

/// Feeds `current`; false after saying what is wrong and keeping the input.
bool feed_current(const Target& target) {
  alarm(most_seconds);
  forget_allocations();
  std::string fault;
  try {
    feed(target, current);
    if (largest_allocation() > most_fixed + most_each_byte * current.size())
      fault = fmt::format("{} bytes at once for an input of {}", largest_allocation(), current.size());
  } catch (const std::exception& failure) {
    fault = failure.what();
  }
  alarm(0);
  if (fault.empty()) return true;
  fmt::print("{}: {}\n", target.name, fault);
  keep_input();
  return false;
}

bool replays(const Target& target, const char* name) {
  std::ifstream file(name, std::ios::binary);
  current.assign(std::istreambuf_iterator<char>(file), {});
  if (!feed_current(target)) return false;
  fmt::print("{}: {} is read or refused as it should be\n", target.name, name);
  return true;
}

/// Whether some seed is read as it is, and some is when it is resealed: else every changed one ends at the same check.
bool begins_well(const Target& target) {
  const auto some_is_read = [&](const std::function<std::string(std::string)>& made) {
    return std::any_of(target.seeds.begin(), target.seeds.end(),
                       [&](const std::string& seed) { return feed(target, made ? made(seed) : seed); });
  };
  if (some_is_read({}) && (!target.resealed || some_is_read(target.resealed))) return true;
  fmt::print("{}: every seed is refused, as it is or resealed\n", target.name);
  return false;
}

}  // namespace

/// Feeds the seeds, then changed ones from round `first` on, until `seconds` have passed or `inputs` were fed.
bool survives(const Target& target, double seconds, std::uint64_t inputs, std::uint64_t first) {
  if (!begins_well(target)) return false;
  for (const std::string& seed : target.seeds) {
    current = seed;
    if (!feed_current(target)) return false;
  }
  const auto start = Clock::now();
  const auto so_far = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::uint64_t done = 0;
  for (; done < inputs && so_far() < seconds; ++done) {
    current = mutated(target, first + done);
    if (!feed_current(target)) return false;
  }
  fmt::print("{}: {} seeds and {} changed inputs from {} on, {:.0f} a second\n", target.name, target.seeds.size(), done,
             first, static_cast<double>(done) / std::max(so_far(), 1e-9));
  return true;
}

}  // namespace attest::fuzz

int main(int count, char** words) {
  using namespace attest::fuzz;
  const std::vector<Target> all = targets();
  if (count < 2) {
    for (const Target& target : all) fmt::print("{}\n", target.name);
    return 0;
  }
  const auto target = std::find_if(all.begin(), all.end(), [&](const Target& t) { return t.name == words[1]; });
  if (target == all.end()) {
    fmt::print("there is no target {}\n", words[1]);
    return 2;
  }
  current_name = target->name;
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGALRM, SIGBUS, SIGILL}) std::signal(signal, on_fault);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(keep_input);
  if (count > 2 && std::filesystem::exists(words[2])) return replays(*target, words[2]) ? 0 : 1;
  const auto number = [&](int word, std::uint64_t otherwise) {
    return count > word ? std::strtoull(words[word], nullptr, 10) : otherwise;
  };
  const double seconds = count > 2 ? std::atof(words[2]) : 2;
  return survives(*target, seconds, number(3, std::numeric_limits<std::uint64_t>::max()), number(4, 0)) ? 0 : 1;
}
