#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "theorems/language/flattening/compiler.hpp"
#include "theorems/language/flattening/sets.hpp"
#include "theorems/language/make.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {

Compiler::Compiler(const Statement& statement, const Choices& choices, std::size_t memory_limit)
    : statement_(statement),
      choices_(choices),
      builder_(memory_limit),
      scopes_(1),
      most_steps_(memory_limit / bytes_a_step) {}

namespace {

bool is_counted(const Binder& binder) {
  return binder.quantifier == Quantifier::limit || binder.set.kind == SetKind::range ||
         (binder.set.kind == SetKind::finite && binder.set.extents.empty());
}

/// The number that a choice stands for: the element of the finite set as written, where there is one, since 0.1 is not
/// a double.
Value chosen_value(Compiler& compiler, const Binder* binder, double choice) {
  if (std::isinf(choice)) return {.infinite = choice > 0 ? 1 : -1};
  if (binder != nullptr && binder->set.kind == SetKind::finite) {
    for (const Expr& arg : binder->set.args) {
      const auto exact = compiler.known(arg);
      if (exact && exact->number && exact->number->to_double() == choice) return *exact;
    }
  }
  return {.number = rigor::Rational::from_double(choice)};
}

}  // namespace

void Compiler::bind_inputs() {
  for (const auto& [name, choice] : choices_) scopes_[0][name] = chosen_value(*this, nullptr, choice);
  for (const Binder& binder : statement_.binders) bind(binder);
}

/// What is refused for its size alone stands where its set is written.
Value Compiler::element_of(const Binder& binder, RawInput& input) {
  try {
    return make_element(*this, binder, input);
  } catch (const Oversized& problem) {
    throw Oversized(problem.place().line > 0 ? problem.place() : binder.place, problem.sentence());
  } catch (const Problem& problem) {
    if (problem.place().line > 0) throw;
    throw Problem(binder.place, problem.sentence());
  }
}

void Compiler::bind(const Binder& binder) {
  for (const std::string& name : binder.names) {
    if (const auto choice = choices_.find(name); choice != choices_.end()) {
      scopes_[0][name] = chosen_value(*this, &binder, choice->second);
      continue;
    }
    if (is_counted(binder))
      throw Problem(binder.place,
                    fmt::format("'{}' has no value; it must be chosen before the statement is evaluated", name));
    builder_.set_written({});
    RawInput input;
    input.name = name;
    input.quantifier = binder.quantifier;
    input.set = binder.set;
    input.law = binder.law;
    input.offset = program_.dimension_;
    Value element = element_of(binder, input);
    input.element = *element.reg;
    input.shape = element.shape;
    program_.dimension_ += static_cast<std::size_t>(input.raw.size());
    scopes_[0][name] = element;
    program_.inputs_.push_back(std::move(input));
  }
  if (binder.set.kind == SetKind::interval && !binder.names.empty()) keep_interval_in_order(binder.set);
  for (const Expr& condition : binder.conditions) add_condition(formula(condition));
}

/// An interval whose ends depend on variables is empty where they cross: nothing is claimed there.
void Compiler::keep_interval_in_order(const Set& set) {
  const Value lower = expression(set.args[0]), upper = expression(set.args[1]);
  if (lower.infinite != 0 || upper.infinite != 0 || (lower.number && upper.number)) return;
  const Op order = set.lower_open || set.upper_open ? Op::less : Op::less_equal;
  program_.conditions_.push_back(formula(make(order, {set.args[0], set.args[1]}, set.place)));
}

/// Conjunctions are taken apart, all(i in 1..n: ...) too: a search follows each part by itself.
void Compiler::add_condition(Formula condition) {
  if (condition.kind != Formula::Kind::conjunction) {
    program_.conditions_.push_back(std::move(condition));
    return;
  }
  for (Formula& part : condition.parts) add_condition(std::move(part));
}

Program Compiler::statement() {
  bind_inputs();
  for (const Expr& condition : statement_.conditions) add_condition(formula(condition));
  program_.claim_ = formula(statement_.claim);
  program_.instructions = builder_.take();
  finish(program_);
  return std::move(program_);
}

ExpressionProgram Compiler::expression_program(const Expr& e) {
  bind_inputs();
  const Register result = reg(e);
  // The register stands in the claim, so that it counts among what is evaluated.
  program_.claim_ = {.relation = Relation::equal, .lhs = result, .rhs = result, .written_lhs = e, .written_rhs = e};
  program_.instructions = builder_.take();
  finish(program_);
  return {std::move(program_), result};
}

Program compile(const Statement& statement, const Choices& choices, std::size_t memory_limit) {
  return Compiler(statement, choices, memory_limit).statement();
}

ExpressionProgram compile_expression(const Statement& variables, const Expr& expression, const Choices& choices,
                                     std::size_t memory_limit) {
  return Compiler(variables, choices, memory_limit).expression_program(expression);
}

std::vector<std::string> chosen_names(const Statement& statement) {
  std::vector<std::string> names;
  for (const Binder& binder : statement.binders)
    if (is_counted(binder)) names.insert(names.end(), binder.names.begin(), binder.names.end());
  return names;
}

Program::Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::Program(const Program&) = default;
Program& Program::operator=(const Program&) = default;
Program::~Program() = default;
std::size_t Program::registers() const { return instructions.size(); }
Shape Program::shape_of(std::size_t reg) const { return instructions.at(reg).shape; }

// ---- logic
// -----------------------------------------------------------------------------------------------------------

namespace {

std::optional<Relation> relation_of(Op op) {
  switch (op) {
    case Op::less:
      return Relation::less;
    case Op::less_equal:
      return Relation::less_equal;
    case Op::greater:
      return Relation::greater;
    case Op::greater_equal:
      return Relation::greater_equal;
    case Op::equal:
      return Relation::equal;
    default:
      return std::nullopt;
  }
}

}  // namespace

Formula Compiler::formula(const Expr& e) {
  const auto of_parts = [&](Formula::Kind kind) {
    Formula result{.kind = kind};
    for (const Expr& arg : e->args) result.parts.push_back(formula(arg));
    return result;
  };
  switch (e->op) {
    case Op::conjunction:
      return of_parts(Formula::Kind::conjunction);
    case Op::disjunction:
      return of_parts(Formula::Kind::disjunction);
    case Op::negation:
      return of_parts(Formula::Kind::negation);
    case Op::implication:
      return of_parts(Formula::Kind::implication);
    case Op::comprehension: {
      if (!is_logical(e)) break;
      const auto [from, to] = indices(e);
      Formula result{.kind = e->name == "all" ? Formula::Kind::conjunction : Formula::Kind::disjunction};
      for (std::int64_t i = from; i <= to; ++i) {
        scopes_.push_back({{e->bound, Value{.number = rigor::Rational(i)}}});
        result.parts.push_back(formula(e->args[2]));
        scopes_.pop_back();
      }
      return result;
    }
    default:
      break;
  }
  return relation(e);
}

void Compiler::count_step(const Expr& e) {
  if (++steps_ <= most_steps_) return;
  throw Oversized(e->place,
                  fmt::format("written out at these sizes the statement has more than {} terms and operations; choose "
                              "smaller sizes",
                              most_steps_));
}

void Compiler::refuse_random(Register r, const Expr& e) {
  if (!inside_expectation_ && builder_.is_random(r))
    throw Problem(e->place, fmt::format("'{}' is random; a relation holds for its expectation E[...] or a probability "
                                        "P[...], not for the draw itself",
                                        normal_form(e)));
}

Formula Compiler::relation(const Expr& e) {
  const auto kind = relation_of(e->op);
  if (!kind && e->op != Op::order)
    throw Problem(e->place, fmt::format("'{}' is a value, not a relation; compare it with another by <=, <, =, >= or >",
                                        normal_form(e)));
  Value lhs = expression(e->args[0]), rhs = expression(e->args[1]);
  if (!lhs.is_scalar() && !rhs.is_scalar() && !(lhs.shape == rhs.shape)) {
    throw Problem(e->place, fmt::format("'{}' compares {} with {}; both sides must have one shape", normal_form(e),
                                        describe(lhs), describe(rhs)));
  }
  builder_.set_written(e);
  Formula result{.kind = kind ? Formula::Kind::relation : Formula::Kind::order,
                 .relation = kind.value_or(Relation::less_equal),
                 .written_lhs = e->args[0],
                 .written_rhs = e->args[1]};
  result.lhs = reg(lhs, e->args[0]);
  result.rhs = reg(rhs, e->args[1]);
  refuse_random(static_cast<Register>(result.lhs), e->args[0]);
  refuse_random(static_cast<Register>(result.rhs), e->args[1]);
  return result;
}

Value Compiler::expectation(const Expr& e) {
  if (inside_expectation_)
    throw Problem(e->place, "an expectation inside of another has no meaning here; write one E[...] or P[...]");
  Expectation result{.probability = e->op == Op::probability, .written = e};
  inside_expectation_ = true;
  if (result.probability) {
    result.event = formula(e->args[0]);
  } else {
    const Value integrand = expression(e->args[0]);
    if (!integrand.is_scalar())
      throw Problem(e->place, fmt::format("'{}' is the expectation of {}; take it of a number, entry by entry",
                                          normal_form(e), describe(integrand)));
    result.integrand = reg(integrand, e->args[0]);
  }
  inside_expectation_ = false;
  for (const Expectation& known : program_.expectations_)
    if (same(known.written, e) && known.integrand == result.integrand && !result.probability)
      return scalar(static_cast<Register>(known.at));
  builder_.set_written(e);
  const Register at =
      builder_.emit({.code = Code::expected, .parameter = static_cast<std::int64_t>(program_.expectations_.size())});
  result.at = at;
  program_.expectations_.push_back(std::move(result));
  return scalar(at);
}

}  // namespace attest::language
