// What changed between two records of judged statements.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace attest::commands {

/// One thing that changed of one claim.
struct Change {
  std::string id;    ///< of the claim
  std::string what;  ///< "verdict", "expected", "finding", "statement", "evidence", "near-miss", "added", "removed"
  std::string before, after;
  bool worse = false;  ///< a verdict that changed for the worse
};

/// The changes from `before` to `after`, two results documents, in the order of `before` and then of what is added:
/// - verdict, worse when it was the recorded one and is not any more, when it became `error`, or when it is weaker:
///   certified and refuted are strongest, then supported and vacuous, then undecided, then error;
/// - expected, finding (absent where a record has none), and the statement's text and assumptions;
/// - evidence: an estimate, of the claim or of a part of the same name, whose intervals are disjoint, or a bound that
///   is another number;
/// - near-misses that were refuted and are not any more.
/// Errors: reports::MalformedResults, with the sources' names.
std::vector<Change> changes(const nlohmann::ordered_json& before, std::string_view before_source,
                            const nlohmann::ordered_json& after, std::string_view after_source);

/// A record and what errors call it.
struct StoredRecord {
  nlohmann::ordered_json document;
  std::string source;
};

/// The record in `place`, a file or a folder that holds results.json.
/// Errors: reports::MalformedResults; std::invalid_argument for a folder without results.json.
StoredRecord read_record(const std::filesystem::path& place);

/// Which statements are compared: all, or only those that the later record has.
enum class Records { all, of_the_later };

/// Prints what changed as a table with the number of changes, and writes it to `json` unless that is empty. Returns
/// true when a verdict changed for the worse. Errors: those of `changes`.
bool print_changes(const StoredRecord& before, const StoredRecord& after, Records which,
                   const std::filesystem::path& json = {});

}  // namespace attest::commands
