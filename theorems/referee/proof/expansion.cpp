#include "theorems/referee/proof/expansion.hpp"

#include <algorithm>
#include <compare>
#include <optional>

#include "theorems/referee/proof/series_registers.hpp"

namespace attest::referee {
namespace {

using language::Binary;
using language::Program;
using language::Relation;
using rigor::Ball;
using rigor::Rational;

/// The greater side less the smaller one.
template <typename Series>
std::optional<Series> slack(const Program& program, const language::Formula& relation, std::size_t k,
                            const std::vector<Series>& raw) {
  const SeriesRegisters<Series> registers(program, raw, std::max(relation.lhs, relation.rhs));
  const auto lhs = registers.entry(relation.lhs, k), rhs = registers.entry(relation.rhs, k);
  if (!lhs || !rhs) return std::nullopt;
  const bool upwards = says_greater(relation.relation);
  return upwards ? apply(Binary::subtract, *lhs, *rhs) : apply(Binary::subtract, *rhs, *lhs);
}

/// 0 or a sign, where it is certain.
std::optional<int> sign_of(const Ball& c) {
  if (c.is_positive()) return 1;
  if (c.is_negative()) return -1;
  return c.is_exact() && c.contains_zero() ? std::optional(0) : std::nullopt;
}
std::optional<int> sign_of(const Rational& c) {
  const auto order = c <=> Rational(0);
  return std::is_lt(order) ? -1 : std::is_gt(order) ? 1 : 0;
}

/// The first coefficient that is not 0, where those before are certainly 0 and it has the sign that it needs.
template <typename Series>
std::optional<int> first_coefficient(const Series& s, bool at_upper_end) {
  for (int m = 0; m < series_terms; ++m) {
    const auto sign = sign_of(s.coefficient(m));
    if (!sign) return std::nullopt;
    if (*sign == 0) continue;
    const int turned = at_upper_end && m % 2 == 1 ? -*sign : *sign;
    return turned > 0 ? std::optional(m) : std::nullopt;
  }
  return std::nullopt;
}

class Expansion {
 public:
  Expansion(const Program& program, const language::Formula& relation, std::size_t k,
            const std::vector<std::pair<double, double>>& box)
      : program_(program), relation_(relation), k_(k), box_(box) {}

  bool holds() const {
    if (relation_.kind != language::Formula::Kind::relation || relation_.relation == Relation::equal) return false;
    for (std::size_t i = 0; i < box_.size(); ++i) {
      if (!(box_[i].first < box_[i].second)) continue;
      if (at_end(i, false) || at_end(i, true)) return true;
    }
    return false;
  }

 private:
  bool at_end(std::size_t variable, bool upper) const {
    const bool strict = is_strict(relation_.relation);
    if (strict && !left_out(variable, upper)) return false;
    const std::optional<int> first = order_at(variable, upper);
    if (!first || *first == 0) return false;
    const auto everywhere = slack(program_, relation_, k_,
                                  balls(variable, Ball::hull(Ball(box_[variable].first), Ball(box_[variable].second))));
    if (!everywhere) return false;
    const Ball c = everywhere->coefficient(*first);
    const Ball turned = upper && *first % 2 == 1 ? -c : c;
    return turned.is_finite() && (strict ? turned.is_positive() : turned.is_nonnegative());
  }

  /// The end is one that the variable's set does not contain.
  bool left_out(std::size_t variable, bool upper) const {
    return std::ranges::any_of(program_.inputs(), [&](const language::RawInput& input) {
      if (variable < input.offset || variable >= input.offset + input.lower.size()) return false;
      const std::size_t k = variable - input.offset;
      return upper ? input.upper_open && box_[variable].second == input.upper[k]
                   : input.lower_open && box_[variable].first == input.lower[k];
    });
  }

  std::optional<int> order_at(std::size_t variable, bool upper) const {
    const double end = upper ? box_[variable].second : box_[variable].first;
    std::vector<RationalSeries> exact;
    for (std::size_t i = 0; i < box_.size(); ++i) {
      if (i != variable && box_[i].first != box_[i].second) break;
      exact.emplace_back(Rational::from_double(i == variable ? end : box_[i].first), i == variable ? 1 : 0);
    }
    if (exact.size() == box_.size())
      if (const auto s = slack(program_, relation_, k_, exact)) return first_coefficient(*s, upper);
    const auto s = slack(program_, relation_, k_, balls(variable, Ball(end)));
    return s ? first_coefficient(*s, upper) : std::nullopt;
  }

  std::vector<BallSeries> balls(std::size_t variable, const Ball& at) const {
    std::vector<BallSeries> raw;
    for (std::size_t i = 0; i < box_.size(); ++i)
      raw.emplace_back(i == variable ? at : Ball::hull(Ball(box_[i].first), Ball(box_[i].second)),
                       i == variable ? 1 : 0);
    return raw;
  }

  const Program& program_;
  const language::Formula& relation_;
  std::size_t k_;
  const std::vector<std::pair<double, double>>& box_;
};

}  // namespace

bool holds_by_expansion(const Program& program, const language::Formula& relation, std::size_t k,
                        const std::vector<std::pair<double, double>>& box) {
  return Expansion(program, relation, k, box).holds();
}

}  // namespace attest::referee
