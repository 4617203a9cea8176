// Every statement of the suite, in the order of the papers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "theorems/engine/claim.hpp"

namespace attest::engine {

/// All claims, built anew at every call, in the order of the lines `add_statements` in theorems/CMakeLists.txt.
/// The function is generated from these lines.
Claims build_all_claims();

/// All claims, built once. Errors: std::logic_error naming the fault when an id is used twice, a claim lacks an id,
/// label, title, TeX or check, a near-miss is missing, `amends` or `depends_on` name unknown ids, or a statement
/// depends on itself through others: an ill-formed suite does not run.
const Claims& all_claims();

/// Checks what `all_claims` promises, for any list of claims.
void validate(const Claims& claims);

/// The claim of that id. Errors: std::invalid_argument naming the id and the nearest known ones.
const Claim& find_claim(std::string_view id);

/// Checks that these claims bring: their own, their near-misses' and their near-hits'. Each pays one share of the alpha
/// ledger.
std::size_t ledger_shares(const Claims& claims);

/// What a plan may select by.
struct Selection {
  std::vector<std::string> patterns = {};  ///< ids, globs over ids (`boosting/*`), or labels as in results.json
  std::string paper = {};                  ///< empty for any
  std::string family = {};                 ///< empty for any
};

/// The selected claims in suite order.
/// Errors: std::invalid_argument when a pattern, paper or family matches nothing (it is named, with near ones).
std::vector<const Claim*> select(const Claims& claims, const Selection& selection);

}  // namespace attest::engine
