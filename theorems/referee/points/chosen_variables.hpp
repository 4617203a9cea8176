// The variables of a statement that are chosen before a program is made: sizes, orders and other whole or finite ones.
#pragma once

#include <string>
#include <vector>

#include "theorems/language/program.hpp"
#include "theorems/language/tree.hpp"

namespace attest::referee {

/// How far sizes of arrays go unless the statement ends sooner: n up to 64, and a second size up to 128. A declared end
/// beyond them is tried too, up to 1024 or as far as it is cheap enough, and ranges that begin beyond them to their
/// end.
inline constexpr double largest_rows = 64, largest_columns = 128;

struct Chosen {
  std::string name;
  const language::Set* set;
  bool sizes_array;
  double cap;  ///< how far its values usually go: `largest_rows`, `largest_columns`, or further for what is not a size
};

/// In the order of the binders; the statement must outlive them.
std::vector<Chosen> chosen_variables(const language::Statement& statement);

/// What such a variable may be where those before it are chosen.
struct Values {
  std::vector<double> listed;  ///< of a finite set
  double lower = 0, upper = 0;
  double count() const { return listed.empty() ? upper - lower + 1 : static_cast<double>(listed.size()); }
};

/// Errors: language::Problem where an end depends on more than the choices.
Values values_of(const language::Statement& statement, const Chosen& variable, const language::Choices& choices);

/// "n = 17 lies outside of 1..16": the first choice that its set does not hold; empty where all do. Names that
/// `choices` lacks are left out. Errors: language::Problem where an end depends on more than the choices.
std::string outside_of_sets(const language::Statement& statement, const language::Choices& choices);

/// The number that `expression` of the statement's definitions and these choices is. Errors: language::Problem where it
/// depends on anything else.
double constant_value(const language::Statement& statement, const language::Expr& expression,
                      const language::Choices& choices);

}  // namespace attest::referee
