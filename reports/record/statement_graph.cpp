#include "reports/record/statement_graph.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace attest::reports {
namespace {

constexpr std::size_t unplaced = static_cast<std::size_t>(-1);

/// A statement with its edges as places in `Builder::nodes`, which lie in the document's order.
struct Node {
  const Claim* claim;
  std::set<std::size_t> grounds = {};
  std::set<std::size_t> dependents = {};
  std::size_t row = unplaced;
};

std::vector<Node> nodes_of(const Results& results, const std::string& paper) {
  std::vector<Node> nodes;
  std::map<std::string_view, std::size_t> places;
  for (const Claim& claim : results.claims) {
    if (claim.paper != paper) continue;
    places.emplace(claim.id, nodes.size());
    nodes.push_back({&claim});
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto rests_on = [&](const std::string& id) {
      const auto ground = places.find(id);
      if (ground == places.end() || ground->second == i) return;
      nodes[i].grounds.insert(ground->second);
      nodes[ground->second].dependents.insert(i);
    };
    for (const std::string& id : nodes[i].claim->depends_on) rests_on(id);
    if (nodes[i].claim->amends) rests_on(*nodes[i].claim->amends);
  }
  return nodes;
}

/// How many lanes more are open when `node` comes next, and how far back the last thing is that it rests on.
std::tuple<int, std::size_t, std::size_t> price(const std::vector<Node>& nodes, std::size_t node, std::size_t row) {
  if (nodes[node].grounds.empty()) return {static_cast<int>(nodes.size()), 0, node};
  int opened = nodes[node].dependents.empty() ? 0 : 1;
  std::size_t latest = 0;
  for (const std::size_t ground : nodes[node].grounds) {
    latest = std::max(latest, nodes[ground].row);
    const auto& others = nodes[ground].dependents;
    const bool last = std::all_of(others.begin(), others.end(),
                                  [&](std::size_t other) { return other == node || nodes[other].row != unplaced; });
    opened -= last ? 1 : 0;
  }
  return {opened, row - latest, node};
}

/// The nodes in the order of their rows.
std::vector<std::size_t> ordered(std::vector<Node>& nodes) {
  std::set<std::size_t> left, free;
  std::vector<std::size_t> waits_for(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    waits_for[i] = nodes[i].grounds.size();
    if (nodes[i].grounds.empty() && nodes[i].dependents.empty()) continue;
    left.insert(i);
    if (nodes[i].grounds.empty()) free.insert(i);
  }
  std::vector<std::size_t> order;
  while (!left.empty()) {
    const auto cheaper = [&](std::size_t a, std::size_t b) {
      return price(nodes, a, order.size()) < price(nodes, b, order.size());
    };
    const bool in_a_cycle = free.empty();
    const std::size_t next = in_a_cycle ? *left.begin() : *std::min_element(free.begin(), free.end(), cheaper);
    if (in_a_cycle) {
      // What it rests on and comes later is left out.
      for (auto ground = nodes[next].grounds.begin(); ground != nodes[next].grounds.end();) {
        const bool later = nodes[*ground].row == unplaced;
        if (later) nodes[*ground].dependents.erase(next);
        ground = later ? nodes[next].grounds.erase(ground) : std::next(ground);
      }
    }
    nodes[next].row = order.size();
    order.push_back(next);
    left.erase(next);
    free.erase(next);
    for (const std::size_t dependent : nodes[next].dependents) {
      if (--waits_for[dependent] == 0 && left.contains(dependent)) free.insert(dependent);
    }
  }
  return order;
}

}  // namespace

StatementGraph statement_graph(const Results& results, const std::string& paper) {
  std::vector<Node> nodes = nodes_of(results, paper);
  StatementGraph graph;
  for (const Node& node : nodes) {
    if (node.grounds.empty() && node.dependents.empty()) graph.isolated.push_back(node.claim);
  }
  struct Lane {
    std::size_t owner, last_row;
  };
  std::vector<std::optional<Lane>> lanes;
  const auto owners = [&] {
    std::vector<const Claim*> claims;
    for (const auto& lane : lanes) claims.push_back(lane ? nodes[lane->owner].claim : nullptr);
    return claims;
  };
  for (const std::size_t at : ordered(nodes)) {
    const Node& node = nodes[at];
    GraphRow row{node.claim, owners(), {}, {}, {}};
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      if (!lanes[i] || !node.grounds.contains(lanes[i]->owner)) continue;
      row.grounds.push_back(i);
      if (lanes[i]->last_row == node.row) lanes[i].reset();
    }
    std::size_t last = 0;
    for (const std::size_t dependent : node.dependents) last = std::max(last, nodes[dependent].row);
    if (!node.dependents.empty() && last > node.row) {
      // From the right, beside the statements: short lanes stay near what they join.
      auto place = std::find_if(lanes.begin(), lanes.end(), [](const auto& lane) { return !lane; });
      if (place == lanes.end()) place = lanes.emplace(lanes.end());
      *place = Lane{at, last};
      row.lane = static_cast<std::size_t>(place - lanes.begin());
    }
    row.below = owners();
    graph.lanes = std::max(graph.lanes, lanes.size());
    graph.rows.push_back(std::move(row));
  }
  return graph;
}

}  // namespace attest::reports
