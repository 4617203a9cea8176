// A library to preload: kills the process inside its n-th write, when half of the bytes are in the file, or makes every
// write from the n-th on fail as on a full disk.
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

ssize_t watched_write(const char* name, int file, const void* bytes, size_t count, off64_t offset) {
  static const long kill_at = number_in("KILL_AT_WRITE");
  static const long full_at = number_in("FULL_AT_WRITE");
  static std::atomic<long> writes{0};
  const auto real = reinterpret_cast<Write>(dlsym(RTLD_NEXT, name));
  const long number = ++writes;
  const bool full = full_at >= 0 && number >= full_at;
  if (number == kill_at) {
    if (!full) real(file, bytes, count / 2, offset);
    raise(SIGKILL);
  }
  if (full) {
    errno = ENOSPC;
    return -1;
  }
  return real(file, bytes, count, offset);
}

}  // namespace

// SQLite writes by one of these.
extern "C" ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t offset) {
  return watched_write("pwrite64", file, bytes, count, offset);
}
extern "C" ssize_t pwrite(int file, const void* bytes, size_t count, off64_t offset) {
  return watched_write("pwrite", file, bytes, count, offset);
}
