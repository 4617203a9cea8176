#include "simulations/judge/target/child_process.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simulations/judge/target/message.hpp"
#include "simulations/judge/target/processor_time.hpp"

namespace attest::judge {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int child_socket = 3, child_memory = 4;
constexpr double start_seconds = 60;  // importing a framework takes long on a cold disk
constexpr int most_waits = 3;         // times the limit, for a process that has had less processor time than that
constexpr std::size_t longest_header = std::size_t{1} << 26;

/// The other side is gone.
struct Gone {};
/// It said nothing for too long.
struct Late {};

}  // namespace

ChildProcess::ChildProcess(std::vector<std::string> command, std::string label, double limit_seconds)
    : command_(std::move(command)), label_(std::move(label)), limit_(limit_seconds) {
  start();
}

ChildProcess::~ChildProcess() { stop(); }

void ChildProcess::start() {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    throw std::runtime_error(fmt::format("no socket for {}: {}", label_, std::strerror(errno)));
  printed_ = memfd_create("printed", MFD_CLOEXEC);
  std::vector<char*> arguments;
  for (std::string& argument : command_) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) {
    // Only calls that are safe after a fork of a program with threads.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    setpgid(0, 0);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    dup2(printed_, 1);
    dup2(printed_, 2);
    if (pair[1] == child_socket)
      fcntl(child_socket, F_SETFD, 0);
    else
      dup2(pair[1], child_socket);
    dup2(block_.descriptor(), child_memory);
    execvp(arguments[0], arguments.data());
    dprintf(2, "%s: %s\n", arguments[0], std::strerror(errno));
    _exit(127);
  }
  close(pair[1]);
  socket_ = pair[0];
  if (process_ < 0) throw std::runtime_error(fmt::format("no process for {}: {}", label_, std::strerror(errno)));
  nlohmann::json greeting;
  try {
    greeting = receive_header(start_seconds);
  } catch (const Gone&) {
    const std::string words = last_words();
    throw UnfitProgram(fmt::format(
        "{} cannot be started: {}", label_,
        words.empty() ? "its process ended without a word; is the interpreter or library the right one?" : words));
  } catch (const Late&) {
    throw std::invalid_argument(fmt::format("{} did not answer within {:g} s of its start", label_, start_seconds));
  }
  if (greeting.contains("error")) {
    const std::string sentence = fmt::format("{}: {}", label_, greeting["error"].get<std::string>());
    if (greeting.value("other_interpreter", false))
      throw UnfitProgram(sentence, greeting.value("looked_for_function", false));
    throw std::invalid_argument(sentence);
  }
  signature_.parameters = greeting.value("parameters", std::vector<std::string>{});
  signature_.required = greeting.value("required", std::vector<std::string>{});
  signature_.any = greeting.value("any", false);
  if (!greeting.value("bfloat16", true))
    signature_.without_bfloat16 = "NumPy arrays of it take --torch or the package ml_dtypes";
  signature_.differentiates = greeting.value("differentiates", false);
  signature_.far = greeting.value("far", false);
  signature_.source = {greeting.value("file", ""), greeting.value("line", 1)};
  shares_memory_ = greeting.value("shares_memory", false);
}

void ChildProcess::stop() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (process_ > 0) {
    kill(-process_, SIGKILL);  // its own group: what it started goes with it
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  process_ = -1;
  if (printed_ >= 0) close(printed_);
  printed_ = -1;
}

void ChildProcess::send(const std::string& bytes) const {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw Gone{};
    done += static_cast<std::size_t>(count);
  }
}

void ChildProcess::put(const Request& request) {
  if (!shares_memory_) return send(message_of(request));
  std::size_t offset = 0;
  for (const auto& [name, array] : request.arrays) {
    block_.write(offset, array.bytes);
    offset += array.bytes.size();
  }
  send(message_beside(request));
}

std::string ChildProcess::receive(std::size_t count, double seconds) {
  const auto wait = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  Clock::time_point end = Clock::now() + wait;
  const double had_before = processor_time_of(process_).seconds;
  int waits = 1;
  std::string bytes(count, '\0');
  for (std::size_t done = 0; done < count;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (calls_are_interrupted()) throw Interrupted{};
    if (left <= 0) {
      // On a busy machine a process that computes gets less of a processor than the limit means.
      const ProcessorTime time = processor_time_of(process_);
      if (waits == most_waits || !time.computes || time.seconds - had_before >= seconds) throw Late{};
      ++waits;
      end += wait;
      continue;
    }
    constexpr std::int64_t longest_wait = 100;  // so that an interrupt is seen
    pollfd waiting{socket_, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left, longest_wait)));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = recv(socket_, bytes.data() + done, count - done, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw Gone{};
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

nlohmann::json ChildProcess::receive_header(double seconds) {
  std::uint64_t length = 0;
  const std::string prefix = receive(sizeof length, seconds);
  std::memcpy(&length, prefix.data(), sizeof length);
  if (length > longest_header) throw std::invalid_argument("a message's header is too long");
  nlohmann::json header = nlohmann::json::parse(receive(length, seconds), nullptr, false);
  if (!header.is_object()) throw std::invalid_argument("a message's header is not a JSON object");
  return header;
}

std::string ChildProcess::last_words() const {
  if (printed_ < 0) return {};
  const off_t end = lseek(printed_, 0, SEEK_END);
  const off_t most = 4096, from = end > most ? end - most : 0;
  std::string text(static_cast<std::size_t>(end - from), '\0');
  const ssize_t got = pread(printed_, text.data(), text.size(), from);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const std::size_t line = text.rfind('\n');
  return (line == std::string::npos ? text : text.substr(line + 1)).substr(0, 300);
}

Answer ChildProcess::ended() {
  int status = 0;
  std::string how = "its process ended";
  if (waitpid(process_, &status, 0) == process_) {
    if (WIFSIGNALED(status)) how = fmt::format("its process was ended by {}", strsignal(WTERMSIG(status)));
    if (WIFEXITED(status)) how = fmt::format("its process exited with status {}", WEXITSTATUS(status));
    process_ = -1;
  }
  const std::string words = last_words();
  Answer answer;
  answer.status = Answer::Status::crashed;
  answer.message = words.empty() ? how : fmt::format("{}: {}", how, words);
  stop();
  return answer;
}

Answer ChildProcess::call(const Request& request) {
  if (process_ < 0) {
    stop();
    start();
  }
  try {
    put(request);
    const nlohmann::json header = receive_header(limit_);
    const std::size_t count = payload_bytes(header);
    return shares_memory_ ? answer_from(header, block_.read(count)) : answer_from(header, receive(count, limit_));
  } catch (const Gone&) {
    return ended();
  } catch (const Late&) {
    stop();
    Answer answer;
    answer.status = Answer::Status::hung;
    answer.message = fmt::format("no answer within {:g} s", limit_);
    return answer;
  } catch (const std::invalid_argument& error) {
    stop();
    Answer answer;
    answer.status = Answer::Status::malformed;
    answer.message = error.what();
    return answer;
  }
}

}  // namespace attest::judge
