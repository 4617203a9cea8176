#include "theorems/evidence/stochastic_file.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/digest/sha256.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/statistics/anytime_interval.hpp"
#include "theorems/evidence/exact_numbers.hpp"
#include "theorems/language/evaluation/decide.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/expectations/random_draws.hpp"

namespace attest::evidence {
namespace {

using language::Evaluator;
using language::Expectation;
using language::Program;
using nlohmann::json;

struct Drawn {
  std::size_t coordinate;
  referee::LawAt law;
};

std::vector<Drawn> drawn_numbers(const Program& program, const std::vector<double>& raw) {
  Evaluator at(program);
  at.run(raw);
  std::vector<Drawn> all;
  for (const language::RawInput& input : program.inputs()) {
    if (!input.random) continue;
    const referee::LawAt law = referee::law_at(input, at);
    for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k) all.push_back({input.offset + k, law});
  }
  return all;
}

/// Numbers stand as text, since a digest is taken of the file and JSON spells numbers in many ways.
std::string text_of(double value) { return fmt::format("{}", value); }

/// The mean's intervals after 16, 32, ... samples; the stream of sample s is that of (seed, stream, s).
json repeated(const Program& program, const Expectation& expectation, const std::vector<double>& raw,
              const engine::Context& context) {
  const std::vector<Drawn> numbers = drawn_numbers(program, raw);
  const auto known =
      expectation.probability ? statistics::LawClass::in_range(0, 1) : statistics::LawClass::asymptotic();
  statistics::Welford moments;
  json intervals = json::array();
  Evaluator evaluator(program);
  std::vector<double> point = raw;
  for (std::int64_t s = 0, next = 16; s < most_stochastic_samples; ++s) {
    if ((s & 255) == 0) context.poll();
    random::Stream stream(context.seed, context.key, static_cast<std::uint64_t>(s));
    for (const Drawn& number : numbers) point[number.coordinate] = referee::draw(number.law, stream);
    evaluator.run(point);
    const double x = referee::integrand(evaluator, expectation);
    if (!std::isfinite(x)) throw std::domain_error("a sample is not a finite number");
    moments.add(x);
    if (s + 1 != next) continue;
    const statistics::Interval interval = statistics::anytime_mean_interval(moments, known, stochastic_level);
    intervals.push_back({{"samples", next}, {"lower", text_of(interval.lower)}, {"upper", text_of(interval.upper)}});
    next *= 2;
  }
  return {{"written", language::normal_form(expectation.written)},
          {"class", statistics::name(known.promise)},
          {"mean", text_of(moments.mean())},
          {"intervals", intervals}};
}

}  // namespace

Evidence stochastic_for(const language::Statement& statement, const referee::Outcome& outcome, const Heading& heading,
                        const engine::Context& context) {
  const std::optional<referee::Point>& point = outcome.witness ? outcome.witness : outcome.tightest;
  if (!point) return {std::nullopt, "no point was kept at which the expectations could be drawn again"};
  const Program program = language::compile(statement, point->choices);
  if (program.expectations().empty()) return {std::nullopt, "the statement has no expectation or probability"};
  std::vector<double> raw = point->raw;
  raw.resize(program.dimension(), 0.0);
  const std::string text = language::normal_form(statement);
  json document = {{"schema", "attest-stochastic-1"},
                   {"id", heading.id},
                   {"statement", text},
                   {"sha256", digest::sha256(text)},
                   {"verdict", engine::name(outcome.verdict)},
                   {"seed", context.seed},
                   {"stream", context.key},
                   {"level", text_of(stochastic_level)}};
  document["choices"] = json::object();
  for (const auto& [name, value] : point->choices) document["choices"][name] = exact_choice(value);
  document["inputs"] = json::array();
  document["laws"] = json::object();
  for (const language::RawInput& input : program.inputs()) {
    if (input.random) {
      std::vector<std::string> arguments;
      for (const language::Expr& argument : input.law.args) arguments.push_back(language::normal_form(argument));
      document["laws"][input.name] = {{"law", input.law.name}, {"arguments", arguments}};
      continue;
    }
    json numbers = json::array();
    for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k)
      numbers.push_back(rigor::Rational::from_double(raw[input.offset + k]).to_string());
    document["inputs"].push_back({{"name", input.name}, {"raw", numbers}});
  }
  document["expectations"] = json::array();
  try {
    for (const Expectation& each : program.expectations())
      document["expectations"].push_back(repeated(program, each, raw, context));
  } catch (const std::domain_error& problem) {
    return {std::nullopt, problem.what()};
  }
  document["digest"] = digest_of(document);
  return {std::move(document), ""};
}

}  // namespace attest::evidence
