// Nodes of the tree, made in the one way that reading and the C++ vocabulary share.
#pragma once

#include <string>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// A literal.
Expr make_number(const rigor::Rational& value, Place place = {});
/// A leaf with a name: `variable`, `constant`, `text` or `truth`; or `infinity` without one.
Expr make_leaf(Op op, std::string name, Place place = {});
/// The variable `name`.
Expr make_variable(std::string name, Place place = {});
/// Any operation on arguments. A quotient of two numbers and the negative of a number are numbers; conjunctions within
/// a conjunction and disjunctions within a disjunction become its parts.
/// Precondition: a quotient's denominator is not the number 0.
Expr make(Op op, std::vector<Expr> args, Place place);
/// The same at the place of the first argument.
Expr make(Op op, std::vector<Expr> args);
/// f(args..., options...)
Expr make_call(std::string name, std::vector<Expr> args, std::vector<Option> options = {}, Place place = {});
/// name(bound in from..to: body)
Expr make_comprehension(std::string name, std::string bound, Expr from, Expr to, Expr body, Place place = {});
/// The same node with other arguments.
Expr with_args(const Expr& node, std::vector<Expr> args);

/// < <= > >= =
bool is_relation(Op op);
/// Whether the node is true or false rather than a number or an array.
bool is_logical(const Expr& node);

}  // namespace attest::language
