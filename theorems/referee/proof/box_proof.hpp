// Branch and bound over the raw numbers of a program: a proof of the claim on a bounded domain of few variables.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/language/evaluation/decide.hpp"
#include "theorems/language/program.hpp"

namespace attest::referee {

enum class ProofStatus : std::uint8_t {
  certified,    ///< the claim holds at every admissible point of the closed box
  refuted,      ///< `point` is admissible and the claim certainly fails there
  undecided,    ///< boxes ended first, or the claim is tight inside
  inapplicable  ///< too many variables, an unbounded one, expectations, or an equality
};

/// (lower, upper) of each raw number.
using ProofBox = std::vector<std::pair<double, double>>;

struct BoxProof {
  ProofStatus status = ProofStatus::inapplicable;
  std::vector<double> point;
  std::int64_t boxes = 0;
  std::int64_t expanded = 0;          ///< boxes that only a Taylor expansion settled
  bool vacuous = false;               ///< certified, and no box could meet the conditions
  std::vector<ProofBox> leaves = {};  ///< boxes that were settled, where they were asked for: they cover the domain
};

/// At most this many continuous raw numbers.
inline constexpr std::size_t most_proof_variables = 4;

/// What a proof may use and what it keeps.
struct ProofOptions {
  bool derivatives = true;   ///< mean value form and monotonicity besides plain evaluation
  bool keep_leaves = false;  ///< fill `BoxProof::leaves`
  bool expansions = false;   ///< Taylor expansions where the sides touch at an end of a box (expansion.hpp)
};

/// Decides the claim over all raw numbers within their bounds, examining at most `most_boxes` boxes. Each box is tried
/// by plain ball evaluation, then by the mean value form and by monotonicity in each variable, then, where asked for,
/// by Taylor expansions; boxes on which a condition certainly fails are left out. Deterministic.
BoxProof prove_on_box(const language::Program& program, const engine::Context& context, std::int64_t most_boxes,
                      const ProofOptions& options = {});

}  // namespace attest::referee
