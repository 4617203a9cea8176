#include "reports/files/atomic_file.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/files/malformed_results.hpp"
#include "reports/files/replacements.hpp"

namespace attest::reports {
namespace {

std::string_view fix(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "change its permissions or choose another folder";
    case EISDIR:
      return "name a file in it";
    default:
      return "choose another folder";
  }
}

[[noreturn]] void fail(const std::filesystem::path& file, int error) {
  throw IoError(fmt::format("cannot write {}: {}; {}", file.string(), std::strerror(error), fix(error)));
}

void write_all(int descriptor, const std::filesystem::path& file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(file, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// The temporary file: closed and, unless it was renamed, deleted when it goes out of scope.
class Temporary {
 public:
  explicit Temporary(const std::filesystem::path& target)
      : target_(target), path_(fmt::format("{}.tmp-{}", target.string(), ::getpid())) {
    // 0666 lets the user's umask decide, as for any other output.
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(target_, errno);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  Temporary(Temporary&&) = delete;
  Temporary& operator=(Temporary&&) = delete;
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(path_.c_str());
  }

  void write(std::string_view content) {
    write_all(descriptor_, target_, content);
    if (::fsync(descriptor_) != 0) fail(target_, errno);
    // Network file systems report a full disk only here.
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(target_, errno);
  }

  void rename() {
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail(target_, errno);
    renamed_ = true;
  }

 private:
  const Replacement replacement_;  // first: it outlives the file
  std::filesystem::path target_;
  std::string path_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

/// Errors: IoError for a folder, and where the parent directory cannot be made.
void make_room_for(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) fail(file, EISDIR);
  if (!file.has_parent_path()) return;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) fail(file, error.value());
}

/// Where a symbolic link leads, so that it is kept; else the file itself.
std::filesystem::path written_to(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_symlink(file, error)) return file;
  const std::filesystem::path target = std::filesystem::canonical(file, error);
  return error ? file : target;
}

/// A device or a pipe has no content to keep, and a file in its place would be the end of it.
bool is_written_in_place(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_other(std::filesystem::status(file, ignored));
}

/// The descriptor behind /dev/stdout, /dev/stderr and /dev/fd/N. What it leads to may be an ordinary file: that is
/// written on, and the name of the device is not replaced by a file.
std::optional<int> descriptor_named(const std::filesystem::path& file) {
  const std::string name = file.lexically_normal().string();
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    int descriptor = -1;
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + folder.size(), end, descriptor);
    if (error == std::errc() && rest == end) return descriptor;
  }
  return std::nullopt;
}

void write_in_place(const std::filesystem::path& file, std::string_view content) {
  std::ofstream stream(file, std::ios::binary);
  stream << content << std::flush;
  if (!stream) fail(file, errno);
}

}  // namespace

void require_writable(const std::filesystem::path& file) {
  if (descriptor_named(file)) return;
  make_room_for(file);
  if (!is_written_in_place(file)) Temporary temporary(written_to(file));
}

void write_file_atomically(const std::filesystem::path& file, std::string_view content) {
  if (const std::optional<int> descriptor = descriptor_named(file)) {
    std::fflush(nullptr);  // what was printed before stands before
    return write_all(*descriptor, file, content);
  }
  make_room_for(file);
  if (is_written_in_place(file)) return write_in_place(file, content);
  Temporary temporary(written_to(file));
  temporary.write(content);
  temporary.rename();
}

std::string read_whole_file(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::file_type type = std::filesystem::status(file, error).type();
  if (type == std::filesystem::file_type::directory)
    throw MalformedResults(fmt::format("cannot read {}: it is a folder; name a file in it", file.string()));
  if (type == std::filesystem::file_type::character || type == std::filesystem::file_type::block)
    throw MalformedResults(fmt::format("cannot read {}: it is a device, not a file; name a file", file.string()));
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw MalformedResults(fmt::format("cannot read {}: {}; check the path and its permissions", file.string(),
                                       std::strerror(errno == 0 ? ENOENT : errno)));
  std::ostringstream content;
  content << stream.rdbuf();
  return std::move(content).str();
}

}  // namespace attest::reports
