// How the command line has statements judged: with its budget, seed and threads, until the user interrupts.
#pragma once

#include <cstdint>
#include <string>

#include "simulations/terminal/interrupt.hpp"
#include "theorems/engine/context.hpp"
#include "theorems/referee/judge.hpp"

namespace attest::commands {

/// Errors: those of engine::parse_budget.
inline referee::JudgeOptions judging_options(const std::string& budget, std::uint64_t seed, unsigned threads,
                                             bool near_misses = true) {
  referee::JudgeOptions options;
  options.budget = engine::parse_budget(budget);
  options.seed = seed;
  options.threads = threads;
  options.near_misses = near_misses;
  options.interrupted = &terminal::interrupt_flag();
  return options;
}

/// For the evidence of a verdict: what `judging_options` gives the judge, without a key.
inline engine::Context evidence_context(std::uint64_t seed, unsigned threads) {
  engine::Context context;
  context.seed = seed;
  context.threads = threads;
  context.interrupted = &terminal::interrupt_flag();
  return context;
}

}  // namespace attest::commands
