// From text to the tree, and from the tree back to its normal form, TeX and words.
#pragma once

#include <string>
#include <string_view>

#include "theorems/language/problem.hpp"
#include "theorems/language/tree.hpp"

namespace attest::language {

/// Reads one statement and resolves its names: every variable is bound, every function known with the right number of
/// arguments, definitions not circular. Line breaks are white space, `#` begins a comment. Places, also those in
/// messages, count from where the text begins in its file. Errors: `Problem`.
Statement read_statement(std::string_view text, Place begins = {1, 1});

/// Reads one expression over the given free names (tests, `given` formulas of files). Errors: `Problem`.
Expr read_expression(std::string_view text);

/// The statement in normal form: one spelling for each meaning, so that read_statement(normal_form(s)) is the same
/// statement and normal_form is a fixed point. ASCII.
std::string normal_form(const Statement& statement);
std::string normal_form(const Expr& expression);

/// TeX without dollar signs.
std::string tex(const Statement& statement);
std::string tex(const Expr& expression);

}  // namespace attest::language
