#include <cstdlib>

#include <fmt/format.h>

#include "reports/html/elements.hpp"
#include "reports/html/sections.hpp"
#include "reports/markup.hpp"

namespace attest::reports::html {
namespace {

std::string side(std::string_view heading, const Claim& claim) {
  // The printed statement's title stands above both.
  const std::string title = claim.printed ? "" : "<p class=\"side-title\">" + sentence(claim.title) + "</p>\n";
  std::string html =
      fmt::format("<div class=\"side\"><p class=\"side-head\"><span>{}</span> <a href=\"#{}\">{}</a></p>\n{}{}",
                  heading, anchor(claim.id), badge(claim.verdict), title, display_formula(claim.statement));
  if (!claim.assumptions.empty()) {
    html += "<ul class=\"assumptions\">";
    for (const std::string& assumption : claim.assumptions) html += "<li>" + sentence(assumption) + "</li>";
    html += "</ul>\n";
  }
  return html + "</div>\n";
}

/// The inputs in words when they are few: "alpha = 0.14, beta = 0.13".
std::string few_inputs(const Witness& witness) {
  std::string words;
  for (const auto& [name, values] : witness.inputs) {
    if (values.size() != 1 || witness.inputs.size() > 5) return {};
    words += fmt::format("{}{} = {}", words.empty() ? "" : ", ", prose(name),
                         number(std::strtod(values[0].c_str(), nullptr)));
  }
  return words;
}

/// What the statement comes to at its counterexample.
std::string counterexample(const Claim& claim) {
  if (!claim.witness || claim.witness->left.empty()) return "<p>" + sentence(claim.evidence.reason) + "</p>\n";
  const Witness& witness = *claim.witness;
  const std::string inputs = few_inputs(witness);
  std::string html = fmt::format("<p class=\"contradiction\">At {} the statement says <b>{} {} {}</b>",
                                 inputs.empty() ? "the witness" : inputs, prose(witness.left),
                                 relation_sign(witness.relation), prose(witness.right));
  if (witness.precision_bits) {
    html += fmt::format(", which {}-bit ball arithmetic contradicts", *witness.precision_bits);
  } else if (witness.kind == "stochastic") {
    html += ", which the confidence sequence excludes";
  }
  return html + ".</p>\n";
}

std::string note(const Claim& claim) {
  return claim.note.empty() ? "" : "<p class=\"note\">" + sentence(claim.note) + "</p>\n";
}

std::string erratum(const Claim& printed, const std::vector<const Claim*>& amendments) {
  std::string html = fmt::format("<article class=\"erratum\"><h4>{}</h4>\n<div class=\"sides-by-side\">\n{}",
                                 full_title(printed), side("Printed", printed));
  for (const Claim* amendment : amendments) html += side("Amended", *amendment);
  html += "</div>\n";
  if (printed.verdict == Verdict::refuted) html += counterexample(printed);
  html += note(printed);
  for (const Claim* amendment : amendments) html += note(*amendment);
  if (printed.witness) html += replay_command(printed.witness->replay);
  return html + "</article>\n";
}

}  // namespace

std::string errata_section(const Results& results) {
  std::string corrected, sharpened, open;
  for (const Claim& claim : results.claims) {
    const auto amendments = amendments_of(results, claim);
    if (claim.verdict == Verdict::refuted && claim.printed) {
      (amendments.empty() ? open : corrected) += erratum(claim, amendments);
    } else if (!amendments.empty()) {
      sharpened += erratum(claim, amendments);
    }
  }
  if (corrected.empty() && sharpened.empty() && open.empty()) return {};
  std::string html = "<section id=\"errata\" aria-labelledby=\"errata-title\">\n<h2 id=\"errata-title\">Errata</h2>\n";
  const auto group = [&](std::string_view heading, std::string_view explanation, const std::string& content) {
    if (!content.empty())
      html += fmt::format("<h3>{}</h3>\n<p class=\"intro\">{}</p>\n{}", heading, explanation, content);
  };
  group("Corrected",
        "Printed statements that a witness contradicts, each beside an amendment that was judged like any other.",
        corrected);
  group("Sharpened", "Printed statements that were not refuted, beside a sharper or complete form.", sharpened);
  group("Without an amendment", "Printed statements that a witness contradicts; no corrected form has been found.",
        open);
  return html + "</section>\n";
}

}  // namespace attest::reports::html
