// The registers of a program as power series in one number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "theorems/language/program.hpp"
#include "theorems/language/program/instruction.hpp"
#include "theorems/referee/proof/power_series.hpp"

namespace attest::referee {

/// Whatever the registers up to `last` hold when the raw numbers are `raw`: functions of one number t, expanded. What
/// is not made of smooth functions known to power_series.hpp is not known.
template <typename Series>
class SeriesRegisters {
 public:
  SeriesRegisters(const language::Program& program, const std::vector<Series>& raw, std::size_t last)
      : program_(program), raw_(raw) {
    for (std::size_t reg = 0; reg <= last; ++reg) {
      auto entries = made(program.instructions[reg]);
      values_.push_back(entries ? std::move(*entries) : Row());
    }
  }

  /// Entry k of the register; a scalar stands for all.
  std::optional<Series> entry(std::size_t reg, std::size_t k) const {
    const Row& all = values_[reg];
    if (all.empty()) return std::nullopt;
    return all[all.size() == 1 ? 0 : k];
  }

 private:
  using Row = std::vector<Series>;  ///< entries of a register; empty where they are not known
  using Made = std::optional<Row>;

  static Made single(std::optional<Series> one) {
    if (!one) return std::nullopt;
    return Row{std::move(*one)};
  }

  /// `f` for every entry, where it gives a series for all of them.
  template <typename F>
  static Made each(std::size_t size, F f) {
    Row result;
    for (std::size_t k = 0; k < size; ++k) {
      std::optional<Series> one = f(k);
      if (!one) return std::nullopt;
      result.push_back(std::move(*one));
    }
    return result;
  }

  Made made(const language::Instruction& i) const {
    if (std::ranges::any_of(i.args, [&](std::uint32_t reg) { return values_[reg].empty(); })) return std::nullopt;
    switch (i.code) {
      case language::Code::input:
        return each(i.size(),
                    [&](std::size_t k) { return std::optional(raw_[static_cast<std::size_t>(i.parameter) + k]); });
      case language::Code::constant:
        return single(Series::constant(i.number));
      case language::Code::pi:
        return single(Series::constant(rigor::Ball::pi()));
      case language::Code::euler:
        return single(Series::constant(rigor::Ball::e()));
      case language::Code::gather:
        return each(i.size(), [&](std::size_t k) {
          const std::int32_t from = (*i.table)[k];
          return from < 0 ? Series::constant(rigor::Rational(0)) : entry(i.args[0], static_cast<std::size_t>(from));
        });
      case language::Code::pack: {
        Row all;
        for (const std::uint32_t reg : i.args) all.insert(all.end(), values_[reg].begin(), values_[reg].end());
        return all;
      }
      case language::Code::unary:
        return each(i.size(), [&](std::size_t k) { return apply(i.unary, *entry(i.args[0], k)); });
      case language::Code::binary:
        return each(i.size(),
                    [&](std::size_t k) { return apply(i.binary, *entry(i.args[0], k), *entry(i.args[1], k)); });
      case language::Code::power:
        return power_of(i);
      case language::Code::sum:
      case language::Code::norm_2:
      case language::Code::log_sum_exp:
        return each(i.size(), [&](std::size_t row) { return reduced(i, row); });
      case language::Code::softmax:
        return softmax(i);
      case language::Code::matmul:
        return product(i);
      default:
        return std::nullopt;
    }
  }

  /// An even power of a length is one of the sum of squares, which is smooth where the length is 0.
  Made power_of(const language::Instruction& i) const {
    const language::Instruction& base = program_.instructions[i.args[0]];
    const bool even = base.code == language::Code::norm_2 && (i.number / rigor::Rational(2)).is_whole();
    const rigor::Rational exponent = even ? i.number / rigor::Rational(2) : i.number;
    return each(i.size(), [&](std::size_t k) {
      const std::optional<Series> u = even ? squares(base, k) : entry(i.args[0], k);
      return u ? power(*u, exponent) : std::nullopt;
    });
  }

  /// The terms' sum, after `f` of each.
  template <typename F>
  static std::optional<Series> sum_of(std::size_t length, F f) {
    std::optional<Series> total = Series::constant(rigor::Rational(0));
    for (std::size_t k = 0; total && k < length; ++k) {
      const std::optional<Series> term = f(k);
      total = term ? apply(language::Binary::add, *total, *term) : std::nullopt;
    }
    return total;
  }

  /// Number k of a row of the argument.
  const Series& in_row(const language::Instruction& i, std::size_t row, std::size_t k) const {
    return values_[i.args[0]][row * static_cast<std::size_t>(i.length) + k];
  }

  std::optional<Series> squares(const language::Instruction& i, std::size_t row) const {
    return sum_of(static_cast<std::size_t>(i.length), [&](std::size_t k) {
      return apply(language::Binary::multiply, in_row(i, row, k), in_row(i, row, k));
    });
  }

  std::optional<Series> reduced(const language::Instruction& i, std::size_t row) const {
    const auto length = static_cast<std::size_t>(i.length);
    if (i.code == language::Code::sum)
      return sum_of(length, [&](std::size_t k) { return std::optional(in_row(i, row, k)); });
    const bool exponentials = i.code == language::Code::log_sum_exp;
    const auto total =
        exponentials ? sum_of(length, [&](std::size_t k) { return apply(language::Unary::exp, in_row(i, row, k)); })
                     : squares(i, row);
    return total ? apply(exponentials ? language::Unary::log : language::Unary::sqrt, *total) : std::nullopt;
  }

  Made softmax(const language::Instruction& i) const {
    const auto length = static_cast<std::size_t>(i.length);
    Row all;
    for (std::size_t row = 0; row * length < i.size(); ++row) {
      const Made weights = each(length, [&](std::size_t k) { return apply(language::Unary::exp, in_row(i, row, k)); });
      if (!weights) return std::nullopt;
      const auto total = sum_of(length, [&](std::size_t k) { return std::optional((*weights)[k]); });
      const auto inverse =
          total ? apply(language::Binary::divide, *Series::constant(rigor::Rational(1)), *total) : std::nullopt;
      if (!inverse) return std::nullopt;
      for (const Series& w : *weights) all.push_back(*apply(language::Binary::multiply, w, *inverse));
    }
    return all;
  }

  Made product(const language::Instruction& i) const {
    const auto inner = static_cast<std::size_t>(program_.shape_of(i.args[0]).cols);
    const auto columns = i.size() / static_cast<std::size_t>(program_.shape_of(i.args[0]).rows);
    return each(i.size(), [&](std::size_t k) {
      return sum_of(inner, [&](std::size_t j) {
        return apply(language::Binary::multiply, values_[i.args[0]][k / columns * inner + j],
                     values_[i.args[1]][j * columns + k % columns]);
      });
    });
  }

  const language::Program& program_;
  const std::vector<Series>& raw_;
  std::vector<Row> values_;
};

}  // namespace attest::referee
