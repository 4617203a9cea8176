// What is fuzzed: every parser that a user's file can reach, by name.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attest::fuzz {

/// `read` takes any bytes: it returns, or throws one of the exceptions that end the program with one sentence and exit
/// code 2 (`Refused`); all else is a fault. `seeds` are inputs to change, valid ones first.
struct Target {
  std::string name;
  std::vector<std::string> seeds;
  std::function<void(std::string_view)> read;
  /// Puts the checksums and digests right that a change breaks, so that what stands after their check is fed as well.
  /// Applied to every second changed input; nothing where the format has none.
  std::function<std::string(std::string)> resealed = {};
};

/// Statements, papers, TeX sources, specs, tables and records.
std::vector<Target> text_targets();

/// Arrays, images, series and labelled texts.
std::vector<Target> data_targets();

/// Databases of runs, checkpoints and weights: what is read from a file of its own.
std::vector<Target> file_targets();

/// Records that are read again: of checks, sweeps, trainings, evidence and judgements.
std::vector<Target> record_targets();

/// All of them.
std::vector<Target> targets();

/// For what reads files: writes the bytes under that name in a folder of this process and returns the file.
std::string written(std::string_view bytes, const std::string& name);

/// Runs `target` on the bytes: true where they are read, false where they are refused. A refusal needs a sentence of
/// several words that quotes no library's exception. Errors: std::logic_error naming what is wrong.
bool feed(const Target& target, std::string_view bytes);

/// Changes an input a little: bits, bytes, numbers, pieces removed, doubled or taken from another seed; every second
/// one is resealed. Deterministic.
std::string mutated(const Target& target, std::uint64_t round);

/// Bytes of the largest single allocation since the last call of `forget_allocations`.
std::size_t largest_allocation();
void forget_allocations();

}  // namespace attest::fuzz
