#include "simulations/judge/target/file_targets.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/files/whole_file.hpp"
#include "kernels/names/plain_reason.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/files/temporary_folder.hpp"
#include "simulations/arrays/array_file.hpp"
#include "simulations/arrays/npz.hpp"
#include "simulations/arrays/safetensors.hpp"
#include "simulations/judge/target/message.hpp"

namespace attest::judge {
namespace {

namespace fs = std::filesystem;
using arrays::Array;
using arrays::ElementType;

/// Everything that the contract knows: who speaks through files has no signature.
Signature every_option() {
  Signature signature;
  signature.parameters = {"mask", "causal",       "alignment", "scale", "window",       "softcap", "cu_seqlens",
                          "bias", "cu_seqlens_k", "sinks",     "dout",  "dropout_mask", "dlse",    "alibi_slopes"};
  return signature;
}

/// FNV-1a of the request's bytes: equal calls have equal names.
std::string name_of(const Request& request) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : message_of(request)) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return fmt::format("{:016x}", hash);
}

template <typename T>
Array scalar(ElementType type, T value) {
  return {type, {}, std::string(reinterpret_cast<const char*>(&value), sizeof value)};
}

arrays::NamedArrays with_scalars(const Request& request) {
  arrays::NamedArrays arrays = request.arrays;
  for (const auto& [name, value] : request.options.items()) {
    if (value.is_boolean()) arrays[name] = scalar(ElementType::boolean, static_cast<std::uint8_t>(value.get<bool>()));
    if (value.is_number_integer()) arrays[name] = scalar(ElementType::int64, value.get<std::int64_t>());
    if (value.is_number_float()) arrays[name] = scalar(ElementType::float64, value.get<double>());
    if (value.is_array()) {
      Array pair{ElementType::int64, {static_cast<std::int64_t>(value.size())}, {}};
      for (const nlohmann::json& entry : value)
        pair.bytes += scalar(ElementType::int64, entry.get<std::int64_t>()).bytes;
      arrays[name] = std::move(pair);
    }
  }
  return arrays;
}

class CommandTarget : public Target {
 public:
  CommandTarget(std::string command, double limit)
      : command_(std::move(command)), in_(command_, "{in}"), out_(command_, "{out}"), limit_(limit) {
    if (command_.find("{in}") == std::string::npos || command_.find("{out}") == std::string::npos)
      throw std::invalid_argument(fmt::format("command:{}: it must hold {{in}} and {{out}}", command_));
    if (!in_.tensors || !out_.tensors)
      signature_.without_bfloat16 = ".npz files hold none of it; {in}.safetensors and {out}.safetensors do";
  }

  const Signature& signature() const override { return signature_; }

  Answer call(const Request& request) override {
    const fs::path written = folder_.path() / ("out" + out_.ending()), printed = folder_.path() / "printed";
    std::error_code ignored;
    fs::remove(written, ignored);
    const auto given = with_scalars(request);
    reports::write_file_atomically(folder_.path() / ("in" + in_.ending()),
                                   in_.tensors ? arrays::safetensors_bytes(given) : arrays::npz_bytes(given));
    std::string command = command_;
    for (const Place& place : {in_, out_})
      for (std::size_t at = command.find(place.mark); at != std::string::npos; at = command.find(place.mark, at))
        command.replace(at, place.mark.size(), (folder_.path() / place.file()).string());
    const int status = run(command, "ATTEST_OPTIONS=" + request.options.dump(), printed);
    if (status == timed_out)
      return without_arrays(Answer::Status::hung, fmt::format("no answer within {:g} s", limit_));
    if (WIFSIGNALED(status))
      return without_arrays(Answer::Status::crashed, fmt::format("it was ended by {}", strsignal(WTERMSIG(status))));
    constexpr int not_taken = 77;
    if (WEXITSTATUS(status) == not_taken)
      return without_arrays(Answer::Status::absent, "the command does not take it (exit status 77)");
    refuse_missing_program(WEXITSTATUS(status), printed);
    if (WEXITSTATUS(status) != 0)
      return without_arrays(Answer::Status::raised,
                            fmt::format("exit status {}{}", WEXITSTATUS(status), last_line(printed)));
    if (!fs::exists(written))
      return without_arrays(Answer::Status::malformed, "it wrote no " + written.filename().string());
    try {
      Answer answer;
      answer.arrays = arrays::read_arrays(written);
      return answer;
    } catch (const std::invalid_argument& error) {
      return without_arrays(Answer::Status::malformed, error.what());
    }
  }

 private:
  static constexpr int timed_out = -1;

  /// What the shell says of the first call that it could not start is of the command and not of the case. Errors:
  /// std::invalid_argument.
  void refuse_missing_program(int status, const fs::path& printed) {
    constexpr int not_executable = 126, not_found = 127;
    if (!started_ && (status == not_executable || status == not_found))
      throw std::invalid_argument(
          fmt::format("command:{}: the shell cannot run it (exit status {}{}); name a program that is there and may be "
                      "executed",
                      command_, status, last_line(printed)));
    started_ = true;
  }

  /// {in} or {out} in the command: a .npz file, or where `.safetensors` follows the mark, one of that format.
  struct Place {
    Place(const std::string& command, std::string mark_)
        : mark(std::move(mark_)), tensors(command.find(mark + ".safetensors") != std::string::npos) {}
    std::string ending() const { return tensors ? ".safetensors" : ".npz"; }
    /// What stands for the mark.
    std::string file() const { return mark.substr(1, mark.size() - 2) + (tensors ? "" : ".npz"); }
    std::string mark;
    bool tensors;
  };

  static std::string last_line(const fs::path& file) {
    std::ifstream stream(file);
    std::string line, last;
    while (std::getline(stream, line))
      if (!line.empty()) last = line;
    return last.empty() ? "" : ": " + last.substr(0, 300);
  }

  /// The wait status, or timed_out.
  int run(const std::string& command, const std::string& variable, const fs::path& printed) const {
    const std::string file = printed.string();
    std::string assignment = variable;
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error(fmt::format("no process for {}: {}", command, std::strerror(errno)));
    if (child == 0) {
      setpgid(0, 0);
      const int to = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dup2(to, 1);
      dup2(to, 2);
      putenv(assignment.data());
      execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(limit_);
    for (int status = 0;;) {
      if (waitpid(child, &status, WNOHANG) == child) return status;
      const bool interrupted = calls_are_interrupted();
      if (interrupted || std::chrono::steady_clock::now() > end) {
        kill(-child, SIGKILL);
        waitpid(child, &status, 0);
        if (interrupted) throw Interrupted{};
        return timed_out;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  std::string command_;
  Place in_, out_;
  double limit_;
  reports::TemporaryFolder folder_{"judge"};
  bool started_ = false;  ///< some call came as far as the program
  Signature signature_ = every_option();
};

class RecordingTarget : public Target {
 public:
  explicit RecordingTarget(fs::path directory) : directory_(std::move(directory)) {
    fs::create_directories(directory_);
  }

  const Signature& signature() const override { return signature_; }

  Answer call(const Request& request) override {
    const std::string name = name_of(request);
    // NumPy's format has no bfloat16.
    const bool numpy_holds_it = std::none_of(request.arrays.begin(), request.arrays.end(), [](const auto& entry) {
      return entry.second.type == ElementType::bfloat16;
    });
    const fs::path file = directory_ / (name + (numpy_holds_it ? ".npz" : ".safetensors"));
    static std::mutex lock;
    const std::lock_guard guard(lock);
    if (!fs::exists(file)) {
      reports::write_file_atomically(
          file, numpy_holds_it ? arrays::npz_bytes(request.arrays) : arrays::safetensors_bytes(request.arrays));
      std::ofstream list(directory_ / "cases.jsonl", std::ios::app);
      list << nlohmann::json({{"name", name}, {"options", request.options}, {"layout", judge::name(request.layout)}})
                  .dump()
           << "\n"
           << std::flush;
      if (!list) throw reports::IoError(fmt::format("{} cannot be written", (directory_ / "cases.jsonl").string()));
    }
    return without_arrays(Answer::Status::absent, "");
  }

 private:
  fs::path directory_;
  Signature signature_ = every_option();
};

class RecordedTarget : public Target {
 public:
  explicit RecordedTarget(const fs::path& directory) : answers_(directory / "answers") {
    if (!fs::is_directory(answers_))
      throw std::invalid_argument(
          fmt::format("{}: there is no such folder; write cases by attest judge --emit-cases {}, and answer them by {}",
                      answers_.string(), directory.string(), (directory / "answer.py").string()));
    signature_.repeats = false;
    const fs::path skipped = answers_ / "skipped.json";
    if (!fs::exists(skipped)) return;
    const nlohmann::json names = nlohmann::json::parse(files::read_whole(skipped), nullptr, false);
    if (!names.is_array() || !std::ranges::all_of(names, [](const nlohmann::json& name) { return name.is_string(); }))
      throw std::invalid_argument(fmt::format("{} is not a list of names; answer the cases again by {}",
                                              skipped.string(), (directory / "answer.py").string()));
    if (!names.empty())
      unanswered_ +=
          fmt::format("; the function does not take {}", fmt::join(names.get<std::vector<std::string>>(), ", "));
  }

  const Signature& signature() const override { return signature_; }

  Answer call(const Request& request) override {
    const fs::path stem = answers_ / name_of(request);
    const auto beside = [&](const char* ending) { return fs::path(stem.string() + ending); };
    if (fs::exists(beside(".error")))
      return without_arrays(Answer::Status::raised, files::read_whole(beside(".error")).substr(0, 400));
    const fs::path arrays = beside(fs::exists(beside(".npz")) ? ".npz" : ".safetensors");
    if (!fs::exists(arrays)) return without_arrays(Answer::Status::absent, unanswered_);
    try {
      Answer answer;
      answer.arrays = arrays::read_arrays(arrays);
      if (!fs::exists(beside(".json"))) return answer;
      const nlohmann::json more = nlohmann::json::parse(files::read_whole(beside(".json")));
      more.at("unusable").get_to(answer.unusable);
      more.at("changed").get_to(answer.changed);
      return answer;
    } catch (const nlohmann::json::exception& damaged) {
      return without_arrays(Answer::Status::malformed, names::plain_reason(damaged.what()));
    } catch (const std::invalid_argument& damaged) {
      return without_arrays(Answer::Status::malformed, damaged.what());
    }
  }

 private:
  fs::path answers_;
  Signature signature_ = every_option();
  std::string unanswered_ = "cases without a recorded answer";
};

}  // namespace

TargetMaker command_target(const std::string& command, double limit_seconds) {
  return [=] { return std::make_unique<CommandTarget>(command, limit_seconds); };
}

TargetMaker recording_target(const fs::path& directory) {
  return [=] { return std::make_unique<RecordingTarget>(directory); };
}

TargetMaker recorded_target(const fs::path& directory) {
  return [=] { return std::make_unique<RecordedTarget>(directory); };
}

}  // namespace attest::judge
