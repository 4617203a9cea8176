#include "theorems/language/evaluation/tape.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "theorems/language/evaluation/attention_call.hpp"
#include "theorems/language/evaluation/dispatch.hpp"
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

/// The value of one instruction, operation by operation (dispatch.hpp).
template <typename T>
class Tape<T>::Forward {
 public:
  Forward(Tape& tape, const Instruction& i) : tape_(tape), i_(i), y_(tape.into(i)) {}

  void leaf() const {
    switch (i_.code) {
      case Code::input:
        std::copy_n(tape_.raw_.begin() + i_.parameter, y_.size(), y_.begin());
        return;
      case Code::constant:
        y_[0] = exactly(i_.number, T());
        return;
      case Code::pi:
        y_[0] = language::pi(T());
        return;
      case Code::euler:
        y_[0] = language::euler(T());
        return;
      default:
        y_[0] = tape_.expected_[static_cast<std::size_t>(i_.parameter)];
    }
  }

  void gather() const {
    const std::span<const T> x = arg(0);
    const auto& table = *i_.table;
    for (std::size_t k = 0; k < y_.size(); ++k) y_[k] = table[k] < 0 ? T(0) : x[static_cast<std::size_t>(table[k])];
  }

  void pack() const {
    auto at = y_.begin();
    for (std::size_t k = 0; k < i_.args.size(); ++k) at = std::ranges::copy(arg(k), at).out;
  }

  void choose() const {
    for (std::size_t k = 0; k < y_.size(); ++k) {
      const std::int64_t at = position(arg(0)[k]);
      const bool known = at >= 0 && at + 1 < static_cast<std::int64_t>(i_.args.size());
      y_[k] = known ? arg(static_cast<std::size_t>(at) + 1)[0] : unknown(T());
    }
  }

  void unary() const {
    const std::span<const T> x = arg(0);
    for (std::size_t k = 0; k < y_.size(); ++k) y_[k] = language::value(i_.unary, x[k]);
  }

  void binary() const { combine(i_.binary, arg(0), arg(1), y_); }

  void power() const {
    const std::span<const T> x = arg(0);
    for (std::size_t k = 0; k < y_.size(); ++k) y_[k] = language::power(x[k], i_.number);
  }

  void matmul() const { matrix_product(arg(0), arg(1), y_, i_.shape.rows, i_.shape.cols); }

  void reduce_rows() const {
    const auto length = static_cast<std::size_t>(i_.length);
    for (std::size_t k = 0; k < y_.size(); ++k) y_[k] = reduce_row(i_.code, arg(0).subspan(k * length, length));
  }

  void norm_p() const { y_[0] = language::norm_p(arg(0), arg(1)[0]); }

  void map_rows() const {
    const auto length = static_cast<std::size_t>(i_.length);
    for (std::size_t k = 0; k < y_.size(); k += length)
      map_row(i_.code, arg(0).subspan(k, length), y_.subspan(k, length));
  }

  void of_matrix() const {
    const Shape shape = tape_.program_->instructions[i_.args[0]].shape;
    if constexpr (std::is_same_v<T, double>) {
      language::of_matrix(i_.code, arg(0), shape, y_, tape_.scratch(i_));
    } else {
      language::of_matrix(i_.code, arg(0), shape, y_);
    }
  }

  void orthogonal() const { reflections<T>(arg(0), y_, i_.shape.rows); }

  void attention() const {
    if constexpr (std::is_same_v<T, double>) {
      std::vector<std::span<const double>> inputs;
      for (std::size_t k = 1; k < i_.args.size(); ++k) inputs.push_back(arg(k));
      attend(*i_.attention, inputs, y_);
    } else if (i_.attention->has_formula) {
      std::ranges::copy(arg(0), y_.begin());
    } else {
      std::ranges::fill(y_, unknown(T()));
    }
  }

 private:
  std::span<const T> arg(std::size_t k) const { return tape_.entries(i_.args[k]); }

  Tape& tape_;
  const Instruction& i_;
  std::span<T> y_;
};

template <typename T>
void Tape<T>::forward(const Instruction& i) {
  dispatch(i.code, Forward(*this, i));
}

template class Tape<double>;
template class Tape<Ball>;

}  // namespace attest::language
