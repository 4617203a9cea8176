// Statements judged on a small budget.
#pragma once

#include <optional>
#include <string>

#include "theorems/language/read.hpp"
#include "theorems/referee/judge.hpp"
#include "theorems/referee/question/met_equations.hpp"

namespace attest::referee {

/// The outcome on the budget `quick` with one thread.
inline Outcome judged_quickly(const std::string& text, bool near_misses = false) {
  JudgeOptions options;
  options.budget = engine::parse_budget("quick");
  options.threads = 1;
  options.near_misses = near_misses;
  return judge(text, options);
}

/// What `meet` makes of a statement, in normal form; empty where it meets no equation.
template <typename Meet>
std::string normal_form_by(const Meet& meet, const std::string& text) {
  const std::optional<MetEquations> met = meet(language::read_statement(text));
  return met ? language::normal_form(met->statement) : "";
}

}  // namespace attest::referee
