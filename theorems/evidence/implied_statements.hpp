// What refuted statements whose check stands in C++ imply in the language, so that their fall leaves a file to check.
#pragma once

#include <span>
#include <string_view>

namespace attest::evidence {

/// A statement of the language that follows from a refuted claim and is false: its refutation is the claim's evidence.
struct ImpliedStatement {
  std::string_view claim;  ///< "paper/slug" of a claim judged in C++
  std::string_view text;
  std::string_view why;  ///< why it follows: a sentence for the reader, which no program checks
};

/// All of them, one for each such claim.
std::span<const ImpliedStatement> implied_statements();

/// The one of that claim; nullptr for none.
const ImpliedStatement* implied_by(std::string_view claim);

}  // namespace attest::evidence
