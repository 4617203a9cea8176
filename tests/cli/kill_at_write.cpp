// A library to preload: kills the process inside its n-th write, when half of the bytes are in the file, or makes every
// write from the n-th on fail as on a full disk. SQLite's writes count, and with WATCH_WRITE set those of other files
// too.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <dlfcn.h>
#include <unistd.h>

namespace {

using Write = ssize_t (*)(int, const void*, size_t, off64_t);

long number_in(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? -1 : std::atol(text);
}

enum class Fate { done, killed, killed_when_full, full };

/// What becomes of the next write of this process.
Fate next_fate() {
  static const long kill_at = number_in("KILL_AT_WRITE");
  static const long full_at = number_in("FULL_AT_WRITE");
  static std::atomic<long> writes{0};
  const long number = ++writes;
  const bool full = full_at >= 0 && number >= full_at;
  if (number == kill_at) return full ? Fate::killed_when_full : Fate::killed;
  return full ? Fate::full : Fate::done;
}

/// write(n) writes the first n bytes: all of them, or what the fate of this write leaves.
template <typename Writing>
ssize_t fated(size_t count, const Writing& write) {
  switch (next_fate()) {
    case Fate::killed:
      if (write(count / 2) >= 0) raise(SIGKILL);
      break;
    case Fate::killed_when_full:
      raise(SIGKILL);
      break;
    case Fate::full:
      errno = ENOSPC;
      return -1;
    case Fate::done:
      break;
  }
  return write(count);
}

ssize_t watched_write(const char* name, int file, const void* bytes, size_t count, off64_t offset) {
  const auto real = reinterpret_cast<Write>(dlsym(RTLD_NEXT, name));
  return fated(count, [&](size_t first) { return real(file, bytes, first, offset); });
}

}  // namespace

// SQLite writes by one of these.
extern "C" ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t offset) {
  return watched_write("pwrite64", file, bytes, count, offset);
}
extern "C" ssize_t pwrite(int file, const void* bytes, size_t count, off64_t offset) {
  return watched_write("pwrite", file, bytes, count, offset);
}

// What is not a database is written by this one; so are progress and results, which end on a terminal or in a pipe.
extern "C" ssize_t write(int file, const void* bytes, size_t count) {
  using Plain = ssize_t (*)(int, const void*, size_t);
  static const auto real = reinterpret_cast<Plain>(dlsym(RTLD_NEXT, "write"));
  static const bool watched = std::getenv("WATCH_WRITE") != nullptr;
  if (!watched || file <= STDERR_FILENO) return real(file, bytes, count);
  return fated(count, [&](size_t first) { return real(file, bytes, first); });
}
