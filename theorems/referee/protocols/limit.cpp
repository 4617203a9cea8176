#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "theorems/language/make.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/referee/points/chosen_variables.hpp"
#include "theorems/referee/points/work.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/protocols/far_beyond.hpp"
#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/protocols/trend.hpp"
#include "theorems/referee/question/question.hpp"

namespace attest::referee {
namespace {

using engine::Verdict;
using language::Expr;
using language::make_number;
using language::Op;
using language::Statement;
using rigor::Ball;

/// m 2^step + c, m 2^(2 step) + c, ... to m 2^last + c. Where the near grid does not settle the question the far one is
/// tried.
struct Grid {
  int step = 1, last = 160;
  std::int64_t bits = 1024;
  double factor = 1, shift = 0;  ///< m and c
};
constexpr Grid near_grid{}, far_grid{.step = 25, .last = 1000, .bits = 4096};
/// Powers of 2 are all even, and all powers of 2: what (-1)^n or 2^floor(log2 n)/n is elsewhere they do not tell.
constexpr std::array other_grids = {Grid{.last = 52, .shift = 1}, Grid{.last = 150, .factor = 3}};

/// Both sides at one value of the variable.
struct Sample {
  double n = 0;
  Ball lhs, rhs;
  std::int64_t bits = near_grid.bits;
};

/// Names that stand in an expression and that nothing binds.
void free_names(const Expr& e, std::set<std::string> bound, std::set<std::string>& free) {
  if (!e) return;
  if (e->op == Op::variable && !bound.contains(e->name)) free.insert(e->name);
  if (!e->bound.empty()) bound.insert(e->bound);
  for (const Expr& each : e->args) free_names(each, bound, free);
}

/// n -> inf goes over whole numbers 2, 4, 8, ...; to a finite point from both sides by halves.
std::vector<double> places_of(const Grid& grid, double target, bool from_below) {
  std::vector<double> points;
  for (int k = grid.step; k <= grid.last; k += grid.step) {
    const double step = grid.factor * std::exp2(k) + grid.shift;
    points.push_back(std::isinf(target) ? (target > 0 ? step : -step)
                     : from_below       ? target - 1 / step
                                        : target + 1 / step);
  }
  return points;
}

/// The balls know the sides, or that they are as good as 0 (for an order only beside each other).
bool is_known(const Sample& s, bool order) {
  constexpr double share = 1e-6, nothing = 1e-200;
  const double size = std::max(std::abs(s.lhs.mid()), std::abs(s.rhs.mid()));
  return s.lhs.is_finite() && s.rhs.is_finite() &&
         std::max(s.lhs.radius(), s.rhs.radius()) <= std::max(share * size, order ? 0 : nothing);
}

std::vector<Sample> evaluate(const Statement& statement, const std::string& name, const std::vector<double>& points,
                             const engine::Context& context, const language::Choices& others, std::int64_t bits,
                             bool order, double& work_spent) {
  std::vector<Sample> samples;
  for (const double n : points) {
    context.poll();
    language::Choices choices = others;
    choices[name] = n;
    try {
      const language::Program program = language::compile(statement, choices);
      const double work = ball_work_of(program);
      if (work_spent + work > context.effort * flops_of_effort) break;
      work_spent += work;
      if (program.dimension() != 0)
        throw language::Problem(statement.claim->place,
                                "a limit is judged for expressions of the limit's variable alone, or of finitely many "
                                "other whole numbers");
      const rigor::PrecisionScope precision(bits);
      language::BallEvaluator balls(program);
      balls.run(std::vector<Ball>{});
      const language::Formula& claim = program.claim();
      samples.push_back({n, balls.value(claim.lhs)[0], balls.value(claim.rhs)[0], bits});
      if (!is_known(samples.back(), order)) samples.pop_back();
    } catch (const language::Problem& problem) {
      if (samples.empty() && n == points.front()) throw;
      break;
    } catch (const std::out_of_range&) {
      break;  // whole numbers end at 2^63: so does the grid where one is an exponent
    }
  }
  return samples;
}

double relative_gap(const Sample& s) {
  const double difference = (s.lhs - s.rhs).mid(), size = std::abs(s.rhs.mid());
  return size > 0 ? difference / std::max(size, 1e-300) : difference;
}

Point point_of(const std::string& name, const Sample& s, const char* relation) {
  Point point;
  point.choices[name] = s.n;
  point.values.push_back({name, {}, {s.n}});
  point.lhs = s.lhs.to_string(15);
  point.rhs = s.rhs.to_string(15);
  point.relation = relation;
  point.relative_margin = -std::abs(relative_gap(s));
  point.precision_bits = s.bits;
  return point;
}

/// The statement with the limit's variable bound to one number, so that the sizes of the others can be chosen.
Statement with_one_value(Statement statement, const std::string& name, double value) {
  language::Binder binder;
  binder.names = {name};
  binder.set.kind = language::SetKind::finite;
  binder.set.args = {make_number(rigor::Rational::from_double(value))};
  statement.binders.insert(statement.binders.begin(), binder);
  return statement;
}

/// What a statement says of growth: its variable, where that goes, and the rest of the statement.
struct LimitQuestion {
  Statement statement;
  std::string name;
  double target = std::numeric_limits<double>::infinity();
  bool order = false;  ///< f(n) = O(g(n)), which is evaluated as f(n) <= g(n), so that both sides are
};

/// The one variable of O(...) that no quantifier binds. Errors: language::Problem where it is not one.
std::string free_variable(const Statement& statement) {
  std::set<std::string> bound = {}, free;
  for (const language::Binder& binder : statement.binders) bound.insert(binder.names.begin(), binder.names.end());
  for (const auto& d : statement.definitions) bound.insert(d.name);
  free_names(statement.claim, bound, free);
  if (free.size() != 1)
    throw language::Problem(statement.claim->place,
                            "O(...) wants one variable that grows: put 'limit n -> inf:' before it");
  return *free.begin();
}

/// Errors: language::Problem for a claim that is neither an equation nor an order.
LimitQuestion limit_question(const Statement& original) {
  LimitQuestion question;
  question.statement = original;
  std::erase_if(question.statement.binders, [&](const language::Binder& binder) {
    if (binder.quantifier != language::Quantifier::limit) return false;
    question.name = binder.names.front();
    question.target = constant_value(original, binder.set.args.front(), {});
    return true;
  });
  if (question.name.empty()) question.name = free_variable(question.statement);
  question.order = original.claim->op == Op::order;
  if (!question.order && original.claim->op != Op::equal)
    throw language::Problem(original.claim->place, "a limit is an equation, f(n) = value, or f(n) = O(g(n))");
  return question;
}

/// The sizes of the other variables.
std::vector<language::Choices> choices_of_others(const LimitQuestion& question, const engine::Context& context) {
  if (question.statement.binders.empty()) return {{}};
  const double value = std::isinf(question.target) ? 2 : question.target + 0.5;
  Sizes sizes = choose_sizes(with_one_value(question.statement, question.name, value), context, 6, 1e12);
  for (language::Choices& choices : sizes.tried) choices.erase(question.name);
  return sizes.tried;
}

/// Of their absolute values; far below any where the first is 0.
double log_ratio(const Ball& lhs, const Ball& rhs) {
  const Ball logarithm = rigor::log(rigor::abs(lhs) / rigor::abs(rhs));
  return logarithm.is_finite() ? logarithm.mid() : -1e9;
}

/// What the samples along one grid say.
struct Tendency {
  bool to = false, away = false;
  std::string why;
};

Tendency tendency_of(const LimitQuestion& question, const std::vector<Sample>& samples) {
  const double reached = samples.back().n;
  if (question.order) {
    std::vector<double> logs;
    for (const Sample& s : samples)
      if ((s.lhs / s.rhs).is_finite()) logs.push_back(log_ratio(s.lhs, s.rhs));
    const Growth growth = growth_of(logs);
    return {growth.bounded, growth.unbounded,
            fmt::format("the ratio of the sides {} {:.6g} at {} = {:.3g}",
                        growth.bounded ? "stays below" : "has grown to", growth.last_ratio, question.name, reached)};
  }
  std::vector<double> gaps;
  for (const Sample& s : samples) gaps.push_back(relative_gap(s));
  const Trend trend = trend_of(gaps);
  return {trend.to_zero, trend.away,
          trend.to_zero
              ? fmt::format("the sides differ by {:.2g} at {} = {:.3g}, and ever less", std::abs(gaps.back()),
                            question.name, reached)
              : fmt::format("the relative difference of the sides seems to settle at {:.6g}", trend.settles_at)};
}

/// What the sides far beyond the grids say, where they can be taken there: neither to nor away where that is not known.
std::optional<Tendency> tendency_far_beyond(const LimitQuestion& question) {
  if (!(question.target > 0) || !std::isinf(question.target)) return std::nullopt;
  const rigor::PrecisionScope precision(near_grid.bits);
  const std::vector<FarSample> samples = far_samples(question.statement, question.name);
  constexpr std::size_t least = 16;
  if (samples.size() < least) return std::nullopt;
  std::vector<double> numbers;
  for (const FarSample& s : samples) {
    const Ball difference = s.lhs - s.rhs, relative = difference / rigor::abs(s.rhs);
    numbers.push_back(question.order ? log_ratio(s.lhs, s.rhs) : (relative.is_finite() ? relative : difference).mid());
  }
  if (std::ranges::any_of(numbers, [](double x) { return std::isnan(x); })) return std::nullopt;
  const std::string place = fmt::format("{} = exp(exp({}))", question.name, samples.back().k);
  constexpr double beyond_all = 1e100;
  if (!question.order && std::abs(numbers.back()) > beyond_all)
    return Tendency{false, true, fmt::format("the sides have gone apart at {}", place)};
  if (question.order) {
    const Growth growth = growth_of(numbers);
    return Tendency{growth.bounded, growth.unbounded,
                    fmt::format("the logarithm of the sides' ratio is {:.6g} at {}, and {}", numbers.back(), place,
                                growth.bounded ? "does not grow" : "grows")};
  }
  const Trend trend = trend_of(numbers);
  return Tendency{trend.to_zero, trend.away,
                  fmt::format("the sides differ by {:.2g} at {}, {}", std::abs(numbers.back()), place,
                              trend.to_zero ? "and ever less" : "and settle there or go apart")};
}

/// What all choices say together along a grid. The first one that goes away gives the witness and the reason.
struct Tendencies {
  bool all_to = true, some_away = false;
  double reached = 0;
};

Tendencies follow_grids(const LimitQuestion& question, const std::vector<language::Choices>& choices, const Grid& grid,
                        const engine::Context& context, Outcome& outcome, double first_work = 0) {
  Tendencies all;
  double work = first_work;
  for (const language::Choices& others : choices) {
    for (const bool below : {false, true}) {
      if (below && std::isinf(question.target)) continue;
      const std::vector<Sample> samples =
          evaluate(question.statement, question.name, places_of(grid, question.target, below), context, others,
                   grid.bits, question.order, work);
      outcome.evaluations += static_cast<std::int64_t>(samples.size());
      if (samples.empty()) {
        all.all_to = all.all_to && below;
        continue;
      }
      all.reached = samples.back().n;
      const Tendency one = tendency_of(question, samples);
      all.all_to &= one.to;
      if (!all.some_away) outcome.reason = one.why;
      if (one.away && !all.some_away) {
        all.some_away = true;
        outcome.witness = point_of(question.name, samples.back(), question.order ? "= O" : "->");
      }
    }
  }
  return all;
}

/// Whether the sides go apart along other whole numbers than powers of 2; then the witness and the reason are theirs.
bool goes_away_elsewhere(const LimitQuestion& question, const std::vector<language::Choices>& choices,
                         const engine::Context& context, Outcome& outcome) {
  // A quarter of the work that the powers of 2 may take.
  const double spent = 0.75 * context.effort * flops_of_effort;
  for (const Grid& grid : other_grids) {
    Outcome elsewhere = outcome;
    try {
      if (!follow_grids(question, choices, grid, context, elsewhere, spent).some_away) continue;
    } catch (const language::Problem&) {
      continue;  // not meant at such numbers: sizes that are powers of 2
    }
    outcome = elsewhere;
    outcome.remarks.push_back(fmt::format("along {0} = {1:g}, {2:g}, ...; along powers of 2 it does not show",
                                          question.name, grid.factor * 2 + grid.shift, grid.factor * 4 + grid.shift));
    return true;
  }
  return false;
}

}  // namespace

void judge_limit(const Statement& original, const engine::Context& context, Outcome& outcome) {
  LimitQuestion question = limit_question(original);
  const std::vector<language::Choices> choices = choices_of_others(question, context);
  if (question.order) question.statement.claim = make(Op::less_equal, question.statement.claim->args);
  const Grid* last = &near_grid;
  Tendencies all = follow_grids(question, choices, near_grid, context, outcome);
  // Other numbers are compared with powers of 2 as near as they: n log(n)^2 = O(n^1.01) shows far out alone.
  const bool compared = all.all_to && !all.some_away;
  // Powers of n overtake those of log n late: an order, and what is open, is followed further where the grid was whole.
  if (std::isinf(question.target) && std::abs(all.reached) == std::exp2(near_grid.last) &&
      (question.order || (!all.all_to && !all.some_away))) {
    outcome.witness.reset();
    last = &far_grid;
    all = follow_grids(question, choices, far_grid, context, outcome);
  }
  if (std::isinf(question.target)) {
    const double first = std::copysign(std::exp2(last->step), question.target);
    outcome.domain = fmt::format("{} = {:g}, {:g}, ... to {:.3g}, at {} bits.", question.name, first,
                                 first * std::exp2(last->step), all.reached, last->bits);
  } else {
    outcome.domain = fmt::format("{} at {} +- 1/2, 1/4, ... , at {} bits.", question.name, question.target, last->bits);
  }
  if (compared && all.all_to && !all.some_away && std::isinf(question.target))
    all.some_away = goes_away_elsewhere(question, choices, context, outcome);
  // Where the sides can be taken beyond, nothing nearer says more than they do.
  const auto beyond = tendency_far_beyond(question);
  if (beyond && (beyond->to != all.all_to || beyond->away != all.some_away)) {
    all.all_to = beyond->to;
    all.some_away = beyond->away;
    outcome.reason = beyond->why;
    outcome.witness.reset();
    outcome.domain += fmt::format(" Beyond it {0} = exp(exp(1)), exp(exp(2)), ...", question.name);
  }
  outcome.method = "extrapolation along a geometric grid in ball arithmetic";
  if (all.some_away || all.all_to) {
    outcome.verdict = all.some_away ? Verdict::refuted : Verdict::supported;
    outcome.would_change = "a sequence that turns beyond the grid";
  } else {
    outcome.verdict = Verdict::undecided;
    outcome.reason = "finitely many values do not tell" + (outcome.reason.empty() ? "" : "; " + outcome.reason);
    outcome.would_change = "a longer grid (a larger budget), or an inequality for all n";
    outcome.witness.reset();
  }
}

}  // namespace attest::referee
