// Table 1: what the text says of the printed accuracies on the Long Range Arena, counted.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "theorems/engine/protocols/certification.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

/// Table 1: Pathfinder, Image, ListOps, Text, Retrieval.
using Scores = std::array<double, 5>;
struct Backbone {
  Scores plain, alibi, bilateral;
};
constexpr std::array<Backbone, 3> backbones{
    {{{67.83, 39.90, 18.55, 62.73, 61.31}, {62.31, 43.42, 18.35, 72.95, 74.47}, {62.27, 39.92, 37.70, 66.85, 76.38}},
     {{51.22, 42.69, 19.15, 55.94, 77.68}, {60.82, 41.64, 37.15, 55.37, 78.58}, {51.22, 42.80, 38.26, 57.05, 78.65}},
     {{68.22, 41.23, 18.70, 62.16, 60.89}, {61.07, 41.27, 20.82, 67.48, 70.11}, {69.00, 45.56, 37.00, 66.18, 73.84}}}};

/// How three backbones' scores become one for a task.
enum class Over { best, mean };

double over_backbones(Scores Backbone::*method, std::size_t task, Over over) {
  double best = 0;
  double sum = 0;
  for (const Backbone& b : backbones) {
    best = std::max(best, (b.*method)[task]);
    sum += (b.*method)[task];
  }
  return over == Over::best ? best : sum / 3;
}

/// The tasks in which the bilateral score exceeds the other two by the factor `by`.
double wins(const std::array<std::array<double, 3>, 5>& scores, double by) {
  double count = 0;
  for (const auto& [plain, alibi, bilateral] : scores) count += bilateral > by * std::max(plain, alibi) ? 1 : 0;
  return count;
}

/// The bilateral models win at least `least` tasks.
Check tasks_won(Over over, double least) {
  EnumerationProblem p;
  p.domain = over == Over::best ? "the best score of each method over the three backbones"
                                : "the mean score of each method over the three backbones";
  p.cases = 1;
  p.relation = Relation::greater_equal;
  p.case_inputs = [over](std::int64_t) {
    Inputs in;
    for (const auto& [name, method] : {std::pair{"plain", &Backbone::plain}, std::pair{"ALiBi", &Backbone::alibi},
                                       std::pair{"bilateral", &Backbone::bilateral}}) {
      std::vector<double> row;
      for (std::size_t task = 0; task < 5; ++task) row.push_back(over_backbones(method, task, over));
      in.add(name, row);
    }
    return in;
  };
  p.ball_sides = [least](const Inputs& in) -> BallSides {
    std::array<std::array<double, 3>, 5> scores{};
    for (std::size_t task = 0; task < 5; ++task)
      scores[task] = {in["plain"][task], in["ALiBi"][task], in["bilateral"][task]};
    return {Ball(wins(scores, 1)), Ball(least)};
  };
  return enumerate(std::move(p));
}

/// On every backbone the bilateral model wins at least `least` tasks.
Check tasks_won_on_every_backbone(double least) {
  EnumerationProblem p;
  p.domain = "Transformer, Linformer, Nystromformer";
  p.cases = backbones.size();
  p.relation = Relation::greater_equal;
  p.case_inputs = [](std::int64_t k) {
    const Backbone& b = backbones.at(static_cast<std::size_t>(k));
    const auto row = [](const Scores& s) { return std::vector<double>(s.begin(), s.end()); };
    return Inputs{{"plain", row(b.plain)}, {"ALiBi", row(b.alibi)}, {"bilateral", row(b.bilateral)}};
  };
  p.ball_sides = [least](const Inputs& in) -> BallSides {
    std::array<std::array<double, 3>, 5> scores{};
    for (std::size_t task = 0; task < 5; ++task)
      scores[task] = {in["plain"][task], in["ALiBi"][task], in["bilateral"][task]};
    return {Ball(wins(scores, 1)), Ball(least)};
  };
  return enumerate(std::move(p));
}

/// On every backbone the gain of the bilateral model over the plain one is largest on `task`, by the factor `by`.
Check largest_gain(std::size_t task, double by) {
  EnumerationProblem p;
  p.domain = "Transformer, Linformer, Nystromformer against their four other tasks";
  p.cases = backbones.size() * 4;
  p.relation = Relation::greater;
  p.case_inputs = [task](std::int64_t k) {
    const Backbone& b = backbones.at(static_cast<std::size_t>(k / 4));
    const std::size_t other = (task + 1 + static_cast<std::size_t>(k % 4)) % 5;
    return Inputs{{"plain", {b.plain.at(task), b.plain.at(other)}},
                  {"bilateral", {b.bilateral.at(task), b.bilateral.at(other)}}};
  };
  p.ball_sides = [by](const Inputs& in) -> BallSides {
    return {Ball(in["bilateral"][0]) - in["plain"][0], by * (Ball(in["bilateral"][1]) - in["plain"][1])};
  };
  return enumerate(std::move(p));
}

/// On `task` the bilateral model is first on every backbone, by the factor `by`.
Check first_on(std::size_t task, double by) {
  EnumerationProblem p;
  p.domain = "Transformer, Linformer, Nystromformer, each against plain and ALiBi";
  p.cases = backbones.size() * 2;
  p.relation = Relation::greater;
  p.case_inputs = [task](std::int64_t k) {
    const Backbone& b = backbones.at(static_cast<std::size_t>(k / 2));
    return Inputs{{"bilateral", {b.bilateral.at(task)}}, {"other", {(k % 2 == 0 ? b.plain : b.alibi).at(task)}}};
  };
  p.ball_sides = [by](const Inputs& in) -> BallSides {
    return {in.scalar("bilateral"), Ball(by) * in.scalar("other")};
  };
  return enumerate(std::move(p));
}

}  // namespace

Claims long_range_arena() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/table-1",
        .label = "Table 1 ('4 of 5 tasks')",
        .title = "Bilateral models win four of five tasks of the Long Range Arena",
        .kind = Kind::figure,
        .tex = R"(\#\{\text{tasks}:\ \max\text{Bilateral} > \max(\text{plain},\text{ALiBi})\} \ge 4)",
        .assumptions = {"the best model of each kind is meant, as the bold print of the table suggests"},
        .expected = Verdict::certified,
        .note = "True of the best entries; ALiBi has the best of Text. Model by model it is not."},
       tasks_won(Over::best, 4),
       {{"all five tasks", 0.25, tasks_won(Over::best, 5)}, {"by mean scores", 1, tasks_won(Over::mean, 4)}}});
  claims.push_back(
      {{.id = "boosting/table-1-retrieval",
        .label = "Sec 5.2 ('particularly evident' from Retrieval)",
        .title = "On Retrieval the bilateral model is first on every backbone",
        .kind = Kind::figure,
        .tex = R"(76.38 > 74.47,\,61.31;\quad 78.65 > 78.58,\,77.68;\quad 73.84 > 70.11,\,60.89)",
        .assumptions = {"'particularly evident' is read as: in first place whatever the backbone"},
        .expected = Verdict::certified,
        .note = "So it is on ListOps, where the gains are larger: boosting/table-1-where. On Linformer the lead over "
                "ALiBi is 0.07 points, and no spread over runs is printed."},
       first_on(4, 1),
       {{"by 0.1 percent at least", 0.001, first_on(4, 1.001)}, {"on Text", 1, first_on(3, 1)}}});
  claims.push_back(
      {{.id = "boosting/table-1-every-backbone",
        .label = "Table 1 ('4 of 5 tasks') (on every backbone)",
        .title = "On every backbone the bilateral model wins at least two tasks of five",
        .kind = Kind::figure,
        .tex =
            R"(\text{Transformer } 2,\ \text{Linformer } 4,\ \text{Nystromformer } 4;\quad \text{by mean scores } 3)",
        .assumptions = {"the numbers as printed"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/table-1",
        .note = "On the plain Transformer, the model of the theory, Bilateral beats both others on ListOps and "
                "Retrieval only."},
       tasks_won_on_every_backbone(2),
       {{"four tasks on every backbone", 1, tasks_won_on_every_backbone(4)},
        {"three tasks on every backbone", 0.5, tasks_won_on_every_backbone(3)}}});
  claims.push_back(
      {{.id = "boosting/table-1-where",
        .label = "Table 1 ('4 of 5 tasks') (where)",
        .title = "On every backbone Bilateral gains most on ListOps, 1.27 times what it gains on any other task",
        .kind = Kind::figure,
        .tex = R"(\text{over plain: ListOps } 19.15,\,19.11,\,18.30;\ \text{Retrieval } 15.07,\,0.97,\,12.95)",
        .assumptions = {"the numbers as printed"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/table-1",
        .note = "The text finds the advantage particularly evident in Retrieval; the differences there, on two "
                "of three backbones large, are smaller than those on ListOps on all."},
       largest_gain(2, 1.27),
       {{"by a factor of 1.28", 0.008, largest_gain(2, 1.28)}, {"on Retrieval", 1, largest_gain(4, 1)}}});
  return claims;
}

}  // namespace attest::boosting
