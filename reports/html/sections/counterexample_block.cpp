#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/witness_sides.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

// Enough to see what kind of point it is; the witness file has all of it.
constexpr std::size_t most_inputs = 12;
constexpr std::size_t most_entries = 8;
using Input = std::pair<std::string, std::vector<std::string>>;
constexpr std::string_view raw_prefix = "raw ";

std::string spelled(const std::string& stored) {
  char* end = nullptr;
  const double value = std::strtod(stored.c_str(), &end);
  return end == stored.c_str() || *end != '\0' ? escaped(stored) : number(value, 6);
}

std::string entries(const std::vector<std::string>& values) {
  if (values.size() == 1) return spelled(values.front());
  std::string html = "(";
  for (std::size_t i = 0; i < std::min(values.size(), most_entries); ++i)
    html += (i == 0 ? "" : ", ") + spelled(values[i]);
  return html + (values.size() > most_entries ? fmt::format(", …; {} in all)", values.size()) : ")");
}

/// The inputs worth reading: where an element was built from other numbers, a witness holds both under "t" and "raw t",
/// and the element is what the statement speaks of.
std::vector<const Input*> readable_inputs(const Witness& witness) {
  const auto holds = [&](std::string_view name) {
    return std::ranges::any_of(witness.inputs, [&](const auto& input) { return input.first == name; });
  };
  std::vector<const Input*> inputs;
  for (const Input& input : witness.inputs) {
    const std::string_view name = input.first;
    if (!name.starts_with(raw_prefix) || !holds(name.substr(raw_prefix.size()))) inputs.push_back(&input);
  }
  return inputs;
}

std::string inputs_list(const Witness& witness) {
  std::string html = "<ul class=\"inputs\">";
  const auto inputs = readable_inputs(witness);
  const std::size_t shown = std::min(inputs.size(), most_inputs);
  for (std::size_t i = 0; i < shown; ++i)
    html += fmt::format("<li>{} = {}</li>", prose(inputs[i]->first), entries(inputs[i]->second));
  if (shown < inputs.size()) html += fmt::format("<li>… {} in all</li>", inputs.size());
  for (const std::string& name : witness.drawn) html += fmt::format("<li>{} is drawn from its law</li>", prose(name));
  return html + "</ul>\n";
}

std::string how_it_is_known(const Witness& witness) {
  if (witness.precision_bits)
    return fmt::format("; ball arithmetic with {} bits contradicts this", *witness.precision_bits);
  return witness.kind == "stochastic" ? "; the confidence sequence excludes this" : "";
}

}  // namespace

std::string counterexample_block(const Claim& claim) {
  if (!claim.witness || claim.witness->left.empty())
    return claim.evidence.reason.empty() ? ""
                                         : "<p class=\"contradiction\">" + sentence(claim.evidence.reason) + "</p>\n";
  const Witness& witness = *claim.witness;
  const Sides sides = readable_sides(witness);
  std::string html = "<div class=\"counterexample\">\n";
  if (!witness.inputs.empty()) html += "<p class=\"contradiction\">Counterexample:</p>\n" + inputs_list(witness);
  html += fmt::format("<p class=\"contradiction\">{} the statement {}says <b>{} {} {}</b>{}.</p>\n",
                      witness.inputs.empty() ? "At its counterexample" : "There",
                      witness.part.empty() ? "" : "(" + prose(witness.part) + ") ", exact(sides.left),
                      escaped(claimed_relation(witness)), exact(sides.right), how_it_is_known(witness));
  return html + replay_command(witness.replay) + "</div>\n";
}

}  // namespace attest::reports::html
