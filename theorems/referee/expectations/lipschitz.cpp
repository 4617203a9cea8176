#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

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

/// Bounds of the Lipschitz constants of a program's registers, one after the other.
class RegisterBounds {
 public:
  RegisterBounds(const language::Program& program, const language::Evaluator& at, std::vector<double> of_raw)
      : program_(program), at_(at), of_raw_(std::move(of_raw)), bound_(program.registers(), 0.0) {}

  double operator[](std::size_t reg) const { return bound_[reg]; }

  /// Precondition: the registers before it are known.
  void add(std::size_t reg) {
    const Instruction& i = program_.instructions[reg];
    const double found = i.code == Code::input ? of_input(i) : largest_of(i) == 0 ? 0 : of_operation(i);
    bound_[reg] = found;
    if (std::isnan(found)) bound_[reg] = inf;
  }

 private:
  double of_input(const Instruction& i) const {
    double bound = 0;
    for (std::size_t k = 0; k < i.size(); ++k)
      bound = std::max(bound, of_raw_[static_cast<std::size_t>(i.parameter) + k]);
    return bound;
  }

  double largest_of(const Instruction& i) const {
    double largest = 0;
    for (const std::uint32_t a : i.args) largest = std::max(largest, bound_[a]);
    return largest;
  }

  double of_operation(const Instruction& i) const {
    switch (i.code) {
      case Code::gather:
        return of_gather(i);
      case Code::pack:
        return of_pack(i);
      case Code::unary:
        return largest_of(i) * slope_bound(i.unary);
      case Code::binary:
        return of_binary(i);
      case Code::matmul:
        return of_product(i);
      case Code::sum:
      case Code::norm_1:
        return std::sqrt(static_cast<double>(i.length)) * largest_of(i);
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
        return largest_of(i);
      default:
        return inf;
    }
  }

  double of_gather(const Instruction& i) const {
    std::vector<int> uses(static_cast<std::size_t>(program_.shape_of(i.args[0]).size()), 0);
    int most = 0;
    for (const std::int32_t k : *i.table)
      if (k >= 0) most = std::max(most, ++uses[static_cast<std::size_t>(k)]);
    return largest_of(i) * std::sqrt(static_cast<double>(most));
  }

  /// All parts see the same variables: their squares add.
  double of_pack(const Instruction& i) const {
    double squares = 0;
    for (const std::uint32_t a : i.args) squares += bound_[a] * bound_[a];
    return std::sqrt(squares);
  }

  /// A scalar stands for all entries.
  bool is_spread(std::uint32_t a, const Instruction& i) const { return program_.shape_of(a).size() < i.shape.size(); }
  double spread(std::uint32_t a, const Instruction& i) const {
    return bound_[a] * (is_spread(a, i) ? std::sqrt(static_cast<double>(i.shape.size())) : 1);
  }

  double of_binary(const Instruction& i) const {
    using language::Binary;
    const std::uint32_t a = i.args[0], b = i.args[1];
    switch (i.binary) {
      case Binary::add:
      case Binary::subtract:
      case Binary::min:
      case Binary::max:
        return spread(a, i) + spread(b, i);
      case Binary::multiply:
        if (bound_[a] == 0) return of_multiple(i, a, b);
        return bound_[b] == 0 ? of_multiple(i, b, a) : inf;
      case Binary::divide: {
        if (bound_[b] != 0) return inf;
        double least = inf;
        for (const double x : at_.value(b)) least = std::min(least, std::abs(x));
        return spread(a, i) / least;
      }
      default:
        return inf;
    }
  }

  double of_multiple(const Instruction& i, std::uint32_t fixed, std::uint32_t moving) const {
    const auto factor = at_.value(fixed);
    return bound_[moving] * (is_spread(moving, i) ? euclidean(factor) : largest_magnitude_of(factor));
  }

  double of_product(const Instruction& i) const {
    const std::uint32_t a = i.args[0], b = i.args[1];
    if (bound_[b] == 0) return euclidean(at_.value(b)) * bound_[a];
    return bound_[a] == 0 ? euclidean(at_.value(a)) * bound_[b] : inf;
  }

  const language::Program& program_;
  const language::Evaluator& at_;
  std::vector<double> of_raw_, bound_;
};

}  // namespace

double lipschitz_in_normals(const language::Program& program, const language::Evaluator& at, std::size_t reg) {
  std::vector<double> of_raw(program.dimension(), 0.0);
  for (const language::RawInput& input : program.inputs()) {
    if (!input.random) continue;
    if (input.law.name != "normal") return inf;
    const double deviation = std::abs(at.value(input.law_arguments.at(1))[0]);
    for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k) of_raw[input.offset + k] = deviation;
  }
  RegisterBounds bounds(program, at, std::move(of_raw));
  for (std::size_t r = 0; r <= reg; ++r) bounds.add(r);
  return bounds[reg];
}

}  // namespace attest::referee
