#include "simulations/command/record/provenance.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/digest/sha256.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "simulations/terminal/commit.hpp"
#include "simulations/terminal/machine.hpp"

namespace attest::commands {
void add_provenance(nlohmann::ordered_json& document) {
  nlohmann::ordered_json& suite = document["suite"];
  suite["commit"] = terminal::commit();
  suite["compiler"] = terminal::compiler;
  suite["processor"] = terminal::processor();
}

std::string record_digest(nlohmann::ordered_json document) {
  document["suite"].erase("digest");
  // A plain object sorts its keys.
  const auto sorted = nlohmann::json::parse(document.dump());
  return digest::sha256(sorted.dump(-1, ' ', true));
}

std::string bibtex(const nlohmann::ordered_json& document) {
  const auto suite = document.find("suite");
  if (suite == document.end() || !suite->is_object() || !suite->contains("version"))
    throw std::invalid_argument("the record does not say which version wrote it, so it cannot be cited");
  const auto text = [&](const char* key) {
    const auto value = suite->find(key);
    if (value == suite->end() || value->is_null()) return std::string("unknown");
    return value->is_string() ? value->get<std::string>() : value->dump();
  };
  const std::string started = text("started"), own = record_digest(document);
  const bool dated = started.size() >= 4 && started.find_first_not_of("0123456789") == 4;
  return fmt::format(
      "@misc{{attest-{},\n"
      "  author  = {{{{The Attest authors}}}},\n"
      "  title   = {{Verdicts of Attest, a numerical referee for the theory of attention}},\n"
      "{}"
      "  version = {{{}}},\n"
      "  note    = {{Commit {}, budget {}, seed {}, {} statements; SHA-256 of the record {}}}\n"
      "}}\n",
      own.substr(0, 8), dated ? fmt::format("  year    = {{{}}},\n", started.substr(0, 4)) : "", text("version"),
      text("commit"), text("budget"), text("seed"), document.contains("claims") ? document["claims"].size() : 0, own);
}

}  // namespace attest::commands
