#include "theorems/referee/expectations/derived_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "theorems/language/program/instruction.hpp"

namespace attest::referee {
namespace {

using language::Binary;
using language::Code;
using language::Instruction;
using language::Unary;
using rigor::Ball;
using statistics::Range;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr Range everything{-inf, inf};

/// Ends that doubles found, moved outwards by more than they may be off.
Range widened(double lower, double upper) {
  constexpr double relative = 1e-13, least = 1e-300;
  if (std::isnan(lower)) lower = -inf;
  if (std::isnan(upper)) upper = inf;
  return {lower - relative * std::abs(lower) - least, upper + relative * std::abs(upper) + least};
}

/// An infinite end is approached, not taken, so that 0 times it is 0.
double product(double x, double y) { return x == 0 || y == 0 ? 0 : x * y; }

Range operator*(const Range& x, const Range& y) {
  const auto [least, most] = std::minmax(
      {product(x.lower, y.lower), product(x.lower, y.upper), product(x.upper, y.lower), product(x.upper, y.upper)});
  return widened(least, most);
}

Range hull(const Range& x, const Range& y) { return {std::min(x.lower, y.lower), std::max(x.upper, y.upper)}; }

Range inverse(const Range& x) {
  if (x.lower > 0 || x.upper < 0) return widened(1 / x.upper, 1 / x.lower);
  return everything;
}

Range size_of(const Range& x) {
  const double far = std::max(std::abs(x.lower), std::abs(x.upper));
  return {x.lower <= 0 && x.upper >= 0 ? 0 : std::min(std::abs(x.lower), std::abs(x.upper)), far};
}

Range power_of_range(const Range& x, const rigor::Rational& exponent) {
  if (exponent < rigor::Rational(0)) return inverse(power_of_range(x, rigor::Rational(0) - exponent));
  const double p = exponent.to_double();
  if (!exponent.is_whole()) return x.lower >= 0 ? widened(std::pow(x.lower, p), std::pow(x.upper, p)) : everything;
  const bool even = (exponent / rigor::Rational(2)).is_whole();
  const Range base = even ? size_of(x) : x;
  const Range found = widened(std::pow(base.lower, p), std::pow(base.upper, p));
  return even ? Range{std::max(0.0, found.lower), found.upper} : found;
}

Range by_ends(Unary f, const Range& x) { return widened(value(f, x.lower), value(f, x.upper)); }

Range unary(Unary f, const Range& x) {
  switch (f) {
    case Unary::negate:
      return {-x.upper, -x.lower};
    case Unary::exp:
    case Unary::sigmoid:
    case Unary::softplus:
    case Unary::normal_cdf:
    case Unary::relu:
    case Unary::sqrt: {
      const Range found = by_ends(f, x);
      return {std::max(0.0, found.lower), found.upper};
    }
    case Unary::log:
    case Unary::log1p:
    case Unary::expm1:
    case Unary::cbrt:
    case Unary::sign:
    case Unary::floor:
    case Unary::ceil:
    case Unary::sinh:
    case Unary::tanh:
    case Unary::asinh:
    case Unary::atan:
    case Unary::erf:
    case Unary::elu:
      return by_ends(f, x);
    case Unary::erfc:
      return widened(std::erfc(x.upper), std::erfc(x.lower));
    case Unary::abs:
      return size_of(x);
    case Unary::sin:
    case Unary::cos:
      return {-1, 1};
    case Unary::normal_pdf: {
      const Range far = size_of(x);
      const Range found = widened(value(f, far.upper), value(f, far.lower));
      return {std::max(0.0, found.lower), found.upper};
    }
    // Their least values are -0.1700 and -0.2785; on the right they lie below max(x, 0).
    case Unary::gelu:
      return {-0.18, std::max(0.0, x.upper)};
    case Unary::silu:
      return {-0.28, std::max(0.0, x.upper)};
    default:
      return everything;
  }
}

Range binary(Binary f, const Range& x, const Range& y) {
  switch (f) {
    case Binary::add:
      return widened(x.lower + y.lower, x.upper + y.upper);
    case Binary::subtract:
      return widened(x.lower - y.upper, x.upper - y.lower);
    case Binary::multiply:
      return x * y;
    case Binary::divide:
      return x * inverse(y);
    case Binary::min:
      return {std::min(x.lower, y.lower), std::min(x.upper, y.upper)};
    case Binary::max:
      return {std::max(x.lower, y.lower), std::max(x.upper, y.upper)};
    default:
      return everything;
  }
}

/// The ranges of a program's registers, one after the other.
class Ranges {
 public:
  Ranges(const language::Program& program, std::vector<Range> raw, std::size_t last) : raw_(std::move(raw)) {
    for (std::size_t reg = 0; reg <= last; ++reg) {
      const Instruction& i = program.instructions[reg];
      std::vector<Range> entries;
      for (std::size_t k = 0; k < i.size(); ++k) entries.push_back(entry(i, k));
      values_.push_back(std::move(entries));
    }
  }

  const Range& scalar(std::size_t reg) const { return values_[reg].at(0); }

 private:
  const Range& argument(const Instruction& i, std::size_t a, std::size_t k) const {
    const std::vector<Range>& all = values_[i.args[a]];
    return all[all.size() == 1 ? 0 : k];
  }

  Range entry(const Instruction& i, std::size_t k) const {
    switch (i.code) {
      case Code::input:
        return raw_[static_cast<std::size_t>(i.parameter) + k];
      case Code::constant:
        return widened(i.number.to_double(), i.number.to_double());
      case Code::pi:
        return widened(std::numbers::pi, std::numbers::pi);
      case Code::euler:
        return widened(std::numbers::e, std::numbers::e);
      case Code::gather:
        return (*i.table)[k] < 0 ? Range{0, 0} : argument(i, 0, static_cast<std::size_t>((*i.table)[k]));
      case Code::pack:
        return packed(i, k);
      case Code::unary:
        return unary(i.unary, argument(i, 0, k));
      case Code::binary:
        return binary(i.binary, argument(i, 0, k), argument(i, 1, k));
      case Code::power:
        return power_of_range(argument(i, 0, k), i.number);
      case Code::softmax:
        return {0, 1};
      case Code::direction:
        return {-1, 1};
      case Code::sum:
      case Code::product:
      case Code::least:
      case Code::largest:
      case Code::norm_1:
      case Code::norm_2:
      case Code::norm_inf:
        return reduced(i, k);
      default:
        return everything;
    }
  }

  Range packed(const Instruction& i, std::size_t k) const {
    for (const std::uint32_t reg : i.args) {
      if (k < values_[reg].size()) return values_[reg][k];
      k -= values_[reg].size();
    }
    return everything;
  }

  Range reduced(const Instruction& i, std::size_t row) const {
    const auto length = static_cast<std::size_t>(i.length);
    Range total = i.code == Code::product ? Range{1, 1} : Range{0, 0};
    for (std::size_t k = 0; k < length; ++k) {
      const Range x = values_[i.args[0]][row * length + k];
      const bool first = k == 0;
      switch (i.code) {
        case Code::product:
          total = total * x;
          break;
        case Code::least:
          total = first ? x : binary(Binary::min, total, x);
          break;
        case Code::largest:
          total = first ? x : binary(Binary::max, total, x);
          break;
        case Code::norm_1:
          total = binary(Binary::add, total, size_of(x));
          break;
        case Code::norm_2:
          total = binary(Binary::add, total, power_of_range(x, rigor::Rational(2)));
          break;
        case Code::norm_inf:
          total = binary(Binary::max, total, size_of(x));
          break;
        default:
          total = binary(Binary::add, total, x);
      }
    }
    if (i.code == Code::norm_1 || i.code == Code::norm_2) total.lower = std::max(0.0, total.lower);
    return i.code == Code::norm_2 ? unary(Unary::sqrt, total) : total;
  }

  std::vector<Range> raw_;
  std::vector<std::vector<Range>> values_;
};

/// All values of a number under its law.
Range support_of(const LawAt& law) {
  if (const auto few = atoms(law))
    return hull({few->front().value, few->front().value}, {few->back().value, few->back().value});
  if (law.name == "uniform")
    return {std::min(law.arguments[0], law.arguments[1]), std::max(law.arguments[0], law.arguments[1])};
  const bool positive =
      law.name == "exponential" || law.name == "lognormal" || law.name == "chi_squared" || law.name == "poisson";
  return positive ? Range{0, inf} : everything;
}

bool is_a_range(double lower, double upper) { return std::isfinite(lower) && std::isfinite(upper) && lower < upper; }

}  // namespace

std::optional<Range> derived_range(const language::Program& program, std::span<const double> raw,
                                   const language::Expectation& expectation, const std::vector<RandomNumber>& numbers,
                                   const std::vector<LawAt>& laws) {
  if (expectation.probability) return Range{0, 1};
  std::vector<Range> ends;
  for (const double x : raw) ends.push_back({x, x});
  bool bounded = true;
  for (std::size_t d = 0; d < numbers.size(); ++d) {
    const Range support = ends[numbers[d].coordinate] = support_of(laws[d]);
    bounded &= std::isfinite(support.lower) && std::isfinite(support.upper);
  }
  if (bounded) {
    std::vector<Ball> box;
    for (const Range& each : ends) box.push_back(Ball::hull(Ball(each.lower), Ball(each.upper)));
    language::BallEvaluator balls(program);
    balls.run(box, not_known(program.expectations().size()));
    const Ball value = balls.value(expectation.integrand)[0];
    if (is_a_range(value.lower(), value.upper())) return Range{value.lower(), value.upper()};
  }
  const Range found = Ranges(program, std::move(ends), expectation.integrand).scalar(expectation.integrand);
  return is_a_range(found.lower, found.upper) ? std::optional(found) : std::nullopt;
}

}  // namespace attest::referee
