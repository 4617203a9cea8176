// A judgement as files and as text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "simulations/judge/judgement/judgement.hpp"

namespace attest::judge {

/// How the judgement was asked for, for records and reproduction commands.
struct Asked {
  std::string target;
  std::string mechanism;
  std::vector<std::string> options;  ///< of the command line, that a reproduction needs: "--python", "/usr/bin/python3"
  std::filesystem::path out;         ///< where case files go
  std::filesystem::path only = {};   ///< the one case that was put again, which is its own file; empty for all cases
};

/// The file of a finding's case: out/case-N.json, N from 1; `only` where that is given.
std::filesystem::path case_file(const Asked& asked, std::size_t finding);
/// The command that puts the case alone to the target again.
std::string reproduction(const Asked& asked, std::size_t finding);

/// Writes the case of every finding, unless it is `only` that: FILE.json, the description from which --case makes it
/// again, and beside it FILE.npz, its arrays and what belongs (expected.out, ...), for the user's own debugger. Errors:
/// reports::IoError.
void write_cases(const Asked& asked, const Judgement& judgement);

/// The contract: {schema, target, mechanism, cases, skipped, findings: [{class, property, ratio, case, reproduce}],
/// seconds}; `offered` cases would be a target's that takes everything; findings also have message, output, failed
/// (cases of this cause); without findings `would_have_caught`.
nlohmann::ordered_json judgement_json(const Asked& asked, const Judgement& judgement);
/// JUnit: one test case per finding, or one that passed; the numbers of cases are properties of the suite.
std::string judgement_junit(const Asked& asked, const Judgement& judgement);
/// SARIF 2.1.0, one result per finding, at the implementation's source where it is known, else at the file that was
/// judged or that holds the case.
std::string judgement_sarif(const Asked& asked, const Judgement& judgement, std::string_view version);
/// For people.
std::string judgement_text(const Asked& asked, const Judgement& judgement);

}  // namespace attest::judge
