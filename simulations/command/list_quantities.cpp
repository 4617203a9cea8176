#include "simulations/command/list_quantities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "kernels/quantity/quantity.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/readable_tex.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands {
namespace {

using quantities::Parameter;
using quantities::Quantity;
using quantities::Role;

const char* kind_in_words(Parameter::Kind kind) {
  return kind == Parameter::Kind::real ? "real" : kind == Parameter::Kind::integer ? "integer" : "word";
}

std::string range(const Parameter& parameter) {
  if (parameter.kind == Parameter::Kind::word) return fmt::format("{}", fmt::join(parameter.words, ", "));
  return fmt::format("{} to {}", quantities::text(parameter.least), quantities::text(parameter.largest));
}

nlohmann::ordered_json json_of(const Quantity& q) {
  nlohmann::ordered_json parameters = nlohmann::ordered_json::array(), results = nlohmann::ordered_json::array();
  for (const Parameter& p : q.parameters) {
    nlohmann::ordered_json entry = {{"name", p.name}, {"kind", kind_in_words(p.kind)}, {"meaning", p.meaning}};
    std::visit([&](const auto& fallback) { entry["default"] = fallback; }, p.fallback);
    if (p.kind == Parameter::Kind::word) {
      entry["words"] = p.words;
    } else {
      entry["least"] = p.least;
      entry["largest"] = p.largest;
    }
    parameters.push_back(std::move(entry));
  }
  for (const auto& r : q.results) {
    results.push_back(
        {{"name", r.name}, {"role", r.role == Role::estimate ? "estimate" : "reference"}, {"meaning", r.meaning}});
    if (r.role == Role::estimate)
      results.back()["interval"] = quantities::interval_word(interval_class(q, r, complete(q, {})));
  }
  return {{"name", q.name},
          {"title", q.title},
          {"formula", q.formula},
          {"source", q.source},
          {"version", q.version},
          {"deterministic", q.deterministic()},
          {"default_samples", q.default_samples},
          {"sample_unit", q.sample_unit},
          {"runs_on_cuda", q.runs_on_cuda},
          {"parameters", std::move(parameters)},
          {"results", std::move(results)}};
}

void print_lines(const Quantity& q) {
  fmt::print("{}: {}\n  formula    {}\n  source     {}\n", q.name, q.title, reports::readable_tex(q.formula), q.source);
  fmt::print("  samples    {}\n",
             q.deterministic()
                 ? "none: it is computed, not sampled"
                 : fmt::format("{} {} per point unless given",
                               reports::readable_count(static_cast<double>(q.default_samples)), q.sample_unit));
  if (q.runs_on_cuda) fmt::print("  device     cpu or cuda (attest sweep --device), with the same bits\n");
  const char* heading = "parameters";
  for (const Parameter& p : q.parameters) {
    fmt::print("  {:10} {:14} {}; {}, default {}\n", heading, p.name, p.meaning, range(p),
               quantities::text(p.fallback));
    heading = "";
  }
  heading = "results";
  const quantities::Arguments defaults = complete(q, {});
  for (const auto& r : q.results) {
    fmt::print("  {:10} {:14} {} ({})\n", heading, r.name, r.meaning,
               r.role == Role::reference
                   ? std::string("reference")
                   : fmt::format("interval: {}", quantities::interval_word(interval_class(q, r, defaults))));
    heading = "";
  }
  fmt::print("\n");
}

}  // namespace

int list_quantities(const std::vector<std::string>& names, bool json) {
  std::vector<const Quantity*> shown;
  for (const std::string& name : names) shown.push_back(&quantities::find_quantity(name));
  if (names.empty())
    for (const Quantity& quantity : quantities::quantities()) shown.push_back(&quantity);
  if (json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Quantity* quantity : shown) list.push_back(json_of(*quantity));
    fmt::print("{}\n", list.dump(1));
    return terminal::exit_success;
  }
  for (const Quantity* quantity : shown) print_lines(*quantity);
  fmt::print("{}; attest sweep SPEC.toml evaluates one over a grid or design of its parameters\n",
             reports::counted(std::ssize(shown), "quantity", "quantities"));
  return terminal::exit_success;
}

}  // namespace attest::commands
