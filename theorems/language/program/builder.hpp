// Makes the instructions of a program: equal ones once, numbers folded, memory counted.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "theorems/language/program/instruction.hpp"

namespace attest::language {

using Register = std::uint32_t;

class Builder {
 public:
  explicit Builder(std::size_t memory_limit) : memory_limit_(memory_limit) {}

  /// The register of this instruction; an equal one that is there already is taken again. Errors: `Problem` where the
  /// program outgrows its memory.
  Register emit(Instruction instruction);
  /// Refuses, before anything of that size is made, what `emit` would refuse. Errors: `Problem`.
  void need(double entries) const;

  Register constant(const rigor::Rational& number);
  /// Raw numbers from `offset` on.
  Register input(std::size_t offset, const Shape& shape);
  Register unary(Unary f, Register x);
  /// Of one shape, or one of the two a scalar.
  Register binary(Binary f, Register x, Register y);
  Register power(Register x, const rigor::Rational& exponent);
  Register gather(Register x, std::vector<std::int32_t> table, const Shape& shape);
  Register pack(std::vector<Register> parts, const Shape& shape);
  Register matmul(Register a, Register b, const Shape& shape);
  Register transpose(Register a);
  /// One number for each row of `length` entries; a scalar where there is one row and `as` says nothing else.
  Register reduce(Code code, Register x, std::int64_t length, const Shape& as = {});
  /// Rows of `length` entries to rows of the same length.
  Register by_rows(Code code, Register x, std::int64_t length);
  /// One argument, a result of a shape of its own.
  Register of_matrix(Code code, Register a, const Shape& shape);

  Register add(Register x, Register y) { return binary(Binary::add, x, y); }
  Register subtract(Register x, Register y) { return binary(Binary::subtract, x, y); }
  Register multiply(Register x, Register y) { return binary(Binary::multiply, x, y); }
  Register divide(Register x, Register y) { return binary(Binary::divide, x, y); }
  /// x times the exact number.
  Register scaled(Register x, const rigor::Rational& factor) { return multiply(constant(factor), x); }

  /// log x, written so that nothing over- or underflows on the way where x is a softmax (an entry of one), a sum of
  /// exponentials, an exponential or a sigmoid.
  Register log(Register x);
  /// One number for each row of `over`, spread over the row's entries; a scalar stays one.
  Register spread(Register each, const Shape& over);

  const Instruction& instruction(Register r) const { return instructions_[r]; }
  const Shape& shape(Register r) const { return instructions_[r].shape; }
  /// The expression that the next instructions belong to.
  void set_written(const Expr& written) { written_ = written; }
  const Expr& written() const { return written_; }

  /// Depends on a random variable's draw other than through an expectation.
  bool is_random(Register r) const { return random_[r]; }
  void mark_random(Register r) { random_[r] = true; }

  std::vector<Instruction> take() { return std::move(instructions_); }

 private:
  [[noreturn]] void refuse_memory() const;

  std::size_t memory_limit_;
  std::size_t bytes_ = 0;
  Expr written_ = {};
  std::vector<Instruction> instructions_ = {};
  std::vector<bool> random_ = {};
  std::unordered_map<std::string, Register> known_ = {};
};

/// Offsets, what varies, what doubles and balls evaluate at all. Called once all instructions and formulas are there.
void finish(Program& program);

}  // namespace attest::language
