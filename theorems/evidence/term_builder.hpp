// Scalar terms and arrays of them, made with numbers carried out.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "theorems/evidence/scalar_terms.hpp"

namespace attest::evidence {

/// Makes terms and counts them.
class TermBuilder {
 public:
  /// The operation; a number where all of `args` are. Errors: NotWritten beyond `most_terms`.
  TermPointer make(TermKind kind, std::vector<TermPointer> args, std::string name = {}, unsigned exponent = 0);
  TermPointer call(const std::string& name, std::vector<TermPointer> args);
  TermPointer sum(const std::vector<TermPointer>& terms);
  TermPointer sum_of_squares(const std::vector<TermPointer>& terms);
  /// name(name(terms[0], terms[1]), terms[2]), ...
  TermPointer fold(const std::string& name, const std::vector<TermPointer>& terms);
  static TermArray scalar(TermPointer term) { return {{}, {std::move(term)}}; }
  /// Entry by entry; a scalar stands beside every entry. Errors: NotWritten for arrays of two shapes.
  static TermArray each(const TermArray& a, const TermArray& b,
                        const std::function<TermPointer(TermPointer, TermPointer)>& f);
  static TermArray each(const TermArray& a, const std::function<TermPointer(TermPointer)>& f);
  TermArray binary(TermKind kind, const TermArray& a, const TermArray& b);
  std::size_t made() const { return made_; }

 private:
  std::size_t made_ = 0;
};

/// A built-in function of the language. Errors: NotWritten for one without a counterpart in scalars.
TermArray function_of(TermBuilder& builder, const std::string& name, const std::vector<TermArray>& args);

}  // namespace attest::evidence
