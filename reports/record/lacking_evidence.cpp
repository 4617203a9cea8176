#include "reports/record/lacking_evidence.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/record/totals.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports {
namespace {

constexpr std::string_view between = "; ";

void add_paths(const std::vector<Part>& parts, const std::string& above, std::vector<std::string>& paths) {
  for (const Part& part : parts) {
    paths.push_back(above + part.name);
    add_paths(part.evidence.parts, paths.back() + " / ", paths);
  }
}

std::int64_t leaves(const std::vector<Part>& parts) {
  std::int64_t count = 0;
  for (const Part& part : parts) count += part.evidence.parts.empty() ? 1 : leaves(part.evidence.parts);
  return count;
}

/// The longest of `paths` that `text` begins with, with its colon; empty where there is none.
std::string_view part_before(std::string_view text, const std::vector<std::string>& paths) {
  std::string_view longest;
  for (const std::string& path : paths)
    if (path.size() > longest.size() && text.starts_with(path) && text.substr(path.size()).starts_with(": "))
      longest = path;
  return longest;
}

/// The entry of a reason, which is added where it is not there yet.
template <typename Entry>
Entry& entry_of(std::vector<Entry>& entries, std::string_view reason) {
  const auto same = std::ranges::find(entries, reason, &Entry::reason);
  if (same != entries.end()) return *same;
  return entries.emplace_back(Entry{std::string(reason), {}});
}

}  // namespace

std::vector<LackingEvidence> lacking_evidence(const Claim& claim) {
  std::vector<std::string> paths;
  add_paths(claim.evidence.parts, "", paths);
  std::vector<LackingEvidence> lacking;
  std::string_view rest = claim.no_evidence;
  while (!rest.empty()) {
    const std::string_view part = part_before(rest, paths);
    if (!part.empty()) rest.remove_prefix(part.size() + 2);
    std::size_t end = rest.find(between);
    while (end != std::string_view::npos && part_before(rest.substr(end + between.size()), paths).empty())
      end = rest.find(between, end + 1);
    LackingEvidence& entry = entry_of(lacking, rest.substr(0, end));
    if (!part.empty()) entry.parts.emplace_back(part);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + between.size());
  }
  return lacking;
}

std::string lacking_in_words(const Claim& claim) {
  std::string words;
  for (const LackingEvidence& lacking : lacking_evidence(claim))
    words += fmt::format("{}{}{}{}", words.empty() ? "" : between, fmt::join(lacking.parts, ", "),
                         lacking.parts.empty() ? "" : ": ", lacking.reason);
  return words;
}

std::vector<LackingClaims> lacking_by_reason(const Results& results) {
  std::vector<LackingClaims> all;
  for (const Claim& claim : results.claims) {
    if (!is_exact(claim)) continue;
    const std::int64_t in_all = leaves(claim.evidence.parts);
    for (const LackingEvidence& lacking : lacking_evidence(claim)) {
      const auto count = static_cast<std::int64_t>(lacking.parts.size());
      const std::string which = count == 1 ? lacking.parts.front() : out_of(count, in_all) + " parts";
      entry_of(all, lacking.reason)
          .claims.push_back(count == 0 || count == in_all ? claim.id : fmt::format("{} ({})", claim.id, which));
    }
  }
  return all;
}

}  // namespace attest::reports
