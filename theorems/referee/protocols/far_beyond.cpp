#include "theorems/referee/protocols/far_beyond.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "theorems/language/make.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/program.hpp"

namespace attest::referee {
namespace {

using language::Expr;
using language::Op;
using language::Statement;

/// Functions that far out grow, fall or settle, and stay so.
constexpr std::array<std::string_view, 14> monotone_far_out = {
    "exp", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "abs", "max", "min", "tanh", "sigmoid", "softplus", "relu"};

bool is_elementary(const Statement& statement, const Expr& e, const std::string& name, int depth) {
  constexpr int deepest = 50;
  if (depth > deepest) return false;
  const auto definition = std::ranges::find(statement.definitions, e->name, &language::Definition::name);
  switch (e->op) {
    case Op::number:
    case Op::constant:
      return true;
    case Op::variable:
      if (e->name == name) return true;
      return definition != statement.definitions.end() && definition->parameters.empty() &&
             is_elementary(statement, definition->body, name, depth + 1);
    case Op::call:
      if (std::ranges::find(monotone_far_out, e->name) == monotone_far_out.end() || !e->options.empty()) return false;
      break;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::negate:
    case Op::less_equal:
    case Op::equal:
    case Op::order:
      break;
    default:
      return false;
  }
  return std::ranges::all_of(e->args,
                             [&](const Expr& each) { return is_elementary(statement, each, name, depth + 1); });
}

/// `statement` with exp(exp(k)) for the name.
Statement at_double_exponential(Statement statement, const std::string& name, const std::string& k) {
  Expr body = language::make_variable(k);
  for (int i = 0; i < 2; ++i) body = language::make_call("exp", {body}, {});
  statement.definitions.insert(statement.definitions.begin(), {.name = name, .body = body});
  return statement;
}

bool is_known(const rigor::Ball& x) {
  constexpr std::int64_t enough = 40;
  return x.is_finite() && (x.is_exact() || x.relative_accuracy_bits() >= enough);
}

}  // namespace

std::vector<FarSample> far_samples(const Statement& statement, const std::string& name) {
  constexpr int furthest = 60;
  std::vector<FarSample> samples;
  if (!statement.binders.empty() || !statement.conditions.empty() || !statement.recursions.empty() ||
      !is_elementary(statement, statement.claim, name, 0))
    return samples;
  const std::string k = name + "_exponent";
  const Statement far = at_double_exponential(statement, name, k);
  for (int each = 1; each <= furthest; ++each) {
    try {
      const language::Program program = language::compile(far, {{k, each}});
      if (program.dimension() != 0) return {};
      language::BallEvaluator balls(program);
      balls.run(std::vector<rigor::Ball>{});
      FarSample sample{each, balls.value(program.claim().lhs)[0], balls.value(program.claim().rhs)[0]};
      if (is_known(sample.lhs) && is_known(sample.rhs)) samples.push_back(std::move(sample));
    } catch (const language::Problem&) {
      return {};
    }
  }
  return samples;
}

}  // namespace attest::referee
