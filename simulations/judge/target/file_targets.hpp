// Targets that are spoken to through files: a command, and answers that another machine has written.
#pragma once

#include <filesystem>
#include <string>

#include "simulations/judge/target/target.hpp"

namespace attest::judge {

/// A command that is run once a call, {in} and {out} in it replaced by files of arrays. {in} is an .npz file with the
/// arrays of the contract; numbers and true or false among the options are scalars in it, and all options are in the
/// environment variable ATTEST_OPTIONS as JSON. {out} is the .npz file that it must write. {in}.safetensors and
/// {out}.safetensors are files of that format; bfloat16 takes both. Exit status 77: it does not take this case.
/// Errors, when called: std::invalid_argument unless both {in} and {out} are in the command; at its first call where
/// the shell cannot run it.
TargetMaker command_target(const std::string& command, double limit_seconds);

/// Writes every call into `directory` (NAME.npz, or NAME.safetensors where arrays are bfloat16, and a line of
/// cases.jsonl: its options and how arrays lie in memory) and answers none.
TargetMaker recording_target(const std::filesystem::path& directory);

/// The script beside the cases that answers them by a Python function: python_calls.py and python_answers.py. It reads
/// from settings.json beside it what --set said: `alignment`, `window_counts_self`, `tokens_axis` (1 for the layout
/// bnhd, else 2).
std::string_view answering_script();

/// Answers from `directory`/answers/NAME.npz or NAME.safetensors, or NAME.error where the implementation raised an
/// error. NAME.json may say more of an answer (`changed` and `unusable`, as target/target.hpp has them), skipped.json
/// which options were not asked for. Errors, when called: std::invalid_argument when there is no such folder.
TargetMaker recorded_target(const std::filesystem::path& directory);

}  // namespace attest::judge
