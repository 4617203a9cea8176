#include "reports/record/sarif.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/record/totals.hpp"
#include "reports/text/sentence.hpp"

namespace attest::reports {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// What an URI's path holds as it is (RFC 3986); ':' is not among it, for a first segment with one would be a scheme.
bool is_plain(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ||
         c == '_' || c == '~' || c == '/';
}

/// "bound.attest:10" as its file and line; line 1 where none is given.
SourcePlace place_of(const std::string& source) {
  const std::size_t colon = source.rfind(':');
  SourcePlace place{source, 1};
  if (colon == std::string::npos) return place;
  int line = 0;
  const char* const end = source.data() + source.size();
  const auto [rest, error] = std::from_chars(source.data() + colon + 1, end, line);
  if (error == std::errc() && rest == end && line >= 1) place = {source.substr(0, colon), line};
  return place;
}

std::string rule_of(Verdict verdict) {
  return verdict == Verdict::error ? "a check failed" : fmt::format("a statement is {}", name(verdict));
}

std::string_view level_of(Verdict verdict) {
  return verdict == Verdict::refuted || verdict == Verdict::error ? "error" : "warning";
}

}  // namespace

std::string uri_from(const fs::path& folder, const fs::path& file) {
  const fs::path whole = (file.is_absolute() ? file : folder / file).lexically_normal();
  const fs::path relative = whole.lexically_relative(folder.lexically_normal());
  const bool is_below = !relative.empty() && *relative.begin() != "..";
  std::string uri = is_below ? "" : "file://";
  for (const char c : (is_below ? relative : whole).generic_string())
    uri += is_plain(static_cast<unsigned char>(c)) ? std::string(1, c)
                                                   : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return uri;
}

std::string sarif(std::string_view tool, std::string_view version, const std::vector<SarifFinding>& findings,
                  const fs::path& folder) {
  ordered_json rules = ordered_json::array(), results = ordered_json::array();
  std::vector<std::string> known;
  for (const SarifFinding& finding : findings) {
    const auto at = std::ranges::find(known, finding.rule);
    const auto index = static_cast<std::size_t>(at - known.begin());
    if (at == known.end()) {
      known.push_back(finding.rule);
      const std::string about = finding.rule_text.empty() ? as_sentence(finding.rule) : finding.rule_text;
      rules.push_back({{"id", finding.rule},
                       {"shortDescription", {{"text", finding.rule}}},
                       {"fullDescription", {{"text", about}}},
                       {"help", {{"text", about}}}});
    }
    const ordered_json place = {{"artifactLocation", {{"uri", uri_from(folder, finding.place.file)}}},
                                {"region", {{"startLine", std::max(1, finding.place.line)}}}};
    results.push_back({{"ruleId", finding.rule},
                       {"ruleIndex", index},
                       {"level", finding.level},
                       {"message", {{"text", finding.message}}},
                       {"locations", {{{"physicalLocation", place}}}}});
  }
  const ordered_json driver = {{"name", tool}, {"version", version}, {"rules", rules}};
  const ordered_json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                                 {"version", "2.1.0"},
                                 {"runs", {{{"tool", {{"driver", driver}}}, {"results", results}}}}};
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::vector<SarifFinding> findings_of(const Results& results) {
  const Totals sum = totals(results);
  std::vector<SarifFinding> findings;
  for (const Claim* claim : sum.unexpected)
    findings.push_back(
        {.rule = rule_of(claim->verdict),
         .rule_text = std::string(description(claim->verdict)),
         .message = fmt::format("{} ({}) is {}, expected {}. {}", claim->id, claim->label, name(claim->verdict),
                                name(claim->expected), as_sentence(claim->evidence.reason)),
         .place = place_of(claim->source),
         .level = level_of(claim->verdict)});
  for (const Claim* claim : sum.missed)
    findings.push_back({.rule = "a near-miss is not caught",
                        .rule_text = "A statement that is false by a little must be refuted by the same check.",
                        .message = fmt::format("{} ({}): of the near-misses {}", claim->id, claim->label,
                                               in_words(near_misses_of(*claim))),
                        .place = place_of(claim->source),
                        .level = "warning"});
  for (const Claim* claim : sum.overshot)
    for (const NearMiss* hit : fallen_near_hits(*claim))
      findings.push_back({.rule = "a near-hit does not stand",
                          .rule_text = "A true statement beside a refuted one must stand before the same check.",
                          .message = fmt::format("{} ({}): {}", claim->id, claim->label, hit->name),
                          .place = place_of(claim->source),
                          .level = "warning"});
  return findings;
}

}  // namespace attest::reports
