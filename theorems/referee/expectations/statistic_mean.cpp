#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>
#include <vector>

#include "theorems/language/evaluation/decide.hpp"
#include "theorems/referee/expectations/random_draws.hpp"
#include "theorems/referee/expectations/random_numbers.hpp"
#include "theorems/referee/expectations/standard_series.hpp"
#include "theorems/referee/expectations/statistic.hpp"
#include "theorems/referee/expectations/statistic_law.hpp"
#include "theorems/referee/proof/power_series.hpp"
#include "theorems/referee/proof/series_registers.hpp"

namespace attest::referee {
namespace {

using language::BallEvaluator;
using language::Program;
using rigor::Ball;

/// The statistic is location + scale * z with z of a law, or takes few values.
struct LawAtPoint {
  LawPointer law = {};
  Ball location, scale;
  std::vector<std::pair<Ball, Ball>> atoms = {};  ///< values and their probabilities
  Ball left = {};                                 ///< the probability of all other values
};

/// A random number with its coefficient in a linear form and its law's arguments.
struct Term {
  const language::RawInput* input;
  Ball coefficient;
  std::vector<Ball> arguments;
};

bool is_zero(const Ball& x) { return arb_is_zero(x.raw()) != 0; }
bool is_same(const Ball& a, const Ball& b) { return is_zero(a - b); }

/// All of one law with the same arguments and coefficients.
bool alike(const std::vector<Term>& terms) {
  const Term& first = terms.front();
  return std::ranges::all_of(terms, [&](const Term& term) {
    // The numbers of one variable share their arguments, also where those are known up to rounding alone.
    const bool one_law = term.input == first.input || (term.input->law.name == first.input->law.name &&
                                                       std::ranges::equal(term.arguments, first.arguments, is_same));
    return one_law && is_same(term.coefficient, first.coefficient);
  });
}

/// k of n two-valued numbers take the second value.
std::vector<std::pair<Ball, Ball>> binomial_atoms(const Ball& from, const Ball& step, int n, const Ball& chance) {
  std::vector<std::pair<Ball, Ball>> atoms;
  Ball ways(1);
  for (int k = 0; k <= n; ++k) {
    atoms.emplace_back(from + step * Ball(k), ways * rigor::pow(chance, k) * rigor::pow(Ball(1) - chance, n - k));
    ways = ways * Ball(n - k) / Ball(k + 1);
  }
  return atoms;
}

/// offset + step * k with k of Poisson's law, up to where what is left counts no more than 2^-100.
std::optional<LawAtPoint> poisson_law(const Ball& offset, const Ball& step, const Ball& rate) {
  constexpr double highest_rate = 500;
  constexpr int most = 4000;
  if (!(rate.upper() < highest_rate)) return std::nullopt;
  LawAtPoint law{nullptr, Ball(0), Ball(1)};
  Ball chance = rigor::exp(-rate);
  for (int k = 0; k < most; ++k) {
    law.atoms.emplace_back(offset + step * Ball(k), chance);
    chance = chance * rate / Ball(k + 1);
    // From here on each chance is less than half of the one before.
    if (k > 2 * rate.upper() && chance.upper() < 0x1p-100) {
      law.left = Ball::hull(Ball(0), Ball(2) * chance);
      return law;
    }
  }
  return std::nullopt;
}

/// Uniform numbers of any ends and coefficients: one that counts negatively is one that counts positively, from its
/// other end.
std::optional<LawAtPoint> law_of_uniforms(const std::vector<Term>& terms, Ball offset) {
  std::vector<Ball> widths;
  for (const Term& term : terms) {
    if (term.input->law.name != "uniform") return std::nullopt;
    const Ball width = term.coefficient * (term.arguments[1] - term.arguments[0]);
    if (!width.is_positive() && !width.is_negative()) return std::nullopt;
    offset += term.coefficient * term.arguments[width.is_positive() ? 0 : 1];
    widths.push_back(rigor::abs(width));
  }
  const Ball first = widths.front();
  if (std::ranges::all_of(widths, [&](const Ball& width) { return is_same(width, first); }))
    return LawAtPoint{sum_of_uniforms(static_cast<int>(widths.size())), offset, first};
  if (widths.size() > most_unequal_uniforms) return std::nullopt;
  return LawAtPoint{sum_of_uniforms(std::move(widths)), offset, Ball(1)};
}

std::optional<LawAtPoint> linear_law(std::vector<Term> terms, const Ball& offset) {
  constexpr int most_uniforms = 40;
  std::erase_if(terms, [](const Term& term) { return is_zero(term.coefficient); });
  if (terms.empty()) return std::nullopt;
  const auto n = static_cast<int>(terms.size());
  if (std::ranges::all_of(terms, [](const Term& term) { return term.input->law.name == "normal"; })) {
    Ball mean = offset, variance;
    for (const Term& term : terms) {
      mean += term.coefficient * term.arguments[0];
      variance += rigor::square(term.coefficient * term.arguments[1]);
    }
    return LawAtPoint{normal_law(), mean, rigor::sqrt(variance)};
  }
  // The sign of a coefficient does not matter to a number that is symmetric about 0.
  if (terms.front().input->law.name == "rademacher")
    for (Term& term : terms) term.coefficient = rigor::abs(term.coefficient);
  if (!alike(terms)) return law_of_uniforms(terms, offset);
  const Term& one = terms.front();
  const Ball c = one.coefficient;
  const std::string& name = one.input->law.name;
  if (name == "rademacher")
    return LawAtPoint{nullptr, Ball(0), Ball(1), binomial_atoms(offset - c * Ball(n), c * Ball(2), n, Ball(0.5))};
  if (name == "bernoulli") return LawAtPoint{nullptr, Ball(0), Ball(1), binomial_atoms(offset, c, n, one.arguments[0])};
  if (name == "exponential") return LawAtPoint{gamma_law(n), offset, c / one.arguments[0]};
  if (name == "chi_squared" && one.arguments[0].is_exact() && one.arguments[0].is_positive())
    return LawAtPoint{gamma_law(n * one.arguments[0].mid() / 2), offset, c * Ball(2)};
  if (name == "poisson" && one.arguments[0].is_positive()) return poisson_law(offset, c, Ball(n) * one.arguments[0]);
  if (name == "uniform" && n <= most_uniforms)
    return LawAtPoint{sum_of_uniforms(n), offset + Ball(n) * c * one.arguments[0],
                      c * (one.arguments[1] - one.arguments[0])};
  return std::nullopt;
}

/// Of the largest, the least or the norm of the numbers of one input.
std::optional<LawAtPoint> law_of_list(Statistic::Form form, const Term& one) {
  using Form = Statistic::Form;
  const auto n = static_cast<int>(one.input->raw.size());
  const std::string& name = one.input->law.name;
  if (name != "normal" && name != "uniform" && name != "exponential") return std::nullopt;
  const Ball start = from_standard(name, one.arguments, Ball(0)),
             scale = from_standard(name, one.arguments, Ball(1)) - start;
  if (!scale.is_positive()) return std::nullopt;
  if (form == Form::largest || form == Form::least)
    return LawAtPoint{extreme_of(name, n, form == Form::largest ? Extreme::largest : Extreme::least), start, scale};
  if (name != "normal" || !is_zero(start)) return std::nullopt;
  return LawAtPoint{form == Form::norm ? norm_of_normals(n) : extreme_of(name, n, Extreme::largest_size), start, scale};
}

std::optional<LawAtPoint> law_at_point(const Statistic& statistic, std::span<const double> raw) {
  const Program& program = statistic.whole;
  std::vector<Ball> point(raw.begin(), raw.end());
  const std::vector<RandomNumber> numbers = random_numbers(program);
  for (const RandomNumber& number : numbers) point[number.coordinate] = Ball(0);
  BallEvaluator balls(program);
  balls.run(point, not_known(program.expectations().size()));
  const bool linear = statistic.form == Statistic::Form::linear;
  std::vector<Ball> gradient(program.dimension());
  const Ball one(1);
  if (linear) balls.gradient(statistic.reg, std::span<const Ball>(&one, 1), gradient);
  std::vector<Term> terms;
  for (const RandomNumber& number : numbers) {
    Term term{number.input, linear ? gradient[number.coordinate] : one, {}};
    for (const std::size_t reg : number.input->law_arguments) term.arguments.push_back(balls.value(reg)[0]);
    terms.push_back(std::move(term));
  }
  if (linear) return linear_law(std::move(terms), balls.value(statistic.reg)[0]);
  const auto listed = std::ranges::find(terms, statistic.numbers, [](const Term& t) { return t.input->element; });
  return listed == terms.end() ? std::nullopt : law_of_list(statistic.form, *listed);
}

/// The integrand at a value of the statistic, over cells of its law.
class Integral {
 public:
  Integral(const Statistic& statistic, const LawAtPoint& law, std::span<const double> raw, std::size_t which)
      : statistic_(statistic),
        law_(law),
        expectation_(statistic.reduced.expectations()[which]),
        balls_(statistic.reduced),
        unknown_(not_known(statistic.reduced.expectations().size())),
        point_(raw.begin(), raw.end()) {
    for (const RandomNumber& number : random_numbers(statistic.reduced))
      if (number.coordinate < raw.size()) point_[number.coordinate] = Ball(0);
    point_.emplace_back(0);
    smooth_ = !expectation_.probability && law.law && series_at(Ball(0.5)).has_value();
  }

  /// The integrand where the statistic lies in a ball: of an event, how likely it is there.
  Ball at(const Ball& statistic) {
    point_.back() = statistic;
    balls_.run(point_, unknown_);
    if (!expectation_.probability) return balls_.value(expectation_.integrand)[0];
    const language::Truth happens = language::decide(balls_, expectation_.event);
    return happens == language::Truth::holds   ? Ball(1)
           : happens == language::Truth::fails ? Ball(0)
                                               : Ball::hull(Ball(0), Ball(1));
  }

  /// Not finite where values that are not listed may count.
  Ball over_atoms() {
    Ball sum = law_.left;
    if (!expectation_.probability && !is_zero(law_.left)) return not_known(1).front();
    for (const auto& [value, chance] : law_.atoms) sum += at(value) * chance;
    return sum;
  }

  Ball over_cells(std::int64_t most) {
    constexpr double enough = 1e-9;
    const std::vector<double> ends = law_.law->ends();
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) add(ends[k], ends[k + 1]);
    for (std::int64_t spent = 0; spent < most && !cells_.empty() && is_open(); ++spent) {
      const Cell worst = cells_.top();
      cells_.pop();
      error_ -= worst.error;
      size_ -= size_of(worst);
      // Long cells far out are cut by their size, not their middle.
      const double middle = worst.from > 4  ? std::sqrt(worst.from * worst.to)
                            : worst.to < -4 ? -std::sqrt(worst.from * worst.to)
                                            : (worst.from + worst.to) / 2;
      if (!(worst.from < middle && middle < worst.to)) {
        settled_ += worst.value;
        continue;
      }
      add(worst.from, middle);
      add(middle, worst.to);
      if (error_ <= enough * std::min(1.0, size_)) break;
    }
    Ball total = settled_;
    for (; !cells_.empty(); cells_.pop()) total += cells_.top().value;
    return total;
  }

 private:
  struct Cell {
    double from, to;
    Ball value;
    double error;
    /// What is not bounded first, however little mass it has.
    bool operator<(const Cell& other) const {
      const bool known = value.is_finite(), other_known = other.value.is_finite();
      if (known != other_known) return known;
      return known ? error < other.error : to - from < other.to - other.from;
    }
  };

  static double size_of(const Cell& cell) { return cell.value.is_finite() ? std::abs(cell.value.mid()) : 0; }
  bool is_open() const { return !cells_.top().value.is_finite() || cells_.top().error > 0; }

  void add(double from, double to) {
    const Ball mass = law_.law->mass(from, to), z = Ball::hull(Ball(from), Ball(to)), middle((from + to) / 2);
    Cell cell{from, to, at(law_.location + law_.scale * z) * mass, 0};
    if (!expectation_.probability && !(cell.value.radius() <= next_to_nothing)) {
      if (smooth_)
        expand(cell, z, middle);
      else
        by_slope(cell, mass, middle);
    }
    cell.error = cell.value.is_finite() ? cell.value.radius() : 0;
    error_ += cell.error;
    size_ += size_of(cell);
    cells_.push(std::move(cell));
  }

  /// Mean value form: f(z) = f(middle) + s (z - middle) + r (z - middle), s the slope's middle and r the rest.
  /// Precondition: the last evaluation was over the cell.
  void by_slope(Cell& cell, const Ball& mass, const Ball& middle) {
    if (!cell.value.is_finite()) return;
    std::vector<Ball> gradient(point_.size());
    const Ball one(1), half_width((cell.to - cell.from) / 2);
    balls_.gradient(expectation_.integrand, std::span<const Ball>(&one, 1), gradient);
    const Ball slope = gradient.back() * law_.scale, known(slope.mid()), rest = slope - known;
    const Ball offset = law_.law->moments_about_middle(cell.from, cell.to, 2)[1];
    const Ball form = at(law_.location + law_.scale * middle) * mass + known * offset +
                      rest * Ball::hull(-half_width, half_width) * mass;
    if (form.is_finite() && form.radius() < cell.value.radius()) cell.value = form;
  }

  /// The integrand about z, as a series in the law's number.
  std::optional<BallSeries> series_at(const Ball& z) const {
    std::vector<BallSeries> raw;
    for (const Ball& x : point_) raw.emplace_back(x, 0);
    raw.back() = BallSeries(law_.location + law_.scale * z, 0);
    arb_poly_set_coeff_arb(raw.back().raw(), 1, law_.scale.raw());
    return SeriesRegisters<BallSeries>(statistic_.reduced, raw, expectation_.integrand)
        .entry(expectation_.integrand, 0);
  }

  /// By the first moment alone, and by all that there are where that leaves something open.
  void expand(Cell& cell, const Ball& z, const Ball& middle) const {
    const auto everywhere = series_at(z), centre = series_at(middle);
    if (!everywhere || !centre) return;
    const Ball half_width((cell.to - cell.from) / 2);
    for (const int count : {2, series_terms}) {
      const std::vector<Ball> moments = law_.law->moments_about_middle(cell.from, cell.to, count);
      cell.value = by_expansion(*everywhere, *centre, moments, half_width, cell.value);
      if (cell.value.radius() <= next_to_nothing) return;
    }
  }

  static constexpr double next_to_nothing = 1e-14;

  const Statistic& statistic_;
  const LawAtPoint& law_;
  const language::Expectation& expectation_;
  BallEvaluator balls_;
  std::vector<Ball> unknown_, point_;
  std::priority_queue<Cell> cells_;
  Ball settled_;
  double error_ = 0, size_ = 0;
  bool smooth_ = false;  ///< the integrand is made of functions that are expanded here
};

}  // namespace

std::optional<Ball> mean_by_statistic(const Statistic& statistic, std::span<const double> raw, std::size_t which,
                                      std::int64_t most) {
  // Sums over cases alternate in sign: forty uniform numbers cost fifty bits.
  const rigor::PrecisionScope precision(192);
  const auto law = law_at_point(statistic, raw);
  if (!law || (!law->law && law->atoms.empty())) return std::nullopt;
  Integral integral(statistic, *law, raw, which);
  if (!law->atoms.empty()) return integral.over_atoms();
  if (!law->location.is_finite() || !law->scale.is_finite()) return std::nullopt;
  return integral.over_cells(most);
}

}  // namespace attest::referee
