// One operation of a program: which registers it takes, what it makes of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "theorems/language/program.hpp"
#include "theorems/language/program/scalar.hpp"

namespace attest::language {

/// Rows below are the `count = size / length` stretches of `length` entries that follow each other in memory: the rows
/// of a matrix, a vector as a whole, or a whole matrix.
enum class Code : std::uint8_t {
  input,     ///< raw numbers from `parameter` on
  constant,  ///< the number `number`
  pi,
  euler,
  expected,  ///< the value of expectation number `parameter`
  gather,    ///< entry k is args[0][table[k]], 0 where table[k] < 0
  pack,      ///< the arguments' entries one after another
  choose,    ///< entry k is values[whole number args[0][k]], values the further arguments
  unary,     ///< entry by entry
  binary,    ///< entry by entry; a scalar stands for all entries
  power,     ///< entry by entry, to the exact exponent `number`
  matmul,    ///< args[0] args[1]
  sum,       ///< of each row, as all up to `log_sum_exp`
  product,
  least,
  largest,
  norm_1,
  norm_2,
  norm_inf,
  log_sum_exp,
  norm_p,     ///< (sum |x|^p)^(1/p), p = args[1]
  softmax,    ///< of each row, as all up to `cumulated`
  share,      ///< x / sum x, x >= 0
  direction,  ///< x / |x|
  sorted,     ///< ascending
  cumulated,  ///< running sums
  inverse,
  determinant,
  log_determinant,        ///< log det, for det > 0
  symmetric_eigenvalues,  ///< ascending; of (A + A')/2
  singular_values,        ///< descending
  operator_norm,
  orthogonal,  ///< Householder vectors to their product, see sets.hpp
  attention    ///< the library's mechanism on args[1..]; args[0] is its formula in balls
};

struct AttentionCall;

struct Instruction {
  Code code = Code::constant;
  Unary unary = Unary::negate;
  Binary binary = Binary::add;
  std::vector<std::uint32_t> args = {};
  Shape shape = {};
  std::int64_t length = 0;
  std::int64_t parameter = 0;
  rigor::Rational number = {};  ///< of a constant or a power; 0 otherwise
  std::shared_ptr<const std::vector<std::int32_t>> table = {};
  std::shared_ptr<const AttentionCall> attention = {};
  Expr written = {};

  // Set when the program is finished.
  std::size_t offset = 0;          ///< of the first entry among all registers' entries
  std::size_t scratch_offset = 0;  ///< see scratch_size
  bool varies = false;             ///< depends on an input or an expectation
  bool in_doubles = true;          ///< evaluated in doubles
  bool in_balls = true;            ///< evaluated in balls

  std::size_t size() const { return static_cast<std::size_t>(shape.size()); }
};

/// Doubles that the forward pass keeps for the way back.
std::size_t scratch_size(const Program& program, const Instruction& instruction);

/// A call of the attention library with its settings.
struct AttentionCall {
  std::string mechanism;
  std::vector<std::string> inputs;                            ///< names of args[1], args[2], ...
  std::vector<std::vector<std::int64_t>> shapes;              ///< of those inputs, as the library takes them
  std::vector<std::pair<std::string, std::string>> settings;  ///< as the library reads them
  bool has_formula = false;                                   ///< args[0] is meant; otherwise balls know nothing
};

}  // namespace attest::language
