// The mutation loop of compilers without libFuzzer: fuzz_parsers NAME [SECONDS] [FIRST_ROUND], or FILE of an input that
// failed: fuzz_parsers NAME FILE. Without a name the targets are listed.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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

void* operator new(std::size_t bytes) {
  std::size_t known = largest.load();
  while (bytes > known && !largest.compare_exchange_weak(known, bytes)) {
  }
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace attest::fuzz {

std::size_t largest_allocation() { return largest; }
void forget_allocations() { largest = 0; }

}  // namespace attest::fuzz

int main(int count, char** words) {
  using namespace attest::fuzz;
  using Clock = std::chrono::steady_clock;
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
  const bool replay = count > 2 && std::filesystem::exists(words[2]);
  const double seconds = count > 2 && !replay ? std::atof(words[2]) : 2;
  std::uint64_t round = count > 3 ? std::strtoull(words[3], nullptr, 10) : 0;
  const std::uint64_t first = round;
  // A file may make us hold some multiple of itself and small fixed tables, nothing else; a whole input is read in
  // less than this.
  constexpr std::size_t most_fixed = std::size_t{32} << 20, most_each_byte = 4096;
  constexpr unsigned longest = 20;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (std::size_t seed = 0;; ++seed) {
    const bool unchanged = seed < target->seeds.size();
    if (replay) {
      std::ifstream file(words[2], std::ios::binary);
      current.assign(std::istreambuf_iterator<char>(file), {});
    } else {
      if (!unchanged && Clock::now() > end) break;
      current = unchanged ? target->seeds[seed] : mutated(*target, round++);
    }
    alarm(longest);
    forget_allocations();
    try {
      feed(*target, current);
    } catch (const std::exception& fault) {
      fmt::print("{}: {}\n", target->name, fault.what());
      keep_input();
      return 1;
    }
    if (largest_allocation() > most_fixed + most_each_byte * current.size()) {
      fmt::print("{}: {} bytes at once for an input of {}\n", target->name, largest_allocation(), current.size());
      keep_input();
      return 1;
    }
    if (replay) break;
  }
  fmt::print("{}: {} seeds and {} changed inputs\n", target->name, target->seeds.size(), round - first);
  return 0;
}
