#include "simulations/experiment/awaiting.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "simulations/experiment/read_experiment.hpp"
#include "simulations/spec/spec_reader.hpp"

namespace attest::experiment {
namespace {

Experiment whole_experiment(const Awaiting& statement, const std::filesystem::path& file) {
  if (statement.skill.empty()) return read_experiment(file, {});
  for (Experiment& one : read_experiment_set(file, {}).experiments)
    if (one.name == statement.skill) return one;
  throw std::invalid_argument(fmt::format("{} has no skill {}", file.string(), statement.skill));
}

}  // namespace

std::vector<Awaiting> parse_awaiting(std::string_view text, const std::string& source) {
  const toml::table document = spec::parse_toml(text, source);
  spec::SpecReader root(spec::TomlPlace(document, source, "the list"));
  std::vector<Awaiting> all;
  for (spec::SpecReader& read : root.tables("statement")) {
    Awaiting one{read.place().string("id"), read.text("experiment", ""), read.text("skill", ""), read.names("variants"),
                 read.text("lacks", "")};
    read.done();
    if (one.experiment.empty() && one.lacks.empty())
      read.place().reject("id", fmt::format("{} names neither an experiment nor what it lacks; give one", one.id));
    if (std::any_of(all.begin(), all.end(), [&](const Awaiting& other) { return other.id == one.id; }))
      read.place().reject("id", fmt::format("{} comes twice", one.id));
    all.push_back(std::move(one));
  }
  root.done();
  return all;
}

Experiment experiment_of(const Awaiting& statement, const std::filesystem::path& folder) {
  Experiment experiment = whole_experiment(statement, folder / statement.experiment);
  if (statement.variants.empty()) return experiment;
  std::vector<VariantSpec> kept;
  for (const std::string& name : statement.variants) {
    const auto found = std::find_if(experiment.variants.begin(), experiment.variants.end(),
                                    [&](const VariantSpec& one) { return one.name == name; });
    if (found == experiment.variants.end())
      throw std::invalid_argument(fmt::format("{}: {} has no variant {}", statement.id, statement.experiment, name));
    kept.push_back(*found);
  }
  experiment.variants = std::move(kept);
  return experiment;
}

}  // namespace attest::experiment
