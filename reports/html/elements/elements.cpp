#include "reports/html/elements/elements.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "reports/html/elements/page_names.hpp"
#include "reports/record/lacking_evidence.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/search_words.hpp"
#include "reports/text/sentence.hpp"

namespace attest::reports::html {

std::string badge(Verdict verdict) { return fmt::format(R"(<span class="badge {0}">{0}</span>)", name(verdict)); }

std::string badge(const Claim& claim) {
  return badge(claim.verdict) +
         (claim.finding.empty() ? "" : fmt::format(" <span class=\"finding\">{}</span>", escaped(claim.finding)));
}

std::string claim_link(const Results& results, std::string_view id) {
  const Claim* claim = find_claim(results, id);
  if (claim == nullptr) return "<code>" + escaped(id) + "</code>";
  return fmt::format("<a href=\"{}\">{}</a>", address(results, *claim), prose(claim->label));
}

std::string remark(const Results& results, std::string_view text) {
  constexpr std::string_view id_characters = "abcdefghijklmnopqrstuvwxyz0123456789.-/";
  const std::string html = sentence(text);
  std::string linked;
  bool inside_tag = false;
  for (std::size_t at = 0; at < html.size();) {
    const std::size_t end = std::min(html.find_first_not_of(id_characters, at), html.size());
    std::string_view word = std::string_view(html).substr(at, end - at);
    while (word.ends_with('.')) word.remove_suffix(1);
    const bool named = !inside_tag && word.find('/') != std::string_view::npos && find_claim(results, word) != nullptr;
    if (named) {
      linked += claim_link(results, word);
      at += word.size();
    } else if (end > at) {
      linked += html.substr(at, end - at);
      at = end;
    } else {
      inside_tag = html[at] == '<' || (inside_tag && html[at] != '>');
      linked += html[at++];
    }
  }
  return linked;
}

std::string full_title(const Claim& claim) {
  return fmt::format(R"(<span class="label">{}</span> <span class="title">{}</span>)", prose(claim.label),
                     prose(claim.title));
}

std::string item_attributes(const Claim& claim) {
  return fmt::format(R"(data-item data-verdict="{}"{} data-paper="{}" data-kind="{}" data-origin="{}" data-text="{}")",
                     name(claim.verdict),
                     claim.finding.empty() ? "" : fmt::format(" data-finding=\"{}\"", escaped(claim.finding)),
                     escaped(claim.paper), escaped(claim.kind), claim.printed ? "printed" : "ours",
                     escaped(searchable(claim.label + " " + claim.title + " " + claim.id)));
}

std::string source_of_check(const Claim& claim) {
  if (claim.source.empty()) return {};
  return fmt::format("<p class=\"replay\"><span>Its check</span><code>{}</code></p>\n", escaped(claim.source));
}

std::string replay_command(const std::string& command) {
  if (command.empty()) return {};
  return fmt::format("<p class=\"replay\"><span>Replay</span><code>{}</code></p>\n", escaped(command));
}

std::string check_command(const Claim& claim) {
  std::string lacking =
      claim.no_evidence.empty()
          ? ""
          : fmt::format("<p>{} {}</p>\n", claim.evidence_file ? "Parts without an evidence file:" : "No evidence file:",
                        escaped(as_sentence(lacking_in_words(claim))));
  if (!claim.evidence_file) return lacking;
  const std::filesystem::path file = *claim.evidence_file;
  std::string whole = claim.id;
  std::replace(whole.begin(), whole.end(), '/', '-');
  // "certificates/ID.2.json" is one of several.
  const std::string all =
      file.stem() == whole ? file.string() : (file.parent_path() / (whole + ".[0-9]*.json")).string();
  return fmt::format("<p class=\"replay\"><span>In this folder</span><code>python3 check_evidence.py {}</code></p>\n",
                     escaped(all)) +
         lacking;
}

}  // namespace attest::reports::html
