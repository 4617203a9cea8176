// Section 3: "Our results are averaged over 5 runs". The mean of R accuracies on a test set of n series is a multiple
// of 1 / (R n), which the printed digits of the UEA tables can contradict.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/primal_dual/printed_tables.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using engine::Relation;
using rigor::Ball;

// Series in the test sets of the UEA archive, in the order of the tables. Above `too_many` every printed number is a
// mean of five accuracies to a hundredth.
constexpr std::array<std::int64_t, 10> ten_tasks{263, 3524, 850, 205, 370, 173, 293, 180, 2199, 320};
constexpr std::array<std::int64_t, 15> fifteen_tasks{300, 40, 138, 270, 100,  180, 180, 152,
                                                     15,  72, 15,  74,  2466, 50,  100};
constexpr std::int64_t too_many = 2000;

struct Entry {
  std::string_view table;
  std::int64_t hundredths, series;
};

std::vector<Entry> entries(std::string_view name) {
  const PrintedTable& table = printed_table(name);
  std::vector<Entry> found;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::int64_t series = name == "Table 9" ? fifteen_tasks.at(i) : ten_tasks.at(i);
    if (series > too_many) continue;
    for (const std::int64_t entry : table.rows[i]) found.push_back({table.name, entry, series});
  }
  return found;
}

std::vector<Entry> all_entries() {
  std::vector<Entry> all;
  for (const char* name : {"Table 1", "Table 5", "Table 9", "Table 10"}) {
    const auto more = entries(name);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

// 10^4 |m / (R n) - a|, times R n, for the m nearest to the printed accuracy a: a whole number, in units of a hundredth
// of a percent over R n.
std::int64_t distance(const Entry& entry, std::int64_t runs) {
  const std::int64_t denominator = runs * entry.series;
  const std::int64_t rest = (entry.hundredths * denominator) % 10000;
  return std::min(rest, 10000 - rest);
}

// Every entry is within `tolerance` hundredths of a mean of `runs` accuracies.
engine::Check attainable(std::int64_t runs, double tolerance) {
  const auto list = all_entries();
  engine::EnumerationProblem problem;
  problem.domain =
      fmt::format("the {} entries of Tables 1, 5, 9 and 10 on test sets of at most 850 series", list.size());
  problem.cases = static_cast<std::int64_t>(list.size());
  problem.relation = Relation::less_equal;
  problem.case_inputs = [list](std::int64_t i) {
    const Entry& entry = list[static_cast<std::size_t>(i)];
    return Inputs{{"table", {std::atof(entry.table.substr(6).data())}},
                  {"accuracy in hundredths of a percent", {static_cast<double>(entry.hundredths)}},
                  {"series in the test set", {static_cast<double>(entry.series)}}};
  };
  problem.ball_sides = [runs, tolerance](const Inputs& inputs) -> engine::BallSides {
    const Entry entry{"", std::llround(inputs.scalar("accuracy in hundredths of a percent")),
                      std::llround(inputs.scalar("series in the test set"))};
    const Ball denominator(static_cast<double>(runs * entry.series));
    return {Ball(static_cast<double>(distance(entry, runs))) / denominator, Ball(tolerance),
            entry.series > 0 && entry.hundredths >= 0};
  };
  return engine::enumerate(std::move(problem));
}

// How many entries of a table are within a hundredth of a mean of `runs` accuracies.
engine::Check number_attainable(std::string_view name, std::int64_t runs, std::int64_t expected) {
  const auto list = entries(name);
  engine::EnumerationProblem problem;
  problem.domain = fmt::format("the {} entries of {} on test sets of at most 850 series", list.size(), name);
  problem.cases = 1;
  problem.relation = Relation::equal;
  problem.case_inputs = [list, runs](std::int64_t) {
    std::int64_t count = 0;
    for (const Entry& entry : list) count += distance(entry, runs) <= runs * entry.series ? 1 : 0;
    return Inputs{{"runs", {static_cast<double>(runs)}},
                  {"entries", {static_cast<double>(list.size())}},
                  {"attainable", {static_cast<double>(count)}}};
  };
  problem.ball_sides = [expected](const Inputs& inputs) -> engine::BallSides {
    return {Ball(inputs.scalar("attainable")), Ball(static_cast<double>(expected))};
  };
  return engine::enumerate(std::move(problem));
}

using Counts = std::array<std::int64_t, 4>;

engine::Check counts(const Counts& three, const Counts& five) {
  constexpr std::array names{"Table 1", "Table 5", "Table 9", "Table 10"};
  std::vector<engine::Part> parts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    parts.push_back(
        {fmt::format("{}, three runs", names[i]), engine::Kind::figure, number_attainable(names[i], 3, three[i])});
    parts.push_back(
        {fmt::format("{}, five runs", names[i]), engine::Kind::figure, number_attainable(names[i], 5, five[i])});
  }
  return engine::composite(std::move(parts));
}

}  // namespace

engine::Claims number_of_runs() {
  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/sec-3-five-runs",
      .label = "Sec 3 (\"averaged over 5 runs\")",
      .title = "The accuracies on UEA are means of five runs",
      .kind = engine::Kind::figure,
      .tex =
          R"(\forall a\ \exists m \in \mathbb N:\quad \Big|a - \frac{100\,m}{5\,n}\Big| \le 0.01,\qquad n \text{ series in the test set})",
      .assumptions =
          {"the test sets are those of the archive: Tables 1, 5 and 10: 263, 3524, 850, 205, 370, 173, 293, "
           "180, 2199, 320 series; Table 9: 300, 40, 138, 270, 100, 180, 180, 152, 15, 72, 15, 74, 2466, 50, "
           "100",
           "tasks with more than 2000 series left out, where every number is attainable",
           "a hundredth of a percent allowed, twice the rounding: each run may have been rounded first"},
      .expected = engine::Verdict::refuted,
      .finding = engine::Finding::error,
      .note =
          "\"Our results are averaged over 5 runs\" (Section 3). The mean of five numbers of correct answers out of n "
          "is a multiple of 1/(5 n); most of the printed accuracies are none, while with three runs most are (next "
          "statement). What rests on the number of runs: the meaning of every +- and every t here that takes five."};
  printed.check = attainable(5, 1);
  printed.near_hits = {{"within 0.67 points instead of 0.01, half the step on 15 series", 66, attainable(5, 67)}};

  engine::Claim three;
  const Counts with_three{28, 27, 40, 28};
  const Counts with_five{11, 12, 13, 16};
  three.statement = {
      .id = "primal-dual/sec-3-three-runs",
      .label = "Sec 3 (\"averaged over 5 runs\"; three runs)",
      .title = "Of 152 printed accuracies 123 are means of three runs, 52 of five",
      .kind = engine::Kind::figure,
      .tex =
          R"(\#\Big\{a:\ \exists m:\ \Big|a-\frac{100\,m}{R\,n}\Big| \le 0.01\Big\} = 28, 27, 40, 28\ (R = 3),\quad 11, 12, 13, 16\ (R = 5)\quad\text{of } 32, 32, 56, 32\ \text{in Tables 1, 5, 9, 10})",
      .assumptions = {"as for the printed statement"},
      .expected = engine::Verdict::certified,
      .printed = false,
      .amends = "primal-dual/sec-3-five-runs",
      .note = "What three runs leave over may be misprints, or tasks with another number of runs."};
  three.check = counts(with_three, with_five);
  for (std::size_t i = 0; i < with_three.size(); ++i) {
    Counts other = with_three;
    ++other[i];
    Counts other_five = with_five;
    ++other_five[i];
    three.near_misses.push_back(
        {fmt::format("one more in each count of the {} table", i + 1), 0.04, counts(other, other_five)});
  }
  return {printed, three};
}

}  // namespace attest::primal_dual
