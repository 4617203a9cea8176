// The small recurring pieces of the page. Everything returned is finished HTML; everything taken is plain text.
#pragma once

#include <string>
#include <string_view>

#include "reports/html/elements/prose.hpp"
#include "reports/record/results.hpp"

namespace attest::reports::html {

/// A claim's place in the page: its id with anything unusual in a fragment replaced by '-'.
std::string anchor(std::string_view id);

/// The verdict as a small label: symbol and name, in the verdict's colour.
std::string badge(Verdict verdict);

/// The verdict's badge, followed by the finding's where the claim has one.
std::string badge(const Claim& claim);

/// A link to a claim of this document by its label; the bare id in code when it is not in the document.
std::string claim_link(const Results& results, std::string_view id);

/// A claim's label and title.
std::string full_title(const Claim& claim);

/// The command that evaluates a witness again; script.js adds a button that copies it. Empty for no command.
std::string replay_command(const std::string& command);

}  // namespace attest::reports::html
