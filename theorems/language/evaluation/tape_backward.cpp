// The way back: derivatives of every operation, last to first.
#include <algorithm>
#include <type_traits>

#include "theorems/language/evaluation/attention_call.hpp"
#include "theorems/language/evaluation/reflections.hpp"
#include "theorems/language/evaluation/tape.hpp"
#include "theorems/language/evaluation/tape_numbers.hpp"

namespace attest::language {
namespace {

/// d/dx x^e = e x^(e-1).
template <typename T>
T power_slope(const T& x, const rigor::Rational& e) {
  return exactly(e, T()) * power(x, e - rigor::Rational(1));
}

}  // namespace

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

// The class is instantiated in tape.cpp, which does not see these.
template std::span<double> Tape<double>::seed(std::size_t);
template std::span<double> Tape<double>::into_adjoint(std::size_t);
template void Tape<double>::sweep(std::span<double>);
template void Tape<double>::backward(const Instruction&, std::span<const double>);
template std::span<rigor::Ball> Tape<rigor::Ball>::seed(std::size_t);
template std::span<rigor::Ball> Tape<rigor::Ball>::into_adjoint(std::size_t);
template void Tape<rigor::Ball>::sweep(std::span<rigor::Ball>);
template void Tape<rigor::Ball>::backward(const Instruction&, std::span<const rigor::Ball>);

}  // namespace attest::language
