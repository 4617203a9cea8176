#include "theorems/evidence/scalar_terms.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "theorems/evidence/exact_numbers.hpp"
#include "theorems/evidence/term_builder.hpp"

namespace attest::evidence {

using language::Expr;
using language::Op;
using language::SetKind;
using rigor::Rational;

namespace {

using Names = std::map<std::string, TermArray>;
using Extents = std::vector<std::int64_t>;

bool is_number(const TermPointer& term) { return term->kind == TermKind::number; }

class Writer : private TermBuilder {
 public:
  Writer(const language::Statement& statement, const language::Choices& choices) : statement_(statement) {
    for (const auto& [name, value] : choices) {
      const std::string text = exact_choice(value);
      names_[name] = scalar(text == "inf" ? std::make_shared<const Term>(Term{TermKind::infinity, {}, {}, {}, 0})
                                          : number_term(Rational::from_text(text)));
    }
  }

  WrittenOut write() {
    WrittenOut out;
    for (const language::Binder& binder : statement_.binders) {
      for (const std::string& name : binder.names)
        if (!names_.contains(name)) bind(name, binder.set, out);
      for (const Expr& condition : binder.conditions) out.domain.push_back(claim(condition, names_));
    }
    for (const Expr& condition : statement_.conditions) out.domain.push_back(claim(condition, names_));
    out.claim = claim(statement_.claim, names_);
    out.size = made();
    return out;
  }

 private:
  void relate(std::vector<TermClaim>& to, const char* relation, TermPointer lhs, TermPointer rhs) {
    to.push_back({ClaimKind::relation, relation, std::move(lhs), std::move(rhs), {}});
  }

  void bind(const std::string& name, const language::Set& set, WrittenOut& out) {
    TermArray array;
    for (const Expr& extent : set.extents) array.shape.push_back(whole(extent, names_));
    if (set.kind == SetKind::simplex || set.kind == SetKind::sphere) array.shape = {whole(set.args[0], names_)};
    std::int64_t count = 1;
    for (const std::int64_t extent : array.shape) count *= extent;
    for (std::int64_t k = 0; k < count; ++k) {
      std::string own = name;
      if (array.shape.size() == 1) own += fmt::format("_{}", k + 1);
      if (array.shape.size() == 2) own += fmt::format("_{}_{}", k / array.shape[1] + 1, k % array.shape[1] + 1);
      out.variables.push_back(own);
      array.entries.push_back(make(TermKind::variable, {}, own));
    }
    names_[name] = array;
    switch (set.kind) {
      case SetKind::reals:
        return;
      case SetKind::interval: {
        const TermArray lower = value(set.args[0], names_), upper = value(set.args[1], names_);
        for (const TermPointer& entry : array.entries) {
          if (set.args[0]->op != Op::negate || set.args[0]->args[0]->op != Op::infinity)
            relate(out.domain, set.lower_open ? "<" : "<=", lower.entries.at(0), entry);
          if (set.args[1]->op != Op::infinity)
            relate(out.domain, set.upper_open ? "<" : "<=", entry, upper.entries.at(0));
        }
        return;
      }
      case SetKind::simplex:
        for (const TermPointer& entry : array.entries) relate(out.domain, "<=", number_term(Rational(0)), entry);
        relate(out.domain, "=", sum(array.entries), number_term(Rational(1)));
        return;
      case SetKind::sphere:
        relate(out.domain, "=", sum_of_squares(array.entries), number_term(Rational(1)));
        return;
      default:
        throw NotWritten(fmt::format("the set of '{}' is not written out in scalars", name));
    }
  }

  std::int64_t whole(const Expr& expr, const Names& names) {
    const TermArray found = value(expr, names);
    const double size =
        found.entries.size() == 1 && is_number(found.entries[0]) ? found.entries[0]->value.to_double() : 0.5;
    if (size != static_cast<double>(static_cast<std::int64_t>(size)))
      throw NotWritten("a size or an index is not a known whole number");
    return static_cast<std::int64_t>(size);
  }

  TermPointer raised(const TermPointer& x, const TermPointer& exponent) {
    if (is_number(exponent)) {
      const double n = exponent->value.to_double();
      if (n == static_cast<double>(static_cast<int>(n)) && n >= 0 && n < 200)
        return make(TermKind::power, {x}, {}, static_cast<unsigned>(n));
      if (n == static_cast<double>(static_cast<int>(n)) && n > -200)
        return make(TermKind::divide,
                    {number_term(Rational(1)), make(TermKind::power, {x}, {}, static_cast<unsigned>(-n))});
      if (n == 0.5) return call("sqrt", {x});
    }
    return call("exp", {make(TermKind::multiply, {exponent, call("log", {x})})});
  }

  TermArray product(const TermArray& a, const TermArray& b) {
    if (a.shape.empty() || b.shape.empty()) return binary(TermKind::multiply, a, b);
    if (a.shape.size() != 2 || a.shape[1] != b.shape[0]) throw NotWritten("a product of arrays of such shapes");
    const std::int64_t inner = a.shape[1], width = b.shape.size() == 2 ? b.shape[1] : 1;
    TermArray out{b.shape.size() == 2 ? Extents{a.shape[0], width} : Extents{a.shape[0]}, {}};
    for (std::int64_t i = 0; i < a.shape[0]; ++i)
      for (std::int64_t j = 0; j < width; ++j) {
        std::vector<TermPointer> terms;
        for (std::int64_t k = 0; k < inner; ++k)
          terms.push_back(make(TermKind::multiply, {a.entries[static_cast<std::size_t>(i * inner + k)],
                                                    b.entries[static_cast<std::size_t>(k * width + j)]}));
        out.entries.push_back(sum(terms));
      }
    return out;
  }

  static TermArray row(const TermArray& a, std::int64_t from, std::int64_t to, bool one) {
    const std::int64_t width = a.shape.size() == 2 ? a.shape[1] : 1;
    if (a.shape.empty() || from < 1 || to > a.shape[0] || from > to) throw NotWritten("an index is out of range");
    TermArray out;
    out.entries.assign(a.entries.begin() + (from - 1) * width, a.entries.begin() + to * width);
    if (!one) out.shape.push_back(to - from + 1);
    if (a.shape.size() == 2) out.shape.push_back(width);
    return out;
  }

  TermArray transposed(const TermArray& a) {
    if (a.shape.size() != 2) throw NotWritten("the transpose of something that is not a matrix");
    TermArray out{{a.shape[1], a.shape[0]}, {}};
    for (std::int64_t j = 0; j < a.shape[1]; ++j)
      for (std::int64_t i = 0; i < a.shape[0]; ++i)
        out.entries.push_back(a.entries[static_cast<std::size_t>(i * a.shape[1] + j)]);
    return out;
  }

  /// base^times of a matrix.
  TermArray repeated_product(const TermArray& base, std::int64_t times) {
    TermArray out = base;
    for (std::int64_t k = 1; k < times; ++k) out = product(out, base);
    return out;
  }

  TermArray indexed(const Expr& expr, const Names& names) {
    TermArray found = value(expr->args[0], names);
    for (std::size_t k = 1; k < expr->args.size(); ++k) {
      const std::int64_t at = whole(expr->args[k], names);
      found = row(found, at, at, true);
    }
    return found;
  }

  TermArray stacked(const Expr& expr, const Names& names) {
    TermArray out{{static_cast<std::int64_t>(expr->args.size())}, {}};
    for (std::size_t k = 0; k < expr->args.size(); ++k) {
      const TermArray part = value(expr->args[k], names);
      if (k == 0) out.shape.insert(out.shape.end(), part.shape.begin(), part.shape.end());
      out.entries.insert(out.entries.end(), part.entries.begin(), part.entries.end());
    }
    return out;
  }

  /// sum, prod, mean, max or min over an index.
  TermArray folded(const Expr& expr, const Names& names) {
    std::vector<TermArray> parts;
    Names inside = names;
    for (std::int64_t i = whole(expr->args[0], names); i <= whole(expr->args[1], names); ++i) {
      inside[expr->bound] = scalar(number_term(Rational(i)));
      parts.push_back(value(expr->args[2], inside));
    }
    if (parts.empty()) return scalar(number_term(Rational(expr->name == "prod" ? 1 : 0)));
    TermArray out = parts.front();
    const bool compares = expr->name == "max" || expr->name == "min";
    for (std::size_t k = 1; k < parts.size(); ++k)
      out = each(out, parts[k], [&](const TermPointer& x, const TermPointer& y) {
        return compares ? call(expr->name, {x, y})
                        : make(expr->name == "prod" ? TermKind::multiply : TermKind::add, {x, y});
      });
    const TermPointer count = number_term(Rational(static_cast<std::int64_t>(parts.size())));
    return expr->name == "mean" ? binary(TermKind::divide, out, scalar(count)) : out;
  }

  TermArray value(const Expr& expr, const Names& names) {
    const auto arg = [&](std::size_t k) { return value(expr->args[k], names); };
    switch (expr->op) {
      case Op::number:
        return scalar(number_term(expr->value));
      case Op::infinity:
        return scalar(std::make_shared<const Term>(Term{TermKind::infinity, {}, {}, {}, 0}));
      case Op::constant:
        return scalar(expr->name == "pi" ? make(TermKind::pi, {}) : call("exp", {number_term(Rational(1))}));
      case Op::variable: {
        if (const auto at = names.find(expr->name); at != names.end()) return at->second;
        for (const language::Definition& d : statement_.definitions)
          if (d.name == expr->name && d.parameters.empty()) return value(d.body, names_);
        throw NotWritten(fmt::format("'{}' has no value", expr->name));
      }
      case Op::add:
        return binary(TermKind::add, arg(0), arg(1));
      case Op::subtract:
        return binary(TermKind::subtract, arg(0), arg(1));
      case Op::multiply:
        return product(arg(0), arg(1));
      case Op::times_elementwise:
        return binary(TermKind::multiply, arg(0), arg(1));
      case Op::divide:
      case Op::divide_elementwise:
        return binary(TermKind::divide, arg(0), arg(1));
      case Op::negate:
        return each(arg(0), [&](TermPointer x) { return make(TermKind::negate, {std::move(x)}); });
      case Op::power:
      case Op::power_elementwise: {
        const TermArray base = arg(0), exponent = arg(1);
        if (expr->op == Op::power && !base.shape.empty()) return repeated_product(base, whole(expr->args[1], names));
        return each(base, exponent, [&](const TermPointer& x, const TermPointer& y) { return raised(x, y); });
      }
      case Op::transpose:
        return transposed(arg(0));
      case Op::index:
        return indexed(expr, names);
      case Op::slice:
        return row(arg(0), whole(expr->args[1], names), whole(expr->args[2], names), false);
      case Op::array:
        return stacked(expr, names);
      case Op::call:
        return called(expr, names);
      case Op::comprehension:
        return folded(expr, names);
      default:
        throw NotWritten("this part of the statement is not written out in scalars");
    }
  }

  /// name(at) of a recursion, from its start.
  TermArray along(const language::Recursion& recursion, std::int64_t at) {
    std::map<std::int64_t, TermArray>& known = recursions_[recursion.name];
    if (const auto found = known.find(at); found != known.end()) return found->second;
    for (const auto& start : recursion.start)
      if (start.at == at) return known[at] = value(start.value, names_);
    if (at < recursion.start.front().at) throw NotWritten("a recursion before its start");
    Names inside = names_;
    inside[recursion.index] = scalar(number_term(Rational(at - recursion.ahead)));
    return known[at] = value(recursion.step, inside);
  }

  TermArray called(const Expr& expr, const Names& names) {
    const std::string& name = expr->name;
    if (!expr->options.empty()) throw NotWritten(fmt::format("'{}' with options is not written out in scalars", name));
    for (const language::Definition& d : statement_.definitions) {
      if (d.name != name || d.parameters.empty()) continue;
      Names inside = names_;
      for (std::size_t k = 0; k < d.parameters.size(); ++k) inside[d.parameters[k]] = value(expr->args[k], names);
      return value(d.body, inside);
    }
    for (const language::Recursion& recursion : statement_.recursions)
      if (recursion.name == name) return along(recursion, whole(expr->args[0], names));
    std::vector<TermArray> args;
    for (const Expr& each_arg : expr->args) args.push_back(value(each_arg, names));
    return function_of(*this, name, args);
  }

  TermClaim claim(const Expr& expr, const Names& names) {
    const auto joined = [&](ClaimKind kind) {
      TermClaim out;
      out.kind = kind;
      for (const Expr& part : expr->args) out.parts.push_back(claim(part, names));
      return out;
    };
    switch (expr->op) {
      case Op::conjunction:
        return joined(ClaimKind::conjunction);
      case Op::disjunction:
        return joined(ClaimKind::disjunction);
      case Op::negation:
        return joined(ClaimKind::negation);
      case Op::implication:
        return joined(ClaimKind::implication);
      case Op::comprehension: {
        TermClaim out;
        out.kind = ClaimKind::conjunction;
        Names inside = names;
        for (std::int64_t i = whole(expr->args[0], names); i <= whole(expr->args[1], names); ++i) {
          inside[expr->bound] = scalar(number_term(Rational(i)));
          out.parts.push_back(claim(expr->args[2], inside));
        }
        return out;
      }
      default:
        break;
    }
    static const std::map<Op, const char*> symbols = {
        {Op::less, "<"}, {Op::less_equal, "<="}, {Op::greater, ">"}, {Op::greater_equal, ">="}, {Op::equal, "="}};
    const auto symbol = symbols.find(expr->op);
    if (symbol == symbols.end()) throw NotWritten("this claim is not written out in scalars");
    TermClaim out;
    out.kind = ClaimKind::conjunction;
    each(value(expr->args[0], names), value(expr->args[1], names), [&](const TermPointer& lhs, const TermPointer& rhs) {
      relate(out.parts, symbol->second, lhs, rhs);
      return lhs;
    });
    return out.parts.size() == 1 ? out.parts.front() : out;
  }

  const language::Statement& statement_;
  Names names_ = {};
  std::map<std::string, std::map<std::int64_t, TermArray>> recursions_ = {};
};

}  // namespace

WrittenOut written_out(const language::Statement& statement, const language::Choices& choices) {
  for (const language::Binder& binder : statement.binders)
    if (binder.quantifier != language::Quantifier::forall && binder.quantifier != language::Quantifier::exists)
      throw NotWritten("only statements with 'forall' or 'exists' alone are written out");
  return Writer(statement, choices).write();
}

}  // namespace attest::evidence
