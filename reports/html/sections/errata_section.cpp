#include <cstdlib>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/totals.hpp"
#include "reports/record/witness_sides.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

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
  const Sides sides = readable_sides(witness);
  std::string html = fmt::format("<p class=\"contradiction\">At {} the statement says <b>{} {} {}</b>",
                                 inputs.empty() ? "the witness" : inputs, exact(sides.left), claimed_relation(witness),
                                 exact(sides.right));
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

std::string statement(std::string_view heading, const Claim& claim) {
  // The printed statement's title stands above both sides.
  const std::string title = claim.printed ? "" : "<p class=\"side-title\">" + sentence(claim.title) + "</p>\n";
  std::string html = fmt::format("<p class=\"side-head\"><span>{}</span> <a href=\"#{}\">{}</a></p>\n{}{}", heading,
                                 anchor(claim.id), badge(claim), title, display_formula(claim.statement));
  if (!claim.assumptions.empty()) {
    html += "<ul class=\"assumptions\">";
    for (const std::string& assumption : claim.assumptions) html += "<li>" + sentence(assumption) + "</li>";
    html += "</ul>\n";
  }
  return html;
}

/// What is printed and why it fails on the left, what holds instead on the right.
std::string erratum(const Claim& printed, const std::vector<const Claim*>& amendments) {
  std::string html =
      fmt::format("<article class=\"erratum\"><h5>{}</h5>\n<div class=\"sides-by-side\">\n<div class=\"side\">{}",
                  full_title(printed), statement("Printed", printed));
  if (printed.verdict == Verdict::refuted) html += counterexample(printed);
  html += note(printed);
  if (printed.witness) html += replay_command(printed.witness->replay);
  html += "</div>\n";
  if (!amendments.empty()) html += "<div class=\"side\">";
  for (const Claim* amendment : amendments) html += statement("Amended", *amendment) + note(*amendment);
  if (!amendments.empty()) html += "</div>\n";
  return html + "</div></article>\n";
}

/// The errata of one paper, in three groups.
struct PaperErrata {
  std::string corrected, open, sharpened;
  int refuted = 0;
  int printed = 0;
};

PaperErrata errata_of(const Results& results, const std::string& paper) {
  PaperErrata errata;
  for (const Claim& claim : results.claims) {
    if (claim.paper != paper) continue;
    errata.printed += claim.printed ? 1 : 0;
    const auto amendments = amendments_of(results, claim);
    if (claim.verdict == Verdict::refuted && claim.printed) {
      ++errata.refuted;
      (amendments.empty() ? errata.open : errata.corrected) += erratum(claim, amendments);
    } else if (!amendments.empty()) {
      errata.sharpened += erratum(claim, amendments);
    }
  }
  return errata;
}

std::string group(std::string_view heading, const std::string& content) {
  return content.empty() ? "" : fmt::format("<h4>{}</h4>\n{}", heading, content);
}

}  // namespace

std::string errata_section(const Results& results) {
  std::string html, index;
  for (const std::string& paper : papers_of(results)) {
    const PaperErrata errata = errata_of(results, paper);
    if (errata.corrected.empty() && errata.open.empty() && errata.sharpened.empty()) continue;
    const std::string title = "<cite>" + escaped(paper_title(paper)) + "</cite>";
    const std::string refuted = out_of(errata.refuted, errata.printed) + " printed statements refuted";
    index += fmt::format("<li><a href=\"#errata-{}\">{}</a>: {}</li>\n", anchor(paper), title, refuted);
    html += fmt::format("<h3 id=\"errata-{}\">{}</h3>\n{}{}{}", anchor(paper), title,
                        group("Refuted, with an amendment", errata.corrected),
                        group("Refuted, no amendment found", errata.open),
                        group("Not refuted, but sharpened or completed", errata.sharpened));
  }
  if (html.empty()) return {};
  return "<section id=\"errata\" aria-labelledby=\"errata-title\">\n<h2 id=\"errata-title\">Errata</h2>\n"
         "<p class=\"intro\">Printed statements that a witness contradicts, each with the corrected form that was "
         "judged like any other statement; then those that hold, but not in their sharpest form.</p>\n"
         "<ul class=\"index\">\n" +
         index + "</ul>\n" + html + "</section>\n";
}

}  // namespace attest::reports::html
