// Running a program on a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest::reports {

/// How a program ended.
struct ProgramEnd {
  bool found = true;     ///< false: there is no such program
  int status = 0;        ///< its exit status; 128 + the signal's number when a signal ended it
  std::string messages;  ///< what it wrote to standard error
};

/// Runs `program` (looked up in PATH) with `input` as its standard input; standard output is discarded.
/// Errors: IoError when no temporary file can be made or written.
ProgramEnd run_program(const std::string& program, std::string_view input,
                       const std::vector<std::string>& arguments = {});

}  // namespace attest::reports
