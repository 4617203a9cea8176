#include "reports/explain/console_table.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/record/lacking_evidence.hpp"
#include "reports/record/totals.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/readable_tex.hpp"

namespace attest::reports {
namespace {

Style style_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::certified:
    case Verdict::supported:
      return Style::green;
    case Verdict::refuted:
      return Style::red;
    case Verdict::undecided:
      return Style::yellow;
    case Verdict::vacuous:
      return Style::dim;
    case Verdict::error:
      return Style::magenta;
  }
  return Style::plain;
}

/// Widths of the columns that give way; zero for one that is left out.
struct Columns {
  std::size_t finding = 0;
  std::size_t id = 0;
  std::size_t label = 0;
  std::size_t evidence = 0;
};

constexpr std::string_view finding_heading = "finding";
constexpr std::size_t verdict_width = 9;
constexpr std::size_t caught_width = 7;
constexpr std::size_t seconds_width = 8;
// Verdict, mark, near-misses and seconds with their gaps of two.
constexpr std::size_t fixed_width = verdict_width + 2 + 1 + 2 + caught_width + 2 + seconds_width;

Columns fitted_columns(const Results& results, int terminal_columns) {
  Columns wanted;
  for (const Claim& claim : results.claims) {
    wanted.finding = std::max(wanted.finding, display_width(claim.finding));
    wanted.id = std::max(wanted.id, display_width(claim.id));
    wanted.label = std::max({wanted.label, display_width(claim.label), display_width("label")});
    wanted.evidence = std::max(wanted.evidence, display_width(headline(claim)));
  }
  const auto total = static_cast<std::size_t>(terminal_columns);
  std::size_t room = total > fixed_width + 2 ? total - fixed_width - 2 : 10;
  Columns fitted;
  // A narrow terminal keeps the ids instead: `explain` names the finding.
  constexpr std::size_t least_room = 60;
  if (wanted.finding > 0 && room >= least_room) {
    fitted.finding = std::max(wanted.finding, display_width(finding_heading));
    room -= std::min(room, fitted.finding + 2);
  }
  // A label is how the paper's reader knows the statement, an id what the next command wants; the evidence comes last.
  constexpr std::size_t share_of_labels = 40, share_of_ids = 58;
  const std::size_t flexible = room;
  fitted.label = std::min(wanted.label, std::max<std::size_t>(12, flexible * share_of_labels / 100));
  room -= std::min(room, fitted.label + 2);
  fitted.id = std::min({wanted.id, room, std::max<std::size_t>(24, flexible * share_of_ids / 100)});
  room -= fitted.id;
  // A column of fewer than 16 characters says nothing; its room is better left to the labels.
  if (room >= 18) {
    fitted.evidence = std::min({wanted.evidence, room - 2, std::size_t{36}});
    room -= fitted.evidence + 2;
  }
  fitted.label += std::min(room, wanted.label - fitted.label);
  return fitted;
}

std::string line(const Claim& claim, const Columns& columns, bool colour) {
  const bool as_expected = claim.verdict == claim.expected;
  const NearMissCounts misses = near_misses_of(claim);
  std::string text = styled(fit_to(name(claim.verdict), verdict_width), style_of(claim.verdict), colour) + "  ";
  text += as_expected ? "=" : styled("≠", Style::bold, colour);
  if (columns.finding > 0) text += "  " + fit_to(claim.finding, columns.finding);
  if (columns.label > 0) text += "  " + fit_to(claim.label, columns.label);
  text += "  " + fit_to(claim.id, columns.id);
  if (columns.evidence > 0) text += "  " + fit_to(readable_text(headline(claim)), columns.evidence);
  const std::string caught = fmt::format(
      "{:>{}}", misses.judged == 0 ? "-" : fmt::format("{}/{}", misses.caught(), misses.judged), caught_width);
  text += "  " + styled(caught, misses.caught() == misses.judged ? Style::plain : Style::bold, colour);
  text += fmt::format("  {:>{}}\n", readable_seconds(claim.seconds), seconds_width);
  return text;
}

std::string header(const Columns& columns, bool colour) {
  std::string text = fit_to("verdict", verdict_width) + "   ";
  if (columns.finding > 0) text += "  " + fit_to(finding_heading, columns.finding);
  if (columns.label > 0) text += "  " + fit_to("label", columns.label);
  text += "  " + fit_to("id", columns.id);
  if (columns.evidence > 0) text += "  " + fit_to("evidence", columns.evidence);
  text += fmt::format("  {:>{}}  {:>{}}", "caught", caught_width, "time", seconds_width);
  return styled(text, Style::dim, colour) + "\n";
}

/// How many exact verdicts have a file that check_evidence.py checks, and which have none, by reason.
std::string evidence_files(const Results& results, const Totals& sum, std::size_t width) {
  const std::vector<LackingClaims> lacking = lacking_by_reason(results);
  if (sum.checkable == 0 && lacking.empty()) return "";
  std::string text =
      fmt::format("Evidence files, for attest verify: {}{}\n", out_of(sum.checkable, sum.exact, "exact verdict"),
                  lacking.empty() ? "." : "; not for");
  constexpr std::size_t most = 3;
  for (const auto& [why, claims] : lacking) {
    const std::size_t shown = std::min(claims.size(), most);
    std::string line =
        fmt::format("{}", fmt::join(claims.begin(), claims.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    if (claims.size() > shown)
      line += fmt::format(" and {} more", readable_count(static_cast<double>(claims.size() - shown)));
    for (const std::string& piece : wrapped(line + ": " + why, width - 2)) text += "  " + piece + "\n";
  }
  return text;
}

}  // namespace

std::string console_table(const Results& results, const Terminal& terminal) {
  const Columns columns = fitted_columns(results, terminal.columns);
  std::string text = header(columns, terminal.colour);
  std::string paper;
  for (const Claim& claim : results.claims) {
    if (claim.paper != paper) {
      paper = claim.paper;
      text += "\n" +
              styled(cut_to(paper_title(results, paper), static_cast<std::size_t>(terminal.columns)), Style::bold,
                     terminal.colour) +
              "\n";
    }
    text += line(claim, columns, terminal.colour);
  }
  for (const std::string& legend : wrapped("= as on record, ≠ not as on record; caught: near-misses refuted, or "
                                           "undecided with the trend of their grid against them, of those judged.",
                                           static_cast<std::size_t>(terminal.columns)))
    text += "\n" + legend;
  return text + "\n\n" + console_totals(results, terminal);
}

std::string console_totals(const Results& results, const Terminal& terminal) {
  const Totals sum = totals(results);
  std::string text =
      styled(counted(static_cast<std::int64_t>(results.claims.size()), "statement"), Style::bold, terminal.colour);
  std::string separator = ": ";
  for (const Verdict verdict : all_verdicts) {
    if (sum.count(verdict) == 0) continue;
    text += separator + styled(fmt::format("{} {}", readable_count(sum.count(verdict)), name(verdict)),
                               style_of(verdict), terminal.colour);
    separator = ", ";
  }
  text += "\n";
  if (sum.unexpected.empty()) {
    text += "Every verdict is the one on record.\n";
  } else {
    text +=
        styled(counted(static_cast<std::int64_t>(sum.unexpected.size()), "verdict") + " not on record:", Style::bold,
               terminal.colour) +
        "\n";
    for (const Claim* claim : sum.unexpected) {
      text += fmt::format("  {}: {}, expected {}. {}\n", claim->id, name(claim->verdict), name(claim->expected),
                          claim->evidence.reason);
    }
  }
  if (!results.suite.near_misses_judged) text += "Near-misses were not judged; add --mutants to judge them.\n";
  if (results.suite.interrupted) text += "The run was interrupted; what was finished is listed.\n";
  if (sum.near_misses.judged > 0) {
    text += fmt::format("Near-misses caught: {}", out_of(sum.near_misses.caught(), sum.near_misses.judged));
    if (sum.near_misses.undecided > 0) text += fmt::format(" ({})", in_words(sum.near_misses));
    if (sum.smallest_caught) {
      text += fmt::format("; smallest error caught: {} ({})", readable_number(sum.smallest_caught->delta),
                          sum.smallest_caught->claim->id);
    }
    text += ".\n";
    for (const Claim* claim : sum.missed) text += fmt::format("  not all caught: {}\n", claim->id);
  }
  if (sum.near_hits > 0) {
    text += fmt::format("Near-hits that stand: {}.\n", out_of(sum.near_hits_standing, sum.near_hits));
    for (const Claim* claim : sum.overshot) text += fmt::format("  not all stand: {}\n", claim->id);
  }
  text += evidence_files(results, sum, static_cast<std::size_t>(std::max(terminal.columns, 40)));
  const Suite& suite = results.suite;
  if (suite.false_alarm_bound) {
    text += fmt::format("Probability of refuting any true statement in this run: at most {}{}.\n",
                        readable_number(*suite.false_alarm_bound),
                        suite.trained_false_alarm_bound.value_or(0) > 0
                            ? fmt::format("; by results of training, all together: at most {}",
                                          readable_number(*suite.trained_false_alarm_bound))
                            : "");
  }
  text += fmt::format("Seed {}, budget {}", suite.seed, suite.budget);
  if (suite.threads) text += ", " + counted(*suite.threads, "thread");
  if (suite.seconds) text += ", " + readable_seconds(*suite.seconds);
  return text + ".\n";
}

}  // namespace attest::reports
