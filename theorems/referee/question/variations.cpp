#include "theorems/referee/question/variations.hpp"

#include <functional>

#include <fmt/format.h>

#include "theorems/language/make.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/question/question.hpp"

namespace attest::referee {
namespace {

using language::Binder;
using language::Expr;
using language::make_number;
using language::make_variable;
using language::Node;
using language::Op;
using language::SetKind;
using language::Statement;
using rigor::Rational;

/// A number somewhere in the claim, and the claim with another number in its place.
struct Spot {
  Rational value;
  bool exponent = false;
  std::function<Expr(const Expr&)> replaced;  ///< the whole claim with this leaf replaced
};

Expr with_argument(const Expr& e, std::size_t i, const Expr& argument) {
  auto copy = std::make_shared<Node>(*e);
  copy->args[i] = argument;
  return copy;
}

void collect(const Expr& e, bool exponent, const std::function<Expr(const Expr&)>& around, std::vector<Spot>& spots) {
  if (!e) return;
  // A quotient of two numbers is one constant: 1/2.
  const bool quotient = e->op == Op::divide && e->args[0]->op == Op::number && e->args[1]->op == Op::number &&
                        !(e->args[1]->value == Rational(0));
  if (e->op == Op::number || quotient) {
    const Rational value = quotient ? e->args[0]->value / e->args[1]->value : e->value;
    if (!(value == Rational(0))) spots.push_back({value, exponent, around});
    return;
  }
  switch (e->op) {
    case Op::index:
    case Op::slice:
    case Op::text:
      return;
    case Op::comprehension:
      collect(
          e->args[2], exponent, [=](const Expr& inner) { return around(with_argument(e, 2, inner)); }, spots);
      return;
    case Op::power:
    case Op::power_elementwise:
      collect(
          e->args[0], exponent, [=](const Expr& inner) { return around(with_argument(e, 0, inner)); }, spots);
      collect(
          e->args[1], true, [=](const Expr& inner) { return around(with_argument(e, 1, inner)); }, spots);
      return;
    case Op::call:
      // Orders of norms, sizes and options are not constants of the claim; the arguments of elementary functions are.
      if (e->name == "norm" || e->name == "identity" || e->name == "zeros" || e->name == "ones" ||
          e->name == "attention" || e->name == "binomial" || e->name == "factorial") {
        if (!e->args.empty() && e->name == "norm")
          collect(
              e->args[0], exponent, [=](const Expr& inner) { return around(with_argument(e, 0, inner)); }, spots);
        return;
      }
      break;
    default:
      break;
  }
  for (std::size_t i = 0; i < e->args.size(); ++i)
    collect(
        e->args[i], exponent, [=](const Expr& inner) { return around(with_argument(e, i, inner)); }, spots);
}

/// Square roots as powers.
void collect_roots(const Expr& e, const std::function<Expr(const Expr&)>& around, std::vector<Exponent>& out) {
  if (!e || e->op == Op::index || e->op == Op::slice) return;
  if (e->op == Op::call && e->name == "sqrt" && e->args.size() == 1)
    out.push_back({Rational(1, 2), [around, base = e->args[0]](const Expr& exponent) {
                     return around(make(Op::power, {base, exponent}));
                   }});
  for (std::size_t i = e->op == Op::comprehension ? 2 : 0; i < e->args.size(); ++i)
    collect_roots(
        e->args[i], [=](const Expr& inner) { return around(with_argument(e, i, inner)); }, out);
}

/// Where the claim holds no constant that could be changed: the right side of each relation as a whole.
void vary_sides(const Statement& statement, const Expr& e, const std::function<Expr(const Expr&)>& around,
                std::vector<Variation>& out) {
  if (e->op == Op::conjunction) {
    for (std::size_t i = 0; i < e->args.size(); ++i)
      vary_sides(
          statement, e->args[i], [&](const Expr& inner) { return around(with_argument(e, i, inner)); }, out);
    return;
  }
  if (!is_relation(e->op) || e->args[1]->op == Op::number) return;
  for (const auto& [per_mille, words] : {std::pair{1, "0.1 %"}, {10, "1 %"}, {100, "10 %"}}) {
    for (const int sign : {-1, 1}) {
      const Rational factor = Rational(1) + Rational(std::int64_t{sign} * per_mille, 1000);
      const Expr side = make(Op::multiply, {make_number(factor), e->args[1]});
      out.push_back({Change::constant, fmt::format("the right side {} {}", words, sign < 0 ? "smaller" : "larger"),
                     per_mille / 1000.0, with_claim(statement, around(with_argument(e, 1, side)))});
    }
  }
}

void vary_numbers(const Statement& statement, std::vector<Variation>& out) {
  std::vector<Spot> spots;
  collect(
      statement.claim, false, [](const Expr& e) { return e; }, spots);
  if (spots.empty())
    vary_sides(
        statement, statement.claim, [](const Expr& e) { return e; }, out);
  if (spots.size() > 8) spots.resize(8);
  for (const Spot& spot : spots) {
    for (const auto& [per_mille, words] : {std::pair{1, "0.1 %"}, {10, "1 %"}, {100, "10 %"}}) {
      for (const int sign : {-1, 1}) {
        const Rational changed = spot.value * (Rational(1) + Rational(std::int64_t{sign} * per_mille, 1000));
        out.push_back({spot.exponent ? Change::exponent : Change::constant,
                       fmt::format("{} {} made {} {}", spot.exponent ? "exponent" : "constant", spot.value.to_string(),
                                   words, sign < 0 ? "smaller" : "larger"),
                       per_mille / 1000.0, with_claim(statement, spot.replaced(make_number(changed)))});
      }
    }
  }
}

Op turned(Op op) {
  switch (op) {
    case Op::less:
    case Op::less_equal:
      return Op::greater_equal;
    case Op::greater:
    case Op::greater_equal:
      return Op::less_equal;
    default:
      return op;
  }
}

void turn_relation(const Statement& statement, std::vector<Variation>& out) {
  const Op op = turned(statement.claim->op);
  if (op == statement.claim->op) return;
  out.push_back({Change::relation, "the relation turned", 1, with_claim(statement, make(op, statement.claim->args))});
}

void drop_conditions(const Statement& statement, std::vector<Variation>& out) {
  for (std::size_t b = 0; b < statement.binders.size(); ++b) {
    for (std::size_t k = 0; k < statement.binders[b].conditions.size(); ++k) {
      Statement changed = statement;
      auto& conditions = changed.binders[b].conditions;
      const std::string text = language::normal_form(conditions[k]);
      conditions.erase(conditions.begin() + static_cast<std::ptrdiff_t>(k));
      out.push_back({Change::condition, text, 1, std::move(changed)});
    }
  }
  for (std::size_t k = 0; k < statement.conditions.size(); ++k) {
    Statement changed = statement;
    const std::string text = language::normal_form(changed.conditions[k]);
    changed.conditions.erase(changed.conditions.begin() + static_cast<std::ptrdiff_t>(k));
    out.push_back({Change::condition, text, 1, std::move(changed)});
  }
}

/// The set without what restricts it; false where nothing does.
bool widen(language::Set& set, std::string& words) {
  switch (set.kind) {
    case SetKind::interval: {
      const bool half = set.args[0]->op == Op::infinity || set.args[1]->op == Op::infinity ||
                        (set.args[0]->op == Op::negate && set.args[0]->args[0]->op == Op::infinity);
      set.kind = SetKind::reals;
      set.args.clear();
      set.lower_open = set.upper_open = false;
      words = half ? "only one side of the line" : "an interval";
      return true;
    }
    case SetKind::simplex:
      words = "entries sum to 1";
      break;
    case SetKind::sphere:
      words = "length 1";
      break;
    case SetKind::ball:
      words = "bounded length";
      set.args.resize(1);
      break;
    case SetKind::stochastic:
      words = "rows sum to 1, no entry below 0";
      set.kind = SetKind::reals;
      set.extents = std::move(set.args);
      set.args.clear();
      return true;
    case SetKind::psd:
      words = "no eigenvalue below 0";
      set.kind = SetKind::symmetric;
      return true;
    case SetKind::orthogonal:
      words = "orthogonal";
      set.kind = SetKind::reals;
      set.extents = {set.args[0], set.args[0]};
      set.args.clear();
      return true;
    default:
      return false;
  }
  // Weights keep their sign: without the sum they are entries of [0, inf)^n.
  const bool weights = set.kind == SetKind::simplex;
  set.extents = {set.args[0]};
  set.args.clear();
  set.kind = SetKind::reals;
  if (weights) {
    set.kind = SetKind::interval;
    auto infinity = std::make_shared<Node>();
    infinity->op = Op::infinity;
    set.args = {make_number(Rational(0)), infinity};
    set.upper_open = true;
  }
  return true;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& each : names) text += (text.empty() ? "" : ", ") + each;
  return text;
}

void widen_sets(const Statement& statement, std::vector<Variation>& out) {
  for (std::size_t b = 0; b < statement.binders.size(); ++b) {
    if (statement.binders[b].quantifier != language::Quantifier::forall) continue;
    Statement changed = statement;
    std::string words;
    if (!widen(changed.binders[b].set, words)) continue;
    out.push_back({Change::set, fmt::format("{}: {}", joined(changed.binders[b].names), words), 1, std::move(changed)});
  }
}

}  // namespace

std::vector<Variation> variations(const Statement& statement) {
  std::vector<Variation> out;
  vary_numbers(statement, out);
  turn_relation(statement, out);
  drop_conditions(statement, out);
  widen_sets(statement, out);
  std::erase_if(out, [&](const Variation& v) { return language::same(v.statement, statement); });
  return out;
}

std::vector<Exponent> exponents_of(const Expr& claim) {
  std::vector<Exponent> exponents;
  std::vector<Spot> spots;
  collect(
      claim, false, [](const Expr& e) { return e; }, spots);
  for (Spot& spot : spots)
    if (spot.exponent) exponents.push_back({spot.value, std::move(spot.replaced)});
  collect_roots(
      claim, [](const Expr& e) { return e; }, exponents);
  return exponents;
}

Expr scaled_claim(const Expr& claim, const std::string& name) {
  switch (claim->op) {
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return make(claim->op, {claim->args[0], make(Op::multiply, {make_variable(name), claim->args[1]})});
    default:
      return {};
  }
}

}  // namespace attest::referee
