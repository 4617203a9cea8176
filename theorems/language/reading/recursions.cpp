#include "theorems/language/reading/recursions.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "theorems/language/make.hpp"
#include "theorems/language/problem.hpp"

namespace attest::language {
namespace {

/// Farthest that a step may look ahead or back.
constexpr std::int64_t farthest = 64;

/// l + c
struct Shifted {
  std::string index;
  std::int64_t by = 0;
};

std::optional<std::int64_t> small_whole(const Expr& expr) {
  if (expr->op != Op::number || !expr->value.is_whole()) return std::nullopt;
  try {
    const std::int64_t value = expr->value.to_integer();
    return std::abs(value) <= 1'000'000 ? std::optional(value) : std::nullopt;
  } catch (const std::out_of_range&) {
    return std::nullopt;
  }
}

std::optional<Shifted> shifted(const Expr& expr) {
  if (expr->op == Op::variable) return Shifted{expr->name};
  if (expr->op != Op::add && expr->op != Op::subtract) return std::nullopt;
  const bool index_first = expr->args[0]->op == Op::variable;
  const Expr& index = expr->args[index_first ? 0 : 1];
  const auto by = small_whole(expr->args[index_first ? 1 : 0]);
  if (!by || index->op != Op::variable || (!index_first && expr->op == Op::subtract)) return std::nullopt;
  return Shifted{index->name, expr->op == Op::subtract ? -*by : *by};
}

struct Step {
  Shifted at;
  Expr value;
  Place place;
};

struct Parts {
  std::vector<std::pair<std::int64_t, Expr>> starts = {};
  std::optional<Step> step = {};
  Place place = {};
};

class Steps {
 public:
  explicit Steps(const std::map<std::string, Parts>& all) : all_(all) {}

  Recursion put_together(const std::string& name, const Parts& parts) const {
    if (!parts.step)
      throw Problem(parts.place, fmt::format("{0} has no step; add one such as {0}(l + 1) = 2*{0}(l)", name));
    const Step& step = *parts.step;
    std::int64_t order = static_cast<std::int64_t>(std::max<std::size_t>(1, parts.starts.size()));
    if (const auto lowest = lowest_used(step.value, step.at)) order = step.at.by - *lowest;
    if (order < 1)
      throw Problem(step.place, fmt::format("{} is given in terms of itself; the step must use earlier values", name));
    if (order > farthest)
      throw Problem(step.place, fmt::format("the step reaches {} values back; at most {} are kept", order, farthest));
    Recursion recursion{.name = name, .index = step.at.index, .ahead = order, .place = parts.place};
    recursion.step = moved(step.value, step.at.index, order - step.at.by);
    for (const auto& [at, value] : parts.starts) recursion.start.push_back({at, value});
    std::ranges::sort(recursion.start, {}, &Recursion::Start::at);
    check_starts(recursion);
    return recursion;
  }

 private:
  bool is_recursion(const Expr& expr) const {
    return expr->op == Op::call && expr->args.size() == 1 && all_.contains(expr->name);
  }

  static void check_starts(const Recursion& recursion) {
    const auto& start = recursion.start;
    const auto n = static_cast<std::int64_t>(start.size());
    for (std::size_t i = 1; i < start.size(); ++i)
      if (start[i].at != start[i - 1].at + 1)
        throw Problem(start[i].value->place,
                      fmt::format("the starts of {} must follow one another, and {} comes after {}", recursion.name,
                                  start[i].at, start[i - 1].at));
    if (n != recursion.ahead)
      throw Problem(
          recursion.place,
          fmt::format("{0} needs {1} and has {2}; give {0}({3}) = ..., and one value for each that the step looks back",
                      recursion.name, recursion.ahead == 1 ? "one start" : fmt::format("{} starts", recursion.ahead), n,
                      n == 0 ? 0 : start.front().at));
  }

  /// Least c of the earlier values K(l + c) that a step uses, of any recursion.
  std::optional<std::int64_t> lowest_used(const Expr& expr, const Shifted& at) const {
    std::optional<std::int64_t> lowest;
    if (is_recursion(expr)) {
      const auto used = shifted(expr->args[0]);
      if (used && used->index == at.index) {
        if (used->by >= at.by)
          throw Problem(expr->place,
                        fmt::format("the step for {0} + {1} uses a value at {0} + {2}; only earlier ones are known",
                                    at.index, at.by, used->by));
        return used->by;
      }
      if (uses(expr->args[0], at.index))
        throw Problem(expr->place, fmt::format("a step uses earlier values at {0}, {0} + 1, ... only", at.index));
    }
    for (const Expr& arg : expr->args)
      if (const auto inner = lowest_used(arg, at)) lowest = std::min(lowest.value_or(*inner), *inner);
    for (const Option& option : expr->options)
      if (const auto inner = lowest_used(option.value, at)) lowest = std::min(lowest.value_or(*inner), *inner);
    return lowest;
  }

  static bool uses(const Expr& expr, const std::string& name) {
    return (expr->op == Op::variable && expr->name == name) ||
           std::ranges::any_of(expr->args, [&](const Expr& arg) { return uses(arg, name); }) ||
           std::ranges::any_of(expr->options, [&](const Option& option) { return uses(option.value, name); });
  }

  static Expr index_plus(const std::string& index, std::int64_t by, Place place) {
    Expr variable = make_leaf(Op::variable, index, place);
    if (by == 0) return variable;
    return by > 0 ? make(Op::add, {variable, make_number(by, place)}, place)
                  : make(Op::subtract, {variable, make_number(-by, place)}, place);
  }

  /// `expr` with l + by for l.
  Expr moved(const Expr& expr, const std::string& index, std::int64_t by) const {
    if (expr->op == Op::variable) return expr->name == index ? index_plus(index, by, expr->place) : expr;
    if (is_recursion(expr))
      if (const auto used = shifted(expr->args[0]); used && used->index == index)
        return with_args(expr, {index_plus(index, used->by + by, expr->args[0]->place)});
    Node changed = *expr;
    for (Expr& arg : changed.args) arg = moved(arg, index, by);
    for (Option& option : changed.options) option.value = moved(option.value, index, by);
    return std::make_shared<const Node>(std::move(changed));
  }

  const std::map<std::string, Parts>& all_;
};

}  // namespace

std::vector<Recursion> take_recursions(std::vector<Expr>& conditions,
                                       const std::function<bool(const std::string&)>& known) {
  std::map<std::string, Parts> all;
  std::vector<std::string> order;
  std::vector<Expr> others;
  for (const Expr& condition : conditions) {
    const Expr* call = condition->op == Op::equal ? &condition->args[0] : nullptr;
    if (call == nullptr || (*call)->op != Op::call || known((*call)->name)) {
      others.push_back(condition);
      continue;
    }
    const std::string& name = (*call)->name;
    if ((*call)->args.size() != 1 || !(*call)->options.empty())
      throw Problem((*call)->place, fmt::format("a recursion runs along one whole number; write {0}(0) = ... and "
                                                "{0}(l + 1) = ...",
                                                name));
    if (!all.contains(name)) order.push_back(name);
    Parts& parts = all.try_emplace(name, Parts{.place = (*call)->place}).first->second;
    const Expr& at = (*call)->args[0];
    if (const auto start = small_whole(at)) {
      parts.starts.emplace_back(*start, condition->args[1]);
    } else if (const auto step = shifted(at); step && std::abs(step->by) <= farthest) {
      if (parts.step) throw Problem((*call)->place, fmt::format("{} has two steps; remove one", name));
      parts.step = Step{*step, condition->args[1], (*call)->place};
    } else {
      throw Problem(at->place,
                    fmt::format("{0} is given at a whole number, {0}(0) = ..., and by a step, {0}(l + 1) = ...", name));
    }
  }
  conditions = std::move(others);
  std::vector<Recursion> recursions;
  for (const std::string& name : order) recursions.push_back(Steps(all).put_together(name, all.at(name)));
  return recursions;
}

}  // namespace attest::language
