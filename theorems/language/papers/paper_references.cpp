#include "theorems/language/papers/paper_references.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"

namespace attest::language {

PaperReferences::PaperReferences(const std::string& file, const PaperFile& paper,
                                 const std::vector<PaperReference>& references)
    : file_(file), paper_(paper), references_(references) {
  for (const PaperClaim& claim : paper.claims) own_.insert(claim.id);
}

void PaperReferences::check_ids(std::span<const std::string> elsewhere) const {
  for (const PaperReference& reference : references_) {
    const std::string& from = paper_.claims[reference.claim].id;
    if (reference.id == from) fail(reference.place, fmt::format("'{}' names itself; name another claim", from));
    if (own_.contains(reference.id) || std::ranges::find(elsewhere, reference.id) != elsewhere.end()) continue;
    std::vector<std::string> known(elsewhere.begin(), elsewhere.end());
    for (const PaperClaim& claim : paper_.claims)
      if (claim.id != from) known.push_back(claim.id);
    fail(reference.place, fmt::format("no claim has the id '{}'{}", reference.id,
                                      known.empty() ? "; this is the only claim, so remove the line"
                                                    : names::did_you_mean(known, reference.id)));
  }
}

// A claim is settled once all that it rests on are; what is left rests on a circle.
void PaperReferences::check_circles() const {
  std::map<std::string, int> open;                                  // how many links of a claim are not settled
  std::multimap<std::string, std::string> resting;                  // what rests on a claim
  std::map<std::string, std::vector<const PaperReference*>> links;  // what a claim rests on, in this file
  for (const PaperReference& reference : references_) {
    if (!reference.depends || !own_.contains(reference.id)) continue;
    const std::string& from = paper_.claims[reference.claim].id;
    ++open[from];
    resting.emplace(reference.id, from);
    links[from].push_back(&reference);
  }
  std::vector<std::string> settled;
  for (const PaperClaim& claim : paper_.claims)
    if (!open.contains(claim.id)) settled.push_back(claim.id);
  for (std::size_t i = 0; i < settled.size(); ++i) {
    const auto [begin, end] = resting.equal_range(settled[i]);
    std::vector<std::string> freed;
    for (auto link = begin; link != end; ++link)
      if (--open[link->second] == 0) freed.push_back(link->second);
    settled.insert(settled.end(), freed.begin(), freed.end());
  }
  const auto stuck = std::ranges::find_if(paper_.claims, [&](const PaperClaim& claim) {
    const auto count = open.find(claim.id);
    return count != open.end() && count->second > 0;
  });
  if (stuck == paper_.claims.end()) return;
  // From a claim that is stuck, links to others that are stuck lead into a circle.
  std::vector<const PaperReference*> path;
  std::map<std::string, std::size_t> step_of;
  std::string here = stuck->id;
  while (step_of.emplace(here, path.size()).second) {
    path.push_back(
        *std::ranges::find_if(links.at(here), [&](const PaperReference* link) { return open[link->id] > 0; }));
    here = path.back()->id;
  }
  std::vector<std::string> circle{here};
  for (std::size_t i = step_of.at(here); i < path.size(); ++i) circle.push_back(path[i]->id);
  fail(path[step_of.at(here)]->place,
       fmt::format("depends_on goes round in a circle, {}; remove one of the links", fmt::join(circle, " on ")));
}

}  // namespace attest::language
