// A call of a built-in function while it is flattened.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theorems/language/flattening/compiler.hpp"

namespace attest::language {

/// Its arguments, flattened, and what they must be. The `need_` members throw `Problem` naming what stands there.
struct Call {
  /// Errors: `Problem` for a wrong number of arguments or an option that is not a parameter.
  Call(Compiler& compiler, Expr call);

  Compiler& c;
  Builder& b;
  Expr e;
  std::vector<Value> args = {};
  std::vector<Expr> option_args = {};  ///< those of `args` that were written name = value

  Register reg(std::size_t k) const;
  [[noreturn]] void refuse(std::size_t k, const std::string& wanted) const;
  void need_scalar(std::size_t k) const;
  void need_vector(std::size_t k) const;
  void need_matrix(std::size_t k) const;
  void need_square(std::size_t k) const;
  void need_array(std::size_t k) const;
  void need_symmetric(std::size_t k) const;
  void need_same_shape() const;
};

/// Norms and the algebra of vectors and matrices; empty for other names.
std::optional<Value> call_matrix_function(Call& call);

/// softmax, logsumexp, entropy, kl, ...; empty for other names.
std::optional<Value> call_attention_function(Call& call);

}  // namespace attest::language
