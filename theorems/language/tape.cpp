#include "theorems/language/tape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <type_traits>

#include "theorems/language/attention_call.hpp"
#include "theorems/language/reflections.hpp"

namespace attest::language {
namespace {

using rigor::Ball;

double exactly(const rigor::Rational& x, double) { return x.to_double(); }
Ball exactly(const rigor::Rational& x, const Ball&) { return x.to_ball(); }
double pi(double) { return std::numbers::pi; }
Ball pi(const Ball&) { return Ball::pi(); }
double euler(double) { return std::numbers::e; }
Ball euler(const Ball&) { return Ball::e(); }
double unknown(double) { return std::numeric_limits<double>::quiet_NaN(); }
Ball unknown(const Ball&) {
  Ball result;
  arb_indeterminate(result.raw());
  return result;
}

// What does not matter must not be multiplied by an infinite slope.
bool is_zero(double x) { return x == 0; }
bool is_zero(const Ball& x) { return arb_is_zero(x.raw()) != 0; }

/// The position that a raw number names; -1 where it names none.
std::int64_t position(double x) { return std::isfinite(x) ? static_cast<std::int64_t>(std::llround(x)) : -1; }
std::int64_t position(const Ball& x) { return x.is_exact() ? position(x.mid()) : -1; }

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

/// d/dx x^e = e x^(e-1).
template <typename T>
T power_slope(const T& x, const rigor::Rational& e) {
  return exactly(e, T()) * power(x, e - rigor::Rational(1));
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

template <typename T>
std::span<T> Tape<T>::seed(std::size_t reg) {
  if (adjoints_.empty()) adjoints_.resize(values_.size());
  return into_adjoint(reg);
}

template <typename T>
std::span<T> Tape<T>::into_adjoint(std::size_t reg) {
  if (!program_->instructions[reg].varies || !evaluates(program_->instructions[reg])) return {};
  const std::span<T> result = adjoint(reg);
  if (met_[reg] == 0) {
    met_[reg] = 1;
    std::ranges::fill(result, T(0));
  }
  return result;
}

template <typename T>
void Tape<T>::sweep(std::span<T> gradient) {
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
    if (met_[*at] == 0) continue;
    met_[*at] = 0;
    const Instruction& i = program_->instructions[*at];
    const std::span<const T> dy = adjoint(*at);
    if (i.code == Code::input) {
      for (std::size_t k = 0; k < dy.size(); ++k) gradient[static_cast<std::size_t>(i.parameter) + k] += dy[k];
    } else {
      backward(i, dy);
    }
  }
}

template <typename T>
void Tape<T>::backward(const Instruction& i, std::span<const T> dy) {
  const std::span<const T> y = into(i);
  const auto arg = [&](std::size_t k) { return entries(i.args[k]); };
  const std::span<T> dx =
      i.args.empty() || i.code == Code::attention || i.code == Code::choose ? std::span<T>() : into_adjoint(i.args[0]);
  switch (i.code) {
    case Code::input:
    case Code::constant:
    case Code::pi:
    case Code::euler:
    case Code::expected:
      return;
    case Code::gather: {
      if (dx.empty()) return;
      const auto& table = *i.table;
      for (std::size_t k = 0; k < y.size(); ++k)
        if (table[k] >= 0) dx[static_cast<std::size_t>(table[k])] += dy[k];
      return;
    }
    case Code::pack: {
      std::size_t at = 0;
      for (const std::uint32_t reg : i.args) {
        const std::span<T> part = into_adjoint(reg);
        for (std::size_t k = 0; k < part.size(); ++k) part[k] += dy[at + k];
        at += entries(reg).size();
      }
      return;
    }
    case Code::choose:
      for (std::size_t k = 0; k < y.size(); ++k) {
        const std::int64_t at = position(arg(0)[k]);
        if (at < 0 || at + 1 >= static_cast<std::int64_t>(i.args.size())) continue;
        if (const auto part = into_adjoint(i.args[static_cast<std::size_t>(at) + 1]); !part.empty()) part[0] += dy[k];
      }
      return;
    case Code::unary: {
      const std::span<const T> x = arg(0);
      for (std::size_t k = 0; k < dx.size(); ++k)
        if (!is_zero(dy[k])) dx[k] += dy[k] * slope(i.unary, x[k], y[k]);
      return;
    }
    case Code::binary: {
      const std::span<T> dz = into_adjoint(i.args[1]);
      const std::span<const T> a = arg(0), b = arg(1);
      const std::size_t step_a = a.size() == 1 ? 0 : 1, step_b = b.size() == 1 ? 0 : 1;
      for (std::size_t k = 0; k < y.size(); ++k) {
        if (is_zero(dy[k])) continue;
        const auto s = slopes(i.binary, a[k * step_a], b[k * step_b], y[k]);
        if (!dx.empty()) dx[k * step_a] += dy[k] * s.x;
        if (!dz.empty()) dz[k * step_b] += dy[k] * s.y;
      }
      return;
    }
    case Code::power: {
      const std::span<const T> x = arg(0);
      for (std::size_t k = 0; k < dx.size(); ++k)
        if (!is_zero(dy[k])) dx[k] += dy[k] * power_slope(x[k], i.number);
      return;
    }
    case Code::matmul:
      product_back(arg(0), arg(1), dy, dx, into_adjoint(i.args[1]), i.shape.rows, i.shape.cols);
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
      for (std::size_t k = 0; k < y.size() && !dx.empty(); ++k)
        reduce_row_back(i.code, arg(0).subspan(k * length, length), y[k], dy[k], dx.subspan(k * length, length));
      return;
    }
    case Code::norm_p: {
      // Where the array is a constant, its derivatives go nowhere.
      std::vector<T> nowhere(dx.empty() ? arg(0).size() : 0);
      T order_derivative(0);
      norm_p_back(arg(0), arg(1)[0], y[0], dy[0], dx.empty() ? std::span<T>(nowhere) : dx, order_derivative);
      if (const auto dp = into_adjoint(i.args[1]); !dp.empty()) dp[0] += order_derivative;
      return;
    }
    case Code::softmax:
    case Code::share:
    case Code::direction:
    case Code::sorted:
    case Code::cumulated: {
      const auto length = static_cast<std::size_t>(i.length);
      for (std::size_t k = 0; k < dx.size(); k += length)
        map_row_back(i.code, arg(0).subspan(k, length), y.subspan(k, length), dy.subspan(k, length),
                     dx.subspan(k, length));
      return;
    }
    case Code::inverse:
    case Code::determinant:
    case Code::log_determinant:
    case Code::symmetric_eigenvalues:
    case Code::singular_values:
    case Code::operator_norm:
      if (dx.empty()) return;
      if constexpr (std::is_same_v<T, double>) {
        of_matrix_back(i.code, arg(0), program_->instructions[i.args[0]].shape, y, dy, scratch(i), dx);
      } else {
        of_matrix_back(i.code, arg(0), program_->instructions[i.args[0]].shape, y, dy, dx);
      }
      return;
    case Code::orthogonal:
      reflections_back<T>(arg(0), y, dy, dx, i.shape.rows);
      return;
    case Code::attention:
      if constexpr (std::is_same_v<T, double>) {
        std::vector<std::span<const double>> inputs;
        std::vector<std::span<double>> back;
        for (std::size_t k = 1; k < i.args.size(); ++k) {
          inputs.push_back(arg(k));
          back.push_back(into_adjoint(i.args[k]));
        }
        attend_back(*i.attention, inputs, dy, back);
      } else {
        if (i.attention->has_formula) {
          const std::span<T> formula = into_adjoint(i.args[0]);
          for (std::size_t k = 0; k < formula.size(); ++k) formula[k] += dy[k];
        } else {
          for (const std::uint32_t reg : i.args) std::ranges::fill(into_adjoint(reg), unknown(T()));
        }
      }
      return;
  }
}

template class Tape<double>;
template class Tape<Ball>;

}  // namespace attest::language
