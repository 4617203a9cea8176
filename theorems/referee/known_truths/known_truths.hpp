// Statements whose truth is known: what the judge itself is judged on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest::referee {

struct KnownTruth {
  std::string id;
  std::string statement;        ///< in the language
  bool truth = true;            ///< of `best C` statements: whether a constant of the set is enough
  std::optional<double> sharp;  ///< the best constant, of `best C` statements
  std::string source;           ///< where it is known from
};

/// Reads a table with the columns id, statement, truth (true or false), sharp, source, separated by tabs, after a line
/// with these names; empty lines and lines that begin with # are skipped. `name` stands in messages. Errors:
/// std::invalid_argument naming the line and what is wrong with it.
std::vector<KnownTruth> read_known_truths(std::string_view table, const std::string& name);

/// The tables of theorems/referee/known_truths/, put into the program when it was built.
const std::vector<KnownTruth>& known_truths();

/// How a judgement compares with the truth.
enum class Score { right, undecided, wrong };

}  // namespace attest::referee
