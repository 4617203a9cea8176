// Expressions: what binds tighter, and whether numbers and relations stand where they can.
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "theorems/language/make.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/reading/draft.hpp"
#include "theorems/language/reading/infixes.hpp"

namespace attest::language {
namespace {

using Kind = Mark::Kind;

/// Each level of brackets climbs through a few of the levels above.
constexpr int deepest_climb = 600;

/// A tree and how deep it is.
struct Piece {
  Expr expr;
  int depth = 1;
};

class ExpressionBuilder {
 public:
  explicit ExpressionBuilder(const SourceText& text) : text_(text) {}

  Piece whole(const Mark& mark) {
    const Mark* outer = position_mark_;
    const std::size_t position = position_;
    position_mark_ = &mark;
    position_ = 0;
    Piece result = climb(binding::any);
    position_mark_ = outer;
    position_ = position;
    return result;
  }

 private:
  Place place(const Mark& mark) const { return text_.place(mark.at); }

  const Mark* peek() const {
    return position_ < position_mark_->parts.size() ? &position_mark_->parts[position_] : nullptr;
  }
  const Mark& take() { return position_mark_->parts[position_++]; }

  /// Precedence climbing over the flat sequence. `not` and powers recurse along it.
  Piece climb(int least) {
    if (++nesting_ > deepest_climb) throw Problem(peek() == nullptr ? Place{} : place(*peek()), too_deep());
    Piece left = prefixed(least);
    while (const Mark* next = peek()) {
      const binding::Infix& infix = *std::ranges::find(binding::infixes, next->text, &binding::Infix::sign);
      if (infix.level < least) break;
      if (infix.level == binding::relation) {
        left = chain(std::move(left));
        continue;
      }
      const Place at = place(take());
      // Powers and implications are read from the right; the exponent may have a sign.
      const int right_least = infix.level == binding::power         ? binding::sign
                              : infix.level == binding::implication ? binding::implication
                                                                    : infix.level + 1;
      Piece right = climb(right_least);
      left = joined(infix.op, {std::move(left), std::move(right)}, at);
    }
    --nesting_;
    return left;
  }

  Piece prefixed(int least) {
    const Mark& first = *peek();
    if (first.kind != Kind::prefix_operator) return with_postfixes(operand(take()));
    const Place at = place(take());
    if (first.text == "not") {
      if (least > binding::negation)
        throw Problem(at,
                      "'not' negates a relation and cannot stand inside a number; put brackets around the negation");
      return joined(Op::negation, {climb(binding::negation)}, at);
    }
    // A sign takes powers, and nothing weaker, with it. Signs in a row are taken one by one, without recursion.
    int minuses = first.text == "-" ? 1 : 0;
    while (peek()->kind == Kind::prefix_operator && peek()->text != "not") minuses += take().text == "-" ? 1 : 0;
    Piece result = climb(binding::power);
    if (is_logical(result.expr)) throw Problem(at, "a sign stands before a relation; it belongs before a number");
    for (int i = 0; i < minuses; ++i) result = joined(Op::negate, {std::move(result)}, at);
    return result;
  }

  /// a <= b < c: every neighbouring pair. a != b is not a = b.
  Piece chain(Piece left) {
    std::vector<Expr> relations;
    int depth = left.depth;
    while (const Mark* next = peek()) {
      const auto infix = std::ranges::find(binding::infixes, next->text, &binding::Infix::sign);
      if (infix == binding::infixes.end() || infix->level != binding::relation) break;
      const Place at = place(take());
      Piece right = climb(binding::sum);
      const bool unequal = infix->op == Op::negation;
      Piece pair = joined(unequal ? Op::equal : infix->op, {left, right}, at);
      if (unequal) pair = joined(Op::negation, {std::move(pair)}, at);
      depth = std::max(depth, pair.depth);
      relations.push_back(pair.expr);
      left = std::move(right);
    }
    if (relations.size() == 1) return {relations[0], depth};
    const Place at = relations[0]->place;
    return checked({make(Op::conjunction, std::move(relations), at), depth + 1}, at);
  }

  Piece joined(Op op, std::vector<Piece> pieces, Place at) {
    const bool logic = op == Op::conjunction || op == Op::disjunction || op == Op::negation || op == Op::implication;
    std::vector<Expr> args;
    int depth = 0;
    for (Piece& piece : pieces) {
      if (op == Op::implication && !is_logical(piece.expr))
        throw Problem(at,
                      "'=>' is 'implies' between relations such as x <= 1, and a number stands beside this one; 'at "
                      "least' is >=");
      if (logic && !is_logical(piece.expr))
        throw Problem(at, "'and', 'or' and 'not' join relations such as x <= 1, and a number stands beside this one");
      if (!logic) need_number(piece.expr);
      depth = std::max(depth, piece.depth);
      args.push_back(std::move(piece.expr));
    }
    if (op == Op::divide && args[0]->op == Op::number && args[1]->op == Op::number &&
        args[1]->value == rigor::Rational())
      throw Problem(at, "a number is divided by 0; write another denominator");
    return checked({make(op, std::move(args), at), depth + 1}, at);
  }

  static std::string too_deep() {
    return fmt::format("the formula is nested more than {} deep; use sum(i in 1..n: ...) or name parts with 'let'",
                       deepest_tree);
  }

  static Piece checked(Piece piece, Place at) {
    if (piece.expr->op == Op::number) piece.depth = 1;
    if (piece.depth > deepest_tree) throw Problem(at, too_deep());
    return piece;
  }

  static const Expr& need_number(const Expr& expr) {
    if (!is_logical(expr)) return expr;
    throw Problem(expr->place, "a relation stands where a number is expected; P[...] is the probability of one");
  }

  Piece number_of(const Mark& mark) {
    Piece piece = whole(mark);
    need_number(piece.expr);
    return piece;
  }

  Piece operand(const Mark& mark) {
    const Place at = place(mark);
    switch (mark.kind) {
      case Kind::number:
        try {
          return {make_number(rigor::Rational::from_text(mark.text), at)};
        } catch (const std::invalid_argument&) {
          throw Problem(at, "this number's exponent is too large; numbers go to 1e100000");
        }
      case Kind::text:
        return {make_leaf(Op::text, std::string(mark.text.substr(1, mark.text.size() - 2)), at)};
      case Kind::paren:
        return whole(mark.parts[0]);
      case Kind::array:
        return array(mark);
      default:
        return reference(mark);
    }
  }

  Piece array(const Mark& mark) {
    std::vector<Expr> rows;
    int depth = 0;
    const auto entries = [&](const Mark& row) {
      std::vector<Expr> all;
      for (const Mark& part : row.parts) {
        Piece entry = number_of(part);
        depth = std::max(depth, entry.depth);
        all.push_back(std::move(entry.expr));
      }
      return all;
    };
    if (mark.parts.size() == 1) {
      rows = entries(mark.parts[0]);
    } else {
      for (const Mark& row : mark.parts) {
        rows.push_back(make(Op::array, entries(row), place(row)));
        if (rows.back()->args.size() != rows.front()->args.size())
          throw Problem(place(row),
                        fmt::format("this row has {} entries and the first has {}; rows of a matrix are of one "
                                    "length",
                                    rows.back()->args.size(), rows.front()->args.size()));
      }
      ++depth;
    }
    return checked({make(Op::array, std::move(rows), place(mark)), depth + 1}, place(mark));
  }

  Piece reference(const Mark& mark) {
    std::string name(mark.parts[0].text);
    const Place at = place(mark);
    if (mark.parts.size() == 1) {
      if (name == "inf" || name == "infinity") return {make_leaf(Op::infinity, "", at)};
      if (name == "true" || name == "false") return {make_leaf(Op::truth, std::move(name), at)};
      if (name == "True" || name == "False") return {make_leaf(Op::truth, name == "True" ? "true" : "false", at)};
      return {make_leaf(Op::variable, std::move(name), at)};
    }
    const Mark& arguments = mark.parts[1];
    if (!arguments.parts.empty() && arguments.parts[0].kind == Kind::comprehension)
      return comprehension(name, arguments.parts[0], at);
    std::vector<Expr> args;
    std::vector<Option> options;
    int depth = 0;
    for (const Mark& part : arguments.parts) {
      const bool is_option = part.kind == Kind::option;
      Piece value = number_of(is_option ? part.parts[1] : part);
      depth = std::max(depth, value.depth);
      if (!is_option) {
        if (!options.empty())
          throw Problem(place(part),
                        "options such as causal = true stand after all other arguments; move this one before");
        args.push_back(std::move(value.expr));
        continue;
      }
      const std::string_view option = part.parts[0].text;
      if (std::ranges::find(options, option, &Option::name) != options.end())
        throw Problem(place(part), fmt::format("'{}' is given twice; remove one", option));
      options.push_back({std::string(option), std::move(value.expr)});
    }
    return checked({make_call(std::move(name), std::move(args), std::move(options), at), depth + 1}, at);
  }

  Piece comprehension(const std::string& name, const Mark& mark, Place at) {
    Piece body = whole(mark.parts.back());
    // sum(i in 1..m, j in 1..n: a) is sum(i in 1..m: sum(j in 1..n: a)).
    for (std::size_t g = mark.parts.size() - 1; g-- > 0;) {
      const Mark& generator = mark.parts[g];
      const std::size_t count = generator.parts.size() - 2;
      Piece from = number_of(generator.parts[count]), to = number_of(generator.parts[count + 1]);
      for (std::size_t i = count; i-- > 0;) {
        const int depth = std::max({from.depth, to.depth, body.depth}) + 1;
        body = checked({make_comprehension(name, std::string(generator.parts[i].text), from.expr, to.expr,
                                           std::move(body.expr), i == 0 && g == 0 ? at : place(generator.parts[i])),
                        depth},
                       at);
      }
    }
    return body;
  }

  Piece with_postfixes(Piece piece) {
    while (const Mark* next = peek()) {
      if (next->kind != Kind::transpose && next->kind != Kind::index) break;
      const Mark& mark = take();
      const Place at = place(mark);
      if (mark.kind == Kind::index && piece.expr->op == Op::variable &&
          (piece.expr->name == "E" || piece.expr->name == "P")) {
        piece = expectation(piece.expr, mark);
        continue;
      }
      need_number(piece.expr);
      if (mark.kind == Kind::transpose) {
        piece = joined(Op::transpose, {std::move(piece)}, at);
        continue;
      }
      piece = indexed(std::move(piece), mark, at);
    }
    return piece;
  }

  /// x[i], x[a..b], X[i, j]; X[i, c..d] is X[i][c..d], X[a..b, j] is X'[j][a..b], and X[a..b, c..d] is
  /// X[a..b]'[c..d]'.
  Piece indexed(Piece piece, const Mark& mark, Place at) {
    std::vector<std::vector<Piece>> parts;  // an index, or both ends of a slice
    for (const Mark& part : mark.parts) {
      if (part.kind == Kind::slice)
        parts.back().push_back(number_of(part.parts[0]));
      else
        parts.push_back({number_of(part)});
    }
    if (parts.size() > 2) throw Problem(at, "an entry has one index or two: x[i] or X[i, j]");
    const auto taken = [&](Piece from, const std::vector<Piece>& part) {
      std::vector<Piece> pieces{std::move(from)};
      pieces.insert(pieces.end(), part.begin(), part.end());
      return joined(part.size() == 2 ? Op::slice : Op::index, std::move(pieces), at);
    };
    const auto transposed = [&](Piece from) { return joined(Op::transpose, {std::move(from)}, at); };
    if (parts.size() == 1) return taken(std::move(piece), parts[0]);
    const bool rows = parts[0].size() == 2, cols = parts[1].size() == 2;
    if (!rows && !cols) return joined(Op::index, {std::move(piece), parts[0][0], parts[1][0]}, at);
    if (!rows) return taken(taken(std::move(piece), parts[0]), parts[1]);
    if (!cols) return taken(taken(transposed(std::move(piece)), parts[1]), parts[0]);
    return transposed(taken(transposed(taken(std::move(piece), parts[0])), parts[1]));
  }

  /// E[...] and P[...]
  Piece expectation(const Expr& letter, const Mark& mark) {
    const bool probability = letter->name == "P";
    if (mark.parts.size() != 1)
      throw Problem(letter->place, letter->name + "[...] takes one expression; the random variables stand in 'random'");
    Piece inside = whole(mark.parts[0]);
    if (probability && !is_logical(inside.expr))
      throw Problem(letter->place, "P[...] takes a relation such as P[g > 2]; E[...] takes a number");
    if (!probability && is_logical(inside.expr))
      throw Problem(inside.expr->place, "E[...] takes a number; P[...] is the probability of a relation");
    const Op op = probability ? Op::probability : Op::expectation;
    return checked({make(op, {std::move(inside.expr)}, letter->place), inside.depth + 1}, letter->place);
  }

  const SourceText& text_;
  const Mark* position_mark_ = nullptr;  ///< the flat sequence that is being climbed
  std::size_t position_ = 0;             ///< the next part of it
  int nesting_ = 0;                      ///< of `climb`
};

}  // namespace

Expr build_expression(const Mark& mark, const SourceText& text) {
  return ExpressionBuilder(text).whole(mark.kind == Mark::Kind::root ? mark.parts[0] : mark).expr;
}

void take_apart(const Expr& condition, std::vector<Expr>& into) {
  if (condition->op == Op::conjunction)
    into.insert(into.end(), condition->args.begin(), condition->args.end());
  else
    into.push_back(condition);
}

}  // namespace attest::language
