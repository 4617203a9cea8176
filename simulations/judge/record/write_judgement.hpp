// A judgement as files and as text.
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "simulations/judge/judgement/judgement.hpp"

namespace attest::judge {

/// How the judgement was asked for, for records and reproduction commands.
struct Asked {
  std::string target;
  std::string mechanism;
  std::vector<std::string> options;  ///< of the command line, that a reproduction needs: "--python", "/usr/bin/python3"
  std::filesystem::path out;         ///< where case files go
};

/// The file of a finding's case: out/case-N.json, N from 1.
std::filesystem::path case_file(const Asked& asked, std::size_t finding);
/// The command that puts the case alone to the target again.
std::string reproduction(const Asked& asked, std::size_t finding);

/// Writes the case of every finding: FILE.json, the description from which --case makes it again, and beside it
/// FILE.npz, its arrays and what belongs (expected.out, ...), for the user's own debugger. Errors: reports::IoError.
void write_cases(const Asked& asked, const Judgement& judgement);

/// The contract: {target, mechanism, cases, skipped, findings: [{class, property, ratio, case, reproduce}], seconds};
/// `offered` cases would be a target's that takes everything; findings also have message, output, failed (cases of this
/// cause); without findings `would_have_caught`.
nlohmann::ordered_json judgement_json(const Asked& asked, const Judgement& judgement);
/// JUnit: one test case a finding, or one that passed.
std::string judgement_junit(const Asked& asked, const Judgement& judgement);
/// SARIF 2.1.0, one result a finding.
nlohmann::ordered_json judgement_sarif(const Asked& asked, const Judgement& judgement);
/// For people.
std::string judgement_text(const Asked& asked, const Judgement& judgement);

}  // namespace attest::judge
