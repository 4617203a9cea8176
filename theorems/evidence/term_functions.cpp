// The language's functions in scalar terms.
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "theorems/evidence/term_builder.hpp"

namespace attest::evidence {

using rigor::Rational;

namespace {

using Extents = std::vector<std::int64_t>;

std::optional<TermArray> entrywise(TermBuilder& b, const std::string& name, const std::vector<TermArray>& args) {
  const TermPointer one = number_term(Rational(1)), two = number_term(Rational(2));
  const auto exp = [&](TermPointer x) { return b.call("exp", {std::move(x)}); };
  const auto minus = [&](TermPointer x) { return b.make(TermKind::negate, {std::move(x)}); };
  const auto plus = [&](TermPointer x, TermPointer y) { return b.make(TermKind::add, {std::move(x), std::move(y)}); };
  const auto less = [&](TermPointer x, TermPointer y) {
    return b.make(TermKind::subtract, {std::move(x), std::move(y)});
  };
  const auto over = [&](TermPointer x, TermPointer y) {
    return b.make(TermKind::divide, {std::move(x), std::move(y)});
  };
  static const std::set<std::string> known = {"tanh", "sigmoid", "softplus", "silu", "cosh", "sinh", "relu"};
  if (!known.contains(name)) return std::nullopt;
  return b.each(args[0], [&](const TermPointer& x) -> TermPointer {
    if (name == "sigmoid") return over(one, plus(one, exp(minus(x))));
    if (name == "silu") return over(x, plus(one, exp(minus(x))));
    if (name == "softplus") return b.call("log", {plus(one, exp(x))});
    if (name == "relu") return b.call("max", {x, number_term(Rational(0))});
    if (name == "cosh") return over(plus(exp(x), exp(minus(x))), two);
    if (name == "sinh") return over(less(exp(x), exp(minus(x))), two);
    return less(one, over(two, plus(exp(b.make(TermKind::multiply, {two, x})), one)));
  });
}

using Made = std::optional<TermArray>;

TermPointer count_of(const std::vector<TermPointer>& x) {
  return number_term(Rational(static_cast<std::int64_t>(x.size())));
}

std::int64_t extent_of(const TermArray& written) {
  return static_cast<std::int64_t>(written.entries.at(0)->value.to_double());
}

/// |x|_p for p = 1, 2 (where none is given) and infinity.
Made norm(TermBuilder& b, const std::vector<TermArray>& args) {
  const std::vector<TermPointer>& x = args[0].entries;
  std::vector<TermPointer> sizes;
  for (const TermPointer& entry : x) sizes.push_back(b.call("abs", {entry}));
  const TermPointer order = args.size() > 1 ? args[1].entries[0] : number_term(Rational(2));
  if (order->kind == TermKind::infinity) return TermBuilder::scalar(b.fold("max", sizes));
  if (order->value == Rational(1)) return TermBuilder::scalar(b.sum(sizes));
  if (order->value == Rational(2)) return TermBuilder::scalar(b.call("sqrt", {b.sum_of_squares(x)}));
  return std::nullopt;
}

/// Functions of all entries that give one number, and the larger or smaller of two arrays.
Made reduced(TermBuilder& b, const std::string& name, const std::vector<TermArray>& args) {
  const std::vector<TermPointer>& x = args[0].entries;
  if (name == "sum") return TermBuilder::scalar(b.sum(x));
  if (name == "mean") return TermBuilder::scalar(b.make(TermKind::divide, {b.sum(x), count_of(x)}));
  if ((name == "max" || name == "min") && args.size() == 1) return TermBuilder::scalar(b.fold(name, x));
  if (name == "max" || name == "min")
    return b.each(args[0], args[1], [&](const TermPointer& a, const TermPointer& c) { return b.call(name, {a, c}); });
  if (name == "dot") return TermBuilder::scalar(b.sum(b.binary(TermKind::multiply, args[0], args[1]).entries));
  if (name == "frobenius") return TermBuilder::scalar(b.call("sqrt", {b.sum_of_squares(x)}));
  if (name == "prod") {
    TermPointer product = number_term(Rational(1));
    for (const TermPointer& entry : x) product = b.make(TermKind::multiply, {product, entry});
    return TermBuilder::scalar(product);
  }
  if (name == "norm" && args[0].shape.size() == 1) return norm(b, args);
  if (name == "var" && !x.empty()) {
    const TermPointer mean = b.make(TermKind::divide, {b.sum(x), count_of(x)});
    const TermArray centred = b.binary(TermKind::subtract, args[0], TermBuilder::scalar(mean));
    return TermBuilder::scalar(b.make(TermKind::divide, {b.sum_of_squares(centred.entries), count_of(x)}));
  }
  return std::nullopt;
}

/// Extents, and arrays of given ones.
Made sized(TermBuilder&, const std::string& name, const std::vector<TermArray>& args) {
  const auto size = [&](std::size_t axis) {
    return TermBuilder::scalar(number_term(Rational(args[0].shape.at(axis))));
  };
  if (name == "length" || name == "rows") return size(0);
  if (name == "cols") return size(1);
  if (name != "ones" && name != "zeros") return std::nullopt;
  TermArray out;
  std::int64_t count = 1;
  for (const TermArray& extent : args) {
    out.shape.push_back(extent_of(extent));
    count *= out.shape.back();
  }
  out.entries.assign(static_cast<std::size_t>(count), number_term(Rational(name == "ones" ? 1 : 0)));
  return out;
}

Made of_matrices(TermBuilder& b, const std::string& name, const std::vector<TermArray>& args) {
  const std::vector<TermPointer>& x = args[0].entries;
  const Extents& shape = args[0].shape;
  if (name == "outer") {
    TermArray out{{shape.at(0), args.at(1).shape.at(0)}, {}};
    for (const TermPointer& a : x)
      for (const TermPointer& c : args[1].entries) out.entries.push_back(b.make(TermKind::multiply, {a, c}));
    return out;
  }
  if (name == "identity" || (name == "diag" && shape.size() == 1)) {
    const std::int64_t n = name == "diag" ? shape[0] : extent_of(args[0]);
    TermArray out{{n, n}, {}};
    for (std::int64_t k = 0; k < n * n; ++k) {
      const bool on = k / n == k % n;
      out.entries.push_back(!on              ? number_term(Rational(0))
                            : name == "diag" ? x[static_cast<std::size_t>(k / n)]
                                             : number_term(Rational(1)));
    }
    return out;
  }
  if ((name == "trace" || name == "diag") && shape.size() == 2) {
    TermArray out{{shape[0]}, {}};
    for (std::int64_t k = 0; k < shape[0]; ++k) out.entries.push_back(x[static_cast<std::size_t>(k * shape[1] + k)]);
    return name == "trace" ? TermBuilder::scalar(b.sum(out.entries)) : out;
  }
  if (name == "det" && shape == Extents{2, 2})
    return TermBuilder::scalar(b.make(
        TermKind::subtract, {b.make(TermKind::multiply, {x[0], x[3]}), b.make(TermKind::multiply, {x[1], x[2]})}));
  return std::nullopt;
}

/// Functions of a vector, or of each row of a matrix.
Made of_rows(TermBuilder& b, const std::string& name, const std::vector<TermArray>& args) {
  const std::vector<TermPointer>& x = args[0].entries;
  const Extents& shape = args[0].shape;
  if (name == "cumsum" && shape.size() == 1) {
    TermArray out{shape, {}};
    for (std::size_t k = 0; k < x.size(); ++k)
      out.entries.push_back(k == 0 ? x[0] : b.make(TermKind::add, {out.entries.back(), x[k]}));
    return out;
  }
  if (name != "softmax" && name != "logsumexp") return std::nullopt;
  const auto width = static_cast<std::size_t>(shape.size() == 2 ? shape[1] : shape.at(0));
  TermArray out{shape, {}};
  if (name == "logsumexp") out.shape = shape.size() == 2 ? Extents{shape[0]} : Extents{};
  for (std::size_t at = 0; at < x.size(); at += width) {
    std::vector<TermPointer> powers;
    for (std::size_t k = 0; k < width; ++k) powers.push_back(b.call("exp", {x[at + k]}));
    const TermPointer total = b.sum(powers);
    if (name == "logsumexp") out.entries.push_back(b.call("log", {total}));
    for (std::size_t k = 0; name == "softmax" && k < width; ++k)
      out.entries.push_back(b.make(TermKind::divide, {powers[k], total}));
  }
  return out;
}

TermArray of_arrays(TermBuilder& b, const std::string& name, const std::vector<TermArray>& args) {
  for (const auto part : {reduced, sized, of_matrices, of_rows})
    if (Made made = part(b, name, args)) return *std::move(made);
  throw NotWritten(fmt::format("the function '{}' is not written out in scalars", name));
}

}  // namespace

TermArray function_of(TermBuilder& b, const std::string& name, const std::vector<TermArray>& args) {
  static const std::set<std::string> own = {"exp", "log", "sqrt", "sin", "cos", "tan", "atan", "abs"};
  if (args.empty()) throw NotWritten(fmt::format("'{}' without arguments is not written out in scalars", name));
  if (own.contains(name)) return b.each(args[0], [&](const TermPointer& x) { return b.call(name, {x}); });
  if (const auto made = entrywise(b, name, args)) return *made;
  return of_arrays(b, name, args);
}

}  // namespace attest::evidence
