// ListOps (Nangia and Bowman 2018): nested operations on digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/data/text/labelled_texts.hpp"
#include "simulations/data/text/token_vocabulary.hpp"

namespace attest::data {

/// The 15 tokens of an expression: [MIN [MAX [MED [SM ] and 0 to 9. Round brackets only record a binary tree and are
/// dropped, as the Long Range Arena drops them.
TokenVocabulary listops_vocabulary();

/// What a well-formed expression is worth.
struct ListOpsValue {
  int value = 0;          ///< 0..9
  std::size_t depth = 0;  ///< nested operators; 0 for a digit
};

/// The tokens of an expression without round brackets, one blank between them, after checking every token.
/// Errors: MalformedData naming `place` and the token.
std::string without_parentheses(std::string_view expression, const std::string& place);

/// The value of an expression without round brackets: minimum, maximum, median (of an even count: the mean of the two
/// in the middle, rounded down) or sum modulo 10. Errors: MalformedData naming `place` when brackets do not match, an
/// operator has no argument, or something follows the expression.
ListOpsValue evaluate_listops(std::string_view expression, const std::string& place);

/// A file of ListOps: the Long Range Arena's (header "Source<TAB>Target", expression first), or the original release's
/// (no header, label first); LF or CRLF. The texts are without round brackets, the classes "0" to "9".
/// Memory: the file twice. Errors: MalformedData naming line and fix when a line does not have two fields, an
/// expression is not well-formed, or a label is not its expression's value.
LabelledTexts parse_listops(std::string_view bytes, const std::string& name);

}  // namespace attest::data
