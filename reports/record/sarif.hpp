// SARIF 2.1.0: findings at places in source files, as code hosts show them beside the code.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/results.hpp"

namespace attest::reports {

/// A line of a file. Files are named from the working folder, which a code host takes for the repository's root.
struct SourcePlace {
  std::filesystem::path file;
  int line = 1;  ///< counted from 1; that of a file without lines too
};

/// One finding. Findings of one rule are counted together by code hosts.
struct SarifFinding {
  std::string rule;            ///< a few words that name the class of finding
  std::string rule_text = {};  ///< one sentence about the class; the rule's name where empty
  std::string message;
  SourcePlace place;
  std::string_view level = "error";  ///< or "warning", "note"
};

/// `file` as a relative URI reference from `folder` where it is below it, else as a file URI: percent-encoded, with
/// '/'.
std::string uri_from(const std::filesystem::path& folder, const std::filesystem::path& file);

/// The document: one run of `tool`, with each rule once and a file and a line for each finding. Files are named from
/// `folder`.
std::string sarif(std::string_view tool, std::string_view version, const std::vector<SarifFinding>& findings,
                  const std::filesystem::path& folder = std::filesystem::current_path());

/// What a run of attest check has to say about source files: verdicts that are not the recorded ones, near-misses that
/// were not caught and near-hits that fell, each where the statement stands.
std::vector<SarifFinding> findings_of(const Results& results);

}  // namespace attest::reports
