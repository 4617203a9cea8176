#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/elements/filters.hpp"
#include "reports/html/elements/page_names.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

/// One labelled block of a statement's section; nothing when there is nothing to say.
std::string block(std::string_view label, const std::string& content) {
  if (content.empty()) return {};
  // A paragraph alone needs no element of its own: there are ten thousand blocks on a page.
  constexpr std::string_view open = "<p>", close = "</p>";
  std::string_view inner = content;
  if (inner.starts_with(open) && inner.find(close) == inner.size() - close.size())
    inner = inner.substr(open.size(), inner.size() - open.size() - close.size());
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", label, inner);
}

std::string list(const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string html = "<ul>";
  for (const std::string& item : items) html += "<li>" + item + "</li>";
  return html + "</ul>";
}

std::string paragraph(const std::string& text) { return text.empty() ? "" : "<p>" + sentence(text) + "</p>"; }

/// A text of many clauses, such as a domain of 73 configurations: the first ones, and the others folded.
std::string many_clauses(const std::string& text) {
  constexpr std::size_t longest = 800, shown_at_least = 300;
  if (text.size() <= longest) return paragraph(text);
  const std::size_t end = text.find("; ", shown_at_least);
  if (end == std::string::npos) return paragraph(text);
  const std::string rest = text.substr(end + 2);
  std::int64_t clauses = 1;
  for (std::size_t at = 0; (at = rest.find("; ", at)) != std::string::npos; at += 2) ++clauses;
  return paragraph(text.substr(0, end)) +
         fmt::format("<details class=\"exact\"><summary>{} more</summary>{}</details>\n", counted(clauses, "clause"),
                     paragraph(rest));
}

std::string provenance(const Results& results, const Claim& claim) {
  std::string html = claim.printed ? "as printed" : "ours";
  if (claim.amends) html = "our amendment of " + claim_link(results, *claim.amends);
  return fmt::format("<p class=\"provenance\">{}, {} · <a href=\"{}\"><code>{}</code></a></p>\n", escaped(claim.kind),
                     html, permanent_address(claim), escaped(claim.id));
}

/// What corrects or sharpens the statement, as formulas.
std::string amendments(const Results& results, const Claim& claim) {
  std::string html;
  for (const Claim* amendment : amendments_of(results, claim))
    html += fmt::format("<div class=\"said\"><p class=\"side-head\"><a href=\"{}\">{}</a></p>{}</div>\n<p>{}</p>\n",
                        address(results, *amendment), badge(amendment->verdict), display_formula(amendment->statement),
                        sentence(amendment->title));
  return html;
}

std::string owed(const Claim& claim) {
  std::vector<std::string> items;
  for (const NamedText& each : claim.owes) items.push_back(fmt::format("{}: {}", escaped(each.name), prose(each.text)));
  return list(items);
}

/// The reason; of many parts that agree it is enough to say so, the table of parts has each one's own.
std::string reason(const Claim& claim) {
  const std::vector<Part>& parts = claim.evidence.parts;
  const bool agree = std::all_of(parts.begin(), parts.end(), [&](const Part& p) { return p.verdict == claim.verdict; });
  if (parts.size() > 1 && agree) return fmt::format("All {} parts are {}.", parts.size(), name(claim.verdict));
  return sentence(claim.evidence.reason);
}

std::string why(const Claim& claim) {
  std::string html = "<p>" + reason(claim) + "</p>";
  if (claim.verdict != claim.expected) {
    html += fmt::format("<p class=\"expected\">On record: {}.</p>", badge(claim.expected));
  }
  return html;
}

std::string figures(const Claim& claim, const Drawings& drawings) {
  std::string html;
  for (const Figure& figure : claim.evidence.figures) html += figure_block(figure, drawings);
  for (const Part& part : claim.evidence.parts) {
    for (const Figure& figure : part.evidence.figures) html += figure_block(figure, drawings);
  }
  return html;
}

/// The protocols that many statements of a page share, told once below them: their texts would be a tenth of the page.
class SharedProtocols {
 public:
  explicit SharedProtocols(const std::vector<const Claim*>& claims) {
    constexpr int shared_by = 5;
    constexpr std::size_t worth_a_link = 120;
    std::map<std::string, int> counts;
    for (const Claim* claim : claims) {
      const std::string& text = claim->protocol;
      if (text.size() > worth_a_link && text.rfind(": ") != std::string::npos && ++counts[text] == shared_by)
        texts_.push_back(text);
    }
  }

  /// The text, or its beginning with a link to all of it.
  std::string in_short(const std::string& text) const {
    const auto place = std::ranges::find(texts_, text);
    if (place == texts_.end()) return paragraph(text);
    return fmt::format("<p>{} <a href=\"#protocol-{}\">How</a>.</p>", sentence(text.substr(0, text.rfind(": "))),
                       place - texts_.begin() + 1);
  }

  std::string in_full() const {
    if (texts_.empty()) return {};
    std::string html =
        "<section id=\"protocols\" aria-labelledby=\"protocols-title\">\n<h2 id=\"protocols-title\">Protocols</h2>\n"
        "<p class=\"intro\">How many of these statements were judged.</p>\n<ol>\n";
    for (std::size_t i = 0; i < texts_.size(); ++i)
      html += fmt::format("<li id=\"protocol-{}\">{}</li>\n", i + 1, sentence(texts_[i]));
    return html + "</ol>\n</section>\n";
  }

 private:
  std::vector<std::string> texts_;
};

std::string claim_section(const Results& results, const Claim& claim, const Drawings& drawings,
                          const SharedProtocols& protocols) {
  std::vector<std::string> assumptions, dependencies;
  for (const std::string& assumption : claim.assumptions) assumptions.push_back(sentence(assumption));
  for (const std::string& id : claim.depends_on) dependencies.push_back(claim_link(results, id));
  std::string html =
      fmt::format("<details class=\"claim {}\" id=\"{}\" {}><summary><h4>{}{}</h4></summary>\n<div class=\"body\">\n",
                  name(claim.verdict), anchor(claim.id), item_attributes(claim), badge(claim),
                  " " + full_title(claim) + (claim.printed ? "" : " <span class=\"tag\">ours</span>"));
  html += display_formula(claim.statement) + provenance(results, claim) + "<dl class=\"blocks\">\n";
  html += block("Assumes", list(assumptions));
  html += block("Domain", many_clauses(claim.domain));
  html += block("Note", claim.note.empty() ? "" : "<p>" + remark(results, claim.note) + "</p>");
  html += block("Protocol", protocols.in_short(claim.protocol) + source_of_check(claim));
  html += block("Why " + std::string(name(claim.verdict)), why(claim));
  html += block("What would change it", paragraph(claim.evidence.would_change));
  html += block("Witness", claim.witness ? witness_block(*claim.witness) : "");
  html += block("Evidence", evidence_block(claim));
  html += block("Check it without Attest", check_command(claim));
  html += block("Figures", figures(claim, drawings));
  html += block("Near-misses", claim.near_misses.empty() ? "" : near_miss_block(claim));
  html += block("Near-hits", claim.near_hits.empty() ? "" : near_hit_block(claim));
  html += block("Amended", amendments(results, claim));
  html += block("Depends on", list(dependencies));
  html += block("Its check owes", owed(claim));
  return html + "</dl>\n</div></details>\n";
}

/// "snr_boosting" as a heading: "SNR boosting". A word without a vowel but y is an abbreviation.
std::string family_heading(const std::string& family) {
  std::string heading;
  for (std::size_t start = 0; start < family.size();) {
    const std::size_t end = std::min(family.find('_', start), family.size());
    std::string word = family.substr(start, end - start);
    const bool abbreviation = word.find_first_of("aeiou") == std::string::npos;
    for (std::size_t i = 0; i < word.size() && (abbreviation || (i == 0 && start == 0)); ++i) {
      word[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[i])));
    }
    heading += (start == 0 ? "" : " ") + word;
    start = end + 1;
  }
  return heading;
}

}  // namespace

std::string statements_section(const Results& results, const Drawings& drawings, const std::string& paper) {
  std::vector<const Claim*> claims;
  for (const Claim& claim : results.claims)
    if (claim.paper == paper) claims.push_back(&claim);
  const SharedProtocols protocols(claims);
  std::string html =
      "<section id=\"statements\" aria-labelledby=\"statements-title\">\n"
      "<h2 id=\"statements-title\">Statements</h2>\n" +
      filters(claims) +
      "<p class=\"fold\" hidden><button type=\"button\" data-fold=\"open\">Unfold all</button> "
      "<button type=\"button\" data-fold=\"close\">Fold all</button> <span class=\"hint\">Printed is what is "
      "unfolded.</span></p>\n";
  const std::string* family = nullptr;
  for (const Claim* claim : claims) {
    if (family == nullptr || claim->family != *family) {
      html += family == nullptr ? "" : "</div>\n";
      html += "<div class=\"group\">\n";
      if (!claim->family.empty()) html += fmt::format("<h3>{}</h3>\n", escaped(family_heading(claim->family)));
      family = &claim->family;
    }
    html += claim_section(results, *claim, drawings, protocols);
  }
  return html + (family == nullptr ? "" : "</div>\n") + "</section>\n" + protocols.in_full();
}

}  // namespace attest::reports::html
