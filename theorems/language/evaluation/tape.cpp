#include "theorems/language/evaluation/tape.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "theorems/language/evaluation/attention_call.hpp"
#include "theorems/language/evaluation/reflections.hpp"
#include "theorems/language/evaluation/tape_numbers.hpp"

namespace attest::language {
namespace {

using rigor::Ball;

template <typename T>
void combine(Binary f, std::span<const T> x, std::span<const T> y, std::span<T> z) {
  const std::size_t step_x = x.size() == 1 ? 0 : 1, step_y = y.size() == 1 ? 0 : 1, n = z.size();
  const T *a = x.data(), *b = y.data();
  // The loops that matter are written out, so that they are vectorised.
  switch (f) {
    case Binary::add:
      for (std::size_t k = 0; k < n; ++k) z[k] = a[k * step_x] + b[k * step_y];
      return;
    case Binary::subtract:
      for (std::size_t k = 0; k < n; ++k) z[k] = a[k * step_x] - b[k * step_y];
      return;
    case Binary::multiply:
      for (std::size_t k = 0; k < n; ++k) z[k] = a[k * step_x] * b[k * step_y];
      return;
    default:
      for (std::size_t k = 0; k < n; ++k) z[k] = language::value(f, a[k * step_x], b[k * step_y]);
  }
}

}  // namespace

std::size_t scratch_size(const Program& program, const Instruction& i) {
  if (i.args.empty()) return 0;
  const Shape a = program.instructions[i.args[0]].shape;
  switch (i.code) {
    case Code::symmetric_eigenvalues:
      return static_cast<std::size_t>(a.size());
    case Code::singular_values:
      return static_cast<std::size_t>((a.rows + a.cols) * std::min(a.rows, a.cols));
    case Code::operator_norm:
      return static_cast<std::size_t>(a.rows + a.cols);
    default:
      return 0;
  }
}

template <typename T>
bool Tape<T>::evaluates(const Instruction& i) const {
  return std::is_same_v<T, double> ? i.in_doubles : i.in_balls;
}

template <typename T>
Tape<T>::Tape(const Program& program)
    : program_(&program),
      values_(program.entries_),
      raw_(program.dimension_),
      expected_(program.expectations_.size()),
      scratch_(std::is_same_v<T, double> ? program.scratch_ : 0),
      met_(program.instructions.size(), 0) {
  for (std::size_t reg = 0; reg < program.instructions.size(); ++reg) {
    const Instruction& i = program.instructions[reg];
    if (!evaluates(i)) {
      std::ranges::fill(into(i), unknown(T()));
    } else if (i.varies) {
      order_.push_back(static_cast<std::uint32_t>(reg));
    }
  }
  run_constants();
}

template <typename T>
void Tape<T>::run_constants() {
  for (const Instruction& i : program_->instructions)
    if (!i.varies && evaluates(i)) forward(i);
  precision_ = rigor::working_precision();
}

template <typename T>
void Tape<T>::run(std::span<const T> raw, std::span<const T> expected) {
  if (raw.size() != program_->dimension_)
    throw std::invalid_argument("a program takes as many raw numbers as its dimension says");
  std::ranges::copy(raw, raw_.begin());
  for (std::size_t k = 0; k < expected_.size(); ++k) expected_[k] = k < expected.size() ? expected[k] : unknown(T());
  if constexpr (!std::is_same_v<T, double>) {
    if (precision_ != rigor::working_precision()) run_constants();
  }
  for (const std::uint32_t reg : order_) forward(program_->instructions[reg]);
}

template <typename T>
void Tape<T>::forward(const Instruction& i) {
  const std::span<T> y = into(i);
  const auto arg = [&](std::size_t k) { return entries(i.args[k]); };
  switch (i.code) {
    case Code::input:
      std::copy_n(raw_.begin() + i.parameter, y.size(), y.begin());
      return;
    case Code::constant:
      y[0] = exactly(i.number, T());
      return;
    case Code::pi:
      y[0] = pi(T());
      return;
    case Code::euler:
      y[0] = euler(T());
      return;
    case Code::expected:
      y[0] = expected_[static_cast<std::size_t>(i.parameter)];
      return;
    case Code::gather: {
      const std::span<const T> x = arg(0);
      const auto& table = *i.table;
      for (std::size_t k = 0; k < y.size(); ++k) y[k] = table[k] < 0 ? T(0) : x[static_cast<std::size_t>(table[k])];
      return;
    }
    case Code::pack: {
      auto at = y.begin();
      for (std::size_t k = 0; k < i.args.size(); ++k) at = std::ranges::copy(arg(k), at).out;
      return;
    }
    case Code::choose:
      for (std::size_t k = 0; k < y.size(); ++k) {
        const std::int64_t at = position(arg(0)[k]);
        const bool known = at >= 0 && at + 1 < static_cast<std::int64_t>(i.args.size());
        y[k] = known ? arg(static_cast<std::size_t>(at) + 1)[0] : unknown(T());
      }
      return;
    case Code::unary: {
      const std::span<const T> x = arg(0);
      for (std::size_t k = 0; k < y.size(); ++k) y[k] = language::value(i.unary, x[k]);
      return;
    }
    case Code::binary:
      combine(i.binary, arg(0), arg(1), y);
      return;
    case Code::power: {
      const std::span<const T> x = arg(0);
      for (std::size_t k = 0; k < y.size(); ++k) y[k] = power(x[k], i.number);
      return;
    }
    case Code::matmul:
      product(arg(0), arg(1), y, i.shape.rows, i.shape.cols);
      return;
    case Code::sum:
    case Code::product:
    case Code::least:
    case Code::largest:
    case Code::norm_1:
    case Code::norm_2:
    case Code::norm_inf:
    case Code::log_sum_exp: {
      const auto length = static_cast<std::size_t>(i.length);
      for (std::size_t k = 0; k < y.size(); ++k) y[k] = reduce_row(i.code, arg(0).subspan(k * length, length));
      return;
    }
    case Code::norm_p:
      y[0] = norm_p(arg(0), arg(1)[0]);
      return;
    case Code::softmax:
    case Code::share:
    case Code::direction:
    case Code::sorted:
    case Code::cumulated: {
      const auto length = static_cast<std::size_t>(i.length);
      for (std::size_t k = 0; k < y.size(); k += length)
        map_row(i.code, arg(0).subspan(k, length), y.subspan(k, length));
      return;
    }
    case Code::inverse:
    case Code::determinant:
    case Code::log_determinant:
    case Code::symmetric_eigenvalues:
    case Code::singular_values:
    case Code::operator_norm:
      if constexpr (std::is_same_v<T, double>) {
        of_matrix(i.code, arg(0), program_->instructions[i.args[0]].shape, y, scratch(i));
      } else {
        of_matrix(i.code, arg(0), program_->instructions[i.args[0]].shape, y);
      }
      return;
    case Code::orthogonal:
      reflections<T>(arg(0), y, i.shape.rows);
      return;
    case Code::attention:
      if constexpr (std::is_same_v<T, double>) {
        std::vector<std::span<const double>> inputs;
        for (std::size_t k = 1; k < i.args.size(); ++k) inputs.push_back(arg(k));
        attend(*i.attention, inputs, y);
      } else if (i.attention->has_formula) {
        std::ranges::copy(arg(0), y.begin());
      } else {
        std::ranges::fill(y, unknown(T()));
      }
      return;
  }
}

template class Tape<double>;
template class Tape<Ball>;

}  // namespace attest::language
