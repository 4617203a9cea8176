// Which sizes, orders and other whole or finite variables are tried.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/language/program.hpp"
#include "theorems/language/tree.hpp"
#include "theorems/referee/points/chosen_variables.hpp"

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
  /// Every choice that the statement allows, where `tried` are only the tightest of them; else empty.
  std::vector<language::Choices> cases = {};
  std::size_t glanced_at = 0;  ///< further choices that were looked at briefly, see other_sizes.hpp
  std::string left_out = {};   ///< a choice at which the statement means nothing, and why; empty where there is none
};

/// Every choice where there are at most `most`; otherwise the corners of the ranges, the smallest sizes, a spread that
/// grows geometrically, and draws. Whole numbers that no array's size depends on go up to the end of their range, or to
/// 10^12 where it has none. Choices whose program is larger than `most_work` flops per point are left out. Of up to
/// 100,000 choices of a statement without other variables the tightest in doubles are taken, where 2000 `most_work`
/// flops are enough to look at all. Errors: language::Problem of the statement itself (shapes that do not fit, an empty
/// range).
Sizes choose_sizes(const language::Statement& statement, const engine::Context& context, std::size_t most,
                   double most_work);

/// Choices beside those tried.
struct Untried {
  std::vector<language::Choices> choices;
  bool all = false;  ///< every one that the statement allows
};

/// All where there are at most `most` with those tried, else each variable's own values, with the others at their
/// second value, as far as `most` of them go. Variables with more than `most` values keep to their second.
Untried untried_choices(const language::Statement& statement, const Sizes& sizes, std::size_t most);

/// Adds choices to those tried, in their order.
void add_choices(const language::Statement& statement, const std::vector<language::Choices>& choices, Sizes& sizes);

/// "n = 2, p = 1"; empty where nothing is chosen.
std::string shown(const language::Choices& choices);

}  // namespace attest::referee
