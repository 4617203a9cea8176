#include "theorems/evidence/exact_numbers.hpp"

#include <cmath>

#include "theorems/referee/points/chosen_variables.hpp"

namespace attest::evidence {

using language::Choices;
using language::Expr;
using language::Op;
using language::SetKind;
using language::Statement;
using rigor::Rational;

namespace {

Rational exact_of(double value) {
  for (std::int64_t denominator = 1; denominator <= 1000; ++denominator) {
    const double numerator = std::round(value * static_cast<double>(denominator));
    if (std::abs(numerator) < 1e15) {
      Rational fraction(static_cast<std::int64_t>(numerator), denominator);
      if (fraction.to_double() == value) return fraction;
    }
  }
  return Rational::from_double(value);
}

}  // namespace

std::string exact_choice(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return exact_of(value).to_string();
}

std::optional<std::pair<Rational, Rational>> ends_of(const rigor::Ball& ball) {
  // Beyond, a number such as exp(10^10) would fill gigabytes when it is written out.
  constexpr slong most_bits = 4000;
  const auto short_enough = [](const arf_t end) {
    const slong exponent = arf_abs_bound_lt_2exp_si(end);
    return arf_is_zero(end) != 0 || (exponent <= most_bits && exponent >= -most_bits);
  };
  std::pair<Rational, Rational> ends;
  arf_t lower, upper;
  arf_init(lower);
  arf_init(upper);
  // Exact: no precision is lost by arf_get_fmpq, and the ends are rounded outwards at the thread's precision.
  arb_get_lbound_arf(lower, ball.raw(), rigor::working_precision());
  arb_get_ubound_arf(upper, ball.raw(), rigor::working_precision());
  const bool written = short_enough(lower) && short_enough(upper);
  if (written) {
    arf_get_fmpq(ends.first.raw(), lower);
    arf_get_fmpq(ends.second.raw(), upper);
  }
  arf_clear(lower);
  arf_clear(upper);
  if (!written) return std::nullopt;
  return ends;
}

std::optional<Rational> exact_constant(const Statement& statement, const Expr& expression, const Choices& choices) {
  if (expression->op == Op::number) return expression->value;
  if (expression->op == Op::variable) {
    const auto chosen = choices.find(expression->name);
    if (chosen == choices.end() || std::isinf(chosen->second)) return std::nullopt;
    return exact_of(chosen->second);
  }
  std::vector<Rational> args;
  for (const Expr& arg : expression->args) {
    const auto value = exact_constant(statement, arg, choices);
    if (!value) return std::nullopt;
    args.push_back(*value);
  }
  switch (expression->op) {
    case Op::negate:
      return -args[0];
    case Op::add:
      return args[0] + args[1];
    case Op::subtract:
      return args[0] - args[1];
    case Op::multiply:
      return args[0] * args[1];
    case Op::divide:
      if (args[1] == Rational(0)) return std::nullopt;
      return args[0] / args[1];
    default:
      return std::nullopt;
  }
}

std::optional<std::vector<Choices>> all_choices(const Statement& statement, std::size_t most) {
  std::vector<Choices> all{{}};
  for (const language::Binder& binder : statement.binders) {
    const bool range = binder.set.kind == SetKind::range;
    if (!range && (binder.set.kind != SetKind::finite || !binder.set.extents.empty())) continue;
    for (const std::string& name : binder.names) {
      std::vector<Choices> longer;
      for (const Choices& choices : all) {
        std::vector<double> values;
        for (const Expr& arg : binder.set.args) values.push_back(referee::constant_value(statement, arg, choices));
        if (range) {
          const double first = values[0], last = values[1];
          if (!(last - first < static_cast<double>(most))) return std::nullopt;
          values.clear();
          for (double value = first; value <= last; ++value) values.push_back(value);
        }
        for (const double value : values) {
          longer.push_back(choices);
          longer.back()[name] = value;
          if (longer.size() > most) return std::nullopt;
        }
      }
      all = std::move(longer);
    }
  }
  return all;
}

}  // namespace attest::evidence
