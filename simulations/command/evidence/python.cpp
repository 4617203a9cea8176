#include "simulations/command/evidence/python.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/interrupt.hpp"

namespace attest::commands {

int status_of(std::vector<std::string> words, bool quiet) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (quiet) {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  // A group of its own, so that what it starts ends with it: python3 may be a script that looks for the real one.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error == E2BIG)
    throw std::invalid_argument("there are too many files for one run; name fewer, or a smaller folder");
  if (error != 0) return -1;
  int status = 0;
  const std::atomic<bool>& interrupted = terminal::interrupt_flag();
  // Most programs run for seconds and more; the first waits are short for those that do not.
  auto wait = std::chrono::microseconds(200);
  int waits_since_interrupt = 0;
  while (true) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) break;
    constexpr auto longest = std::chrono::microseconds(50'000);
    constexpr int patience = 10;
    if (interrupted && waits_since_interrupt++ % patience == 0)
      ::kill(-child, waits_since_interrupt == 1 ? SIGTERM : SIGKILL);
    std::this_thread::sleep_for(interrupted ? longest : wait);
    wait = std::min(2 * wait, longest);
  }
  if (interrupted) {
    ::kill(-child, SIGKILL);
    return terminal::exit_interrupted;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<std::string> python_command(const std::string& python,
                                        const std::vector<std::pair<std::string, std::string>>& modules,
                                        const std::string& program) {
  // Each text is an argument of its own: names and texts of the modules, then the program, which sees what follows.
  const std::string start = fmt::format(
      "import signal, sys, types; texts = sys.argv[1:{0}]\n"
      "for kind in (signal.SIGINT, signal.SIGTERM): signal.signal(kind, lambda *_: sys.exit(130))\n"
      "for name, text in zip(texts[:-1:2], texts[1::2]):\n"
      "    sys.modules[name] = types.ModuleType(name); exec(text, sys.modules[name].__dict__)\n"
      "sys.argv[1:{0}] = []; exec(texts[-1])",
      2 * modules.size() + 2);
  std::vector<std::string> words = {python, "-c", start};
  for (const auto& [name, text] : modules) {
    words.push_back(name);
    words.push_back(text);
  }
  words.push_back(program);
  return words;
}

std::string python_with(const std::string& modules, const std::string& packages) {
  for (const char* python : {"python3", "/usr/bin/python3"})
    // Interrupted while we looked: the caller's own run ends at once.
    if (status_of({python, "-c", "import " + modules}, true) == 0 || terminal::interrupt_flag()) return python;
  throw std::invalid_argument(
      fmt::format("evidence is checked by python3 with {}, and none was found; install {}", modules, packages));
}

}  // namespace attest::commands
