// The variables of a statement that are chosen before a program is made: sizes, orders and other whole or finite ones.
#pragma once

#include <string>
#include <vector>

#include "theorems/language/program.hpp"
#include "theorems/language/tree.hpp"

namespace attest::referee {

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

}  // namespace attest::referee
