#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "theorems/language/program/instruction.hpp"
#include "theorems/referee/expectations/sampled.hpp"

namespace attest::referee {
namespace {

using language::Code;
using language::Instruction;

constexpr double inf = std::numeric_limits<double>::infinity();

/// sup |f'| over the reals; infinity where there is none.
double slope_bound(language::Unary unary) {
  using language::Unary;
  switch (unary) {
    case Unary::negate:
    case Unary::abs:
    case Unary::sin:
    case Unary::cos:
    case Unary::atan:
    case Unary::tanh:
    case Unary::relu:
    case Unary::softplus:
    case Unary::asinh:
      return 1;
    case Unary::sigmoid:
      return 0.25;
    case Unary::erf:
    case Unary::erfc:
      return 2 * std::numbers::inv_sqrtpi;
    case Unary::gelu:
      return 1.12890414519;  // at sqrt 2, rounded up
    case Unary::silu:
      return 1.09983932506;  // near 2.3994, rounded up
    case Unary::normal_cdf:
      return 0.39894228041;  // 1/sqrt(2 pi), rounded up
    default:
      return inf;
  }
}

double largest_magnitude_of(std::span<const double> values) {
  double largest = 0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

double euclidean(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) sum += x * x;
  return std::sqrt(sum);
}

}  // namespace

double lipschitz_in_normals(const language::Program& program, const language::Evaluator& at, std::size_t reg) {
  std::vector<double> bound(program.registers(), 0.0);
  std::vector<double> of_raw(program.dimension(), 0.0);
  for (const language::RawInput& input : program.inputs()) {
    if (!input.random) continue;
    if (input.law.name != "normal") return inf;
    const double deviation = std::abs(at.value(input.law_arguments.at(1))[0]);
    for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k) of_raw[input.offset + k] = deviation;
  }
  for (std::size_t r = 0; r <= reg; ++r) {
    const Instruction& i = program.instructions[r];
    double largest = 0, squares = 0;
    for (const std::uint32_t a : i.args) {
      largest = std::max(largest, bound[a]);
      squares += bound[a] * bound[a];
    }
    if (i.code == Code::input) {
      for (std::size_t k = 0; k < i.size(); ++k)
        bound[r] = std::max(bound[r], of_raw[static_cast<std::size_t>(i.parameter) + k]);
      continue;
    }
    if (largest == 0) continue;
    bound[r] = inf;
    const auto spread = [&](std::uint32_t a) {  // a scalar that stands for all entries
      return bound[a] *
             (program.shape_of(a).size() < i.shape.size() ? std::sqrt(static_cast<double>(i.shape.size())) : 1);
    };
    switch (i.code) {
      case Code::gather: {
        std::vector<int> uses(static_cast<std::size_t>(program.shape_of(i.args[0]).size()), 0);
        int most = 0;
        for (const std::int32_t k : *i.table)
          if (k >= 0) most = std::max(most, ++uses[static_cast<std::size_t>(k)]);
        bound[r] = largest * std::sqrt(static_cast<double>(most));
        break;
      }
      case Code::pack:
        // All parts see the same variables: their squares add.
        bound[r] = std::sqrt(squares);
        break;
      case Code::unary:
        bound[r] = largest * slope_bound(i.unary);
        break;
      case Code::binary: {
        using language::Binary;
        const double left = spread(i.args[0]), right = spread(i.args[1]);
        if (i.binary == Binary::add || i.binary == Binary::subtract || i.binary == Binary::min ||
            i.binary == Binary::max) {
          bound[r] = left + right;
        } else if (i.binary == Binary::multiply && (bound[i.args[0]] == 0 || bound[i.args[1]] == 0)) {
          const bool fixed_left = bound[i.args[0]] == 0;
          const auto fixed = at.value(i.args[fixed_left ? 0 : 1]);
          const double moving = fixed_left ? bound[i.args[1]] : bound[i.args[0]];
          const std::uint32_t moving_arg = i.args[fixed_left ? 1 : 0];
          bound[r] = moving * (program.shape_of(moving_arg).size() < i.shape.size() ? euclidean(fixed)
                                                                                    : largest_magnitude_of(fixed));
        } else if (i.binary == Binary::divide && bound[i.args[1]] == 0) {
          double least = inf;
          for (const double x : at.value(i.args[1])) least = std::min(least, std::abs(x));
          bound[r] = left / least;
        }
        break;
      }
      case Code::matmul:
        if (bound[i.args[0]] == 0) bound[r] = euclidean(at.value(i.args[0])) * bound[i.args[1]];
        if (bound[i.args[1]] == 0) bound[r] = euclidean(at.value(i.args[1])) * bound[i.args[0]];
        break;
      case Code::sum:
      case Code::norm_1:
        bound[r] = std::sqrt(static_cast<double>(i.length)) * largest;
        break;
      case Code::least:
      case Code::largest:
      case Code::norm_2:
      case Code::norm_inf:
      case Code::log_sum_exp:
      case Code::softmax:
      case Code::sorted:
      case Code::symmetric_eigenvalues:
      case Code::singular_values:
      case Code::operator_norm:
        bound[r] = largest;
        break;
      default:
        break;
    }
    if (std::isnan(bound[r])) bound[r] = inf;
  }
  return bound[reg];
}

}  // namespace attest::referee
