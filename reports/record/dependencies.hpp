// What falls with what: the statements of a run as a graph, an edge from each statement to those that it rests on.
#pragma once

#include <vector>

#include "reports/record/results.hpp"

namespace attest::reports {

/// True for a statement whose own check speaks for it: what falls with another and holds by itself stands on other
/// grounds than the paper's.
bool stands_by_itself(const Claim& claim);

/// A printed statement that falls with another. Points into the results it was computed from.
struct Dependent {
  const Claim* claim;
  const Claim* through;  ///< the printed statement, or the root, by which it is reached on a shortest way
  int steps;             ///< printed statements on that way, itself included: 1 for one that rests on the root itself
  bool held = false;  ///< every way to it leads over a statement that stands by itself, so that nothing pulls it down
};

/// The printed statements that fall with `root`, directly or through others, each once: nearest first, then in the
/// document's order. Statements of ours are passed through and not listed; a cycle ends where it began, and the root is
/// not among its own dependents.
std::vector<Dependent> dependents_of(const Results& results, const Claim& root);

/// The printed statements that are refuted, in the document's order.
std::vector<const Claim*> refuted_as_printed(const Results& results);

/// An edge of the drawn graph: `dependent` falls with `ground`. Indices into `FallGraph::nodes`.
struct Edge {
  std::size_t ground;
  std::size_t dependent;
};

/// A connected part of what falls: refuted printed statements and the printed ones that rest on them, also those that
/// stand by themselves.
struct FallGraph {
  std::vector<const Claim*> nodes;  ///< each after what it rests on, where there is no cycle; otherwise document order
  std::vector<Edge> edges;          ///< ordered by dependent, then by ground; ground before dependent in `nodes`
};

/// The connected parts of the graph of what falls with one paper's refuted statements (other papers' statements that
/// rest on them included), largest first, those of a single statement left out. An edge that statements of ours carry
/// joins the two printed ones; edges that close a cycle are left out.
std::vector<FallGraph> fall_graphs(const Results& results, const std::string& paper);

}  // namespace attest::reports
