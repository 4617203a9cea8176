#include "theorems/referee/question/shapes.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "theorems/language/make.hpp"

namespace attest::referee {
namespace {

using language::Expr;
using language::Op;

void split(const Expr& e, bool positive, Summands& into) {
  if (e->op == Op::add || e->op == Op::subtract) {
    split(e->args[0], positive, into);
    split(e->args[1], e->op == Op::add ? positive : !positive, into);
  } else if (e->op == Op::negate) {
    split(e->args[0], !positive, into);
  } else {
    (positive ? into.plus : into.minus).push_back(e);
  }
}

/// Reads expressions that are certainly one number.
class Scalars {
 public:
  explicit Scalars(const language::Statement& statement) : statement_(statement) {}

  bool operator()(const Expr& e) {
    switch (e->op) {
      case Op::number:
      case Op::constant:
        return true;
      case Op::variable:
        return std::ranges::find(bound_, e->name) != bound_.end() || rank_of(e->name) == 0 || is_defined_so(e->name);
      case Op::index:
        return e->args[0]->op == Op::variable && rank_of(e->args[0]->name) == e->args.size() - 1;
      case Op::add:
      case Op::subtract:
      case Op::negate:
      case Op::multiply:
      case Op::divide:
      case Op::power:
        return all_are(e->args);
      case Op::comprehension: {
        bound_.push_back(e->bound);
        const bool scalar = (*this)(e->args[2]);
        bound_.pop_back();
        return scalar;
      }
      case Op::call:
        return e->options.empty() && of_call(e);
      default:
        return false;
    }
  }

 private:
  bool all_are(const std::vector<Expr>& parts) {
    return std::ranges::all_of(parts, [this](const Expr& each) { return (*this)(each); });
  }

  bool is_defined_so(const std::string& name) {
    const auto found = std::ranges::find(statement_.definitions, name, &language::Definition::name);
    return found != statement_.definitions.end() && found->parameters.empty() && (*this)(found->body);
  }

  bool of_call(const Expr& e) {
    static constexpr std::array reductions = {"sum", "mean",  "norm", "frobenius", "opnorm",    "dot",    "trace",
                                              "det", "range", "osc",  "var",       "logsumexp", "eigmax", "eigmin"};
    static constexpr std::array elementary = {"exp", "log", "sqrt", "abs", "tanh", "sin", "cos", "max", "min"};
    const auto is_one_of = [&](const auto& names) { return std::ranges::find(names, e->name) != names.end(); };
    const bool reduces = is_one_of(reductions) || (e->args.size() == 1 && (e->name == "max" || e->name == "min"));
    return reduces || (is_one_of(elementary) && all_are(e->args));
  }

  /// How many extents a variable of `forall` or a whole number has; nothing for other names.
  std::optional<std::size_t> rank_of(const std::string& name) const {
    using language::SetKind;
    for (const language::Binder& binder : statement_.binders) {
      if (std::ranges::find(binder.names, name) == binder.names.end()) continue;
      if (binder.quantifier == language::Quantifier::random) return std::nullopt;
      switch (binder.set.kind) {
        case SetKind::reals:
        case SetKind::interval:
        case SetKind::range:
        case SetKind::finite:
          return binder.set.extents.size();
        case SetKind::simplex:
        case SetKind::sphere:
        case SetKind::ball:
          return 1;
        case SetKind::symmetric:
        case SetKind::psd:
          return 2;
        default:
          return std::nullopt;
      }
    }
    return std::nullopt;
  }

  const language::Statement& statement_;
  std::vector<std::string> bound_;
};

}  // namespace

bool is_number(const Expr& e, std::int64_t value) { return e->op == Op::number && e->value == rigor::Rational(value); }

bool is_infinite(const Expr& e) {
  return e->op == Op::infinity || (e->op == Op::negate && e->args[0]->op == Op::infinity);
}

bool is_name(const Expr& e, const std::string& name) { return e->op == Op::variable && e->name == name; }

bool is_call_of(const Expr& e, const std::string& function, const std::string& name, std::size_t arguments) {
  return e->op == Op::call && e->name == function && e->options.empty() && e->args.size() == arguments &&
         std::ranges::all_of(e->args, [&](const Expr& each) { return is_name(each, name); });
}

bool is_sum_of_entries(const Expr& e, const std::string& name, const Expr& extent) {
  if (is_call_of(e, "sum", name)) return true;
  return e->op == Op::comprehension && e->name == "sum" && is_number(e->args[0], 1) && same(e->args[1], extent) &&
         e->args[2]->op == Op::index && e->args[2]->args.size() == 2 && is_name(e->args[2]->args[0], name) &&
         is_name(e->args[2]->args[1], e->bound);
}

bool is_scalar(const language::Statement& statement, const Expr& e) { return Scalars(statement)(e); }

Summands summands_of(const Expr& e) {
  Summands summands;
  split(e, true, summands);
  return summands;
}

Expr sum_of(const std::vector<Expr>& terms) {
  Expr total = terms.front();
  for (std::size_t i = 1; i < terms.size(); ++i) total = make(Op::add, {total, terms[i]});
  return total;
}

std::vector<Expr> conjuncts_of(const std::vector<Expr>& conditions) {
  std::vector<Expr> parts;
  for (const Expr& each : conditions) {
    if (each->op == Op::conjunction)
      std::ranges::copy(conjuncts_of(each->args), std::back_inserter(parts));
    else
      parts.push_back(each);
  }
  return parts;
}

std::vector<Expr> lower_bound_of(const language::Set& interval, const std::string& name) {
  const Expr& lower = interval.args[0];
  if (is_infinite(lower)) return {};
  return {make(interval.lower_open ? Op::less : Op::less_equal, {lower, language::make_variable(name)})};
}

std::vector<Expr> upper_bound_of(const language::Set& interval, const std::string& name) {
  const Expr& upper = interval.args[1];
  if (is_infinite(upper)) return {};
  return {make(interval.upper_open ? Op::less : Op::less_equal, {language::make_variable(name), upper})};
}

std::string fresh_name(const language::Statement& statement, std::string name) {
  const auto taken = [&] {
    return std::ranges::any_of(
               statement.binders,
               [&](const language::Binder& b) { return std::ranges::find(b.names, name) != b.names.end(); }) ||
           std::ranges::find(statement.definitions, name, &language::Definition::name) != statement.definitions.end();
  };
  while (taken()) name += "_";
  return name;
}

}  // namespace attest::referee
