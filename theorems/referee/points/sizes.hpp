// Which sizes, orders and other whole or finite variables are tried.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/language/program.hpp"
#include "theorems/language/tree.hpp"

namespace attest::referee {

/// One whole or finite variable: what the statement says of it and what was tried.
struct Extent {
  std::string name;
  bool range = true;               ///< else a finite set
  double lower = 0, upper = 0;     ///< as declared, over all choices of the others that were tried
  std::vector<double> tried = {};  ///< ascending
};

/// The choices that are judged, the smallest first.
struct Sizes {
  std::vector<language::Choices> tried;
  bool exhaustive = false;  ///< every choice that the statement allows is in `tried`
  std::vector<Extent> extents;
  std::string left_out = {};  ///< a choice at which the statement means nothing, and why; empty where there is none
};

/// How far sizes of arrays go unless the statement ends sooner: n up to 64, and a second size up to 128. A declared end
/// beyond them is tried too, up to 1024 or as far as it is cheap enough, and ranges that begin beyond them to their
/// end.
inline constexpr double largest_rows = 64, largest_columns = 128;

/// Every choice where there are at most `most`; otherwise the corners of the ranges, the smallest sizes, a spread that
/// grows geometrically, and draws. Whole numbers that no array's size depends on go up to the end of their range, or to
/// 10^12 where it has none. Choices whose program is larger than `most_work` flops per point are left out. Errors:
/// language::Problem of the statement itself (shapes that do not fit, an empty range).
Sizes choose_sizes(const language::Statement& statement, const engine::Context& context, std::size_t most,
                   double most_work);

/// "n = 17 lies outside of 1..16": the first choice that its set does not hold; empty where all do. Names that
/// `choices` lacks are left out. Errors: language::Problem where an end depends on more than the choices.
std::string outside_of_sets(const language::Statement& statement, const language::Choices& choices);

/// The number that `expression` of the statement's definitions and these choices is. Errors: language::Problem where it
/// depends on anything else.
double constant_value(const language::Statement& statement, const language::Expr& expression,
                      const language::Choices& choices);

/// "n = 2, p = 1"; empty where nothing is chosen.
std::string shown(const language::Choices& choices);

}  // namespace attest::referee
