// An implementation under judgement: something that answers requests.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulations/arrays/array.hpp"

namespace attest::judge {

/// How q, k, v, dout and results of their rank lie in memory. The last two are handed over as views that begin one
/// entry into their memory and whose rows have unused entries between them.
enum class Layout : std::uint8_t { packed, tokens_first, features_first };

/// "packed", "tokens first" ([B][N][H][D]) or "features first" ([B][H][D][N]): in messages.
inline constexpr std::array<std::string_view, 3> layout_words = {"packed", "tokens first", "features first"};
constexpr std::string_view name(Layout layout) { return layout_words[static_cast<std::size_t>(layout)]; }
/// Errors: std::invalid_argument when there is no such layout.
Layout layout_named(std::string_view word);

/// One call: arrays and options by the names of the contract (README, "Judging your own kernel").
struct Request {
  arrays::NamedArrays arrays;
  nlohmann::json options = nlohmann::json::object();
  Layout layout = Layout::packed;
  bool far = false;  ///< q, k, v and dout with heads (packed) or each second row (tokens first) 2^31 entries apart

  bool operator==(const Request&) const = default;
};

/// What came of it.
struct Answer {
  enum class Status {
    answered,
    raised,     ///< the implementation reported an error
    crashed,    ///< its process ended
    hung,       ///< the time limit passed
    malformed,  ///< what it returned is not a set of arrays
    absent      ///< recorded answers lack this one, or cases are only written
  };
  Status status = Status::answered;
  std::string message;                          ///< one line, of everything but `answered`
  arrays::NamedArrays arrays;                   ///< by name: out, lse, dq, dk, dv, ...
  std::map<std::string, std::string> unusable;  ///< name -> what was returned instead of a floating-point array
  std::vector<std::string> changed;             ///< inputs that the implementation wrote into
  bool overrun = false;                         ///< it wrote outside its buffers

  bool ok() const { return status == Status::answered; }
};

/// Of everything but `answered`.
Answer without_arrays(Answer::Status status, std::string message);

/// Where an implementation is written.
struct SourceLine {
  std::string file;  ///< empty where it is not known
  int line = 1;
};

/// What an implementation takes.
struct Signature {
  std::vector<std::string> parameters;  ///< beyond q, k, v
  std::vector<std::string> required;    ///< of these, those without a default
  bool any = false;                     ///< takes every option of the contract's list
  std::string without_bfloat16;         ///< why arrays of it cannot be handed over; empty where they can
  bool far = false;                     ///< arrays with heads more than 2^31 entries apart can be handed over
  bool differentiates = false;          ///< gradients come without a parameter dout (autograd)
  bool repeats = true;                  ///< equal calls are computed anew; false where answers were written once
  SourceLine source = {};
};

class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;

  virtual const Signature& signature() const = 0;
  virtual Answer call(const Request& request) = 0;
  /// Forgets every call before, where that is possible: a process of its own is started anew.
  virtual void start_afresh() {}
};

/// Thrown by a call that the user interrupted.
struct Interrupted {};

/// From now on every target's calls, those in progress too, throw `Interrupted` within a tenth of a second of `flag`
/// becoming true; nullptr for none. `flag` must outlive the calls.
void interrupt_calls_by(const std::atomic<bool>* flag);

/// Whether that flag is true.
bool calls_are_interrupted();

/// Makes a target for one thread. Errors: std::invalid_argument in one sentence when there is no such target.
using TargetMaker = std::function<std::unique_ptr<Target>()>;

}  // namespace attest::judge
