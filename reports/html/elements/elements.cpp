#include "reports/html/elements/elements.hpp"

#include <cctype>

#include <fmt/format.h>

#include "reports/text/markup.hpp"

namespace attest::reports::html {

std::string anchor(std::string_view id) {
  std::string result(id);
  for (char& c : result) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '/' && c != '-' && c != '_' && c != '.') c = '-';
  }
  return result;
}

std::string badge(Verdict verdict) {
  return fmt::format(R"(<span class="badge {0}"><span aria-hidden="true">{1}</span>{0}</span>)", name(verdict),
                     symbol(verdict));
}

std::string badge(const Claim& claim) {
  return badge(claim.verdict) +
         (claim.finding.empty() ? "" : fmt::format(" <span class=\"finding\">{}</span>", escaped(claim.finding)));
}

std::string claim_link(const Results& results, std::string_view id) {
  const Claim* claim = find_claim(results, id);
  if (claim == nullptr) return "<code>" + escaped(id) + "</code>";
  return fmt::format("<a href=\"#{}\">{}</a>", anchor(id), prose(claim->label));
}

std::string full_title(const Claim& claim) {
  return fmt::format(R"(<span class="label">{}</span> <span class="title">{}</span>)", prose(claim.label),
                     prose(claim.title));
}

std::string replay_command(const std::string& command) {
  if (command.empty()) return {};
  return fmt::format("<p class=\"replay\"><span>Replay</span><code>{}</code></p>\n", escaped(command));
}

}  // namespace attest::reports::html
