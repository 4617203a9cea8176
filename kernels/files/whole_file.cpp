#include "kernels/files/whole_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/files/mistyped_file.hpp"

namespace attest::files {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, int error) {
  if (error == 0) error = ENOENT;
  const std::string meant = error == ENOENT ? mistyped_file(file) : std::string();
  throw UnreadableFile(
      fmt::format("cannot read {}: {}; {}", file.string(), std::strerror(error),
                  meant.empty() ? "check the path and its permissions" : fmt::format("did you mean {}?", meant)));
}

/// An open file that is closed on every way out.
class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& file) : number_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) refuse(file, errno);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(number_); }
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

void require_an_end(const std::filesystem::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode))
    throw UnreadableFile(fmt::format("cannot read {}: it is a folder; name a file in it", file.string()));
  const bool device = S_ISBLK(status.st_mode) || S_ISCHR(status.st_mode);
  struct stat null {};
  if (!device || (stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev)) return;
  const Descriptor opened(file);
  if (isatty(opened.number()) == 0)
    throw UnreadableFile(fmt::format("cannot read {}: it is a device, not a file; name a file", file.string()));
}

std::string read_whole(const std::filesystem::path& file) {
  require_an_end(file);
  const Descriptor opened(file);
  std::string bytes;
  std::array<char, 1U << 16U> buffer{};
  for (;;) {
    const ssize_t got = read(opened.number(), buffer.data(), buffer.size());
    if (got == 0) return bytes;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(file, errno);
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace attest::files
