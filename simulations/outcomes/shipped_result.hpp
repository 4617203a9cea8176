// Results that ship with the sources: simulations/results/NAME.json, summaries of trainings with where they come from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace attest::outcomes {

/// Where a summary comes from; `attest train` writes it into every DIR/summary.json as "provenance".
struct Provenance {
  std::string command;      ///< that makes it again: attest train ...
  std::string commit;       ///< of the program that trained; several where the training was resumed by another
  std::string machine;      ///< processor, and how many of its threads were used
  std::string date;         ///< 2026-11-23, UTC
  std::string data_digest;  ///< of what was trained and tested on (tasks/data_digest.hpp)
};

nlohmann::ordered_json json_of(const Provenance& provenance);

/// A result that ships. The file is one JSON object: schema (shipped_schema), name, title, command, commit, machine,
/// date, seeds, seconds, data_digest, summary, and last `digest`, the SHA-256 of all bytes before it (digest/seal.hpp).
struct ShippedResult {
  std::string name;  ///< the file's, without .json
  std::string title;
  Provenance provenance;
  std::int64_t seeds = 0;  ///< that every variant has
  double seconds = 0;      ///< of wall time
  /// The summary, attest-training-1 or attest-skills-1, without provenance, tables and figures.
  nlohmann::ordered_json summary;
};

inline constexpr const char* shipped_schema = "attest-shipped-1";

/// The result that DIR/summary.json makes under this name. Errors: std::invalid_argument in one sentence when the
/// document is not a summary of attest train or does not say where it comes from.
ShippedResult shipped_from_summary(const nlohmann::ordered_json& summary, const std::string& name,
                                   const std::string& source);

/// The file's text.
std::string shipped_text(const ShippedResult& result);

/// Reads a file's text. Errors: std::invalid_argument in one sentence with the file: its digest is not that of its
/// content, it is of another schema, or it lacks a member.
ShippedResult parse_shipped(const std::string& text, const std::string& source);

/// All of a folder, in the order of their names. Errors: also files::UnreadableFile.
std::vector<ShippedResult> read_shipped_folder(const std::filesystem::path& folder);

/// README.md of a folder of results: for each its table, what was decided, and where it comes from.
std::string shipped_page(const std::vector<ShippedResult>& results);

}  // namespace attest::outcomes
