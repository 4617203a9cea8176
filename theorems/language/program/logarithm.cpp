// Logarithms of softmax, of sums of exponentials and their kin, without the numbers that over- or underflow.
#include <algorithm>

#include "theorems/language/program/builder.hpp"

namespace attest::language {

Register Builder::spread(Register each, const Shape& over) {
  if (over.rank < 2) return each;
  std::vector<std::int32_t> table;
  table.reserve(static_cast<std::size_t>(over.size()));
  for (std::int64_t i = 0; i < over.rows; ++i)
    for (std::int64_t j = 0; j < over.cols; ++j) table.push_back(static_cast<std::int32_t>(i));
  return gather(each, std::move(table), over);
}

Register Builder::log(Register r) {
  // A copy: what is emitted below moves the instructions.
  const Instruction x = instructions_[r];
  const auto is_exponential = [this](Register arg) {
    return instructions_[arg].code == Code::unary && instructions_[arg].unary == Unary::exp;
  };
  switch (x.code) {
    case Code::softmax: {
      const Shape each = x.shape.rank == 2 ? Shape{.rank = 1, .rows = x.shape.rows} : Shape{};
      return subtract(x.args[0], spread(reduce(Code::log_sum_exp, x.args[0], x.length, each), x.shape));
    }
    case Code::gather:
      if (instructions_[x.args[0]].code == Code::softmax &&
          std::ranges::none_of(*x.table, [](std::int32_t at) { return at < 0; }))
        return gather(log(x.args[0]), *x.table, x.shape);
      break;
    case Code::unary:
      if (x.unary == Unary::exp) return x.args[0];
      if (x.unary == Unary::sigmoid)
        return unary(Unary::negate, unary(Unary::softplus, unary(Unary::negate, x.args[0])));
      break;
    case Code::sum: {
      if (is_exponential(x.args[0]))
        return reduce(Code::log_sum_exp, instructions_[x.args[0]].args[0], x.length, x.shape);
      const Instruction terms = instructions_[x.args[0]];
      if (terms.code != Code::pack || !std::ranges::all_of(terms.args, is_exponential)) break;
      std::vector<Register> exponents;
      for (const Register arg : terms.args) exponents.push_back(instructions_[arg].args[0]);
      return reduce(Code::log_sum_exp, pack(std::move(exponents), terms.shape), x.length, x.shape);
    }
    default:
      break;
  }
  return unary(Unary::log, r);
}

}  // namespace attest::language
