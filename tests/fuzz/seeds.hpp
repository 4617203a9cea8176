// Seeds from the files of the repository, made short: a change of a long one is seldom where something is decided.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attest::fuzz {

/// The files of a folder with that ending, the shortest first, at most `most`.
std::vector<std::string> contents(const std::filesystem::path& folder, const std::string& ending, std::size_t most);

/// Papers of one claim each, from the shortest files of a paper.
std::vector<std::string> papers_of_one_claim(const std::filesystem::path& folder, std::size_t most_files);

/// Records of a check (results.json) with one claim each, every second one with a measurement.
std::vector<std::string> records_of_one_claim(const std::string& record);

/// A JSON text whose lists keep their first entries, at most `most`.
std::string with_short_lists(const std::string& text, std::size_t most);

/// The lines of a table up to a number of bytes.
std::string first_lines(const std::string& table, std::size_t bytes);

}  // namespace attest::fuzz
