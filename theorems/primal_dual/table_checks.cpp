#include "theorems/primal_dual/table_checks.hpp"

#include <utility>

#include "theorems/engine/protocols/certification.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using engine::Relation;
using rigor::Ball;

double number(std::int64_t value) { return static_cast<double>(value); }

// Of two entries in hundredths, how much better the second is.
std::int64_t advantage(const PrintedTable& table, std::int64_t baseline, std::int64_t other) {
  return table.errors ? baseline - other : other - baseline;
}

std::int64_t wins(const PrintedTable& table, std::size_t column) {
  std::int64_t count = 0;
  for (const auto& row : table.rows) count += advantage(table, row[0], row[column]) > 0 ? 1 : 0;
  return count;
}

// For each pair of columns: the mean of the printed rows of the second is better by more than `least` hundredths.
engine::Check better_means(const PrintedTable& table, std::vector<std::pair<std::size_t, std::size_t>> pairs,
                           double least) {
  engine::EnumerationProblem problem;
  problem.domain = "the columns of " + std::string(table.name);
  problem.cases = static_cast<std::int64_t>(pairs.size());
  problem.relation = Relation::greater;
  problem.case_inputs = [&table, pairs](std::int64_t i) {
    const auto [from, to] = pairs[static_cast<std::size_t>(i)];
    return Inputs{
        {"columns", {static_cast<double>(from), static_cast<double>(to)}},
        {"tasks", {static_cast<double>(table.rows.size())}},
        {"advantage of the sums in hundredths", {number(advantage(table, table.total(from), table.total(to)))}}};
  };
  problem.ball_sides = [least](const Inputs& inputs) -> engine::BallSides {
    return {Ball(inputs.scalar("advantage of the sums in hundredths")) / Ball(inputs.scalar("tasks")), Ball(least)};
  };
  return engine::enumerate(std::move(problem));
}

}  // namespace

engine::Check better_on_every_task(std::string_view name, Column column, double least) {
  const PrintedTable& table = printed_table(name);
  const auto c = static_cast<std::size_t>(column);
  engine::EnumerationProblem problem;
  problem.domain = "the rows of " + std::string(name);
  problem.cases = static_cast<std::int64_t>(table.rows.size());
  problem.relation = Relation::greater;
  problem.case_inputs = [&table, c](std::int64_t i) {
    const auto& row = table.rows[static_cast<std::size_t>(i)];
    return Inputs{{"row", {number(i + 1)}}, {"advantage in hundredths", {number(advantage(table, row[0], row[c]))}}};
  };
  problem.ball_sides = [least](const Inputs& inputs) -> engine::BallSides {
    return {Ball(inputs.scalar("advantage in hundredths")), Ball(least)};
  };
  return engine::enumerate(std::move(problem));
}

engine::Check better_on(std::string_view name, Column column, std::int64_t expected) {
  const PrintedTable& table = printed_table(name);
  engine::EnumerationProblem problem;
  problem.domain = "the rows of " + std::string(name);
  problem.cases = 1;
  problem.relation = expected == 0 ? Relation::greater : Relation::equal;
  problem.case_inputs = [&table, column](std::int64_t) {
    return Inputs{{"tasks", {static_cast<double>(table.rows.size())}},
                  {"better on", {number(wins(table, static_cast<std::size_t>(column)))}}};
  };
  problem.ball_sides = [expected](const Inputs& inputs) -> engine::BallSides {
    return {Ball(inputs.scalar("better on")), expected == 0 ? Ball(inputs.scalar("tasks")) / Ball(2) : Ball(expected)};
  };
  return engine::enumerate(std::move(problem));
}

engine::Check better_on_average(std::string_view name, std::vector<Column> columns, double least) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const Column column : columns) pairs.emplace_back(0, static_cast<std::size_t>(column));
  return better_means(printed_table(name), std::move(pairs), least);
}

engine::Check best_on_average(std::string_view name, Column column, double least) {
  const PrintedTable& table = printed_table(name);
  const auto best = static_cast<std::size_t>(column);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t other = 0; other < table.averages.size(); ++other) {
    if (other != best) pairs.emplace_back(other, best);
  }
  return better_means(table, std::move(pairs), least);
}

engine::Check welch(std::string domain, std::vector<Comparison> comparisons, Relation relation, double t, double runs) {
  engine::EnumerationProblem problem;
  problem.domain = std::move(domain);
  problem.cases = static_cast<std::int64_t>(comparisons.size());
  problem.relation = relation;
  problem.case_inputs = [comparisons](std::int64_t i) {
    const Comparison& at = comparisons[static_cast<std::size_t>(i)];
    return Inputs{{"comparison", {number(i + 1)}},
                  {"advantage in hundredths", {at.advantage}},
                  {"spreads in hundredths", {at.spread, at.other_spread}}};
  };
  problem.ball_sides = [t, runs](const Inputs& inputs) -> engine::BallSides {
    const auto spreads = inputs["spreads in hundredths"];
    if (spreads.size() != 2) return {Ball(0), Ball(0), false};
    const Ball variance = (rigor::square(Ball(spreads[0])) + rigor::square(Ball(spreads[1]))) / Ball(runs);
    return {Ball(inputs.scalar("advantage in hundredths")) / rigor::sqrt(variance), Ball(t)};
  };
  return engine::enumerate(std::move(problem));
}

engine::Check welch(std::string_view name, const std::vector<Column>& columns, Relation relation, double t,
                    double runs) {
  const PrintedTable& table = printed_table(name);
  std::vector<Comparison> comparisons;
  for (const Column column : columns) {
    const auto c = static_cast<std::size_t>(column);
    comparisons.push_back({number(advantage(table, table.averages[0], table.averages[c])), number(table.spreads[0]),
                           number(table.spreads[c])});
  }
  return welch("the averages of " + std::string(name), std::move(comparisons), relation, t, runs);
}

}  // namespace attest::primal_dual
