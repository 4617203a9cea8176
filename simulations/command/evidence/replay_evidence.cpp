#include "simulations/command/evidence/replay_evidence.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/rigor/rational.hpp"
#include "theorems/evidence/evidence_file.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/read.hpp"
#include "theorems/ledger/typed_check.hpp"
#include "theorems/referee/points/chosen_variables.hpp"

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

/// Of one name of a random binder, at these choices: its law's extents multiplied.
std::size_t random_numbers(const language::Statement& statement, const language::Law& law,
                           const language::Choices& choices, const std::string& file) {
  constexpr double most = 1 << 20;
  double count = 1;
  for (const language::Expr& extent : law.extents) {
    const double size = referee::constant_value(statement, extent, choices);
    if (!(size >= 1 && size <= most / count && size == std::floor(size)))
      corrupt(file,
              fmt::format("an extent of its random numbers is {:g}; it must be whole, and all of them at most {:.0f}",
                          size, most));
    count *= size;
  }
  return static_cast<std::size_t>(count);
}

/// A file holds no values of random variables, for means are taken over all of them; a witness has a place for each.
void add_random_places(const ordered_json& document, const std::string& file, engine::Witness& witness) {
  try {
    const language::Statement statement = language::read_statement(required<std::string>(document, "statement", file));
    language::Choices choices;
    const auto texts = required<std::map<std::string, std::string>>(document, "choices", file);
    for (const auto& [name, text] : texts) choices[name] = number(text, "choices", file);
    for (const language::Binder& binder : statement.binders)
      if (binder.quantifier == language::Quantifier::random)
        for (const std::string& name : binder.names)
          witness.inputs.add(name, std::vector<double>(random_numbers(statement, binder.law, choices, file), 0.0));
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
