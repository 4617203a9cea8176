// What is wrong in the papers, in the order in which a reader wants it.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "reports/record/dependencies.hpp"
#include "reports/record/results.hpp"

namespace attest::reports {

/// A finding of results.json and what it says of a statement.
struct Finding {
  std::string_view name;
  std::string_view meaning;  ///< part of a sentence: "false under every sensible reading"
};

/// All findings, the gravest first.
inline constexpr std::array<Finding, 6> all_findings = {{
    {"error", "false under every sensible reading"},
    {"constant", "true in kind, with another constant, exponent or sign"},
    {"assumption", "true under an assumption that the text does not state"},
    {"slip", "a misprint; the context has it right"},
    {"imprecise", "no precise claim"},
    {"unsupported", "it does not follow, and is not shown false"},
}};

/// A printed statement that does not hold as it stands.
struct Erratum {
  const Claim* printed;
  std::vector<const Claim*> amendments;
  std::vector<Dependent> dependents;  ///< the printed statements that rest on it, directly or through others
};

/// The printed statements that have a finding or are refuted: by finding, in the order of `all_findings` (other and
/// missing findings last); within one those first that most statements rest on; then in the document's order. Points
/// into `results`.
std::vector<Erratum> errata(const Results& results);

/// The first `most` of `errata` whose finding is error or constant: what a reader must hear of before all else.
std::vector<Erratum> gravest(const std::vector<Erratum>& errata, std::size_t most);

/// Printed statements without finding that are not refuted but have an amendment: sharpened or completed ones.
/// Without `dependents`: nothing falls with them.
std::vector<Erratum> sharpened(const Results& results);

}  // namespace attest::reports
