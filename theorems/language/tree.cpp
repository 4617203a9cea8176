#include "theorems/language/tree.hpp"

#include <algorithm>

namespace attest::language {
namespace {

bool same(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return std::ranges::equal(a, b, [](const Expr& x, const Expr& y) { return language::same(x, y); });
}

bool same(const Binder& a, const Binder& b) {
  return a.quantifier == b.quantifier && a.names == b.names && language::same(a.set, b.set) &&
         language::same(a.law, b.law) && same(a.conditions, b.conditions);
}

bool same(const Definition& a, const Definition& b) {
  return a.name == b.name && a.parameters == b.parameters && language::same(a.body, b.body);
}

bool same(const Recursion& a, const Recursion& b) {
  return a.name == b.name && a.index == b.index && a.ahead == b.ahead && language::same(a.step, b.step) &&
         std::ranges::equal(a.start, b.start, [](const Recursion::Start& x, const Recursion::Start& y) {
           return x.at == y.at && language::same(x.value, y.value);
         });
}

template <typename Part>
bool same_parts(const std::vector<Part>& a, const std::vector<Part>& b) {
  return std::ranges::equal(a, b, [](const Part& x, const Part& y) { return same(x, y); });
}

}  // namespace

bool same(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr) return false;
  return a->op == b->op && a->name == b->name && a->bound == b->bound && a->value == b->value &&
         same(a->args, b->args) && std::ranges::equal(a->options, b->options, [](const Option& x, const Option& y) {
           return x.name == y.name && same(x.value, y.value);
         });
}

bool same(const Set& a, const Set& b) {
  return a.kind == b.kind && a.lower_open == b.lower_open && a.upper_open == b.upper_open && same(a.args, b.args) &&
         same(a.extents, b.extents);
}

bool same(const Law& a, const Law& b) { return a.name == b.name && same(a.args, b.args) && same(a.extents, b.extents); }

bool same(const Statement& a, const Statement& b) {
  return same_parts(a.definitions, b.definitions) && same_parts(a.binders, b.binders) && same(a.claim, b.claim) &&
         same(a.conditions, b.conditions) && same_parts(a.recursions, b.recursions);
}

}  // namespace attest::language
