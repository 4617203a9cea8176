#include "theorems/engine/witness_file.hpp"

#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/files/whole_file.hpp"
#include "kernels/names/plain_reason.hpp"
#include "kernels/names/whole_number.hpp"

namespace attest::engine {
namespace {

[[noreturn]] void corrupt(const std::string& source, const std::string& what) {
  throw std::invalid_argument(
      fmt::format("{}: {}; take the file from the run that wrote it (out/witnesses/) unchanged", source, what));
}

double parse_hex(const std::string& text, const std::string& source, const std::string& key) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(value))
    corrupt(source, fmt::format("'{}' holds '{}', which is not a finite hexadecimal float", key, text));
  return value;
}

template <typename T>
T require(const nlohmann::ordered_json& json, const char* key, const std::string& source) {
  const auto at = json.find(key);
  if (at == json.end()) corrupt(source, fmt::format("the key '{}' is missing", key));
  try {
    if constexpr (std::integral<T>) return names::whole_number<T>(*at, fmt::format("{}: the key '{}'", source, key));
    return at->get<T>();
  } catch (const nlohmann::ordered_json::exception&) {
    corrupt(source, fmt::format("the key '{}' holds {}, which has the wrong type", key, at->dump()));
  }
}

}  // namespace

nlohmann::ordered_json witness_to_json(const Witness& witness) {
  nlohmann::ordered_json inputs = nlohmann::ordered_json::object();
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  nlohmann::ordered_json order = nlohmann::ordered_json::array();
  for (const auto& [name, numbers] : witness.inputs.entries()) {
    nlohmann::ordered_json exact = nlohmann::ordered_json::array(), decimal = nlohmann::ordered_json::array();
    for (const double number : numbers) {
      exact.push_back(fmt::format("{:a}", number));
      decimal.push_back(number);
    }
    inputs[name] = std::move(exact);
    values[name] = std::move(decimal);
    order.push_back(name);
  }
  nlohmann::ordered_json json = {
      {"claim", witness.claim},  {"variant", witness.neighbour},
      {"part", witness.part},    {"kind", witness.kind == WitnessKind::deterministic ? "deterministic" : "stochastic"},
      {"inputs", inputs},        {"order", order},
      {"values", values},        {"relation", std::string(symbol(witness.relation))},
      {"lhs", witness.lhs},      {"rhs", witness.rhs},
      {"margin", witness.margin}};
  if (witness.kind == WitnessKind::deterministic) {
    json["precision_bits"] = witness.precision_bits;
  } else {
    json["seed"] = witness.seed;
    json["effort"] = witness.effort;
    json["alpha"] = witness.alpha;
  }
  return json;
}

Witness witness_from_json(const nlohmann::ordered_json& json, const std::string& source) {
  if (!json.is_object()) corrupt(source, "a witness is a JSON object");
  Witness witness;
  witness.claim = require<std::string>(json, "claim", source);
  witness.neighbour = require<std::string>(json, "variant", source);
  witness.part = json.contains("part") ? require<std::string>(json, "part", source) : "";
  const auto kind = require<std::string>(json, "kind", source);
  if (kind != "deterministic" && kind != "stochastic")
    corrupt(source, fmt::format("the key 'kind' holds '{}' where deterministic or stochastic is expected", kind));
  witness.kind = kind == "deterministic" ? WitnessKind::deterministic : WitnessKind::stochastic;
  try {
    witness.relation = rigor::relation_from_symbol(require<std::string>(json, "relation", source));
  } catch (const std::invalid_argument& failure) {
    corrupt(source, failure.what());
  }
  const auto inputs = require<nlohmann::ordered_json>(json, "inputs", source);
  if (!inputs.is_object()) corrupt(source, "the key 'inputs' must hold an object of arrays");
  std::vector<std::string> order;
  if (json.contains("order")) order = require<std::vector<std::string>>(json, "order", source);
  if (order.empty())
    for (const auto& [name, unused] : inputs.items()) order.push_back(name);
  if (order.size() != inputs.size()) corrupt(source, "the keys 'order' and 'inputs' name different inputs");
  for (const auto& name : order) {
    std::vector<double> numbers;
    for (const auto& text : require<std::vector<std::string>>(inputs, name.c_str(), source))
      numbers.push_back(parse_hex(text, source, name));
    witness.inputs.add(name, std::move(numbers));
  }
  if (witness.kind == WitnessKind::stochastic) {
    witness.seed = require<std::uint64_t>(json, "seed", source);
    witness.effort = require<double>(json, "effort", source);
    witness.alpha = require<double>(json, "alpha", source);
    if (!(witness.alpha > 0 && witness.alpha < 1) || !(witness.effort > 0))
      corrupt(source, "'alpha' must lie between 0 and 1 and 'effort' above 0");
  }
  return witness;
}

nlohmann::ordered_json read_witness_json(const std::string& path) {
  const std::string text = files::read_whole(path);
  try {
    return nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::ordered_json::exception& failure) {
    corrupt(path, fmt::format("this is not JSON ({})", names::plain_reason(failure.what())));
  }
}

Witness read_witness(const std::string& path) { return witness_from_json(read_witness_json(path), path); }

}  // namespace attest::engine
