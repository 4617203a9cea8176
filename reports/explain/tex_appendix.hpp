// Statements as a fragment of LaTeX: one, or an appendix of many.
#pragma once

#include <string>
#include <vector>

#include "reports/record/results.hpp"

namespace attest::reports {

/// For each claim a paragraph: label, title, verdict and finding, the formula, assumptions, for a refuted one the
/// counterexample with both sides, the note, and its amendments unless they are among the claims. It needs amsmath and
/// amssymb and is read by \input. Formulas that LaTeX must not be handed (`is_harmless_formula`) are set as their
/// source. Amendments are looked up in `results`.
std::string tex_appendix(const Results& results, const std::vector<const Claim*>& claims);

}  // namespace attest::reports
