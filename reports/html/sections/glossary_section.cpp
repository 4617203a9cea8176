#include <array>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/sections/sections.hpp"

namespace attest::reports::html {
namespace {

struct Term {
  std::string_view name;
  std::string_view meaning;
};

constexpr auto terms = std::to_array<Term>({
    {"witness",
     "Inputs at which a statement fails, stored to the last bit. The replay command evaluates them again, alone, by an "
     "independent path in ball arithmetic, and prints the two sides."},
    {"ball arithmetic",
     "Arithmetic on intervals that are certain to contain the exact value. A margin whose whole interval lies on one "
     "side of zero settles an inequality without any doubt about rounding."},
    {"amendment",
     "A statement of ours that corrects or sharpens a printed one: another constant, sign, exponent or an added "
     "assumption. It is judged like any other."},
    {"near-miss",
     "A statement made slightly wrong on purpose: a constant or an exponent off by a small amount, an assumption "
     "dropped, a direction reversed. The check must refute it, or for a limit find the trend of its grid against it; "
     "the smallest error it caught "
     "tells how sharp it is."},
    {"near-hit",
     "Beside a refuted statement: a weaker one that is true. The same check must let it stand, so that it does not "
     "refute whatever it is given."},
    {"finding",
     "What is wrong with a printed statement that does not hold: error (false under every sensible reading), constant "
     "(true in kind, with another constant, exponent or sign), assumption (true under one that the text does not "
     "state), slip (a misprint; the context has it right), imprecise (no precise claim), unsupported (it does not "
     "follow, and is not shown false)."},
    {"slack",
     "By how much an inequality holds, relative to the size of its sides or of the terms that make them; negative "
     "where it is violated."},
    {"tightness",
     "The largest share of a bound that was reached; more than 1 means that it was passed. The bound is called "
     "attained "
     "where the two sides agree to 500 bits."},
    {"interval",
     "A confidence sequence: it holds at every sample size at once, so a check may stop as soon as it is decided "
     "without inflating its error."},
    {"false alarms",
     "Every stochastic check has a share of one error level; their sum bounds the probability that this run refutes "
     "any true statement."},
    {"on record", "Each verdict is also written down in the source, after derivation; a run that disagrees fails."},
});

}  // namespace

std::string glossary_section() {
  std::string html =
      "<section id=\"how-to-read\" aria-labelledby=\"how-to-read-title\">\n"
      "<h2 id=\"how-to-read-title\">How to read a verdict</h2>\n"
      "<p>Each statement is judged as it is printed. The verdict follows from the evidence by a rule that is fixed for "
      "its kind of claim. Certified and supported statements stand; a refuted one comes with a witness that anyone can "
      "check.</p>\n<dl class=\"glossary\">\n";
  for (const Verdict verdict : all_verdicts) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", badge(verdict), description(verdict));
  }
  for (const Term& term : terms) html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", term.name, term.meaning);
  return html + "</dl>\n</section>\n";
}

}  // namespace attest::reports::html
