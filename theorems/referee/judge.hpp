// The judge of one statement: reading in, verdict with its evidence out.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "theorems/engine/budget.hpp"
#include "theorems/engine/context.hpp"
#include "theorems/language/tree.hpp"
#include "theorems/referee/question/outcome.hpp"

namespace attest::referee {

struct JudgeOptions {
  engine::Budget budget;  ///< a budget in seconds repeats at doubled efforts until it is spent or decided
  std::uint64_t seed = 1;
  unsigned threads = 0;     ///< 0: one per core; never changes a result
  double alpha = 1e-9;      ///< error of a verdict that rests on samples
  bool near_misses = true;  ///< also judge small changes of a statement that stands, and its assumptions
  const std::atomic<bool>* interrupted = nullptr;
};

/// Judges the statement. The outcome is a pure function of the statement, budget (other than in seconds) and seed.
/// Errors: language::Problem where the statement cannot be meant at the sizes tried; engine::Interrupted.
Outcome judge(const language::Statement& statement, const JudgeOptions& options);

/// The same under a context that another made: its seed, stream, effort, threads and error level.
Outcome judge(const language::Statement& statement, const engine::Context& context, bool near_misses);

/// Reads, then judges.
Outcome judge(std::string_view text, const JudgeOptions& options);

}  // namespace attest::referee
