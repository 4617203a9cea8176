// Statements: prefixes, sets, laws and tails.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"
#include "theorems/language/laws.hpp"
#include "theorems/language/make.hpp"
#include "theorems/language/named_sets.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/reading/draft.hpp"

namespace attest::language {
namespace {

using Kind = Mark::Kind;

class StatementBuilder {
 public:
  explicit StatementBuilder(const SourceText& text) : text_(text) {}

  Draft build(const Mark& root) {
    for (const Mark& part : root.parts) switch (part.kind) {
        case Kind::let:
          for (const Mark& definition : part.parts) define(definition);
          break;
        case Kind::claim:
          draft_.statement.claim = logical(part.parts[0], "the claim");
          break;
        case Kind::tail:
          for (const Mark& condition : part.parts)
            take_apart(logical(condition, "a condition"), draft_.statement.conditions);
          break;
        default:
          bind(part);
      }
    return std::move(draft_);
  }

 private:
  Place place(const Mark& mark) const { return text_.place(mark.at); }

  Expr number(const Mark& mark) const {
    Expr expr = build_expression(mark, text_);
    if (is_logical(expr)) throw Problem(expr->place, "a relation stands where a number is expected");
    return expr;
  }

  Expr logical(const Mark& mark, const std::string& what) const {
    Expr expr = build_expression(mark, text_);
    if (!is_logical(expr))
      throw Problem(expr->place, what + " must be a relation such as a <= b, and this is a number; add the relation");
    return expr;
  }

  std::vector<Expr> numbers(const Mark& mark) const {
    std::vector<Expr> all;
    for (const Mark& part : mark.parts) {
      if (part.kind == Kind::option || part.kind == Kind::comprehension)
        throw Problem(place(part), "sizes and parameters are plain numbers here");
      all.push_back(number(part));
    }
    return all;
  }

  void define(const Mark& mark) {
    Definition definition{.name = std::string(mark.parts[0].text), .place = place(mark)};
    std::vector<Place> places;
    if (mark.parts[1].kind == Kind::parameters)
      for (const Mark& name : mark.parts[1].parts) {
        definition.parameters.emplace_back(name.text);
        places.push_back(place(name));
      }
    definition.body = number(mark.parts.back());
    draft_.statement.definitions.push_back(std::move(definition));
    draft_.parameter_names.push_back(std::move(places));
  }

  void bind(const Mark& mark) {
    if (mark.kind == Kind::best || mark.kind == Kind::limit) {
      Binder binder{.quantifier = mark.kind == Kind::best ? Quantifier::best : Quantifier::limit,
                    .names = {std::string(mark.parts[0].text)},
                    .place = place(mark)};
      if (mark.kind == Kind::best)
        binder.set = set(mark.parts[1]);
      else
        binder.set.args = {number(mark.parts[1])};
      add(std::move(binder), {place(mark.parts[0])});
      return;
    }
    for (const Mark& part : mark.parts) {
      Binder binder{.quantifier = mark.kind == Kind::forall   ? Quantifier::forall
                                  : mark.kind == Kind::exists ? Quantifier::exists
                                                              : Quantifier::random,
                    .place = place(part)};
      std::vector<Place> places;
      for (const Mark& piece : part.parts) {
        if (piece.kind == Kind::name) {
          binder.names.emplace_back(piece.text);
          places.push_back(place(piece));
        } else if (piece.kind == Kind::law) {
          binder.law = law(piece);
        } else if (piece.kind == Kind::conditions) {
          for (const Mark& condition : piece.parts) take_apart(logical(condition, "a condition"), binder.conditions);
        } else {
          binder.set = set(piece);
        }
      }
      add(std::move(binder), std::move(places));
    }
  }

  void add(Binder binder, std::vector<Place> places) {
    draft_.statement.binders.push_back(std::move(binder));
    draft_.binder_names.push_back(std::move(places));
  }

  Set set(const Mark& mark) const {
    Set result{.place = place(mark)};
    const auto extents = [&] {
      if (mark.parts.back().kind != Kind::extents) return;
      result.extents = numbers(mark.parts.back());
      if (result.extents.size() > 2)
        throw Problem(place(mark.parts.back()), "arrays have one size or two: R^n or R^(m, n)");
    };
    switch (mark.kind) {
      case Kind::range_set:
        result.kind = SetKind::range;
        result.args = {number(mark.parts[0]), number(mark.parts[1])};
        break;
      case Kind::finite_set:
        result.kind = SetKind::finite;
        for (const Mark& part : mark.parts)
          if (part.kind == Kind::expression) result.args.push_back(number(part));
        extents();
        break;
      case Kind::interval:
        result.kind = SetKind::interval;
        result.args = {number(mark.parts[1]), number(mark.parts[2])};
        result.lower_open = mark.parts[0].text == "(";
        result.upper_open = mark.parts[3].text == ")";
        extents();
        break;
      default:
        named_set(mark, result);
        extents();
        if (result.kind != SetKind::reals && !result.extents.empty())
          throw Problem(result.place,
                        fmt::format("{} already says its size and takes no power; remove '^...'", mark.parts[0].text));
    }
    return result;
  }

  void named_set(const Mark& mark, Set& result) const {
    const std::string_view name = mark.parts[0].text;
    const bool called = mark.parts.size() > 1 && mark.parts[1].kind == Kind::arguments;
    if (name == "R") {
      if (called) throw Problem(result.place, "the sizes of R stand after '^': R^n or R^(m, n)");
      return;
    }
    if (name == "N" || name == "Z" || name == "integers" || name == "naturals")
      throw Problem(result.place,
                    fmt::format("{} is infinite and cannot be searched; give a range such as 1..64", name));
    if (name == "Q" || name == "C")
      throw Problem(result.place,
                    fmt::format("{} is not a set of the language; use R, or a range such as 1..64", name));
    const SetRule* rule = find_set(name);
    if (rule == nullptr) {
      std::vector<std::string> known{"R"};
      for (const SetRule& each : named_sets()) known.emplace_back(each.name);
      throw Problem(result.place,
                    fmt::format("'{}' is not a set{}", name,
                                names::did_you_mean(known, name,
                                                    "sets are R, R^n, R^(m, n), (0, 1], 1..64, {1, 2, inf}, simplex(n) "
                                                    "and the like")));
    }
    if (called) result.args = numbers(mark.parts[1]);
    result.kind = rule->kind;
    if (result.args.size() != rule->parameters.size())
      throw Problem(result.place,
                    fmt::format("{} takes {} and got {}; write {}({})", name, count(rule->parameters.size()),
                                result.args.size(), name, fmt::join(rule->parameters, ", ")));
  }

  Law law(const Mark& mark) const {
    const std::string_view name = mark.parts[0].text;
    Law result{.place = place(mark)};
    const LawRule* rule = find_law(name);
    if (rule == nullptr)
      throw Problem(result.place,
                    fmt::format("unknown law '{}'{}", name,
                                names::did_you_mean(law_names(), name,
                                                    fmt::format("the laws are {}", fmt::join(law_names(), ", ")))));
    result.name = rule->name;
    for (std::size_t i = 1; i < mark.parts.size(); ++i)
      (mark.parts[i].kind == Kind::arguments ? result.args : result.extents) = numbers(mark.parts[i]);
    if (result.extents.size() > 2)
      throw Problem(place(mark.parts.back()), "arrays have one size or two: normal(0, 1)^n or normal(0, 1)^(m, n)");
    if (result.args.size() != rule->parameters.size())
      throw Problem(result.place,
                    fmt::format("{} takes {} and got {}; write {}({})", name, count(rule->parameters.size()),
                                result.args.size(), name, fmt::join(rule->parameters, ", ")));
    return result;
  }

  static std::string count(std::size_t n) {
    return n == 0 ? "no argument" : n == 1 ? "one argument" : fmt::format("{} arguments", n);
  }

  const SourceText& text_;
  Draft draft_;
};

}  // namespace

Draft build_statement(const Mark& root, const SourceText& text) { return StatementBuilder(text).build(root); }

}  // namespace attest::language
