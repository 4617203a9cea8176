// Tables 1, 2, 5 and 7 to 10: printed averages, a statement for each table, and the gains that Sections 3 and 4 quote.
#include <cstdlib>

#include <fmt/format.h>

#include "theorems/engine/protocols/certification.hpp"
#include "theorems/primal_dual/printed_tables.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using engine::Relation;
using rigor::Ball;

constexpr auto sh = static_cast<std::size_t>(Column::sh);
constexpr auto bn_sh = static_cast<std::size_t>(Column::bn_sh);

// |mean of the printed rows - (printed average + shift)| <= 1 hundredth: half of the last digit of the average, and
// half of that of the rows.
engine::Check averages_are_means(const PrintedTable& table, std::vector<std::size_t> columns, double shift) {
  engine::EnumerationProblem problem;
  problem.domain = fmt::format("{} of the {} columns of {}", columns.size(), table.averages.size(), table.name);
  problem.cases = static_cast<std::int64_t>(columns.size());
  problem.relation = Relation::less_equal;
  problem.case_inputs = [&table, columns](std::int64_t i) {
    const std::size_t column = columns[static_cast<std::size_t>(i)];
    std::vector<double> rows;
    for (const auto& row : table.rows) rows.push_back(static_cast<double>(row[column]));
    return Inputs{{"column", {static_cast<double>(column)}},
                  {"rows in hundredths", rows},
                  {"average in hundredths", {static_cast<double>(table.averages[column])}}};
  };
  problem.ball_sides = [shift](const Inputs& inputs) -> engine::BallSides {
    Ball total;
    const auto rows = inputs["rows in hundredths"];
    for (const double row : rows) total += Ball(row);
    const Ball count(rows.size());
    const Ball printed = Ball(inputs.scalar("average in hundredths")) + Ball(shift);
    return {rigor::abs(total - count * printed), count, !rows.empty()};
  };
  return engine::enumerate(std::move(problem));
}

// later - earlier > gain, in hundredths of a percent.
engine::Check gain(double later, double earlier, double hundredths, const char* what) {
  engine::EnumerationProblem problem;
  problem.domain = what;
  problem.cases = 1;
  problem.relation = Relation::greater;
  problem.case_inputs = [=](std::int64_t) { return Inputs{{"with", {later}}, {"without", {earlier}}}; };
  problem.ball_sides = [hundredths](const Inputs& inputs) -> engine::BallSides {
    return {Ball(inputs.scalar("with")) - Ball(inputs.scalar("without")), Ball(hundredths)};
  };
  return engine::enumerate(std::move(problem));
}

constexpr const char* mean_formula = R"(\Big|\tfrac1n\sum_{i=1}^n a_i - \bar a\Big| \le 0.01)";

engine::Claim averages_of(const PrintedTable& table) {
  const bool one_apart = table.name == "Table 9";
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < table.averages.size(); ++c)
    if (!one_apart || c != sh) columns.push_back(c);
  engine::Claim claim;
  claim.statement = {.id = fmt::format("primal-dual/table-{}-averages", table.name.substr(6)),
                     .label = fmt::format("{} (averages{})", table.name, one_apart ? " but that of Attention-SH" : ""),
                     .title = fmt::format("The averages printed in {} are the means of its rows{}", table.name,
                                          one_apart ? ", that of Attention-SH left out" : ""),
                     .kind = engine::Kind::figure,
                     .tex = mean_formula,
                     .assumptions = {"rows and averages rounded to hundredths"},
                     .expected = engine::Verdict::certified};
  claim.check = averages_are_means(table, columns, 0);
  claim.near_misses = {{"averages two hundredths higher", 3e-4, averages_are_means(table, columns, 2)},
                       {"averages two hundredths lower", 3e-4, averages_are_means(table, columns, -2)}};
  return claim;
}

engine::Claim one_average() {
  const PrintedTable& table = printed_table("Table 9");
  engine::Claim claim;
  claim.statement = {.id = "primal-dual/table-9-average-of-sh",
                     .label = "Table 9 (average of Attention-SH)",
                     .title = "The average printed for Attention-SH in Table 9 is the mean of its rows",
                     .kind = engine::Kind::figure,
                     .tex = mean_formula,
                     .assumptions = {"rows and average rounded to hundredths"},
                     .expected = engine::Verdict::refuted,
                     .finding = engine::Finding::slip,
                     .note =
                         "The one of 26 printed averages that its rows do not have; a misprint of a row cannot be "
                         "excluded. Nothing rests on the three hundredths."};
  claim.check = averages_are_means(table, {sh}, 0);
  claim.near_hits = {{"an average of 75.64 instead of 75.61", 4e-4, averages_are_means(table, {sh}, 3)}};
  return claim;
}

engine::Claims gains() {
  const auto number = [](std::int64_t value) { return static_cast<double>(value); };
  const PrintedTable& uea = printed_table("Table 1");
  const auto& retrieval = printed_table("Table 2").rows[2];
  const auto on_uea = [&](double least) {
    return gain(number(uea.averages[bn_sh]), number(uea.averages[0]), least, "Table 1, averages");
  };
  const auto on_retrieval = [&](double least) {
    return gain(number(retrieval[bn_sh]), number(retrieval[0]), least, "Table 2, third row");
  };
  engine::Claim overall;
  overall.statement = {.id = "primal-dual/gain-on-uea",
                       .label = "Sec 3 (\"more than 1% overall improvement\")",
                       .title = "Attention-BN+SH is more than one point better than softmax on average on UEA",
                       .kind = engine::Kind::figure,
                       .tex = R"(\bar a_{\mathrm{BN+SH}}-\bar a_{\mathrm{softmax}} > 1\ \text{in Table 1})",
                       .assumptions = {"percentage points of the printed averages"},
                       .expected = engine::Verdict::certified,
                       .depends_on = {"primal-dual/table-1-averages"}};
  overall.check = on_uea(100);
  overall.near_misses = {{"more than 1.15 points", 0.15, on_uea(115)}};

  engine::Claim one_task;
  one_task.statement = {.id = "primal-dual/gain-on-retrieval",
                        .label = "Sec 3-4 (\"more than 1.5%\" on Retrieval)",
                        .title = "Attention-BN+SH is more than 1.5 points better than softmax on Retrieval",
                        .kind = engine::Kind::figure,
                        .tex = R"(a_{\mathrm{BN+SH}}-a_{\mathrm{softmax}} > 1.5\ \text{on Retrieval in Table 2})",
                        .assumptions = {"percentage points"},
                        .expected = engine::Verdict::certified};
  one_task.check = on_retrieval(150);
  one_task.near_misses = {{"more than 1.52 points", 0.013, on_retrieval(152)}};
  return {overall, one_task};
}

}  // namespace

engine::Claims table_averages() {
  engine::Claims claims;
  for (const PrintedTable& table : printed_tables()) claims.push_back(averages_of(table));
  claims.push_back(one_average());
  engine::append(claims, gains());
  return claims;
}

}  // namespace attest::primal_dual
