#include "theorems/referee/expectations/cells.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <string>

#include "theorems/language/evaluation/decide.hpp"
#include "theorems/referee/expectations/random_draws.hpp"
#include "theorems/referee/expectations/standard_series.hpp"
#include "theorems/referee/proof/series_registers.hpp"

namespace attest::referee {

using rigor::Ball;

namespace {

std::vector<double> first_cuts(const std::string& law) {
  const Support support = standard_support(law);
  if (law == "uniform") return {0, 0.25, 0.5, 0.75, 1};
  std::vector<double> cuts = {0, 0.5, 1, 2, 3, 4, 6, 9, 14, 24, 48, 100, 400, support.upper};
  if (support.lower < 0) {
    const std::vector<double> positive = cuts;
    cuts.clear();
    for (auto it = positive.rbegin(); it != positive.rend(); ++it) cuts.push_back(-*it);
    cuts.back() = 0;
    cuts.insert(cuts.end(), positive.begin() + 1, positive.end());
  }
  return cuts;
}

}  // namespace

Cells::Cells(const language::Program& program, std::span<const double> raw, std::size_t which)
    : program_(program),
      numbers_(random_numbers(program)),
      point_(raw.begin(), raw.end()),
      balls_(program),
      expectation_(program.expectations()[which]) {
  unknown_ = not_known(program.expectations().size());
  balls_.run(point_, unknown_);
  for (const RandomNumber& number : numbers_) {
    std::vector<Ball> arguments;
    for (const std::size_t reg : number.input->law_arguments) arguments.push_back(balls_.value(reg)[0]);
    arguments_.push_back(arguments);
  }
  if (numbers_.size() == 1 && !expectation_.probability) smooth_ = taylor_coefficients(Ball(0.5)).has_value();
}

Ball Cells::mean(std::int64_t most, double enough) {
  std::vector<Cell> start(1);
  for (const RandomNumber& number : numbers_) {
    const std::vector<double> cuts = first_cuts(number.input->law.name);
    std::vector<Cell> finer;
    for (const Cell& cell : start)
      for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
        Cell next = cell;
        next.ends.emplace_back(cuts[k], cuts[k + 1]);
        finer.push_back(next);
      }
    start = std::move(finer);
  }
  // First what is not bounded at all, however little mass it has, the widest cells before others; then by the error.
  const auto rank = [](const Cell& c) {
    const bool bounded = c.value.is_finite();
    return std::pair(!bounded, bounded ? c.error : c.ends[0].second - c.ends[0].first);
  };
  const auto worse = [rank](const Cell& a, const Cell& b) { return rank(a) < rank(b); };
  std::priority_queue<Cell, std::vector<Cell>, decltype(worse)> cells(worse);
  double error = 0, size = 0;
  const auto size_of = [](const Cell& cell) { return cell.value.is_finite() ? std::abs(cell.value.mid()) : 0; };
  for (Cell& cell : start) {
    assess(cell);
    error += cell.error;
    size += size_of(cell);
    cells.push(std::move(cell));
  }
  const auto is_open = [&](const Cell& top) {
    return !top.value.is_finite() || (error > enough * std::min(1.0, size) && top.error > 0);
  };
  while (spent_ < most && !cells.empty() && is_open(cells.top())) {
    const Cell worst = cells.top();
    cells.pop();
    error -= worst.error;
    size -= size_of(worst);
    if (smooth_ && !worst.expanded) {
      Cell finer = worst;
      expand(finer);
      error += finer.error;
      size += size_of(finer);
      cells.push(std::move(finer));
      continue;
    }
    // Halve the side along which the cell is longest.
    std::size_t side = 0;
    for (std::size_t d = 1; d < worst.ends.size(); ++d)
      if (worst.ends[d].second - worst.ends[d].first > worst.ends[side].second - worst.ends[side].first) side = d;
    const auto [a, b] = worst.ends[side];
    // Long cells far out are cut by their size, not their middle.
    const double middle = a > 4 ? std::sqrt(a * b) : b < -4 ? -std::sqrt(a * b) : (a + b) / 2;
    if (!(a < middle && middle < b)) {
      settled_ += worst.value;
      continue;
    }
    for (const auto& part : {std::pair{a, middle}, std::pair{middle, b}}) {
      Cell half;
      half.ends = worst.ends;
      half.ends[side] = part;
      assess(half);
      error += half.error;
      size += size_of(half);
      cells.push(std::move(half));
    }
  }
  Ball total = settled_;
  for (; !cells.empty(); cells.pop()) total += cells.top().value;
  return total;
}

std::optional<BallSeries> Cells::taylor_coefficients(const Ball& z) const {
  std::vector<BallSeries> raw;
  for (const Ball& x : point_) raw.emplace_back(x, 0);
  raw[numbers_[0].coordinate] = series_of_standard(numbers_[0].input->law.name, arguments_[0], z);
  return SeriesRegisters<BallSeries>(program_, raw, expectation_.integrand).entry(expectation_.integrand, 0);
}

void Cells::expand(Cell& cell) {
  cell.expanded = true;
  const auto [a, b] = cell.ends[0];
  const Ball middle((a + b) / 2), half_width = rigor::max(Ball(b) - middle, middle - Ball(a));
  const auto everywhere = taylor_coefficients(Ball::hull(Ball(a), Ball(b)));
  const auto centre = everywhere ? taylor_coefficients(middle) : std::nullopt;
  if (!centre) return;
  const std::vector<Ball> moments = standard_moments(numbers_[0].input->law.name, a, b, series_terms);
  cell.value = by_expansion(*everywhere, *centre, moments, half_width, cell.value);
  cell.error = cell.value.is_finite() ? cell.value.radius() : 0;
}

void Cells::assess(Cell& cell) {
  ++spent_;
  std::vector<Ball> box = point_, centre = point_;
  Ball mass(1);
  std::vector<Ball> offsets, slopes;  // E[z - middle; cell] of each side over its mass, d draw / dz
  std::vector<Ball> own_mass;
  std::vector<double> half_widths;
  for (std::size_t d = 0; d < numbers_.size(); ++d) {
    const std::string& law = numbers_[d].input->law.name;
    const auto [a, b] = cell.ends[d];
    const double middle = (a + b) / 2;
    const Ball z = Ball::hull(Ball(a), Ball(b));
    box[numbers_[d].coordinate] = from_standard(law, arguments_[d], z);
    centre[numbers_[d].coordinate] = from_standard(law, arguments_[d], Ball(middle));
    own_mass.push_back(standard_mass(law, Ball(a), Ball(b)));
    offsets.push_back(standard_moment(law, Ball(a), Ball(b)) - Ball(middle) * own_mass.back());
    slopes.push_back(slope_of_standard(law, arguments_[d], z));
    half_widths.push_back(std::max(b - middle, middle - a));
    mass *= own_mass.back();
  }
  balls_.run(box, unknown_);
  if (expectation_.probability) {
    const language::Truth happens = language::decide(balls_, expectation_.event);
    cell.value = happens == language::Truth::holds   ? mass
                 : happens == language::Truth::fails ? Ball(0)
                                                     : Ball::hull(Ball(0), mass);
    cell.error = cell.value.radius();
    return;
  }
  const Ball value = balls_.value(expectation_.integrand)[0];
  cell.value = value * mass;
  if (value.is_finite() && !smooth_) {
    // Mean value form: f(z) = f(middle) + f'(.) (z - middle).
    std::vector<Ball> gradient(program_.dimension());
    const Ball one(1);
    balls_.gradient(expectation_.integrand, std::span<const Ball>(&one, 1), gradient);
    balls_.run(centre, unknown_);
    Ball form = balls_.value(expectation_.integrand)[0] * mass;
    for (std::size_t d = 0; d < numbers_.size(); ++d) {
      const Ball slope = gradient[numbers_[d].coordinate] * slopes[d];
      Ball others(1);
      for (std::size_t e = 0; e < numbers_.size(); ++e)
        if (e != d) others *= own_mass[e];
      // slope = s + r with |r| <= radius: s times the moment exactly, r times at most half width and mass.
      Ball mid(slope.mid());
      const Ball rest = slope - mid;
      form += mid * offsets[d] * others + rest * Ball::hull(Ball(-half_widths[d]), Ball(half_widths[d])) * mass;
    }
    if (form.is_finite() && form.radius() < cell.value.radius()) cell.value = form;
  }
  cell.error = cell.value.is_finite() ? cell.value.radius() : 0;
}

}  // namespace attest::referee
