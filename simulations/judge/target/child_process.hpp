// A process of its own that answers requests over a socket and shared memory, so that its crashes and hangs are
// findings and not ours.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <sys/types.h>

#include "simulations/judge/target/shared_block.hpp"
#include "simulations/judge/target/target.hpp"

namespace attest::judge {

/// A program that cannot be started, or says that another interpreter may be able to do what it cannot.
struct UnfitProgram : std::invalid_argument {
  explicit UnfitProgram(const std::string& sentence, bool looked_for_function_ = false)
      : std::invalid_argument(sentence), looked_for_function(looked_for_function_) {}
  bool looked_for_function;  ///< it can judge, and lacks what the function's file imports
};

/// The program speaks on file descriptor 3 (message.hpp): first a greeting, then one answer per request. If it greets
/// with "shares_memory", the arrays of requests and answers are not sent after their headers but lie in file descriptor
/// 4, from its start on. What it prints is kept aside; its last line explains a crash. It ends when the socket closes,
/// and is killed at a time limit.
class ChildProcess : public Target {
 public:
  /// Starts it and reads the greeting. `label` names the target in messages. Errors: in one sentence, UnfitProgram
  /// when the program ends before it greets or says "other_interpreter", std::invalid_argument when it greets with
  /// another error.
  ChildProcess(std::vector<std::string> command, std::string label, double limit_seconds);
  ~ChildProcess() override;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  const Signature& signature() const override { return signature_; }
  Answer call(const Request& request) override;
  void start_afresh() override { stop(); }

 private:
  void start();
  void stop();
  void send(const std::string& bytes) const;
  void put(const Request& request);
  std::string receive(std::size_t count, double seconds);
  nlohmann::json receive_header(double seconds);
  std::string last_words() const;
  Answer ended();

  std::vector<std::string> command_;
  std::string label_;
  double limit_;
  Signature signature_;
  SharedBlock block_;
  bool shares_memory_ = false;
  pid_t process_ = -1;
  int socket_ = -1;
  int printed_ = -1;
};

}  // namespace attest::judge
