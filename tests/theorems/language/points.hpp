// Expressions of the language at random points, for the tests of its evaluators.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "kernels/random/stream.hpp"
#include "theorems/language/program.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {

/// `text` over the variables of "forall ...: 0 <= 1".
inline ExpressionProgram expression_over(const std::string& binders, const std::string& text,
                                         const Choices& choices = {}) {
  const Statement variables = read_statement(binders.empty() ? "0 <= 1" : "forall " + binders + ": 0 <= 1");
  return compile_expression(variables, read_expression(text), choices);
}

/// Raw numbers of moderate size: standard normal where there are no bounds, otherwise uniform, at least a tenth of the
/// length away from the ends.
inline std::vector<double> moderate_point(const Program& program, std::uint64_t sample) {
  random::Stream stream(20260101, 1, sample);
  std::vector<double> raw(program.dimension());
  for (const RawInput& input : program.inputs()) {
    for (std::size_t k = 0; k < input.lower.size(); ++k) {
      const double low = input.lower[k], high = input.upper[k], u = stream.uniform();
      double x = 0;
      if (std::isinf(low) && std::isinf(high)) {
        x = random::normal_quantile(u);
      } else if (std::isinf(high)) {
        x = low + 1 + u;
      } else {
        x = low + (high - low) * (0.1 + 0.8 * u);
      }
      raw[input.offset + k] = input.whole ? std::round(x) : x;
    }
  }
  return raw;
}

/// The value of a scalar expression without variables.
inline double value_of(const std::string& text) {
  const auto e = expression_over("", text);
  Evaluator at(e.program);
  at.run({});
  return at.value(e.result)[0];
}

/// The sentence with which a statement is refused at these choices; empty where it is not.
inline std::string refusal(const std::string& text, const Choices& choices = {},
                           std::size_t memory_limit = default_memory_limit) {
  try {
    compile(read_statement(text), choices, memory_limit);
    return {};
  } catch (const Problem& problem) {
    return problem.what();
  }
}

}  // namespace attest::language
