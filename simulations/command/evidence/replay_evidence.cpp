#include "simulations/command/evidence/replay_evidence.hpp"

#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/rigor/rational.hpp"
#include "theorems/evidence/evidence_file.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/program.hpp"
#include "theorems/language/read.hpp"
#include "theorems/ledger/typed_check.hpp"
#include "theorems/referee/question/question.hpp"

namespace attest::commands {
namespace {

using nlohmann::ordered_json;

[[noreturn]] void corrupt(const std::string& file, const std::string& what) {
  throw std::invalid_argument(fmt::format("{}: {}; take the file from the run that wrote it unchanged", file, what));
}

template <typename T>
T required(const ordered_json& object, const char* key, const std::string& file) {
  const auto at = object.find(key);
  if (at == object.end()) corrupt(file, fmt::format("the key '{}' is missing", key));
  try {
    return at->get<T>();
  } catch (const ordered_json::exception&) {
    corrupt(file, fmt::format("the key '{}' holds a value of the wrong type", key));
  }
}

double number(const std::string& text, const char* key, const std::string& file) {
  if (text == "inf") return std::numeric_limits<double>::infinity();
  try {
    return rigor::Rational::from_text(text).to_double();
  } catch (const std::exception&) {
    corrupt(file, fmt::format("'{}' holds '{}', which is not an exact number", key, text));
  }
}

/// For a statement with means, which are taken over all values of the random variables: these are few.
constexpr std::size_t memory_for_means = std::size_t{32} << 20;

/// A file holds no values of random variables, for means are taken over all of them; a witness has a place for each.
void add_random_places(const ordered_json& document, const std::string& file, engine::Witness& witness) {
  try {
    const language::Statement statement = language::read_statement(required<std::string>(document, "statement", file));
    if (referee::binder_of(statement, language::Quantifier::random) == nullptr) return;
    language::Choices choices;
    const auto texts = required<std::map<std::string, std::string>>(document, "choices", file);
    for (const auto& [name, text] : texts) choices[name] = number(text, "choices", file);
    const language::Program program = language::compile(statement, choices, memory_for_means);
    for (const language::RawInput& input : program.inputs())
      if (input.random)
        witness.inputs.add(input.name, std::vector<double>(static_cast<std::size_t>(input.raw.size()), 0.0));
  } catch (const language::Problem& problem) {
    corrupt(file, fmt::format("the key 'statement' cannot be read: {}", problem.what()));
  }
}

}  // namespace

bool is_evidence(const ordered_json& document) {
  return document.is_object() && document.contains("schema") && document.at("schema").is_string() &&
         document.at("schema").get<std::string>().starts_with("attest-evidence-");
}

engine::Witness witness_of_evidence(const ordered_json& document, const std::string& file) {
  if (required<std::string>(document, "schema", file) != "attest-evidence-1")
    throw std::invalid_argument(fmt::format("{}: its schema '{}' is not attest-evidence-1, which this version reads",
                                            file, document.at("schema").get<std::string>()));
  if (required<std::string>(document, "method", file) != "point")
    throw std::invalid_argument(
        fmt::format("{0}: this evidence is not a single point; check it by: attest verify {0}", file));
  engine::Witness witness;
  witness.claim = required<std::string>(document, "id", file);
  if (document.contains("part")) {
    witness.part = required<std::string>(document, "part", file);
    witness.claim = witness.claim.substr(0, witness.claim.rfind('.'));
  }
  const auto choices = required<std::map<std::string, ordered_json>>(document, "choices", file);
  for (const auto& [name, value] : choices) {
    if (!value.is_string()) corrupt(file, fmt::format("the choice '{}' is not text", name));
    witness.inputs.add(name, {ledger::stored_choice(number(value.get<std::string>(), "choices", file))});
  }
  const auto inputs = required<std::vector<ordered_json>>(document, "inputs", file);
  for (const ordered_json& input : inputs) {
    if (!input.is_object()) corrupt(file, "the key 'inputs' holds something that is not an object");
    std::vector<double> raw;
    const auto texts = required<std::vector<std::string>>(input, "raw", file);
    for (const std::string& each : texts) raw.push_back(number(each, "raw", file));
    witness.inputs.add(required<std::string>(input, "name", file), std::move(raw));
  }
  add_random_places(document, file, witness);
  return witness;
}

engine::Check check_of_evidence(const ordered_json& document, const std::string& file) {
  try {
    return ledger::typed_check(
        ledger::shared_statement(language::read_statement(required<std::string>(document, "statement", file))));
  } catch (const language::Problem& problem) {
    corrupt(file, fmt::format("the key 'statement' cannot be read: {}", problem.what()));
  }
}

}  // namespace attest::commands
