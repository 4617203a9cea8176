// The small recurring pieces of the page. Everything returned is finished HTML; everything taken is plain text.
#pragma once

#include <string>
#include <string_view>

#include "reports/html/elements/prose.hpp"
#include "reports/record/results.hpp"

namespace attest::reports::html {

/// The verdict as a small label: symbol and name, in the verdict's colour.
std::string badge(Verdict verdict);

/// The verdict's badge, followed by the finding's where the claim has one.
std::string badge(const Claim& claim);

/// A link to a claim of this document by its label; the bare id in code when it is not in the document.
std::string claim_link(const Results& results, std::string_view id);

/// A remark as a sentence in which the ids of this document's claims are links by their labels.
std::string remark(const Results& results, std::string_view text);

/// A claim's label and title.
std::string full_title(const Claim& claim);

/// The attributes by which script.js finds and filters an element that stands for a claim.
std::string item_attributes(const Claim& claim);

/// Where the statement's check is written. Empty where that is not recorded.
std::string source_of_check(const Claim& claim);

/// The command that evaluates a witness again; script.js adds a button that copies it. Empty for no command.
std::string replay_command(const std::string& command);

/// The command that checks the claim's evidence file, or all of its parts' files, in the report's directory, and
/// why there is none of the claim or of some part. Empty where neither is recorded.
std::string check_command(const Claim& claim);

}  // namespace attest::reports::html
