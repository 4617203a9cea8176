#include "kernels/statistics/confidence_sequence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/elementary/exponential.hpp"

namespace attest::statistics {
namespace {

void require_valid(const char* where, Range range, double alpha) {
  if (!(alpha > 0 && alpha < 1))
    throw std::invalid_argument(fmt::format("{}: alpha = {} is not in (0, 1)", where, alpha));
  if (!(std::isfinite(range.lower) && std::isfinite(range.upper) && range.lower < range.upper))
    throw std::invalid_argument(
        fmt::format("{}: the range [{}, {}] is not a bounded interval", where, range.lower, range.upper));
}

double to_unit(const char* where, double observation, Range range, std::uint64_t index) {
  if (!(observation >= range.lower && observation <= range.upper))
    throw std::invalid_argument(fmt::format("{}: observation {} = {} is not in the stated range [{}, {}]", where, index,
                                            observation, range.lower, range.upper));
  return std::clamp((observation - range.lower) / (range.upper - range.lower), 0.0, 1.0);
}

double from_unit(double unit, Range range) { return range.lower + (range.upper - range.lower) * unit; }

// Fan's function -log(1 - u) - u, u in [0, 1).
double fan(double bet) { return -std::log1p(-bet) - bet; }

constexpr std::size_t bet_count = 20;
constexpr double largest_bet = 0.96;
// log capital is computed with a relative error of a few ulp of terms that stay below 2^12 where a decision is made,
// and the error of the mean enters multiplied by n u / m < 2^33; both are far below this addition to the threshold.
constexpr double rounding_slack = 1.0 / (1 << 16);

struct Bets {
  std::array<double, bet_count> size, fan;
  double log_count = std::log(static_cast<double>(bet_count));
};

const Bets& bets() {
  static const Bets table = [] {
    Bets result{};
    double size = largest_bet;
    for (std::size_t k = 0; k < bet_count; ++k, size /= 2) {
      result.size[k] = size;
      result.fan[k] = fan(size);
    }
    return result;
  }();
  return table;
}

// Whether the mixture capital of betting on "mean > m" is certain to have reached exp(log_level).
bool excludes(double m, double samples, double mean, double mean_square_deviation, double log_level) {
  const double gain = samples * (mean - m) / m;
  const double square = samples * (mean_square_deviation + (mean - m) * (mean - m)) / (m * m);
  const double needed = log_level + bets().log_count + rounding_slack;
  std::array<double, bet_count> log_capital{};
  double largest = 0;
  for (std::size_t k = 0; k < bet_count; ++k) log_capital[k] = bets().size[k] * gain - bets().fan[k] * square;
  for (const double value : log_capital) largest = std::max(largest, value);
  // The sum lies between its largest term and bet_count times that; only between the two are exponentials needed.
  if (largest >= needed) return true;
  if (!(largest + bets().log_count >= needed)) return false;
  double sum = 0;
  for (double& value : log_capital) value = elementary::exponential(value - largest);
  for (const double value : log_capital) sum += value;
  return largest + std::log(sum) >= needed;
}

double raised_lower_end(double current, double samples, double mean, double mean_square_deviation, double log_level) {
  const double gap = mean - current;
  if (!(gap > 0) || samples < 1) return current;
  const auto out = [&](double m) { return m > 0 && excludes(m, samples, mean, mean_square_deviation, log_level); };
  // Whatever is excluded is a valid end, so the search only affects how good the end is: start where a gain is just
  // worth having, or else walk away from the mean until a candidate is excluded; then bisect.
  double excluded = current + gap / 4096, open = mean;
  if (!out(excluded)) {
    double step = std::ldexp(gap, -14);
    while (step < gap && !out(mean - step)) step *= 2;
    if (!(step < gap)) return current;
    excluded = mean - step;
    open = mean - step / 2;
  }
  while (open - excluded > 0x1p-13 * (mean - excluded)) {
    const double middle = excluded + (open - excluded) / 2;
    (out(middle) ? excluded : open) = middle;
  }
  return std::max(current, excluded);
}

}  // namespace

double betting_lower_end(double samples, double mean, double mean_square_deviation, double alpha, double floor) {
  return raised_lower_end(floor, samples, mean, mean_square_deviation, -std::log(alpha));
}

EmpiricalBernsteinSequence::EmpiricalBernsteinSequence(Range range, double alpha, Sides sides)
    : range_(range), sides_(sides), log_level_(-std::log(level_per_side(alpha, sides))) {
  require_valid("EmpiricalBernsteinSequence", range, alpha);
}

void EmpiricalBernsteinSequence::update(std::span<const double> observations) {
  constexpr double cap = 0.5;
  for (const double observation : observations) {
    const double x = to_unit("EmpiricalBernsteinSequence", observation, range_, moments_.count());
    const auto t = static_cast<double>(moments_.count() + 1);
    // Both plug-ins use the past only: prior mean 1/2 and prior variance 1/4 count as one observation.
    const double past_mean = (0.5 + moments_.mean() * (t - 1)) / t;
    const double past_variance = predictable_squares_ / t;
    const double bet = std::min(cap, std::sqrt(2 * log_level_ / (past_variance * t * std::log1p(t))));
    bets_ += bet;
    weighted_ += bet * x;
    variance_penalty_ += (x - past_mean) * (x - past_mean) * fan(bet);
    moments_.add(x);
    const double new_mean = (0.5 + moments_.mean() * t) / (t + 1);
    predictable_squares_ += (x - new_mean) * (x - new_mean);
    const double center = weighted_ / bets_;
    const double half_width = (log_level_ + variance_penalty_) / bets_;
    if (sides_ != Sides::upper_only) unit_.lower = std::max(unit_.lower, center - half_width);
    if (sides_ != Sides::lower_only) unit_.upper = std::min(unit_.upper, center + half_width);
  }
}

Interval EmpiricalBernsteinSequence::interval() const {
  return {from_unit(unit_.lower, range_), from_unit(unit_.upper, range_)};
}

double EmpiricalBernsteinSequence::mean() const { return from_unit(moments_.mean(), range_); }

BettingSequence::BettingSequence(Range range, double alpha, Sides sides)
    : range_(range), sides_(sides), log_level_(-std::log(level_per_side(alpha, sides))) {
  require_valid("BettingSequence", range, alpha);
}

void BettingSequence::update(std::span<const double> observations) {
  if (observations.empty()) return;
  for (const double observation : observations)
    moments_.add(to_unit("BettingSequence", observation, range_, moments_.count()));
  const auto n = static_cast<double>(moments_.count());
  const double mean = moments_.mean();
  const double deviation = moments_.sum_of_squares() / n;
  if (sides_ != Sides::upper_only) unit_.lower = raised_lower_end(unit_.lower, n, mean, deviation, log_level_);
  if (sides_ != Sides::lower_only)
    unit_.upper = 1 - raised_lower_end(1 - unit_.upper, n, 1 - mean, deviation, log_level_);
}

Interval BettingSequence::interval() const { return {from_unit(unit_.lower, range_), from_unit(unit_.upper, range_)}; }

double BettingSequence::mean() const { return from_unit(moments_.mean(), range_); }

double BettingSequence::variance() const {
  const double scale = range_.upper - range_.lower;
  return scale * scale * moments_.variance();
}

}  // namespace attest::statistics
