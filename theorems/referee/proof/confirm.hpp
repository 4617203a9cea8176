// What ball arithmetic says of a statement at stored numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/rigor/ball.hpp"
#include "theorems/language/evaluation/decide.hpp"
#include "theorems/language/program.hpp"
#include "theorems/referee/question/outcome.hpp"

namespace attest::referee {

/// Enclosures of a program's expectations at exactly these raw numbers; empty for programs without any.
using EnclosedExpectations = std::function<std::vector<rigor::Ball>(std::span<const double> raw)>;

struct Confirmation {
  bool admissible = false;  ///< raw numbers within their bounds and every condition certainly holds
  bool excluded = false;    ///< some condition certainly fails
  language::Truth claim = language::Truth::open;
  std::int64_t bits = 0;
  bool violates() const { return admissible && claim == language::Truth::fails; }
  bool holds() const { return admissible && claim == language::Truth::holds; }
};

/// Whether it holds a mechanism of the attention library that has a definition in the language.
bool calls_library(const language::Program& program);

/// Whether it holds one without, or with an option that the definition does not know: balls know nothing of its output.
bool calls_unknown_mechanism(const language::Program& program);

/// Where a mechanism of the attention library gives, in doubles, something else than its definition does in balls, by
/// far more than rounding: what and how much. Empty where none does, or none has a definition in the language.
std::optional<std::string> library_fault(const language::Program& program, std::span<const double> raw);

/// At 128 bits, then at 512 where 128 leave it open. `raw` are exact.
Confirmation confirm(const language::Program& program, std::span<const double> raw,
                     const EnclosedExpectations& expected = {});

/// The raw numbers lie within the bounds of their sets, open ends excluded.
bool within_sets(const language::Program& program, std::span<const double> raw);

/// The point for reading: choices, elements, both sides at 128 bits (512 where they agree to more).
Point point_at(const language::Program& program, const language::Choices& choices, std::span<const double> raw,
               const EnclosedExpectations& expected = {});

/// Both sides of the relation that decides, as `point_at` finds it.
struct DecidingSides {
  std::string relation;  ///< "<=", ...
  rigor::Ball lhs, rhs;
};
/// At the thread's working precision; nullopt for a formula without relations. `raw` are exact.
std::optional<DecidingSides> deciding_sides(const language::Program& program, std::span<const double> raw,
                                            const EnclosedExpectations& expected = {});

/// The relative margin of the relation that decides at the balls' midpoints, negative where the formula fails; NaN
/// where a side is not finite.
double ball_margin(const language::BallEvaluator& balls, const language::Formula& formula);

}  // namespace attest::referee
