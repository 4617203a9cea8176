#include "theorems/language/make.hpp"

#include <utility>

namespace attest::language {
namespace {

Expr share(Node node) { return std::make_shared<const Node>(std::move(node)); }

/// Parts of the same kind take the place of the part that holds them.
std::vector<Expr> flattened(Op op, std::vector<Expr> args) {
  std::vector<Expr> flat;
  for (Expr& arg : args) {
    if (arg->op == op)
      flat.insert(flat.end(), arg->args.begin(), arg->args.end());
    else
      flat.push_back(std::move(arg));
  }
  return flat;
}

}  // namespace

Expr make_number(const rigor::Rational& value, Place place) {
  return share({.op = Op::number, .value = value, .place = place});
}

Expr make_leaf(Op op, std::string name, Place place) {
  return share({.op = op, .name = std::move(name), .place = place});
}

Expr make_variable(std::string name, Place place) { return make_leaf(Op::variable, std::move(name), place); }

Expr make(Op op, std::vector<Expr> args, Place place) {
  if (op == Op::negate && args[0]->op == Op::number) return make_number(-args[0]->value, place);
  if (op == Op::divide && args[0]->op == Op::number && args[1]->op == Op::number)
    return make_number(args[0]->value / args[1]->value, args[0]->place);
  if (op == Op::conjunction || op == Op::disjunction) args = flattened(op, std::move(args));
  return share({.op = op, .args = std::move(args), .place = place});
}

Expr make(Op op, std::vector<Expr> args) {
  const Place place = args.empty() ? Place{} : args.front()->place;
  return make(op, std::move(args), place);
}

Expr make_call(std::string name, std::vector<Expr> args, std::vector<Option> options, Place place) {
  return share({.op = Op::call,
                .args = std::move(args),
                .name = std::move(name),
                .options = std::move(options),
                .place = place});
}

Expr make_comprehension(std::string name, std::string bound, Expr from, Expr to, Expr body, Place place) {
  return share({.op = Op::comprehension,
                .args = {std::move(from), std::move(to), std::move(body)},
                .name = std::move(name),
                .bound = std::move(bound),
                .place = place});
}

Expr with_args(const Expr& node, std::vector<Expr> args) {
  Node changed = *node;
  changed.args = std::move(args);
  return share(std::move(changed));
}

bool is_relation(Op op) {
  return op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal || op == Op::equal;
}

bool is_logical(const Expr& node) {
  switch (node->op) {
    case Op::order:
    case Op::conjunction:
    case Op::disjunction:
    case Op::negation:
    case Op::implication:
      return true;
    case Op::comprehension:
      return node->name == "all" || node->name == "any";
    default:
      return is_relation(node->op);
  }
}

}  // namespace attest::language
