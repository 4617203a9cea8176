#include "theorems/engine/runner/trained_runs.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/digest/sha256.hpp"
#include "kernels/statistics/student.hpp"
#include "kernels/statistics/welford.hpp"
#include "theorems/engine/protocols/paired_differences.hpp"
#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

using nlohmann::json;

/// Chance that a mean wrong by the reported smallest discrepancy would not have been refuted: seeds are few.
constexpr double trained_false_pass = 0.2;

std::vector<std::string> names(const json& value) {
  return value.is_string() ? std::vector<std::string>{value.get<std::string>()} : value.get<std::vector<std::string>>();
}

TrainedVariant variant_of(const json& value) {
  TrainedVariant variant{value.at("name"), names(value.at("attention")), names(value.at("residual")), {}};
  for (const auto& [metric, numbers] : value.at("metrics").items()) {
    std::vector<double>& values = variant.metrics[metric];
    for (const json& number : numbers.at("values"))
      values.push_back(number.is_null() ? std::nan("") : number.get<double>());
  }
  return variant;
}

bool all_are(const std::vector<std::string>& list, const std::string& name) {
  return std::all_of(list.begin(), list.end(), [&](const std::string& one) { return one == name; });
}

const std::vector<double>* values_of(const TrainedRun& run, const TrainedSide& side) {
  for (const TrainedVariant& variant : run.variants) {
    if (!all_are(variant.attention, side.attention) || !all_are(variant.residual, side.residual)) continue;
    if (const auto found = variant.metrics.find(side.metric); found != variant.metrics.end()) return &found->second;
  }
  return nullptr;
}

bool names_one_of(std::string name, const std::vector<std::string>& words) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return words.empty() || std::any_of(words.begin(), words.end(),
                                      [&](const std::string& word) { return name.find(word) != std::string::npos; });
}

/// Why a training says nothing to a question; empty when it does.
std::string misfit(const TrainedRun& run, const TrainedQuestion& question) {
  if (!names_one_of(run.data_set, question.data_sets)) return fmt::format("its data set is {}", run.data_set);
  const auto differs = [](std::int64_t wanted, std::int64_t got) { return wanted > 0 && wanted != got; };
  if (differs(question.layers, run.layers) || differs(question.width, run.width) || differs(question.heads, run.heads))
    return fmt::format("its models have {} layers, width {} and {} heads, the statement's {}, {} and {}", run.layers,
                       run.width, run.heads, question.layers, question.width, question.heads);
  for (const TrainedSide* side : {&question.a, &question.b}) {
    const auto* values = values_of(run, *side);
    if (values == nullptr)
      return fmt::format("it has no {} of {} attention with {} residuals", side->metric, side->attention,
                         side->residual);
    if (static_cast<std::int64_t>(values->size()) < question.least_seeds)
      return fmt::format("it has {} seeds, {} are needed", values->size(), question.least_seeds);
  }
  return "";
}

statistics::Welford moments(std::span<const double> values) {
  statistics::Welford all;
  for (const double value : values) all.add(value);
  return all;
}

/// What Student's test would need, were the differences normal: a guide for the reader, no part of the verdict.
/// Infinite where the differences show no spread to measure by.
double smallest_discrepancy(const statistics::Welford& differences, double alpha) {
  if (!(differences.variance() > 0)) return std::numeric_limits<double>::infinity();
  return statistics::detectable_shift(differences.count(), alpha, 1 - trained_false_pass) *
         std::sqrt(differences.variance());
}

Witness witness_of_question(const TrainedRun& run, const ExpectationPart& part, std::vector<double> differences) {
  Witness witness;
  witness.part = part.name;
  witness.kind = WitnessKind::stochastic;
  witness.inputs = Inputs{{"differences", std::move(differences)}};
  witness.relation = part.relation;
  witness.lhs = text(part.interval);
  witness.rhs = "0";
  witness.margin = fmt::format("{:.6g}", std::min(std::abs(part.interval.lower), std::abs(part.interval.upper)));
  witness.seed = run.seed;
  witness.alpha = part.alpha;
  return witness;
}

struct Answers {
  ExpectationEvidence evidence;
  std::string read;     ///< what was found, for the reader
  std::string missing;  ///< questions without an answer, and why
};

void answer(const TrainedQuestion& question, const std::vector<TrainedRun>& trainings, double alpha, Answers& answers) {
  std::string reasons;
  bool answered = false;
  for (const TrainedRun& run : trainings) {
    if (const std::string why = misfit(run, question); !why.empty()) {
      reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", run.file, why);
      continue;
    }
    const std::vector<double>&a = *values_of(run, question.a), &b = *values_of(run, question.b);
    std::vector<double> differences;
    for (std::size_t s = 0; s < std::min(a.size(), b.size()); ++s) differences.push_back(a[s] - b[s]);
    const statistics::Welford found = moments(differences);
    ExpectationPart part;
    part.name = question.name;
    part.samples = static_cast<std::int64_t>(differences.size());
    part.estimate = found.mean();
    const bool finite = std::ranges::all_of(differences, [](double d) { return std::isfinite(d); });
    part.interval = finite ? interval_of_differences(differences, alpha) : Interval{std::nan(""), std::nan("")};
    part.smallest_discrepancy = smallest_discrepancy(found, alpha);
    part.relation = question.relation;
    part.alpha = alpha;
    answers.read += fmt::format(
        "{}{}: the difference over {} paired seeds is {:.4g} on average, its centre in {} at error level {:.2g} if "
        "differences between seeds are symmetric ({}, SHA-256 {})",
        answers.read.empty() ? "" : "; ", question.name, part.samples, found.mean(), text(part.interval), alpha,
        run.file, run.digest);
    if (excludes_zero(question.relation, part.interval) && !answers.evidence.witness)
      answers.evidence.witness = witness_of_question(run, part, std::move(differences));
    answers.evidence.parts.push_back(std::move(part));
    answered = true;
  }
  if (!answered)
    answers.missing +=
        fmt::format("{}{} is not answered ({})", answers.missing.empty() ? "" : "; ", question.name, reasons);
}

/// The verdict that answers give; those of all questions must be there for the statement to be supported.
void judge_result(ClaimResult& result, Answers answers) {
  if (answers.evidence.parts.empty()) {
    result.judgement.reason += "; of the trainings given, " + answers.missing;
    return;
  }
  answers.evidence.false_pass_rate = trained_false_pass;
  result.evidence = {std::move(answers.evidence)};
  result.judgement = judge(result.claim->statement.kind, result.evidence);
  const std::string missing = answers.missing.empty() ? "" : "; " + answers.missing;
  if (result.judgement.verdict == Verdict::supported && !missing.empty()) result.judgement.verdict = Verdict::undecided;
  if (result.judgement.verdict == Verdict::undecided)
    result.judgement.would_change = "more seeds, or the other trainings";
  if (result.judgement.verdict != Verdict::error) result.judgement.reason = answers.read + missing;
}

}  // namespace

TrainedRun read_trained_run(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.good() && content.empty())
    throw std::invalid_argument(
        fmt::format("{} cannot be read; give the summary.json of a training by attest train", file.string()));
  try {
    const json document = json::parse(content);
    TrainedRun run;
    run.file = file.string();
    run.digest = digest::sha256(content);
    run.data_set = document.at("data_set");
    run.layers = document.at("model").at("layers");
    run.width = document.at("model").at("width");
    run.heads = document.at("model").at("heads");
    run.seed = document.at("seed");
    for (const json& variant : document.at("variants")) run.variants.push_back(variant_of(variant));
    return run;
  } catch (const json::exception& failure) {
    throw std::invalid_argument(
        fmt::format("{} is not a summary of a training by attest train: {}", file.string(), failure.what()));
  }
}

void judge_by_training(SuiteRun& run, const std::vector<TrainedRun>& trainings,
                       const std::vector<TrainedQuestion>& questions) {
  if (trainings.empty() || questions.empty()) return;
  const double alpha = training_false_alarm / static_cast<double>(questions.size() * trainings.size());
  bool any = false;
  for (ClaimResult& result : run.results) {
    if (!result.claim->check.awaiting) continue;
    Answers answers;
    for (const TrainedQuestion& question : questions)
      if (question.claim == result.claim->statement.id) answer(question, trainings, alpha, answers);
    if (answers.evidence.parts.empty() && answers.missing.empty()) continue;
    any = any || !answers.evidence.parts.empty();
    judge_result(result, std::move(answers));
  }
  if (any) run.false_alarm_bound += training_false_alarm;
}

}  // namespace attest::engine
