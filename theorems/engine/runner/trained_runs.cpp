#include "theorems/engine/runner/trained_runs.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "kernels/digest/seal.hpp"
#include "kernels/digest/sha256.hpp"
#include "kernels/files/whole_file.hpp"
#include "kernels/names/plain_reason.hpp"
#include "kernels/names/whole_number.hpp"
#include "kernels/statistics/signed_rank.hpp"
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

/// A skill's variants have one metric each, in a list of their own.
std::vector<TrainedRun> runs_of_skills(const json& document, const TrainedRun& common) {
  std::vector<TrainedRun> runs;
  for (const json& skill : document.at("skills")) {
    TrainedRun run = common;
    run.data_set = skill.at("name").get<std::string>() + "-generated";
    for (const json& one : skill.at("variants"))
      run.variants.push_back({one.at("name"),
                              names(one.at("attention")),
                              names(one.at("residual")),
                              {{skill.at("metric"), one.at("values").get<std::vector<double>>()}}});
    runs.push_back(std::move(run));
  }
  return runs;
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

/// What would answer a question: models, data, and the fewest seeds at which its interval could lie on one side of 0.
std::string price_of(const TrainedQuestion& question, double alpha) {
  const std::int64_t seeds = std::max<std::int64_t>(question.least_seeds, statistics::least_observations(alpha));
  const std::string models = question.layers > 0 ? fmt::format("models of {} layers, width {} and {} heads",
                                                               question.layers, question.width, question.heads)
                                                 : "models of one size";
  return fmt::format("it takes {} paired seeds or more, {} trainings, of {}{}", seeds, 2 * seeds, models,
                     question.data_sets.empty() ? "" : fmt::format(" on {}", fmt::join(question.data_sets, " or ")));
}

void answer(const TrainedQuestion& question, const std::vector<TrainedRun>& trainings, double alpha, Answers& answers) {
  constexpr std::size_t most_reasons = 2;
  std::string reasons;
  std::size_t left_out = 0;
  bool answered = false;
  for (const TrainedRun& run : trainings) {
    if (const std::string why = misfit(run, question); !why.empty()) {
      ++left_out;
      if (left_out <= most_reasons) reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", run.file, why);
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
  if (left_out > most_reasons) reasons += fmt::format("; {} more do not fit either", left_out - most_reasons);
  if (!answered)
    answers.missing += fmt::format("{}{} is not answered ({}); {}", answers.missing.empty() ? "" : "; ", question.name,
                                   reasons, price_of(question, alpha));
}

/// What could decide a statement whose answers did not: fewer pairs than the error level takes decide nothing.
std::string what_would_change(const Evidence& evidence) {
  for (const ExpectationPart& part : std::get<ExpectationEvidence>(evidence.body).parts)
    if (const std::int64_t least = statistics::least_observations(part.alpha); part.samples < least)
      return fmt::format("{} paired seeds or more ({} are there), or the other trainings", least, part.samples);
  return "more seeds, or the other trainings";
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
    result.judgement.would_change = what_would_change(result.evidence);
  if (result.judgement.verdict != Verdict::error) result.judgement.reason = answers.read + missing;
}

}  // namespace

std::vector<TrainedRun> parse_trained_runs(const std::string& content, const std::string& name) {
  const digest::Seal seal = digest::seal_of(content);
  if (seal == digest::Seal::broken)
    throw std::invalid_argument(
        fmt::format("{} was changed after it was written: its digest is of another text", name));
  try {
    json document = json::parse(content);
    if (document.contains("summary")) document = json(document.at("summary"));
    TrainedRun run;
    run.file = name;
    run.digest = digest::sha256(content);
    const auto whole = [&]<typename Whole>(Whole& number, const json& at, const char* key) {
      number = names::whole_number<Whole>(at.at(key), fmt::format("'{}' of {}", key, name));
    };
    whole(run.layers, document.at("model"), "layers");
    whole(run.width, document.at("model"), "width");
    whole(run.heads, document.at("model"), "heads");
    whole(run.seed, document, "seed");
    if (document.value("schema", "") == "attest-skills-1") return runs_of_skills(document, run);
    run.data_set = document.at("data_set");
    for (const json& variant : document.at("variants")) run.variants.push_back(variant_of(variant));
    return {run};
  } catch (const json::exception& failure) {
    throw std::invalid_argument(fmt::format("{} is not a summary of a training by attest train: {}", name,
                                            names::plain_reason(failure.what())));
  }
}

std::vector<TrainedRun> read_trained_runs(const std::filesystem::path& file) {
  return parse_trained_runs(files::read_whole(file), file.string());
}

void judge_by_training(SuiteRun& run, const std::vector<TrainedRun>& trainings,
                       const std::vector<TrainedQuestion>& questions) {
  if (trainings.empty() || questions.empty()) return;
  std::size_t pairs = 0;
  for (const TrainedQuestion& question : questions)
    for (const TrainedRun& training : trainings) pairs += misfit(training, question).empty() ? 1 : 0;
  const double alpha = training_false_alarm / static_cast<double>(std::max<std::size_t>(1, pairs));
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
  if (any) run.trained_false_alarm_bound = training_false_alarm;
}

}  // namespace attest::engine
