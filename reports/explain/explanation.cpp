#include "reports/explain/explanation.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "reports/record/evidence_lines.hpp"
#include "reports/record/lacking_evidence.hpp"
#include "reports/record/totals.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/readable_tex.hpp"
#include "reports/text/sentence.hpp"
#include "reports/text/shell_word.hpp"

namespace attest::reports {
namespace {

/// Text laid out in sections of indented, wrapped paragraphs.
class Layout {
 public:
  explicit Layout(const Terminal& terminal)
      : colour_(terminal.colour), width_(static_cast<std::size_t>(std::min(terminal.columns, 100))) {}

  void title(std::string_view words) { text_ += styled(printable(words), Style::bold, colour_) + "\n"; }
  void heading(std::string_view words) { text_ += "\n" + styled(printable(words), Style::bold, colour_) + "\n"; }

  /// A paragraph after `mark`, which stands at the left of its first line.
  void paragraph(const std::string& words, const std::string& mark = "") {
    const std::string indent(2 + display_width(mark), ' ');
    bool first = true;
    // After a mark as wide as the terminal the words get a narrow column rather than none.
    const std::size_t room = std::max<std::size_t>(20, width_ - std::min(width_, indent.size()));
    for (const std::string& line : wrapped(printable(words), room)) {
      text_ += first ? "  " + printable(mark) : indent;
      text_ += line;
      text_ += "\n";
      first = false;
    }
  }

  void section(std::string_view title, const std::string& words) {
    if (words.empty()) return;
    heading(title);
    paragraph(words);
  }

  void named(const std::vector<NamedText>& lines) {
    std::size_t widest = 0;
    for (const NamedText& line : lines) widest = std::max(widest, display_width(line.name));
    for (const NamedText& line : lines) paragraph(readable_text(line.text), fit_to(line.name, widest) + "  ");
  }

  void verbatim(const std::string& line) { text_ += printable(line) + "\n"; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  bool colour_;
  std::size_t width_;
};

std::string as_it_is(const std::string& value) { return value; }

/// A stored hexadecimal float with its decimal value.
std::string with_decimal(const std::string& value) {
  return value + " (" + readable_number(std::strtod(value.c_str(), nullptr), 6) + ")";
}

std::string shortened_list(const std::vector<std::string>& values, std::string (*spell)(const std::string&)) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), most); ++i) text += (i == 0 ? "" : ", ") + spell(values[i]);
  if (values.size() > most) text += fmt::format(", …, {} in all", values.size());
  return text;
}

void append_parts(Layout& layout, const std::vector<Part>& parts) {
  for (const Part& part : parts) {
    std::string words = part.verdict ? std::string(name(*part.verdict)) : "";
    for (const NamedText& line : evidence_lines(part.evidence)) {
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", line.name, line.text);
    }
    if (!part.evidence.reason.empty()) words += ". " + as_sentence(part.evidence.reason);
    layout.paragraph(readable_text(words), part.name + ": ");
  }
}

void append_witness(Layout& layout, const Witness& witness) {
  layout.heading(fmt::format("Witness ({}{})", witness.kind, witness.part.empty() ? "" : ", " + witness.part));
  std::vector<NamedText> lines;
  for (const auto& [name, values] : witness.inputs) {
    lines.push_back({name, shortened_list(values, &with_decimal)});
  }
  for (const std::string& name : witness.drawn) lines.push_back({name, "drawn from its law"});
  for (const auto& [name, values] : witness.values) lines.push_back({name, shortened_list(values, &as_it_is)});
  lines.push_back({"claimed", "left " + witness.relation + " right"});
  lines.push_back({"left side", witness.left});
  lines.push_back({"right side", witness.right});
  lines.push_back({"margin", witness.margin});
  if (witness.precision_bits) lines.push_back({"confirmed with", fmt::format("{} bits", *witness.precision_bits)});
  layout.named(lines);
  if (!witness.replay.empty()) {
    layout.heading("Replay");
    layout.verbatim("  " + witness.replay);
  }
}

void append_near_misses(Layout& layout, const Claim& claim) {
  if (claim.near_misses.empty()) return;
  const NearMissCounts counts = near_misses_of(claim);
  layout.heading(counts.judged == 0 ? "Near-misses (not judged in this run; add --mutants)"
                                    : fmt::format("Near-misses (by the same check {})", in_words(counts)));
  for (const NearMiss& miss : claim.near_misses) {
    std::string words = miss.name;
    if (!miss.delta_text.empty()) words += " (δ = " + miss.delta_text + ")";
    if (miss.verdict) words += fmt::format(": {}", name(*miss.verdict));
    if (!miss.reason.empty()) words += ". " + as_sentence(miss.reason);
    layout.paragraph(readable_text(words), "- ");
  }
}

void append_near_hits(Layout& layout, const Claim& claim) {
  if (claim.near_hits.empty()) return;
  layout.heading("Near-hits (weaker statements that must stand)");
  for (const NearMiss& hit : claim.near_hits) {
    std::string words = hit.name;
    if (!hit.delta_text.empty()) words += " (δ = " + hit.delta_text + ")";
    if (hit.verdict) words += fmt::format(": {}", name(*hit.verdict));
    if (!hit.reason.empty()) words += ". " + as_sentence(hit.reason);
    layout.paragraph(readable_text(words), "- ");
  }
}

}  // namespace

namespace {

void append_statement(Layout& layout, const Results& results, const Claim& claim) {
  layout.title(claim.label + ": " + readable_text(claim.title));
  layout.verbatim(fmt::format("{} ({}, {})", claim.id, claim.kind, claim.printed ? "as printed" : "ours"));
  layout.verbatim(paper_title(results, claim.paper));
  if (!claim.source.empty()) layout.verbatim("check: " + claim.source);
  layout.section("Says", readable_tex(claim.statement));
  if (!claim.assumptions.empty()) layout.heading("Assumes");
  for (const std::string& assumption : claim.assumptions) layout.paragraph(readable_text(assumption), "- ");
  layout.section("Domain", readable_text(as_sentence(claim.domain)));
  layout.section("Note", readable_text(as_sentence(claim.note)));
  layout.section("Protocol", readable_text(as_sentence(claim.protocol)));
}

void append_relations(Layout& layout, const Results& results, const Claim& claim, Verdict Claim::*verdict) {
  if (claim.amends) layout.section("Amends", *claim.amends);
  const std::vector<const Claim*> amendments = amendments_of(results, claim);
  if (!amendments.empty()) layout.heading("Amended by");
  for (const Claim* amendment : amendments)
    layout.paragraph(
        fmt::format("{} ({}): {}", amendment->id, name(amendment->*verdict), readable_tex(amendment->statement)), "- ");
  if (!claim.depends_on.empty()) layout.heading("Depends on");
  for (const std::string& id : claim.depends_on) layout.paragraph(id, "- ");
  if (!claim.owes.empty()) layout.heading("Its check owes");
  for (const NamedText& each : claim.owes) layout.paragraph(each.name + ": " + each.text, "- ");
}

/// The words by which attest check finds the statement: of a file outside of the suite the file too.
std::string words_for_check(const Claim& claim) {
  const std::string file = claim.source.substr(0, claim.source.rfind(':'));
  const bool own = file.ends_with(".attest") && !file.starts_with("theorems/");
  return own ? shell_word(file) + " " + claim.id : claim.id;
}

std::string with_finding(Verdict verdict, const Claim& claim) {
  return std::string(name(verdict)) + (claim.finding.empty() ? "" : ", " + claim.finding);
}

}  // namespace

std::string explanation(const Results& results, const Claim& claim, const Terminal& terminal) {
  Layout layout(terminal);
  append_statement(layout, results, claim);
  layout.heading(fmt::format(
      "Verdict: {}{}", with_finding(claim.verdict, claim),
      claim.verdict == claim.expected ? " (as on record)" : fmt::format(" (on record: {})", name(claim.expected))));
  layout.paragraph(readable_text(as_sentence(claim.evidence.reason)));
  layout.section("What would change it", readable_text(as_sentence(claim.evidence.would_change)));
  layout.heading("Evidence");
  layout.named(evidence_lines(claim.evidence));
  append_parts(layout, claim.evidence.parts);
  if (claim.witness) append_witness(layout, *claim.witness);
  if (claim.evidence_file)
    layout.section("Evidence file", *claim.evidence_file + " in the folder of the run, for attest verify");
  layout.section(claim.evidence_file ? "Parts without an evidence file" : "No evidence file",
                 readable_text(as_sentence(lacking_in_words(claim))));
  append_near_misses(layout, claim);
  append_near_hits(layout, claim);
  append_relations(layout, results, claim, &Claim::verdict);
  return layout.take();
}

std::string static_explanation(const Results& results, const Claim& claim, const Terminal& terminal) {
  Layout layout(terminal);
  append_statement(layout, results, claim);
  layout.heading("On record: " + with_finding(claim.expected, claim));
  layout.paragraph(fmt::format("Not judged here: attest check {} judges it.", words_for_check(claim)));
  if (!claim.near_misses.empty()) layout.heading("Near-misses planted");
  for (const NearMiss& miss : claim.near_misses) layout.paragraph(readable_text(miss.name), "- ");
  append_relations(layout, results, claim, &Claim::expected);
  return layout.take();
}

}  // namespace attest::reports
