// The hand-made document that the tests of the reports read.
#pragma once

#include <filesystem>

#include "reports/files/json_place.hpp"
#include "reports/record/results.hpp"

namespace attest::reports {

inline std::filesystem::path example_file() { return std::filesystem::path(ATTEST_TEST_DATA) / "results_example.json"; }

inline Results load_results(const std::filesystem::path& file) {
  return results_from_json(*parse_json_file(file), file.string());
}

inline Results example() { return load_results(example_file()); }

}  // namespace attest::reports
