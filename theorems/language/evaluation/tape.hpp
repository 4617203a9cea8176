// All registers of a program in one type of number, forwards and backwards.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <Eigen/Core>

#include "theorems/language/evaluation/dense.hpp"
#include "theorems/language/evaluation/rows.hpp"
#include "theorems/language/program/instruction.hpp"

namespace attest::language {

/// Doubles begin at a multiple of a vector register's width: Eigen sums unaligned rows in an order that depends on
/// their address, and the same point must give the same bits in every object.
template <typename T>
using Entries =
    std::vector<T, std::conditional_t<std::is_same_v<T, double>, Eigen::aligned_allocator<double>, std::allocator<T>>>;

template <typename T>
class Tape {
 public:
  explicit Tape(const Program& program);

  void run(std::span<const T> raw, std::span<const T> expected);
  std::span<const T> value(std::size_t reg) const { return entries(reg); }
  const Program& program() const { return *program_; }

  /// Seeds of the way back, then the sweep, which adds into `gradient`.
  std::span<T> seed(std::size_t reg);
  void sweep(std::span<T> gradient);

 private:
  class Forward;
  class Backward;

  std::span<const T> entries(std::size_t reg) const {
    const Instruction& i = program_->instructions[reg];
    return {values_.data() + i.offset, i.size()};
  }
  std::span<T> into(const Instruction& i) { return {values_.data() + i.offset, i.size()}; }
  std::span<double> scratch(const Instruction& i) { return std::span(scratch_).subspan(i.scratch_offset); }
  std::span<T> adjoint(std::size_t reg) {
    const Instruction& i = program_->instructions[reg];
    return {adjoints_.data() + i.offset, i.size()};
  }
  /// The adjoint of an argument, zeroed when it is first met; empty where nothing below it varies.
  std::span<T> into_adjoint(std::size_t reg);
  /// Registers that no input changes; again when balls are to be narrower than before.
  void run_constants();
  void forward(const Instruction& i);
  bool evaluates(const Instruction& i) const;

  const Program* program_;
  Entries<T> values_, adjoints_;
  std::vector<T> raw_, expected_;
  Entries<double> scratch_;
  std::vector<char> met_;
  std::vector<std::uint32_t> order_;  ///< what varies and is evaluated in this type
  std::int64_t precision_ = 0;        ///< of the constants
};

extern template class Tape<double>;
extern template class Tape<rigor::Ball>;

}  // namespace attest::language
