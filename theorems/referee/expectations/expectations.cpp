#include "theorems/referee/expectations/expectations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "kernels/statistics/anytime_interval.hpp"
#include "kernels/statistics/confidence_sequence.hpp"
#include "kernels/statistics/sub_gaussian_sequence.hpp"
#include "theorems/referee/expectations/random_draws.hpp"
#include "theorems/referee/points/sizes.hpp"

namespace attest::referee {
namespace {

using language::BallEvaluator;
using language::Evaluator;
using language::Expectation;
using language::Program;
using rigor::Ball;

constexpr std::size_t most_atoms = 4096;
constexpr int nodes_of_one = 400, nodes_of_two = 60;

/// One random raw number: where it stands, its law, the registers of the law's arguments.
struct RandomNumber {
  std::size_t coordinate;
  const language::RawInput* input;
};

std::vector<RandomNumber> random_numbers(const Program& program) {
  std::vector<RandomNumber> numbers;
  for (const language::RawInput& input : program.inputs())
    if (input.random)
      for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k)
        numbers.push_back({input.offset + k, &input});
  return numbers;
}

/// All points of the product of weighted points in each random coordinate.
template <typename Visit>
void for_each_case(const std::vector<RandomNumber>& numbers, const std::vector<std::vector<Atom>>& nodes,
                   std::vector<double>& raw, const Visit& visit) {
  std::vector<std::size_t> at(numbers.size(), 0);
  for (;;) {
    double weight = 1;
    for (std::size_t d = 0; d < numbers.size(); ++d) {
      raw[numbers[d].coordinate] = nodes[d][at[d]].value;
      weight *= nodes[d][at[d]].probability;
    }
    visit(weight);
    std::size_t d = 0;
    while (d < numbers.size() && ++at[d] == nodes[d].size()) at[d++] = 0;
    if (d == numbers.size()) return;
  }
}

/// The search's values in doubles; one object for one thread.
class Values {
 public:
  Values(const Program& program, Means means, const engine::Context& context)
      : program_(program), numbers_(random_numbers(program)), means_(means), evaluator_(program) {
    if (means_ != Means::samples) return;
    const double work = work_of(program);
    const auto count = static_cast<std::size_t>(std::clamp(2e6 / work, 64.0, 1024.0));
    for (std::size_t s = 0; s < count; ++s) streams_.emplace_back(context.seed, context.key, 0x5A0000000000 + s);
  }

  std::vector<double> operator()(std::span<const double> raw) {
    std::vector<double> point(raw.begin(), raw.end());
    const auto& expectations = program_.expectations();
    std::vector<double> sums(expectations.size(), 0.0);
    evaluator_.run(point);
    std::vector<LawAt> laws;
    for (const RandomNumber& number : numbers_) laws.push_back(law_at(*number.input, evaluator_));
    const auto add = [&](double weight) {
      evaluator_.run(point);
      for (std::size_t e = 0; e < sums.size(); ++e) sums[e] += weight * integrand(evaluator_, expectations[e]);
    };
    try {
      if (means_ == Means::samples) {
        for (random::Stream& stream : streams_) {
          stream.seek(0);
          for (std::size_t d = 0; d < numbers_.size(); ++d) point[numbers_[d].coordinate] = draw(laws[d], stream);
          add(1.0 / static_cast<double>(streams_.size()));
        }
      } else {
        std::vector<std::vector<Atom>> nodes;
        for (const LawAt& law : laws)
          nodes.push_back(quadrature(law, numbers_.size() > 1 ? nodes_of_two : nodes_of_one));
        if (std::any_of(nodes.begin(), nodes.end(), [](const auto& each) { return each.empty(); }))
          throw std::invalid_argument("the law has no mass at these arguments");
        for_each_case(numbers_, nodes, point, add);
      }
    } catch (const std::exception&) {
      // Arguments that the law does not allow: no number here.
      std::fill(sums.begin(), sums.end(), std::numeric_limits<double>::quiet_NaN());
    }
    return sums;
  }

 private:
  const Program& program_;
  std::vector<RandomNumber> numbers_;
  Means means_;
  Evaluator evaluator_;
  std::vector<random::Stream> streams_;
};

std::vector<Ball> not_known(std::size_t count) { return {count, Ball(std::numeric_limits<double>::quiet_NaN())}; }

/// Sums over atoms in balls.
std::vector<Ball> enclosed_atoms(const Program& program, std::span<const double> raw) {
  const std::vector<RandomNumber> numbers = random_numbers(program);
  std::vector<Ball> point(raw.begin(), raw.end());
  BallEvaluator balls(program);
  const auto& expectations = program.expectations();
  std::vector<Ball> sums(expectations.size());
  balls.run(point, not_known(expectations.size()));
  std::vector<Ball> chance;  // of the second value
  for (const RandomNumber& number : numbers)
    chance.push_back(number.input->law.name == "bernoulli" ? balls.value(number.input->law_arguments.at(0))[0]
                                                           : Ball(0.5));
  for (std::size_t mask = 0; mask < std::size_t{1} << numbers.size(); ++mask) {
    Ball weight(1);
    for (std::size_t d = 0; d < numbers.size(); ++d) {
      const bool second = ((mask >> d) & 1) != 0;
      point[numbers[d].coordinate] = Ball(second ? 1.0 : numbers[d].input->law.name == "bernoulli" ? 0.0 : -1.0);
      weight *= second ? chance[d] : Ball(1) - chance[d];
    }
    balls.run(point, not_known(expectations.size()));
    for (std::size_t e = 0; e < sums.size(); ++e) {
      if (!expectations[e].probability) {
        sums[e] += weight * balls.value(expectations[e].integrand)[0];
        continue;
      }
      const language::Truth happens = language::decide(balls, expectations[e].event);
      if (happens == language::Truth::holds) sums[e] += weight;
      if (happens == language::Truth::open) sums[e] += Ball::hull(Ball(0), weight);
    }
  }
  return sums;
}

/// Mean over cells of the standard variables, halved where they know least.
class Cells {
 public:
  Cells(const Program& program, std::span<const double> raw, std::size_t which)
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
  }

  Ball mean(std::int64_t most, double enough) {
    std::vector<Cell> start(1);
    for (std::size_t d = 0; d < numbers_.size(); ++d) {
      const std::vector<double> cuts = first_cuts(numbers_[d].input->law.name);
      std::vector<Cell> finer;
      for (const Cell& cell : start)
        for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
          Cell next = cell;
          next.ends.push_back({cuts[k], cuts[k + 1]});
          finer.push_back(next);
        }
      start = std::move(finer);
    }
    const auto worse = [](const Cell& a, const Cell& b) { return a.error < b.error; };
    std::priority_queue<Cell, std::vector<Cell>, decltype(worse)> cells(worse);
    double error = 0;
    for (Cell& cell : start) {
      assess(cell);
      error += cell.error;
      cells.push(std::move(cell));
    }
    while (spent_ < most && !cells.empty() && error > enough && cells.top().error > 0) {
      const Cell worst = cells.top();
      cells.pop();
      error -= worst.error;
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
        cells.push(std::move(half));
      }
    }
    Ball total = settled_;
    for (; !cells.empty(); cells.pop()) total += cells.top().value;
    return total;
  }

 private:
  struct Cell {
    std::vector<std::pair<double, double>> ends;
    Ball value;
    double error = 0;
  };

  static std::vector<double> first_cuts(const std::string& law) {
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

  void assess(Cell& cell) {
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
    if (value.is_finite()) {
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
    cell.error = cell.value.is_finite() ? cell.value.radius() : std::max(1.0, mass.upper()) * 1e6 * mass.upper();
  }

  const Program& program_;
  std::vector<RandomNumber> numbers_;
  std::vector<Ball> point_;
  BallEvaluator balls_;
  const Expectation& expectation_;
  std::vector<Ball> unknown_;
  std::vector<std::vector<Ball>> arguments_;
  std::int64_t spent_ = 0;
  Ball settled_;
};

/// A confidence sequence for one expectation at a point.
struct Sampled {
  Ball interval;
  bool derived = true;
};

Sampled sampled(const Program& program, std::span<const double> raw, std::size_t which, const engine::Context& context,
                double effort) {
  using namespace statistics;
  const std::vector<RandomNumber> numbers = random_numbers(program);
  const Expectation& expectation = program.expectations()[which];
  std::vector<double> point(raw.begin(), raw.end());
  Evaluator evaluator(program);
  evaluator.run(point);
  std::vector<LawAt> laws;
  for (const RandomNumber& number : numbers) laws.push_back(law_at(*number.input, evaluator));
  const double alpha = context.alpha / 64;
  const double work = work_of(program) + 20 * static_cast<double>(numbers.size());
  const auto samples = static_cast<std::int64_t>(std::clamp(effort * 0.25e8 / work, 1000.0, 2e6));

  // Which bound is derived: an event, a bounded integrand, or a Lipschitz function of normal variables.
  std::optional<Range> range;
  if (expectation.probability) {
    range = Range{0, 1};
  } else {
    std::vector<Ball> box(raw.begin(), raw.end());
    bool bounded = true;
    for (std::size_t d = 0; d < numbers.size(); ++d) {
      const auto few = atoms(laws[d]);
      if (few) {
        box[numbers[d].coordinate] = Ball::hull(Ball(few->front().value), Ball(few->back().value));
      } else if (laws[d].name == "uniform") {
        box[numbers[d].coordinate] = Ball::hull(Ball(laws[d].arguments[0]), Ball(laws[d].arguments[1]));
      } else {
        bounded = false;
      }
    }
    if (bounded) {
      BallEvaluator balls(program);
      balls.run(box, not_known(program.expectations().size()));
      const Ball value = balls.value(expectation.integrand)[0];
      if (value.is_finite() && value.upper() > value.lower()) range = Range{value.lower(), value.upper()};
    }
  }
  const double lipschitz = range ? 0 : lipschitz_in_normals(program, evaluator, expectation.integrand);

  std::optional<BettingSequence> betting;
  std::optional<SubGaussianSequence> sub_gaussian;
  Welford moments;
  if (range) betting.emplace(*range, alpha);
  if (!range && std::isfinite(lipschitz) && lipschitz > 0)
    sub_gaussian.emplace(lipschitz, alpha, Sides::two_sided, static_cast<double>(samples));
  std::vector<double> block;
  for (std::int64_t s = 0; s < samples; ++s) {
    if ((s & 1023) == 0) context.poll();
    random::Stream stream(context.seed ^ 0x9E3779B97F4A7C15ULL, context.key,
                          0x6B0000000000 + (static_cast<std::uint64_t>(which) << 32) + static_cast<std::uint64_t>(s));
    for (std::size_t d = 0; d < numbers.size(); ++d) point[numbers[d].coordinate] = draw(laws[d], stream);
    evaluator.run(point);
    const double x = integrand(evaluator, expectation);
    if (!std::isfinite(x)) return {Ball(std::numeric_limits<double>::quiet_NaN()), false};
    moments.add(x);
    block.push_back(range ? std::clamp(x, range->lower, range->upper) : x);
    if (block.size() == 4096 || s + 1 == samples) {
      if (betting) betting->update(block);
      if (sub_gaussian) sub_gaussian->update(block);
      block.clear();
    }
  }
  const Interval interval = betting        ? betting->interval()
                            : sub_gaussian ? sub_gaussian->interval()
                                           : asymptotic_mean_interval(moments, alpha);
  if (!(interval.lower <= interval.upper) || !std::isfinite(interval.lower) || !std::isfinite(interval.upper))
    return {Ball(std::numeric_limits<double>::quiet_NaN()), false};
  return {Ball::hull(Ball(interval.lower), Ball(interval.upper)), betting.has_value() || sub_gaussian.has_value()};
}

}  // namespace

Expectations::Expectations(const Program& program, const engine::Context& context)
    : program_(program), context_(context) {
  if (program.expectations().empty()) return;
  const std::vector<RandomNumber> numbers = random_numbers(program);
  const bool two_valued = std::all_of(numbers.begin(), numbers.end(), [](const RandomNumber& n) {
    return n.input->law.name == "rademacher" || n.input->law.name == "bernoulli";
  });
  if (two_valued && numbers.size() <= 12) {
    means_ = Means::atoms;
  } else if (numbers.size() <= 2) {
    means_ = Means::quadrature;
    cells_ = std::all_of(numbers.begin(), numbers.end(),
                         [](const RandomNumber& n) { return has_standard(n.input->law.name); });
  } else {
    means_ = Means::samples;
  }
  static_assert(most_atoms == std::size_t{1} << 12);
}

ExpectedValues Expectations::values() const {
  if (means_ == Means::none) return {};
  return [values = std::make_shared<Values>(program_, means_, context_)](std::span<const double> raw) {
    return (*values)(raw);
  };
}

EnclosedExpectations Expectations::enclosures(double effort) const {
  if (means_ == Means::none) return {};
  return [this, effort](std::span<const double> raw) {
    if (means_ == Means::atoms) return enclosed_atoms(program_, raw);
    const std::vector<double> key(raw.begin(), raw.end());
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    std::vector<Ball> values;
    for (std::size_t e = 0; e < program_.expectations().size(); ++e) {
      if (cells_) {
        const double work = 0.4 * ball_work_of(program_);
        const auto most = static_cast<std::int64_t>(std::clamp(effort * 0.6e8 / work, 40.0, 20000.0));
        const Ball mean = Cells(program_, raw, e).mean(most, 1e-9);
        // Wide cells of a function that balls know badly (a spectrum) say less than samples.
        if (mean.is_finite() && mean.radius() <= 0.01 * std::max(std::abs(mean.mid()), 1e-3)) {
          values.push_back(mean);
          continue;
        }
        fell_back_ = true;
      }
      const Sampled s = sampled(program_, raw, e, context_, effort);
      derived_ = derived_ && s.derived;
      values.push_back(s.interval);
    }
    known_.emplace(key, values);
    return values;
  };
}

std::string Expectations::how() const {
  switch (means_) {
    case Means::none:
      return "";
    case Means::atoms:
      return "expectations are sums over all cases of the random signs, exactly";
    case Means::quadrature:
      return cells_ ? "expectations are enclosed by quadrature over cells in ball arithmetic"
                    : "expectations come from quadrature while searching and from samples to decide";
    case Means::samples:
      return derived_ ? fmt::format("expectations are enclosed by confidence sequences (error at most {:.0e})",
                                    context_.alpha)
                      : "expectations come from samples whose spread is unknown, judged as large samples";
  }
  return "";
}

double Expectations::resolution() const {
  switch (means_) {
    case Means::none:
    case Means::atoms:
      return 1e-12;
    case Means::quadrature:
      return random_numbers(program_).size() > 1 ? 0.03 : 1e-3;
    case Means::samples:
      return 0.1;
  }
  return 0.1;
}

}  // namespace attest::referee
