#include "theorems/engine/registry.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include "kernels/names/nearest.hpp"

namespace attest::engine {
namespace {

constexpr std::string_view id_characters = "abcdefghijklmnopqrstuvwxyz0123456789.-/";

[[noreturn]] void ill_formed(const std::string& id, const char* fault) {
  throw std::logic_error(fmt::format("the suite is ill-formed: statement '{}' {}", id, fault));
}

/// Follows `depends_on` from a statement; throws when the way leads back into itself. `settled` leads nowhere bad.
class CycleSearch {
 public:
  explicit CycleSearch(const Claims& claims) {
    for (const auto& claim : claims) grounds_[claim.statement.id] = &claim.statement.depends_on;
  }

  void visit(const std::string& id) {
    if (settled_.contains(id)) return;
    const auto again = std::find(way_.begin(), way_.end(), id);
    if (again != way_.end()) {
      ill_formed(id, fmt::format("falls with itself: {} -> {}", fmt::join(again, way_.end(), " -> "), id).c_str());
    }
    way_.push_back(id);
    for (const auto& ground : *grounds_.at(id)) visit(ground);
    way_.pop_back();
    settled_.insert(id);
  }

 private:
  std::map<std::string, const std::vector<std::string>*> grounds_;
  std::vector<std::string> way_;
  std::set<std::string> settled_;
};

std::vector<std::string> ids_of(const Claims& claims) {
  std::vector<std::string> ids;
  for (const auto& claim : claims) ids.push_back(claim.statement.id);
  return ids;
}

template <typename Field>
void require_one(const Claims& claims, const std::string& value, const char* what, Field field) {
  if (value.empty()) return;
  std::set<std::string> known;
  for (const auto& claim : claims) known.insert(field(claim));
  if (!known.contains(value))
    throw std::invalid_argument(fmt::format("unknown {} '{}': use one of {}", what, value, fmt::join(known, ", ")));
}

bool matches(const Claim& claim, const std::string& pattern) {
  return claim.statement.label == pattern || fnmatch(pattern.c_str(), claim.statement.id.c_str(), 0) == 0;
}

}  // namespace

void validate(const Claims& claims) {
  std::set<std::string> ids;
  for (const auto& claim : claims) {
    const Statement& s = claim.statement;
    if (s.id.find('/') == std::string::npos || s.id.find_first_not_of(id_characters) != std::string::npos)
      ill_formed(s.id, "needs an id of the form paper/slug, of lower-case letters, digits, '.' and '-'");
    if (!ids.insert(s.id).second) ill_formed(s.id, "is defined twice");
    const bool lacks_tex = s.tex.is_there() && s.tex.get().empty();
    if (s.label.empty() || s.title.empty() || lacks_tex) ill_formed(s.id, "lacks a label, title or TeX");
    if (!claim.check.run || !claim.check.replay || claim.check.protocol.empty()) ill_formed(s.id, "lacks a check");
    // What is expected of it is the verdict of the results that ship; a check without them differs from the record.
    if (claim.check.awaiting && !claim.near_misses.empty())
      ill_formed(s.id, "awaits a comparison, so it has no near-misses: none could be judged");
    if (!claim.check.domain) ill_formed(s.id, "has a check that does not say what it searches");
    // A refuted claim shows by itself that its check can fail: what it needs are near-hits.
    const bool falls = s.expected == Verdict::refuted && !claim.near_hits.empty();
    if (claim.near_misses.empty() && !claim.check.awaiting && !falls && !claim.check.judges_changes)
      ill_formed(s.id, "has no planted near-miss, so nothing shows that its check can fail");
    if (s.finding != Finding::none &&
        (!s.printed || s.expected == Verdict::certified || s.expected == Verdict::supported))
      ill_formed(s.id, "has a finding, which only a printed statement that does not hold can have");
    std::set<std::string> names{"printed"};
    for (const auto& miss : claim.near_misses) {
      if (!names.insert(miss.name).second) ill_formed(s.id, "has two near-misses of one name");
      if (!miss.check.run || !miss.check.replay) ill_formed(s.id, "has a near-miss without a check");
      if (!(miss.delta > 0)) ill_formed(s.id, "has a near-miss whose delta is not positive");
    }
    for (const auto& hit : claim.near_hits) {
      if (!names.insert(hit.name).second) ill_formed(s.id, "has two near-hits or near-misses of one name");
      if (!hit.check.run || !hit.check.replay) ill_formed(s.id, "has a near-hit without a check");
      if (!(hit.delta > 0)) ill_formed(s.id, "has a near-hit whose delta is not positive");
    }
  }
  for (const auto& claim : claims) {
    const Statement& s = claim.statement;
    if (!s.amends.empty() && !ids.contains(s.amends)) ill_formed(s.id, "amends an unknown statement");
    if (!s.amends.empty() && s.printed) ill_formed(s.id, "amends another and yet claims to be printed");
    for (const auto& other : s.depends_on)
      if (!ids.contains(other)) ill_formed(s.id, fmt::format("depends on the unknown statement '{}'", other).c_str());
  }
  CycleSearch search(claims);
  for (const auto& claim : claims) search.visit(claim.statement.id);
}

const Claims& all_claims() {
  static const Claims claims = [] {
    Claims built = build_all_claims();
    if (built.empty()) throw std::logic_error("the suite holds no statement");
    validate(built);
    return built;
  }();
  return claims;
}

const Claim& find_claim(std::string_view id) {
  const Claims& claims = all_claims();
  for (const auto& claim : claims)
    if (claim.statement.id == id) return claim;
  throw std::invalid_argument(fmt::format("unknown statement '{}'{}", id, names::did_you_mean(ids_of(claims), id)));
}

std::size_t ledger_shares(const Claims& claims) {
  std::size_t shares = 0;
  for (const auto& claim : claims)
    shares += claim.check.shares.get() + claim.near_misses.size() + claim.near_hits.size();
  return shares;
}

std::vector<const Claim*> select(const Claims& claims, const Selection& selection) {
  require_one(claims, selection.paper, "paper", [](const Claim& c) { return c.statement.paper(); });
  require_one(claims, selection.family, "family", [](const Claim& c) { return c.family; });
  for (const auto& pattern : selection.patterns) {
    const bool found =
        std::any_of(claims.begin(), claims.end(), [&](const Claim& claim) { return matches(claim, pattern); });
    if (!found)
      throw std::invalid_argument(fmt::format("unknown statement '{}': no id, glob or label matches{}", pattern,
                                              names::did_you_mean(ids_of(claims), pattern)));
  }
  std::vector<const Claim*> selected;
  for (const auto& claim : claims) {
    const auto& patterns = selection.patterns;
    if (!selection.paper.empty() && claim.statement.paper() != selection.paper) continue;
    if (!selection.family.empty() && claim.family != selection.family) continue;
    if (patterns.empty() ||
        std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return matches(claim, p); }))
      selected.push_back(&claim);
  }
  if (selected.empty())
    throw std::invalid_argument("no statement matches the patterns and the paper or family together");
  return selected;
}

}  // namespace attest::engine
