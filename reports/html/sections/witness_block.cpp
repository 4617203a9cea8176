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

// What a reader may want to see of a long vector; results.json has all of it.
constexpr std::size_t most_decimals = 8;
constexpr std::size_t most_hexadecimals = 64;

/// A stored number as a decimal; what is not a number stays as it is.
std::string decimal(const std::string& stored) {
  char* end = nullptr;
  const double value = std::strtod(stored.c_str(), &end);
  return end == stored.c_str() || *end != '\0' ? escaped(stored) : number(value, 6);
}

template <class Spell>
std::string listed(const std::vector<std::string>& values, std::size_t most, Spell spell) {
  std::string html;
  for (std::size_t i = 0; i < std::min(values.size(), most); ++i) html += (i == 0 ? "" : ", ") + spell(values[i]);
  if (values.size() > most) html += fmt::format(", … ({} in all)", values.size());
  return html;
}

std::string inputs_table(const Witness& witness) {
  std::string html = "<table class=\"plain inputs\"><thead><tr><th>Quantity</th><th>Value</th></tr></thead><tbody>\n";
  for (const auto& [name, values] : witness.inputs) {
    html += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", prose(name), listed(values, most_decimals, decimal));
  }
  for (const std::string& name : witness.drawn)
    html += fmt::format("<tr><th>{}</th><td>drawn from its law</td></tr>\n", prose(name));
  for (const auto& [name, values] : witness.values) {
    html += fmt::format("<tr class=\"derived\"><th>{}</th><td>{}</td></tr>\n", escaped(name),
                        listed(values, most_decimals, decimal));
  }
  return html + "</tbody></table>\n";
}

std::string exact_inputs(const Witness& witness) {
  std::string html = "<details class=\"exact\"><summary>Inputs to the last bit</summary><dl>\n";
  for (const auto& [name, values] : witness.inputs) {
    html += fmt::format("<dt>{}</dt><dd><code>{}</code></dd>\n", escaped(name),
                        listed(values, most_hexadecimals, [](const std::string& value) { return escaped(value); }));
  }
  return html + "</dl></details>\n";
}

}  // namespace

std::string witness_block(const Witness& witness) {
  std::string html = "<div class=\"witness\">\n<table class=\"sides\"><tbody>\n";
  const auto row = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) html += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", name, exact(value));
  };
  row("left side", witness.left);
  row("right side", witness.right);
  row("margin", witness.margin);
  html += "</tbody></table>\n<p class=\"claimed\">";
  if (!witness.part.empty()) html += fmt::format("Against the part “{}”. ", prose(witness.part));
  if (!witness.relation.empty()) {
    html += fmt::format("The statement claims left <b>{}</b> right. ", escaped(claimed_relation(witness)));
  }
  if (witness.precision_bits) {
    html += fmt::format("Confirmed in ball arithmetic with {} bits.", *witness.precision_bits);
  } else if (witness.kind == "stochastic") {
    html += "Established by a confidence sequence that excludes the claim.";
  }
  html += "</p>\n";
  if (!witness.inputs.empty() || !witness.drawn.empty()) html += inputs_table(witness) + exact_inputs(witness);
  html += replay_command(witness.replay);
  return html + "</div>\n";
}

}  // namespace attest::reports::html
