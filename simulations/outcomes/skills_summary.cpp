#include "simulations/outcomes/skills_summary.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/statistics/welford.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/evaluation/cost_columns.hpp"
#include "simulations/outcomes/comparison.hpp"
#include "simulations/outcomes/data_order.hpp"
#include "simulations/outcomes/layer_names.hpp"
#include "simulations/outcomes/training_figures.hpp"

namespace attest::outcomes {

using evaluation::cost_columns;
using evaluation::cost_note;
using experiment::VariantSpec;
using skills::skill_tokens;
namespace {

using nlohmann::ordered_json;
using reports::counted;

const ordered_json& variant_named(const ordered_json& summary, const std::string& name) {
  for (const ordered_json& variant : summary["variants"])
    if (variant["name"] == name) return variant;
  throw std::invalid_argument(fmt::format("the summary has no variant {}", name));
}

double deviation_of_differences(const ordered_json& summary, const ordered_json& comparison) {
  const std::string metric = summary["metric"];
  const auto values = [&](const char* side) {
    return variant_named(summary, comparison[side])["metrics"][metric]["values"].get<std::vector<double>>();
  };
  const std::vector<double> a = values("a"), b = values("b");
  statistics::Welford spread;
  for (std::size_t s = 0; s < a.size(); ++s) spread.add(a[s] - b[s]);
  return std::sqrt(spread.variance());
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// The experiment without the variants that diverged somewhere, which go to `left_out`.
Experiment without_diverged(const SkillOutcome& outcome, Index seeds, ordered_json& left_out) {
  Experiment kept = outcome.experiment;
  kept.seeds = seeds;
  std::erase_if(kept.variants, [&](const VariantSpec& variant) {
    Index diverged = 0;
    for (Index s = 0; s < seeds; ++s)
      diverged += outcome.results.at({variant.name, kept.seed + static_cast<std::uint64_t>(s)}).contains("diverged");
    if (diverged == 0) return false;
    if (variant.name == kept.comparison.baseline)
      throw std::invalid_argument(
          fmt::format("{}: the baseline {} diverged with {} of {} seeds; lower "
                      "training.learning_rate or give training.clip",
                      outcome.experiment.name, variant.name, diverged, seeds));
    left_out.push_back({{"name", variant.name}, {"seeds", diverged}});
    return true;
  });
  return kept;
}

ordered_json skill_summary(const SkillOutcome& outcome, Index seeds) {
  ordered_json left_out = ordered_json::array();
  const Experiment kept = without_diverged(outcome, seeds, left_out);
  require_equal_order(kept, outcome.results);
  const ordered_json all = summarise(kept, outcome.results, 0);
  const std::string metric = all["metric"];
  ordered_json variants = ordered_json::array(), comparisons = all["comparisons"];
  for (const VariantSpec& variant : kept.variants) {
    const ordered_json& metrics = variant_named(all, variant.name)["metrics"];
    variants.push_back({{"name", variant.name},
                        {"attention", attention_names(variant.model)},
                        {"residual", residual_names(variant.model)},
                        {"mean", metrics[metric]["mean"]},
                        {"interval", metrics[metric]["interval"]},
                        {"values", metrics[metric]["values"]},
                        {"parameters", metrics["parameters"]["mean"]},
                        {"step_milliseconds", metrics["step_milliseconds"]["mean"]},
                        {"cost", cost_columns(metrics)}});
  }
  std::vector<double> floors;
  for (ordered_json& one : comparisons) {
    if (one["detectable_deviations"].is_null()) continue;
    one["detectable"] = one["detectable_deviations"].get<double>() * deviation_of_differences(all, one);
    floors.push_back(one["detectable"]);
  }
  ordered_json figure = training_figures(kept, all, {}).front();
  figure["name"] = "differences-" + outcome.experiment.name;
  figure["title"] = outcome.experiment.name + ": difference to " + kept.comparison.baseline;
  return {{"name", outcome.experiment.name},
          {"title", outcome.skill.title},
          {"solver_is", outcome.skill.solver},
          {"metric", metric},
          {"guessing", outcome.levels.guessing},
          {"solver", outcome.levels.solver},
          {"floor", floors.empty() ? ordered_json(nullptr) : ordered_json(median(floors))},
          {"variants", variants},
          {"comparisons", comparisons},
          {"left_out", left_out},
          {"figure", figure}};
}

const ordered_json* cell_of(const ordered_json& skill, const std::string& variant) {
  for (const ordered_json& one : skill["variants"])
    if (one["name"] == variant) return &one;
  return nullptr;
}

/// "0.912 +", the mean and whether it was called better or worse than the baseline's.
std::string cell_text(const ordered_json& skill, const std::string& variant) {
  const ordered_json* cell = cell_of(skill, variant);
  if (cell == nullptr) return "diverged";
  std::string text = fmt::format("{:.3f}", (*cell)["mean"].get<double>());
  for (const ordered_json& one : skill["comparisons"])
    if (one["a"] == variant) text += one["verdict"] == "a better" ? " +" : one["verdict"] == "b better" ? " -" : "";
  return text;
}

/// What a variant costs: of the first skill, the others differ in what they read and answer alone.
ordered_json cost_table(const ordered_json& summary) {
  const ordered_json& skill = summary["skills"].front();
  ordered_json rows = ordered_json::array(), columns = ordered_json::array();
  columns.push_back("Variant");
  for (const ordered_json& one : skill["variants"]) {
    ordered_json row = ordered_json::array();
    row.push_back(one["name"]);
    for (const ordered_json& column : one["cost"]) {
      if (rows.empty()) columns.push_back(column[0]);
      row.push_back(column[1]);
    }
    rows.push_back(std::move(row));
  }
  return {{"caption", fmt::format("What each variant costs on {}, the mean over the seeds, in processor time. {}",
                                  skill["name"].get<std::string>(), cost_note)},
          {"columns", columns},
          {"rows", rows}};
}

/// How far from guessing (0) to the solver (1) each cell comes, as colour.
ordered_json heat_figure(const ordered_json& summary) {
  ordered_json points = ordered_json::array(), across = ordered_json::array(), down = ordered_json::array();
  auto y = static_cast<double>(summary["names"].size());
  for (const ordered_json& name : summary["names"]) {
    double x = 1;
    for (const ordered_json& skill : summary["skills"]) {
      const double guessing = skill["guessing"], solver = skill["solver"];
      if (y == static_cast<double>(summary["names"].size())) across.push_back({x, skill["name"]});
      if (const ordered_json* cell = cell_of(skill, name))
        points.push_back({x, y, ((*cell)["mean"].get<double>() - guessing) / (solver - guessing)});
      x += 1;
    }
    down.push_back({y, name});
    y -= 1;
  }
  ordered_json figure = {{"name", "skills"},
                         {"title", "From guessing to solving"},
                         {"x", {{"label", ""}, {"scale", "linear"}, {"places", across}}},
                         {"y", {{"label", ""}, {"scale", "linear"}, {"places", down}}},
                         {"series", ordered_json::array()},
                         {"heat", {{"label", "share of the way"}, {"scale", "linear"}, {"points", points}}},
                         {"caption", "0: no better than an answer that knows the token's place alone. 1: the solver."}};
  return figure;
}

std::string introduction(const ordered_json& summary, const Experiment& e) {
  const ModelSpec& model = e.variants.front().model;
  std::string text = fmt::format(
      "{} on {} with {} from {}: models of {}, {} and width {}, {} of {} of {}. In each cell the mean over the seeds; "
      "+ and - where the variant is called better or "
      "worse "
      "than {}, all calls of one skill together right with probability {}, if {}. The noise floor is the difference "
      "that "
      "these seeds find with probability {}, the median over the variants. Guessing: the best answer that knows the "
      "token's place alone.",
      counted(std::ssize(summary["names"]), "variant"), counted(std::ssize(summary["skills"]), "skill"),
      counted(summary["seeds"].get<Index>(), "paired seed"), summary["seed"].get<std::uint64_t>(),
      counted(std::ssize(model.layers), "layer"), counted(model.heads, "head"), model.width,
      counted(e.training.steps, "step"), counted(e.training.batch, "example"), counted(skill_tokens, "token"),
      summary["baseline"].get<std::string>(), 1 - summary["level"].get<double>(),
      summary["assumption"].get<std::string>(), summary["power"].get<double>());
  for (const ordered_json& skill : summary["skills"]) {
    text += fmt::format("\n\n{}: {}. Solver: {}.", skill["name"].get<std::string>(), skill["title"].get<std::string>(),
                        skill["solver_is"].get<std::string>());
    for (const ordered_json& one : skill["left_out"])
      text += fmt::format(" {} diverged with {} and is left out.", one["name"].get<std::string>(),
                          counted(one["seeds"].get<Index>(), "seed"));
  }
  return text;
}

}  // namespace

ordered_json summarise_skills(const std::string& name, const std::string& title,
                              const std::vector<SkillOutcome>& outcomes, Index seeds, double seconds) {
  const Experiment& first = outcomes.front().experiment;
  ordered_json names = ordered_json::array(), skills = ordered_json::array(), figures = ordered_json::array();
  for (const VariantSpec& variant : first.variants) names.push_back(variant.name);
  double processor_seconds = 0;
  for (const SkillOutcome& outcome : outcomes) {
    skills.push_back(skill_summary(outcome, seeds));
    for (const auto& [run, results] : outcome.results)
      if (results.contains("step_milliseconds"))
        processor_seconds +=
            results.at("step_milliseconds") / 1000 * static_cast<double>(outcome.experiment.training.steps);
  }
  for (ordered_json& skill : skills) {
    figures.push_back(skill["figure"]);
    skill.erase("figure");
  }
  ordered_json summary = {{"schema", "attest-skills-1"},
                          {"experiment", name},
                          {"title", title},
                          {"names", names},
                          {"baseline", first.comparison.baseline},
                          {"seed", first.seed},
                          {"seeds", seeds},
                          {"model",
                           {{"layers", first.variants.front().model.layers.size()},
                            {"width", first.variants.front().model.width},
                            {"heads", first.variants.front().model.heads}}},
                          {"level", first.comparison.level},
                          {"power", first.comparison.power},
                          {"assumption", paired_assumption},
                          {"seconds", seconds},
                          {"processor_seconds", processor_seconds},
                          {"skills", skills}};
  summary["text"] = introduction(summary, first);
  std::vector<std::vector<std::string>> rows = skills_table(summary);
  const std::vector<std::string> columns = rows.front();
  rows.erase(rows.begin());
  summary["tables"] = {{{"caption", "Mechanisms and skills."}, {"columns", columns}, {"rows", rows}},
                       cost_table(summary)};
  figures.insert(figures.begin(), heat_figure(summary));
  summary["figures"] = figures;
  return summary;
}

std::vector<std::vector<std::string>> skills_table(const ordered_json& summary) {
  std::vector<std::vector<std::string>> rows = {{"variant"}, {"metric"}, {"guessing"}, {"solver"}, {"noise floor"}};
  for (const ordered_json& skill : summary["skills"]) {
    rows[0].push_back(skill["name"]);
    rows[1].push_back(skill["metric"].get<std::string>().substr(5));  // test_
    rows[2].push_back(fmt::format("{:.3f}", skill["guessing"].get<double>()));
    rows[3].push_back(fmt::format("{:.3f}", skill["solver"].get<double>()));
    rows[4].push_back(skill["floor"].is_null() ? "" : fmt::format("{:.3f}", skill["floor"].get<double>()));
  }
  for (const ordered_json& name : summary["names"]) {
    rows.push_back({name});
    for (const ordered_json& skill : summary["skills"]) rows.back().push_back(cell_text(skill, name));
  }
  return rows;
}

std::string skills_text(const ordered_json& summary) {
  const std::vector<std::vector<std::string>> rows = skills_table(summary);
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    text += fmt::format("{:<22}", row.front());
    for (std::size_t c = 1; c < row.size(); ++c)
      text += fmt::format(" {:>{}}", row[c], std::max<std::size_t>(8, rows.front()[c].size()));
    text += "\n";
  }
  return text;
}

}  // namespace attest::outcomes
