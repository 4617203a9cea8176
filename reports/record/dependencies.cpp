#include "reports/record/dependencies.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

namespace attest::reports {
namespace {

/// The statements that rest on each statement, by its id and in the document's order.
using Dependents = std::map<std::string_view, std::vector<const Claim*>>;

Dependents direct_dependents(const Results& results) {
  Dependents dependents;
  for (const Claim& claim : results.claims) {
    for (const std::string& ground : claim.depends_on) dependents[ground].push_back(&claim);
  }
  return dependents;
}

enum class Ways { all, over_fallen_ones };  ///< whether a statement that stands by itself leads on

std::vector<Dependent> reached_from(const Dependents& direct, const Claim& root, Ways ways) {
  struct Place {
    const Claim* claim;
    const Claim* through;
    int steps;
  };
  std::vector<Dependent> found;
  std::set<const Claim*> seen{&root};
  std::deque<Place> waiting{{&root, &root, 0}};
  while (!waiting.empty()) {
    const Place at = waiting.front();
    waiting.pop_front();
    const auto next = direct.find(at.claim->id);
    if (next == direct.end()) continue;
    if (ways == Ways::over_fallen_ones && at.steps > 0 && stands_by_itself(*at.claim)) continue;
    for (const Claim* claim : next->second) {
      if (!seen.insert(claim).second) continue;
      if (claim->printed) {
        found.push_back({claim, at.through, at.steps + 1});
        waiting.push_back({claim, claim, at.steps + 1});
      } else {
        waiting.push_front({claim, at.through, at.steps});  // no step of its own
      }
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Dependent& a, const Dependent& b) {
    return a.steps != b.steps ? a.steps < b.steps : a.claim < b.claim;  // claims lie in the document's order
  });
  return found;
}

std::vector<Dependent> dependents_of(const Dependents& direct, const Claim& root) {
  std::vector<Dependent> dependents = reached_from(direct, root, Ways::all);
  std::set<const Claim*> pulled;
  for (const Dependent& dependent : reached_from(direct, root, Ways::over_fallen_ones)) pulled.insert(dependent.claim);
  for (Dependent& dependent : dependents) dependent.held = !pulled.contains(dependent.claim);
  return dependents;
}

/// `members` with each after what it rests on; of several that could come next the first in the document.
std::vector<const Claim*> grounds_first(const std::set<const Claim*>& members,
                                        const std::set<std::pair<const Claim*, const Claim*>>& edges) {
  std::vector<const Claim*> ordered;
  std::set<const Claim*> left = members;
  while (!left.empty()) {
    const auto free = std::find_if(left.begin(), left.end(), [&](const Claim* claim) {
      return std::none_of(edges.begin(), edges.end(),
                          [&](const auto& edge) { return edge.second == claim && left.contains(edge.first); });
    });
    const auto next = free == left.end() ? left.begin() : free;  // in a cycle there is no such statement
    ordered.push_back(*next);
    left.erase(next);
  }
  return ordered;
}

}  // namespace

std::vector<Dependent> dependents_of(const Results& results, const Claim& root) {
  return dependents_of(direct_dependents(results), root);
}

bool stands_by_itself(const Claim& claim) {
  return claim.verdict == Verdict::supported || claim.verdict == Verdict::certified;
}

std::vector<const Claim*> refuted_as_printed(const Results& results) {
  std::vector<const Claim*> refuted;
  for (const Claim& claim : results.claims) {
    if (claim.printed && claim.verdict == Verdict::refuted) refuted.push_back(&claim);
  }
  return refuted;
}

std::vector<FallGraph> fall_graphs(const Results& results, const std::string& paper) {
  const Dependents direct = direct_dependents(results);
  std::set<const Claim*> fallen;
  std::map<const Claim*, std::set<const Claim*>> neighbours;
  std::set<std::pair<const Claim*, const Claim*>> edges;
  for (const Claim* root : refuted_as_printed(results)) {
    if (root->paper != paper) continue;
    fallen.insert(root);
    for (const Dependent& dependent : dependents_of(direct, *root)) fallen.insert(dependent.claim);
  }
  for (const Claim* ground : fallen) {
    for (const Dependent& dependent : dependents_of(direct, *ground)) {
      if (dependent.steps != 1) continue;
      edges.insert({ground, dependent.claim});
      neighbours[ground].insert(dependent.claim);
      neighbours[dependent.claim].insert(ground);
    }
  }
  std::vector<FallGraph> graphs;
  std::set<const Claim*> left = fallen;
  while (!left.empty()) {
    std::set<const Claim*> members;
    std::vector<const Claim*> waiting{*left.begin()};
    while (!waiting.empty()) {
      const Claim* claim = waiting.back();
      waiting.pop_back();
      if (!members.insert(claim).second) continue;
      left.erase(claim);
      waiting.insert(waiting.end(), neighbours[claim].begin(), neighbours[claim].end());
    }
    if (members.size() < 2) continue;
    FallGraph graph{grounds_first(members, edges), {}};
    for (std::size_t dependent = 0; dependent < graph.nodes.size(); ++dependent) {
      for (std::size_t ground = 0; ground < dependent; ++ground) {
        if (edges.contains({graph.nodes[ground], graph.nodes[dependent]})) graph.edges.push_back({ground, dependent});
      }
    }
    graphs.push_back(std::move(graph));
  }
  std::stable_sort(graphs.begin(), graphs.end(),
                   [](const FallGraph& a, const FallGraph& b) { return a.nodes.size() > b.nodes.size(); });
  return graphs;
}

}  // namespace attest::reports
