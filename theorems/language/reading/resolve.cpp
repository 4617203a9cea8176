#include "theorems/language/reading/resolve.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"
#include "theorems/language/functions.hpp"
#include "theorems/language/make.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/reading/calls.hpp"
#include "theorems/language/reading/names.hpp"

namespace attest::language {
namespace {

class Resolver {
 public:
  explicit Resolver(Draft draft) : draft_(std::move(draft)), statement_(draft_.statement) {}
  /// For an expression by itself: names may be free.
  Resolver() : statement_(draft_.statement), free_(true) {}

  Statement statement() {
    names_.register_all(draft_);
    visible_ = names_.last_rank();
    bind_limit();
    for (Definition& definition : statement_.definitions) {
      begin_leaning(definition.name, definition.parameters);
      definition.body = expression(definition.body);
      leaning_ = nullptr;
    }
    for (Recursion& recursion : statement_.recursions) {
      begin_leaning(recursion.name, {});
      for (Recursion::Start& start : recursion.start) start.value = expression(start.value);
      locals_ = {recursion.index};
      recursion.step = expression(recursion.step);
      leaning_ = nullptr;
    }
    locals_.clear();
    names_.settle(statement_);
    visible_ = 0;
    for (Binder& binder : statement_.binders) resolve_binder(binder);
    statement_.claim = expression(statement_.claim);
    for (Expr& condition : statement_.conditions) condition = expression(condition);
    merge_binders();
    return std::move(statement_);
  }

  Expr expression(const Expr& expr) {
    switch (expr->op) {
      case Op::variable:
        return variable(expr);
      case Op::call:
        return call(expr);
      case Op::comprehension:
        return comprehension(expr);
      case Op::expectation:
      case Op::probability:
        return expectation(expr);
      default:
        return rebuilt(expr);
    }
  }

 private:
  bool is_local(const std::string& name) const { return std::ranges::find(locals_, name) != locals_.end(); }

  /// f(n) = O(g(n)) runs along its one free name when no limit is given.
  void bind_limit() {
    Expr& whole = statement_.claim;
    if (whole->op == Op::equal && whole->args[1]->op == Op::call && whole->args[1]->name == "O" &&
        whole->args[1]->args.size() == 1 && whole->args[1]->options.empty())
      whole = make(Op::order, {whole->args[0], whole->args[1]->args[0]}, whole->place);
    if (whole->op != Op::order) return;
    for (const Binder& binder : statement_.binders)
      if (binder.quantifier == Quantifier::limit) return;
    std::vector<std::pair<std::string, Place>> free;
    collect_free(whole, free);
    if (free.empty())
      throw Problem(whole->place,
                    "O(...) needs a number that grows; write, for example, limit n -> inf: before the claim");
    if (free.size() > 1)
      throw Problem(free[1].second,
                    fmt::format("neither '{}' nor '{}' is bound, and O(...) runs along one of them; bind the "
                                "other, for example by forall {} in 1..64:",
                                free[0].first, free[1].first, free[1].first));
    Binder limit{.quantifier = Quantifier::limit, .names = {free[0].first}, .place = free[0].second};
    limit.set.args = {make_leaf(Op::infinity, "", free[0].second)};
    names_.add_bound(free[0].first, free[0].second, statement_.binders.size());
    visible_ = names_.last_rank();
    statement_.binders.push_back(std::move(limit));
  }

  void collect_free(const Expr& expr, std::vector<std::pair<std::string, Place>>& free) {
    if (expr->op == Op::variable && names_.find(expr->name) == nullptr && !is_local(expr->name) && expr->name != "pi" &&
        expr->name != "e" && std::ranges::find(free, expr->name, [](const auto& f) { return f.first; }) == free.end())
      free.emplace_back(expr->name, expr->place);
    for (std::size_t i = 0; i < expr->args.size(); ++i) {
      const bool body = expr->op == Op::comprehension && i == 2;
      if (body) locals_.push_back(expr->bound);
      collect_free(expr->args[i], free);
      if (body) locals_.pop_back();
    }
    for (const Option& option : expr->options) collect_free(option.value, free);
  }

  // ---- definitions and recursions ----
  void begin_leaning(const std::string& name, std::vector<std::string> locals) {
    leaning_ = &names_.leaning(name);
    locals_ = std::move(locals);
  }

  // ---- binders ----
  void resolve_binder(Binder& binder) {
    // The law of a random variable may use earlier random ones: they are drawn in this order.
    in_expectation_ = binder.quantifier == Quantifier::random;
    for (auto* exprs : {&binder.set.args, &binder.set.extents, &binder.law.args, &binder.law.extents})
      for (Expr& expr : *exprs) expr = expression(expr);
    in_expectation_ = false;
    visible_ += binder.names.size();
    for (Expr& condition : binder.conditions) condition = expression(condition);
  }

  /// x in R, y in R is x, y in R.
  void merge_binders() {
    std::vector<Binder> merged;
    for (Binder& binder : statement_.binders) {
      Binder* last = merged.empty() ? nullptr : &merged.back();
      const bool named = binder.quantifier != Quantifier::best && binder.quantifier != Quantifier::limit;
      if (last != nullptr && named && last->quantifier == binder.quantifier && last->conditions.empty() &&
          same(last->set, binder.set) && same(last->law, binder.law)) {
        last->names.insert(last->names.end(), binder.names.begin(), binder.names.end());
        last->conditions = std::move(binder.conditions);
      } else {
        merged.push_back(std::move(binder));
      }
    }
    statement_.binders = std::move(merged);
  }

  // ---- expressions ----
  Expr rebuilt(const Expr& expr) {
    if (expr->args.empty() && expr->options.empty()) return expr;
    Node changed = *expr;
    for (Expr& arg : changed.args) arg = expression(arg);
    for (Option& option : changed.options) option.value = expression(option.value);
    return std::make_shared<const Node>(std::move(changed));
  }

  Expr variable(const Expr& expr) {
    const std::string& name = expr->name;
    if (is_local(name)) return expr;
    const Meaning* found = names_.find(name);
    if (found == nullptr) {
      if (name == "pi" || name == "e") return make_leaf(Op::constant, name, expr->place);
      if (free_) return expr;
      throw not_bound(expr);
    }
    const Meaning& meaning = *found;
    if (meaning.kind == Meaning::Kind::recursion ||
        (meaning.kind == Meaning::Kind::definition && !statement_.definitions[meaning.at].parameters.empty()))
      throw Problem(expr->place, fmt::format("'{0}' is a function; give it its argument: {0}(...)", name));
    use(name, meaning, expr->place);
    return expr;
  }

  /// Notes or checks the use of a name of the statement.
  void use(const std::string& name, const Meaning& meaning, Place place) {
    if (leaning_ != nullptr) {
      bool& outside = (*leaning_)[name];
      outside = outside || !in_expectation_;
      return;
    }
    if (meaning.kind == Meaning::Kind::bound) {
      check_use(name, name, meaning, !in_expectation_, place);
      return;
    }
    for (const auto& [deep, outside] : names_.leaning(name))
      check_use(deep, name, *names_.find(deep), outside && !in_expectation_, place);
  }

  void check_use(const std::string& name, const std::string& through, const Meaning& meaning, bool outside,
                 Place place) {
    const std::string who =
        name == through ? fmt::format("'{}'", name) : fmt::format("'{}' uses '{}', which", through, name);
    if (meaning.rank > visible_)
      throw Problem(place, fmt::format("{} is bound only later; move its binder to the front", who));
    if (meaning.random && outside)
      throw Problem(place,
                    fmt::format("{} is random; take its mean E[...] or the probability P[...] of a relation", who));
  }

  Problem not_bound(const Expr& expr) const {
    const std::string& name = expr->name;
    if (find_function(name) != nullptr)
      return {expr->place,
              fmt::format("'{}' is a function; give it its arguments: {}", name, how_to_call(*find_function(name)))};
    if (name == "T")
      return {expr->place, "'T' is not bound; write A' for the transpose of A, or bind it before the claim"};
    if (name == "i" || name == "j" || name == "k" || name == "l")
      return {expr->place,
              fmt::format("'{0}' is not bound; an index is bound where it runs, as in sum({0} in 1..4: x[{0}]^2), and "
                          "a whole number by forall {0} in 1..64: before the claim",
                          name)};
    std::vector<std::string> candidates;
    for (const auto& [known, meaning] : names_.all()) candidates.push_back(known);
    if (name.size() <= 2 || names::nearest(candidates, name, 1).empty()) candidates.clear();
    return {expr->place,
            fmt::format("'{0}' is not bound; say where it lives, for example by forall {0} in R: or, for a "
                        "whole number, forall {0} in 1..64: before the claim{1}",
                        name, names::did_you_mean(candidates, name))};
  }

  Expr call(const Expr& expr) {
    const std::string& name = expr->name;
    if (name == "O")
      throw Problem(expr->place, "O(...) stands only as the right side of the whole claim: f(n) = O(log(n))");
    const Meaning* found = is_local(name) ? nullptr : names_.find(name);
    const bool is_bound = is_local(name) || (found != nullptr && found->kind == Meaning::Kind::bound);
    const bool is_plain = found != nullptr && found->kind == Meaning::Kind::definition &&
                          statement_.definitions[found->at].parameters.empty();
    if (is_bound || is_plain)
      throw Problem(expr->place,
                    fmt::format("'{0}' is bound as a value here and cannot be called; write {0}*(...) for a "
                                "product and {0}[i] for an entry, or rename it",
                                name));
    if (found != nullptr) return own_call(expr, *found);
    if (find_function(name) != nullptr) return canonical_call(rebuilt(with_order_word(expr)));
    if (name == "E" || name == "P") throw Problem(expr->place, fmt::format("write {}[...] with square brackets", name));
    if (name == "all" || name == "any")
      throw Problem(expr->place, fmt::format("{0}(...) runs over an index: {0}(i in 1..n: x[i] <= 1)", name));
    if (free_ && expr->options.empty()) return rebuilt(expr);
    std::vector<std::string> known = function_names();
    for (const auto& [other, meaning] : names_.all())
      if (meaning.kind != Meaning::Kind::bound) known.push_back(other);
    throw Problem(expr->place, fmt::format("unknown function '{}'{}", name, names::did_you_mean(known, name)));
  }

  /// norm(A, fro): the order as a word.
  Expr with_order_word(const Expr& expr) const {
    if ((expr->name != "norm" && expr->name != "opnorm") || expr->args.size() != 2) return expr;
    const Expr& order = expr->args[1];
    if (order->op != Op::variable || order->name != "fro" || is_local("fro") || names_.find("fro") != nullptr)
      return expr;
    return with_args(expr, {expr->args[0], make_leaf(Op::text, "fro", order->place)});
  }

  Expr own_call(const Expr& expr, const Meaning& meaning) {
    const std::size_t takes =
        meaning.kind == Meaning::Kind::recursion ? 1 : statement_.definitions[meaning.at].parameters.size();
    if (!expr->options.empty())
      throw Problem(expr->place,
                    fmt::format("'{}' is defined without options; give its arguments in their order", expr->name));
    if (expr->args.size() != takes)
      throw Problem(expr->place, fmt::format("'{}' is defined for {} argument{} and called with {}", expr->name, takes,
                                             takes == 1 ? "" : "s", expr->args.size()));
    use(expr->name, meaning, expr->place);
    return rebuilt(expr);
  }

  Expr comprehension(const Expr& expr) {
    if (std::ranges::find(comprehensions, expr->name) == comprehensions.end())
      throw Problem(expr->place,
                    fmt::format("'{}' does not run over an index; {} do", expr->name, fmt::join(comprehensions, ", ")));
    const Expr& body = expr->args[2];
    const bool logical = expr->name == "all" || expr->name == "any";
    if (logical && !is_logical(body))
      throw Problem(body->place, fmt::format("{}(i in 1..n: ...) takes a relation, and this is a number", expr->name));
    if (!logical && is_logical(body))
      throw Problem(body->place, fmt::format("{} runs over numbers, and this is a relation; all(i in 1..n: ...) and "
                                             "any(i in 1..n: ...) take one",
                                             expr->name));
    Names::check_reserved(expr->bound, expr->place);
    if (is_local(expr->bound) || names_.find(expr->bound) != nullptr)
      throw Problem(expr->place,
                    fmt::format("the index '{}' is already bound outside; choose another name", expr->bound));
    Node changed = *expr;
    changed.args[0] = expression(expr->args[0]);
    changed.args[1] = expression(expr->args[1]);
    locals_.push_back(expr->bound);
    changed.args[2] = expression(body);
    locals_.pop_back();
    return std::make_shared<const Node>(std::move(changed));
  }

  Expr expectation(const Expr& expr) {
    const std::string letter = expr->op == Op::expectation ? "E" : "P";
    if (is_local(letter) || names_.find(letter) != nullptr)
      throw Problem(expr->place, fmt::format("{0}[...] is the {1}; choose another name than '{0}' for the bound value",
                                             letter, letter == "E" ? "mean" : "probability"));
    if (!free_ && !names_.has_random())
      throw Problem(expr->place,
                    fmt::format("{}[...] needs a random variable; write, for example, random g ~ normal(0, 1): "
                                "before the claim",
                                letter));
    if (nested_)
      throw Problem(expr->place, "E and P do not stand inside one another; write one mean over all that is random");
    const bool outer = std::exchange(in_expectation_, true);
    nested_ = true;
    Expr result = rebuilt(expr);
    nested_ = false;
    in_expectation_ = outer;
    return result;
  }

  Draft draft_;
  Statement& statement_;
  bool free_ = false;
  Names names_;
  // Where the reading stands.
  std::vector<std::string> locals_;  ///< indices, parameters
  std::size_t visible_ = 0;          ///< names of binders up to this rank
  bool in_expectation_ = false, nested_ = false;
  Leaning* leaning_ = nullptr;  ///< of the definition or recursion that is being read
};

}  // namespace

Statement resolve(Draft draft) { return Resolver(std::move(draft)).statement(); }

Expr resolve(const Expr& expression) { return Resolver().expression(expression); }

}  // namespace attest::language
