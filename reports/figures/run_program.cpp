#include "reports/figures/run_program.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/files/atomic_file.hpp"

namespace attest::reports {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

// Files rather than pipes: whatever the program reads or leaves unread, neither side can block the other.
TemporaryFile temporary_file() {
  TemporaryFile file(std::tmpfile());
  if (!file) {
    throw IoError(
        fmt::format("cannot make a temporary file: {}; set TMPDIR to a folder with room", std::strerror(errno)));
  }
  return file;
}

std::string content(std::FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t read = 0; (read = std::fread(buffer.data(), 1, buffer.size(), file)) > 0;) {
    text.append(buffer.data(), read);
  }
  return text;
}

}  // namespace

ProgramEnd run_program(const std::string& program, std::string_view input, const std::vector<std::string>& arguments) {
  const TemporaryFile in = temporary_file();
  const TemporaryFile err = temporary_file();
  std::fwrite(input.data(), 1, input.size(), in.get());
  if (std::fflush(in.get()) != 0) {
    throw IoError(fmt::format("cannot write a temporary file: {}; free some space in it", std::strerror(errno)));
  }
  std::rewind(in.get());

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(err.get()), STDERR_FILENO);
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> word_pointers;
  for (std::string& word : words) word_pointers.push_back(word.data());
  word_pointers.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, word_pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ProgramEnd end;
  if (error != 0) {
    end.found = false;
    end.messages = std::strerror(error);
    return end;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  end.messages = content(err.get());
  return end;
}

}  // namespace attest::reports
