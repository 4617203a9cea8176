#include "theorems/referee/question/met_homogeneous.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "theorems/language/make.hpp"
#include "theorems/referee/question/question.hpp"
#include "theorems/referee/question/shapes.hpp"

namespace attest::referee {
namespace {

using language::Binder;
using language::Expr;
using language::make_number;
using language::make_variable;
using language::Node;
using language::Op;
using language::Quantifier;
using language::Set;
using language::SetKind;
using language::Statement;
using rigor::Rational;

/// The degree of an expression that is positively homogeneous in the named variables; nothing where it may not be.
class Degree {
 public:
  explicit Degree(const std::set<std::string>& names) : names_(names) {}

  std::optional<Rational> operator()(const Expr& e) const {
    switch (e->op) {
      case Op::number:
      case Op::constant:
        return Rational(0);
      case Op::variable:
        return Rational(names_.contains(e->name) ? 1 : 0);
      case Op::add:
      case Op::subtract:
      case Op::array:
        return common(e->args);
      case Op::negate:
      case Op::transpose:
      case Op::index:
      case Op::slice:
        return (*this)(e->args[0]);
      case Op::multiply:
      case Op::times_elementwise:
      case Op::divide:
      case Op::divide_elementwise:
        return of_product(e);
      case Op::power:
      case Op::power_elementwise: {
        const auto base = (*this)(e->args[0]);
        if (!base || e->args[1]->op != Op::number) return std::nullopt;
        return *base * e->args[1]->value;
      }
      case Op::comprehension:
        return e->name == "prod" ? std::nullopt : (*this)(e->args[2]);
      case Op::call:
        return of_call(e);
      default:
        return std::nullopt;
    }
  }

 private:
  std::optional<Rational> common(const std::vector<Expr>& parts) const {
    const auto first = (*this)(parts.front());
    const bool same = std::ranges::all_of(parts, [&](const Expr& each) { return (*this)(each) == first; });
    return same ? first : std::nullopt;
  }

  std::optional<Rational> of_product(const Expr& e) const {
    const auto a = (*this)(e->args[0]), b = (*this)(e->args[1]);
    if (!a || !b) return std::nullopt;
    return e->op == Op::divide || e->op == Op::divide_elementwise ? *a - *b : *a + *b;
  }

  std::optional<Rational> of_call(const Expr& e) const {
    if (!e->options.empty() || e->args.empty()) return std::nullopt;
    auto first = (*this)(e->args[0]);
    if (!first) return std::nullopt;
    const std::string& f = e->name;
    if (f == "dot" || f == "outer") return of_product(e);
    if (f == "var") return *first * Rational(2);
    if (f == "sqrt") return *first * Rational(1, 2);
    if ((f == "max" || f == "min") && e->args.size() == 2) return common(e->args);
    for (const char* linear : {"abs",    "norm",   "frobenius",       "opnorm", "trace",  "sum",  "mean",
                               "max",    "min",    "range",           "osc",    "std",    "diag", "eigenvalues",
                               "eigmax", "eigmin", "singular_values", "relu",   "cumsum", "sort"})
      if (f == linear) return first;
    return std::nullopt;
  }

  const std::set<std::string>& names_;
};

/// A combination of variables with coefficients that hold none.
bool is_linear(const Expr& e) {
  switch (e->op) {
    case Op::number:
    case Op::constant:
    case Op::variable:
      return true;
    case Op::add:
    case Op::subtract:
      return is_linear(e->args[0]) && is_linear(e->args[1]);
    case Op::negate:
    case Op::index:
      return is_linear(e->args[0]);
    case Op::multiply:
      return (e->args[0]->op == Op::number && is_linear(e->args[1])) ||
             (e->args[1]->op == Op::number && is_linear(e->args[0]));
    case Op::divide:
      return e->args[1]->op == Op::number && is_linear(e->args[0]);
    case Op::comprehension:
      return (e->name == "sum" || e->name == "mean") && is_linear(e->args[2]);
    case Op::call:
      return (e->name == "sum" || e->name == "mean" || e->name == "trace") && e->args.size() == 1 &&
             is_linear(e->args[0]);
    default:
      return false;
  }
}

Expr renamed(const Expr& e, const std::map<std::string, std::string>& names) {
  if (e->op == Op::variable) {
    const auto found = names.find(e->name);
    return found == names.end() ? e : language::make_variable(found->second, e->place);
  }
  auto copy = std::make_shared<Node>(*e);
  for (Expr& each : copy->args) each = renamed(each, names);
  return copy;
}

/// The cone around a set that is one or an interval, with what else bounds a name of it; false for other sets.
bool open_up(Set& set, const std::string& name, std::vector<Expr>& conditions) {
  if (set.kind == SetKind::reals || set.kind == SetKind::symmetric || set.kind == SetKind::psd) return true;
  if (set.kind != SetKind::interval) return false;
  for (Expr& bound : upper_bound_of(set, name)) conditions.push_back(std::move(bound));
  if (is_number(set.args[0], 0)) {
    auto infinity = std::make_shared<Node>();
    infinity->op = Op::infinity;
    set.args[1] = infinity;
    set.upper_open = true;
    return true;
  }
  for (Expr& bound : lower_bound_of(set, name)) conditions.push_back(std::move(bound));
  set.kind = SetKind::reals;
  set.args.clear();
  set.lower_open = set.upper_open = false;
  return true;
}

bool is_real(const Binder& binder) {
  return binder.quantifier == Quantifier::forall && binder.set.kind != SetKind::range &&
         binder.set.kind != SetKind::finite;
}

/// An equation and the way it is read: h = c in these variables, h of this degree.
struct Equation {
  Expr condition, h, c;
  std::set<std::string> names;
  Rational degree;
};

class Meeting {
 public:
  explicit Meeting(Statement statement) : statement_(std::move(statement)) {
    for (Binder& binder : statement_.binders) lists_.push_back(&binder.conditions);
    lists_.push_back(&statement_.conditions);
    for (std::vector<Expr>* list : lists_) *list = conjuncts_of(*list);
  }

  std::optional<MetEquations> met() {
    for (const std::vector<Expr>* list : lists_)
      for (const Expr& condition : *list)
        if (const auto equation = read(condition); equation && others_agree(*equation)) return meet(*equation);
    return std::nullopt;
  }

 private:
  std::set<std::string> mentioned(const Expr& e, bool only_real) const {
    std::set<std::string> names;
    for (const Binder& binder : statement_.binders)
      for (const std::string& name : binder.names)
        if ((!only_real || is_real(binder)) && mentions(statement_, e, name)) names.insert(name);
    return names;
  }

  std::optional<Equation> read(const Expr& condition) const {
    // A definition may hide a variable.
    const bool defined = std::ranges::any_of(statement_.definitions, [&](const language::Definition& definition) {
      return mentions(statement_, condition, definition.name);
    });
    if (condition->op != Op::equal || defined || !is_scalar(statement_, condition->args[0]) ||
        !is_scalar(statement_, condition->args[1]))
      return std::nullopt;
    for (const bool turned : {false, true}) {
      Equation equation{condition, condition->args[turned ? 1 : 0], condition->args[turned ? 0 : 1], {}, {}};
      equation.names = mentioned(equation.h, true);
      const bool positive =
          equation.c->op == Op::number ? equation.c->value > Rational(0) : mentioned(equation.c, true).empty();
      const auto degree = Degree(equation.names)(equation.h);
      if (equation.names.empty() || !positive || !degree || *degree == Rational(0)) continue;
      equation.degree = *degree;
      if (is_linear(equation.h) && ranges_over_reals(equation.names)) continue;
      return equation;
    }
    return std::nullopt;
  }

  bool ranges_over_reals(const std::set<std::string>& names) const {
    return std::ranges::all_of(statement_.binders, [&](const Binder& binder) {
      const bool concerned = std::ranges::any_of(binder.names, [&](const auto& n) { return names.contains(n); });
      return !concerned || binder.set.kind == SetKind::reals || binder.set.kind == SetKind::interval;
    });
  }

  static bool is_homogeneous_to_zero(const Expr& e, const std::set<std::string>& names) {
    return e->op == Op::equal && is_number(e->args[1], 0) && Degree(names)(e->args[0]).has_value();
  }

  /// No other equation in its variables, unless it holds for all multiples at once.
  bool others_agree(const Equation& equation) const {
    return std::ranges::all_of(lists_, [&](const std::vector<Expr>* list) {
      return std::ranges::all_of(*list, [&](const Expr& other) {
        const bool concerned = std::ranges::any_of(
            equation.names, [&](const std::string& name) { return mentions(statement_, other, name); });
        return other == equation.condition || other->op != Op::equal || !concerned ||
               is_homogeneous_to_zero(other, equation.names);
      });
    });
  }

  std::optional<MetEquations> meet(const Equation& equation) {
    std::map<std::string, std::string> free;
    for (const std::string& name : equation.names) free[name] = fresh_name(statement_, name + "_free");
    const std::string scale = fresh_name(statement_, *equation.names.begin() + "_scale");
    std::vector<Expr> bounds;
    std::vector<Binder> binders;
    for (Binder& binder : statement_.binders) {
      for (Expr& each : binder.conditions)
        if (is_homogeneous_to_zero(each, equation.names)) each = renamed(each, free);
      for (std::size_t i = 0; i < binder.names.size(); ++i) {
        Binder one = binder;
        one.names = {binder.names[i]};
        if (i + 1 < binder.names.size()) one.conditions.clear();
        if (const auto found = free.find(binder.names[i]); found != free.end()) {
          if (!open_up(one.set, binder.names[i], bounds)) return std::nullopt;
          one.names = {found->second};
        }
        binders.push_back(std::move(one));
      }
    }
    for (Expr& each : statement_.conditions)
      if (is_homogeneous_to_zero(each, equation.names)) each = renamed(each, free);
    statement_.binders = std::move(binders);
    for (Binder& binder : statement_.binders) std::erase(binder.conditions, equation.condition);
    std::erase(statement_.conditions, equation.condition);
    const Expr h = renamed(equation.h, free);
    statement_.conditions.push_back(
        make(Op::greater, {equation.c->op == Op::number ? h : make(Op::multiply, {h, equation.c}), make_number(0)}));
    statement_.conditions.insert(statement_.conditions.end(), bounds.begin(), bounds.end());
    statement_.definitions.push_back(
        {.name = scale,
         .body = make(Op::power, {make(Op::divide, {equation.c, h}), make_number(Rational(1) / equation.degree)})});
    for (const auto& [name, own] : free)
      statement_.definitions.push_back(
          {.name = name, .body = make(Op::multiply, {make_variable(own), make_variable(scale)})});
    return MetEquations{std::move(statement_), {equation.names.begin(), equation.names.end()}};
  }

  Statement statement_;
  std::vector<std::vector<Expr>*> lists_;
};

}  // namespace

std::optional<MetEquations> with_homogeneous_equation_met(const Statement& statement) {
  return Meeting(statement).met();
}

}  // namespace attest::referee
