// Targets that are spoken to through files: a command, and answers that another machine has written.
#pragma once

#include <filesystem>
#include <string>

#include "simulations/judge/target/target.hpp"

namespace attest::judge {

/// A command that is run once a call, {in} and {out} in it replaced by files of arrays. {in} is an .npz file with the
/// arrays of the contract; numbers and true or false among the options are scalars in it, and all options are in the
/// environment variable ATTEST_OPTIONS as JSON. {out} is the .npz or .safetensors file that it must write. Exit status
/// 77: it does not take this case.
/// Errors, when called: std::invalid_argument unless both {in} and {out} are in the command.
TargetMaker command_target(std::string command, double limit_seconds);

/// Writes every call into `directory` (NAME.npz and, in cases.jsonl, its options) and answers none.
TargetMaker recording_target(std::filesystem::path directory);

/// The script beside the cases that answers them by a Python function.
std::string_view answering_script();

/// Answers from `directory`/answers/NAME.npz, or NAME.error where the implementation raised an error.
/// Errors, when called: std::invalid_argument when there is no such folder.
TargetMaker recorded_target(std::filesystem::path directory);

}  // namespace attest::judge
