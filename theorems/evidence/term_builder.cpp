#include "theorems/evidence/term_builder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace attest::evidence {

using rigor::Rational;

namespace {

bool is_number(const TermPointer& term) { return term->kind == TermKind::number; }

}  // namespace

TermPointer number_term(const Rational& value) {
  return std::make_shared<const Term>(Term{TermKind::number, value, {}, {}, 0});
}

TermPointer TermBuilder::make(TermKind kind, std::vector<TermPointer> args, std::string name, unsigned exponent) {
  if (++made_ > most_terms) throw NotWritten(fmt::format("written out it has more than {} terms", most_terms));
  const auto value = [&](std::size_t k) { return args[k]->value; };
  const bool both = args.size() == 2 && is_number(args[0]) && is_number(args[1]);
  if (both && kind == TermKind::add) return number_term(value(0) + value(1));
  if (both && kind == TermKind::subtract) return number_term(value(0) - value(1));
  if (both && kind == TermKind::multiply) return number_term(value(0) * value(1));
  if (both && kind == TermKind::divide && value(1) != Rational(0)) return number_term(value(0) / value(1));
  if (kind == TermKind::negate && is_number(args[0])) return number_term(-value(0));
  if (kind == TermKind::power && is_number(args[0])) {
    Rational product(1);
    for (unsigned k = 0; k < exponent; ++k) product = product * value(0);
    return number_term(product);
  }
  return std::make_shared<const Term>(Term{kind, {}, std::move(name), std::move(args), exponent});
}
TermPointer TermBuilder::call(const std::string& name, std::vector<TermPointer> args) {
  return make(TermKind::call, std::move(args), name);
}
TermPointer TermBuilder::sum(const std::vector<TermPointer>& terms) {
  if (terms.empty()) return number_term(Rational(0));
  TermPointer total = terms.front();
  for (std::size_t k = 1; k < terms.size(); ++k) total = make(TermKind::add, {total, terms[k]});
  return total;
}
TermPointer TermBuilder::sum_of_squares(const std::vector<TermPointer>& terms) {
  std::vector<TermPointer> all;
  for (const TermPointer& term : terms) all.push_back(make(TermKind::power, {term}, {}, 2));
  return sum(all);
}
TermPointer TermBuilder::fold(const std::string& name, const std::vector<TermPointer>& terms) {
  TermPointer found = terms.at(0);
  for (std::size_t k = 1; k < terms.size(); ++k) found = call(name, {found, terms[k]});
  return found;
}

TermArray TermBuilder::each(const TermArray& a, const TermArray& b,
                            const std::function<TermPointer(TermPointer, TermPointer)>& f) {
  if (!a.shape.empty() && !b.shape.empty() && a.shape != b.shape) throw NotWritten("two arrays differ in shape");
  TermArray out{a.shape.empty() ? b.shape : a.shape, {}};
  for (std::size_t k = 0; k < std::max(a.entries.size(), b.entries.size()); ++k)
    out.entries.push_back(f(a.entries[a.shape.empty() ? 0 : k], b.entries[b.shape.empty() ? 0 : k]));
  return out;
}
TermArray TermBuilder::each(const TermArray& a, const std::function<TermPointer(TermPointer)>& f) {
  TermArray out{a.shape, {}};
  for (const TermPointer& entry : a.entries) out.entries.push_back(f(entry));
  return out;
}
TermArray TermBuilder::binary(TermKind kind, const TermArray& a, const TermArray& b) {
  return each(a, b, [&](TermPointer x, TermPointer y) { return make(kind, {std::move(x), std::move(y)}); });
}

}  // namespace attest::evidence
