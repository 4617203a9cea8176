#include "theorems/language/resolve.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "theorems/language/calls.hpp"
#include "theorems/language/functions.hpp"
#include "theorems/language/make.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/recursions.hpp"

namespace attest::language {
namespace {

constexpr std::array comprehensions = {"sum", "prod", "max", "min", "mean", "all"};

/// What a name of the statement stands for.
struct Meaning {
  enum class Kind : std::uint8_t { bound, definition, recursion };
  Kind kind = Kind::bound;
  std::size_t at = 0;    ///< number of the binder, definition or recursion
  bool random = false;   ///< a binder's
  std::size_t rank = 0;  ///< a binder's names become visible in this order
};

/// How a definition or recursion leans on names: directly first, then through others.
struct Leaning {
  std::map<std::string, bool> on;  ///< name, and whether anywhere outside E[...] and P[...]
};

class Resolver {
 public:
  explicit Resolver(Draft draft) : draft_(std::move(draft)), statement_(draft_.statement) {}
  /// For an expression by itself: names may be free.
  Resolver() : statement_(draft_.statement), free_(true) {}

  Statement statement() {
    register_names();
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
    close_leanings();
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
  // ---- names
  // ----------------------------------------------------------------------------------------------------------
  void register_names() {
    for (std::size_t b = 0; b < statement_.binders.size(); ++b) {
      const Binder& binder = statement_.binders[b];
      const bool only_one = binder.quantifier == Quantifier::best || binder.quantifier == Quantifier::limit;
      for (std::size_t earlier = 0; only_one && earlier < b; ++earlier)
        if (statement_.binders[earlier].quantifier == binder.quantifier)
          throw Problem(binder.place, "a statement has one 'best' and one 'limit' at most; make two statements");
      for (std::size_t i = 0; i < binder.names.size(); ++i) {
        check_reserved(binder.names[i], draft_.binder_names[b][i]);
        add(binder.names[i], draft_.binder_names[b][i],
            {Meaning::Kind::bound, b, binder.quantifier == Quantifier::random, ++ranks_});
      }
      has_random_ = has_random_ || binder.quantifier == Quantifier::random;
    }
    for (std::size_t d = 0; d < statement_.definitions.size(); ++d) {
      const Definition& definition = statement_.definitions[d];
      check_reserved(definition.name, definition.place);
      if (!definition.parameters.empty()) check_callable(definition.name, definition.place);
      add(definition.name, definition.place, {Meaning::Kind::definition, d});
      std::set<std::string> seen;
      for (std::size_t i = 0; i < definition.parameters.size(); ++i) {
        check_reserved(definition.parameters[i], draft_.parameter_names[d][i]);
        if (!seen.insert(definition.parameters[i]).second)
          throw Problem(draft_.parameter_names[d][i],
                        fmt::format("two parameters are called '{}'; rename one", definition.parameters[i]));
      }
    }
    statement_.recursions = take_recursions(statement_.conditions, [&](const std::string& name) {
      return find_function(name) != nullptr || meanings_.contains(name) || name == "O";
    });
    for (std::size_t r = 0; r < statement_.recursions.size(); ++r) {
      const Recursion& recursion = statement_.recursions[r];
      check_reserved(recursion.name, recursion.place);
      check_callable(recursion.name, recursion.place);
      check_reserved(recursion.index, recursion.place);
      add(recursion.name, recursion.place, {Meaning::Kind::recursion, r});
    }
    visible_ = ranks_;
  }

  void add(const std::string& name, Place place, Meaning meaning) {
    if (!meanings_.emplace(name, meaning).second)
      throw Problem(place, fmt::format("'{}' is bound twice; rename one of the two", name));
  }

  static void check_reserved(const std::string& name, Place place) {
    if (name == "inf" || name == "true" || name == "false")
      throw Problem(place,
                    fmt::format("'{}' is a word of the language and cannot be bound; choose another name", name));
  }

  static void check_callable(const std::string& name, Place place) {
    if (find_function(name) != nullptr || name == "E" || name == "P" || name == "O" ||
        std::ranges::find(comprehensions, name) != comprehensions.end())
      throw Problem(place, fmt::format("'{}' is a function of the language; choose another name", name));
  }

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
    add(free[0].first, free[0].second, {Meaning::Kind::bound, statement_.binders.size(), false, ++ranks_});
    visible_ = ranks_;
    statement_.binders.push_back(std::move(limit));
  }

  void collect_free(const Expr& expr, std::vector<std::pair<std::string, Place>>& free) {
    if (expr->op == Op::variable && !meanings_.contains(expr->name) && !is_local(expr->name) && expr->name != "pi" &&
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

  // ---- definitions and recursions
  // ---------------------------------------------------------------------------------------
  void begin_leaning(const std::string& name, std::vector<std::string> locals) {
    leaning_ = &leanings_[name];
    locals_ = std::move(locals);
  }

  /// Refuses circles, then follows definitions to the bound names that they lean on in the end.
  void close_leanings() {
    std::set<std::string> settled;
    for (const Definition& definition : statement_.definitions) refuse_circle(definition.name, {}, settled);
    std::map<std::string, Leaning> closed;
    for (const auto& [name, leaning] : leanings_) closed[name] = closure(name);
    leanings_ = std::move(closed);
  }

  void refuse_circle(const std::string& name, std::vector<std::string> path, std::set<std::string>& settled) const {
    if (settled.contains(name)) return;
    const Meaning& meaning = meanings_.at(name);
    path.push_back(name);
    if (path.size() > deepest_tree)
      throw Problem(place_of(meaning), "more definitions lean on one another than are followed");
    for (const auto& [other, outside] : leanings_.at(name).on) {
      const Meaning& inner = meanings_.at(other);
      // A recursion may use its own earlier values and those of the others.
      if (inner.kind == Meaning::Kind::bound ||
          (inner.kind == Meaning::Kind::recursion && meaning.kind == Meaning::Kind::recursion))
        continue;
      if (const auto begin = std::ranges::find(path, other); begin != path.end())
        throw Problem(place_of(meaning), fmt::format("the definitions of {} go round in a circle; break it",
                                                     fmt::join(begin, path.end(), " and ")));
      refuse_circle(other, path, settled);
    }
    settled.insert(name);
  }

  Leaning closure(const std::string& name) const {
    Leaning all;
    std::set<std::pair<std::string, bool>> seen;
    std::vector<std::pair<std::string, bool>> open{{name, true}};
    while (!open.empty()) {
      const auto [here, here_outside] = open.back();
      open.pop_back();
      for (const auto& [other, outside] : leanings_.at(here).on) {
        const bool both = outside && here_outside;
        if (meanings_.at(other).kind == Meaning::Kind::bound)
          all.on[other] = all.on[other] || both;
        else if (seen.emplace(other, both).second)
          open.emplace_back(other, both);
      }
    }
    return all;
  }

  Place place_of(const Meaning& meaning) const {
    return meaning.kind == Meaning::Kind::definition ? statement_.definitions[meaning.at].place
                                                     : statement_.recursions[meaning.at].place;
  }

  // ---- binders
  // ----------------------------------------------------------------------------------------------------------
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

  // ---- expressions
  // ------------------------------------------------------------------------------------------------------
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
    const auto found = meanings_.find(name);
    if (found == meanings_.end()) {
      if (name == "pi" || name == "e") return make_leaf(Op::constant, name, expr->place);
      if (free_) return expr;
      throw not_bound(expr);
    }
    const Meaning& meaning = found->second;
    if (meaning.kind == Meaning::Kind::recursion ||
        (meaning.kind == Meaning::Kind::definition && !statement_.definitions[meaning.at].parameters.empty()))
      throw Problem(expr->place, fmt::format("'{0}' is a function; give it its argument: {0}(...)", name));
    use(name, meaning, expr->place);
    return expr;
  }

  /// Notes or checks the use of a name of the statement.
  void use(const std::string& name, const Meaning& meaning, Place place) {
    if (leaning_ != nullptr) {
      bool& outside = leaning_->on[name];
      outside = outside || !in_expectation_;
      return;
    }
    if (meaning.kind == Meaning::Kind::bound) {
      check_use(name, name, meaning, !in_expectation_, place);
      return;
    }
    for (const auto& [deep, outside] : leanings_[name].on)
      check_use(deep, name, meanings_.at(deep), outside && !in_expectation_, place);
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
    std::vector<std::string> candidates;
    if (name.size() > 2)
      for (const auto& [known, meaning] : meanings_) candidates.push_back(known);
    return {expr->place,
            fmt::format("'{0}' is not bound; say where it lives, for example by forall {0} in R: or, for a "
                        "whole number, forall {0} in 1..64: before the claim{1}",
                        name, suggestion(std::move(candidates), name))};
  }

  Expr call(const Expr& expr) {
    const std::string& name = expr->name;
    if (name == "O")
      throw Problem(expr->place, "O(...) stands only as the right side of the whole claim: f(n) = O(log(n))");
    const auto found = is_local(name) ? meanings_.end() : meanings_.find(name);
    const bool is_bound = is_local(name) || (found != meanings_.end() && found->second.kind == Meaning::Kind::bound);
    const bool is_plain = found != meanings_.end() && found->second.kind == Meaning::Kind::definition &&
                          statement_.definitions[found->second.at].parameters.empty();
    if (is_bound || is_plain)
      throw Problem(expr->place,
                    fmt::format("'{0}' is bound as a value here and cannot be called; write {0}*(...) for a "
                                "product and {0}[i] for an entry, or rename it",
                                name));
    if (found != meanings_.end()) return own_call(expr, found->second);
    if (find_function(name) != nullptr) return canonical_call(rebuilt(with_order_word(expr)));
    if (name == "E" || name == "P") throw Problem(expr->place, fmt::format("write {}[...] with square brackets", name));
    if (name == "all") throw Problem(expr->place, "all(...) runs over an index: all(i in 1..n: x[i] <= 1)");
    if (free_ && expr->options.empty()) return rebuilt(expr);
    std::vector<std::string> known = function_names();
    for (const auto& [other, meaning] : meanings_)
      if (meaning.kind != Meaning::Kind::bound) known.push_back(other);
    throw Problem(expr->place, fmt::format("unknown function '{}'{}", name, suggestion(std::move(known), name)));
  }

  /// norm(A, fro): the order as a word.
  Expr with_order_word(const Expr& expr) const {
    if ((expr->name != "norm" && expr->name != "opnorm") || expr->args.size() != 2) return expr;
    const Expr& order = expr->args[1];
    if (order->op != Op::variable || order->name != "fro" || is_local("fro") || meanings_.contains("fro")) return expr;
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
    if (expr->name == "all" && !is_logical(body))
      throw Problem(body->place, "all(i in 1..n: ...) takes a relation, and this is a number");
    if (expr->name != "all" && is_logical(body))
      throw Problem(
          body->place,
          fmt::format("{} runs over numbers, and this is a relation; all(i in 1..n: ...) takes one", expr->name));
    check_reserved(expr->bound, expr->place);
    if (is_local(expr->bound) || meanings_.contains(expr->bound))
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
    if (is_local(letter) || meanings_.contains(letter))
      throw Problem(expr->place, fmt::format("{0}[...] is the {1}; choose another name than '{0}' for the bound value",
                                             letter, letter == "E" ? "mean" : "probability"));
    if (!free_ && !has_random_)
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
  std::map<std::string, Meaning> meanings_;
  std::size_t ranks_ = 0;
  bool has_random_ = false;
  std::map<std::string, Leaning> leanings_;
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
