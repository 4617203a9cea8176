// What the grammar finds in a text: nested marks, before they mean anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "theorems/language/reading/source_text.hpp"

namespace attest::language {

/// A piece of text that a rule of the grammar matched.
struct Mark {
  enum class Kind : std::uint8_t {
    root,
    // Expressions: flat sequences of operators, operands and what follows an operand.
    expression,
    prefix_operator,
    infix_operator,
    number,
    text,       ///< with its quotation marks
    reference,  ///< name, perhaps arguments
    name,
    arguments,      ///< arguments, options or one comprehension; perhaps none
    option,         ///< name, expression
    comprehension,  ///< generators, expression
    generator,      ///< names, from, to
    paren,          ///< expression
    array,          ///< rows
    row,            ///< expressions
    transpose,
    index,  ///< expressions
    slice,  ///< from, to
    // Statements.
    let,         ///< definitions
    definition,  ///< name, perhaps parameters, expression
    parameters,  ///< names
    forall,      ///< binders
    exists,      ///< binders
    random,      ///< random binders
    best,        ///< name, set
    limit,       ///< name, expression
    binder,      ///< names, set, perhaps conditions; of `random`: names, law
    conditions,  ///< expressions
    law,         ///< name, perhaps arguments
    finite_set,  ///< expressions, perhaps extents
    interval,    ///< interval_end, from, to, interval_end, perhaps extents
    interval_end,
    named_set,  ///< name, perhaps arguments
    range_set,  ///< from, to
    extents,    ///< expressions
    claim,      ///< expression
    tail        ///< expressions
  };
  Kind kind = Kind::root;
  std::size_t at = 0;          ///< offset in the plain text
  std::string_view text = {};  ///< into the plain text
  std::vector<Mark> parts = {};
};

/// Parses a whole statement; `text` must outlive the marks. Errors: `Problem` at the character that does not fit.
Mark parse_statement(const SourceText& text);
/// Parses a whole expression.
Mark parse_expression(const SourceText& text);

}  // namespace attest::language
