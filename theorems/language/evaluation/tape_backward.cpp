// The way back: derivatives of every operation, last to first.
#include <algorithm>
#include <type_traits>

#include "theorems/language/evaluation/attention_call.hpp"
#include "theorems/language/evaluation/dispatch.hpp"
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

/// The derivatives of one instruction by its arguments, times `dy`, operation by operation (dispatch.hpp). An
/// argument's adjoint is empty where nothing below it varies.
template <typename T>
class Tape<T>::Backward {
 public:
  Backward(Tape& tape, const Instruction& i, std::span<const T> dy) : tape_(tape), i_(i), y_(tape.into(i)), dy_(dy) {}

  void leaf() const {}

  void gather() const {
    const std::span<T> dx = back(0);
    if (dx.empty()) return;
    const auto& table = *i_.table;
    for (std::size_t k = 0; k < y_.size(); ++k)
      if (table[k] >= 0) dx[static_cast<std::size_t>(table[k])] += dy_[k];
  }

  void pack() const {
    std::size_t at = 0;
    for (std::size_t a = 0; a < i_.args.size(); ++a) {
      const std::span<T> part = back(a);
      for (std::size_t k = 0; k < part.size(); ++k) part[k] += dy_[at + k];
      at += arg(a).size();
    }
  }

  void choose() const {
    for (std::size_t k = 0; k < y_.size(); ++k) {
      const std::int64_t at = position(arg(0)[k]);
      if (at < 0 || at + 1 >= static_cast<std::int64_t>(i_.args.size())) continue;
      if (const auto part = back(static_cast<std::size_t>(at) + 1); !part.empty()) part[0] += dy_[k];
    }
  }

  void unary() const {
    const std::span<const T> x = arg(0);
    const std::span<T> dx = back(0);
    for (std::size_t k = 0; k < dx.size(); ++k)
      if (!is_zero(dy_[k])) dx[k] += dy_[k] * slope(i_.unary, x[k], y_[k]);
  }

  void binary() const {
    const std::span<T> dx = back(0), dz = back(1);
    const std::span<const T> a = arg(0), b = arg(1);
    const std::size_t step_a = a.size() == 1 ? 0 : 1, step_b = b.size() == 1 ? 0 : 1;
    for (std::size_t k = 0; k < y_.size(); ++k) {
      if (is_zero(dy_[k])) continue;
      const auto s = slopes(i_.binary, a[k * step_a], b[k * step_b], y_[k]);
      if (!dx.empty()) dx[k * step_a] += dy_[k] * s.x;
      if (!dz.empty()) dz[k * step_b] += dy_[k] * s.y;
    }
  }

  void power() const {
    const std::span<const T> x = arg(0);
    const std::span<T> dx = back(0);
    for (std::size_t k = 0; k < dx.size(); ++k)
      if (!is_zero(dy_[k])) dx[k] += dy_[k] * power_slope(x[k], i_.number);
  }

  void matmul() const {
    const std::span<T> dx = back(0), dz = back(1);
    matrix_product_back(arg(0), arg(1), dy_, dx, dz, i_.shape.rows, i_.shape.cols);
  }

  void reduce_rows() const {
    const std::span<T> dx = back(0);
    const auto length = static_cast<std::size_t>(i_.length);
    for (std::size_t k = 0; k < y_.size() && !dx.empty(); ++k)
      reduce_row_back(i_.code, arg(0).subspan(k * length, length), y_[k], dy_[k], dx.subspan(k * length, length));
  }

  void norm_p() const {
    const std::span<T> dx = back(0);
    // Where the array is a constant, its derivatives go nowhere.
    std::vector<T> nowhere(dx.empty() ? arg(0).size() : 0);
    T order_derivative(0);
    norm_p_back(arg(0), arg(1)[0], y_[0], dy_[0], dx.empty() ? std::span<T>(nowhere) : dx, order_derivative);
    if (const auto dp = back(1); !dp.empty()) dp[0] += order_derivative;
  }

  void map_rows() const {
    const std::span<T> dx = back(0);
    const auto length = static_cast<std::size_t>(i_.length);
    for (std::size_t k = 0; k < dx.size(); k += length)
      map_row_back(i_.code, arg(0).subspan(k, length), y_.subspan(k, length), dy_.subspan(k, length),
                   dx.subspan(k, length));
  }

  void of_matrix() const {
    const std::span<T> dx = back(0);
    if (dx.empty()) return;
    const Shape shape = tape_.program_->instructions[i_.args[0]].shape;
    if constexpr (std::is_same_v<T, double>) {
      of_matrix_back(i_.code, arg(0), shape, y_, dy_, tape_.scratch(i_), dx);
    } else {
      of_matrix_back(i_.code, arg(0), shape, y_, dy_, dx);
    }
  }

  void orthogonal() const { reflections_back<T>(arg(0), y_, dy_, back(0), i_.shape.rows); }

  void attention() const {
    if constexpr (std::is_same_v<T, double>) {
      std::vector<std::span<const double>> inputs;
      std::vector<std::span<double>> gradients;
      for (std::size_t k = 1; k < i_.args.size(); ++k) {
        inputs.push_back(arg(k));
        gradients.push_back(back(k));
      }
      attend_back(*i_.attention, inputs, dy_, gradients);
    } else if (i_.attention->has_formula) {
      const std::span<T> formula = back(0);
      for (std::size_t k = 0; k < formula.size(); ++k) formula[k] += dy_[k];
    } else {
      for (std::size_t k = 0; k < i_.args.size(); ++k) std::ranges::fill(back(k), unknown(T()));
    }
  }

 private:
  std::span<const T> arg(std::size_t k) const { return tape_.entries(i_.args[k]); }
  std::span<T> back(std::size_t k) const { return tape_.into_adjoint(i_.args[k]); }

  Tape& tape_;
  const Instruction& i_;
  std::span<const T> y_, dy_;
};

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
      dispatch(i.code, Backward(*this, i, dy));
    }
  }
}

// The class is instantiated in tape.cpp, which does not see these.
template std::span<double> Tape<double>::seed(std::size_t);
template std::span<double> Tape<double>::into_adjoint(std::size_t);
template void Tape<double>::sweep(std::span<double>);
template std::span<rigor::Ball> Tape<rigor::Ball>::seed(std::size_t);
template std::span<rigor::Ball> Tape<rigor::Ball>::into_adjoint(std::size_t);
template void Tape<rigor::Ball>::sweep(std::span<rigor::Ball>);

}  // namespace attest::language
