// A statement as built from its text, before its names are resolved.
#pragma once

#include <vector>

#include "theorems/language/reading/source_text.hpp"
#include "theorems/language/reading/syntax.hpp"
#include "theorems/language/tree.hpp"

namespace attest::language {

/// Deepest tree that is built: every reader of a tree recurses.
inline constexpr int deepest_tree = 400;

/// `where` after the claim may hold parts of recursions among the conditions; names are variables and calls as written;
/// adjacent relations and conjunctions of conditions are taken apart.
struct Draft {
  Statement statement = {};
  std::vector<std::vector<Place>> binder_names = {};     ///< where each name of each binder stands
  std::vector<std::vector<Place>> parameter_names = {};  ///< where each parameter of each definition stands
};

/// Errors: `Problem` where a relation stands for a number or the reverse, for trees deeper than `deepest_tree`, for
/// signs the language refuses, and for malformed sets and numbers.
Draft build_statement(const Mark& root, const SourceText& text);
/// The expression of a whole expression's root, or of any mark of kind `expression` or `claim`.
Expr build_expression(const Mark& mark, const SourceText& text);
/// The parts of a conjunction, or the condition itself.
void take_apart(const Expr& condition, std::vector<Expr>& into);

}  // namespace attest::language
