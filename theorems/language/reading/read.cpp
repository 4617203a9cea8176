#include "theorems/language/read.hpp"

#include "theorems/language/reading/draft.hpp"
#include "theorems/language/reading/resolve.hpp"
#include "theorems/language/reading/source_text.hpp"
#include "theorems/language/reading/syntax.hpp"

namespace attest::language {

Statement read_statement(std::string_view text, Place begins) {
  const SourceText source(text, begins);
  return resolve(build_statement(parse_statement(source), source));
}

Expr read_expression(std::string_view text) {
  const SourceText source(text);
  return resolve(build_expression(parse_expression(source), source));
}

}  // namespace attest::language
