#include "theorems/referee/expectations/expectations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "theorems/referee/expectations/cells.hpp"
#include "theorems/referee/expectations/enclosed_atoms.hpp"
#include "theorems/referee/expectations/random_draws.hpp"
#include "theorems/referee/expectations/sampled.hpp"
#include "theorems/referee/expectations/searched_values.hpp"
#include "theorems/referee/points/work.hpp"

namespace attest::referee {

using language::Program;
using rigor::Ball;

namespace {

constexpr std::size_t most_atoms = 4096;
constexpr const char* by_laws =
    "expectations are enclosed in ball arithmetic by the law of the sum, extreme or norm that they depend on";

}  // namespace

Expectations::Expectations(const Program& program, engine::Context context)
    : program_(program), context_(std::move(context)) {
  if (program.expectations().empty()) return;
  const std::vector<RandomNumber> numbers = random_numbers(program);
  const bool two_valued = std::all_of(numbers.begin(), numbers.end(), [](const RandomNumber& n) {
    return n.input->law.name == "rademacher" || n.input->law.name == "bernoulli";
  });
  if (two_valued && numbers.size() <= 12) {
    means_ = Means::atoms;
  } else if (auto moments = Moments::of(program)) {
    means_ = Means::moments;
    moments_ = std::make_shared<const Moments>(std::move(*moments));
  } else if (numbers.size() <= 2) {
    means_ = Means::quadrature;
    one_number_ = numbers.size() == 1;
    cells_ = std::all_of(numbers.begin(), numbers.end(),
                         [](const RandomNumber& n) { return has_standard(n.input->law.name); });
  } else {
    means_ = Means::samples;
  }
  static_assert(most_atoms == std::size_t{1} << 12);
  if ((numbers.size() < 2 && cells_) || means_ == Means::atoms || means_ == Means::moments) return;
  for (std::size_t e = 0; e < program.expectations().size(); ++e) statistics_.push_back(statistics_of(program, e));
}

ExpectedValues Expectations::values() const {
  if (means_ == Means::none) return {};
  if (means_ == Means::moments)
    return [moments = moments_](std::span<const double> raw) { return moments->in_doubles(raw); };
  return [values = std::make_shared<SearchedValues>(program_, means_, context_)](std::span<const double> raw) {
    return (*values)(raw);
  };
}

EnclosedExpectations Expectations::enclosures(double effort) const {
  if (means_ == Means::none) return {};
  return [this, effort](std::span<const double> raw) {
    if (means_ == Means::atoms) return enclosed_atoms(program_, raw);
    if (means_ == Means::moments) return moments_->in_balls(raw);
    const std::vector<double> key(raw.begin(), raw.end());
    if (const auto found = known_.find(key); found != known_.end()) return found->second.values;
    std::vector<Ball> values;
    bool certain = true;
    for (std::size_t e = 0; e < program_.expectations().size(); ++e) {
      if (const auto mean = by_statistic(raw, e, effort)) {
        by_statistic_ = true;
        values.push_back(*mean);
      } else if (const auto known = by_cells(raw, e, effort)) {
        values.push_back(*known);
      } else {
        fell_back_ = true;
        certain = false;
        const Sampled s = sampled(program_, raw, e, context_, effort);
        derived_ = derived_ && s.derived;
        const bool may_be_infinite = cells_ && one_number_ && !s.derived;
        values.push_back(may_be_infinite ? Ball(std::numeric_limits<double>::quiet_NaN()) : s.interval);
      }
    }
    known_.emplace(key, Enclosed{values, certain});
    return values;
  };
}

namespace {

std::int64_t most_cells(const Program& program, double effort) {
  const double work = 0.4 * ball_work_of(program);
  return static_cast<std::int64_t>(std::clamp(effort * 0.6e8 / work, 40.0, 20000.0));
}

/// Wide cells of a function that balls know badly (a spectrum) say less than samples.
bool says_enough(const Ball& mean) {
  return mean.is_finite() && mean.radius() <= 0.01 * std::max(std::abs(mean.mid()), 1e-3);
}

}  // namespace

std::optional<Ball> Expectations::by_cells(std::span<const double> raw, std::size_t e, double effort) const {
  if (!cells_) return std::nullopt;
  const Ball mean = Cells(program_, raw, e).mean(most_cells(program_, effort), 1e-9);
  return says_enough(mean) ? std::optional(mean) : std::nullopt;
}

std::optional<Ball> Expectations::by_statistic(std::span<const double> raw, std::size_t e, double effort) const {
  if (statistics_.empty()) return std::nullopt;
  for (const Statistic& statistic : statistics_[e]) {
    auto mean = mean_by_statistic(statistic, raw, e, most_cells(program_, effort));
    if (mean && says_enough(*mean)) return mean;
  }
  return std::nullopt;
}

bool Expectations::certain_at(std::span<const double> raw) const {
  const auto found = known_.find(std::vector<double>(raw.begin(), raw.end()));
  return found == known_.end() ? certain() : found->second.certain;
}

std::string Expectations::how() const {
  switch (means_) {
    case Means::none:
      return "";
    case Means::atoms:
      return "expectations are sums over all cases of the random signs, exactly";
    case Means::moments:
      return "expectations of polynomials are those of the laws' moments, exactly";
    case Means::quadrature:
      if (by_statistic_ && !fell_back_) return by_laws;
      if (cells_ && fell_back_)
        return derived_ ? "expectations are enclosed by quadrature over cells in ball arithmetic, or by confidence "
                          "sequences where that says too little"
                        : "expectations come from samples whose spread is unknown, as quadrature over cells in ball "
                          "arithmetic encloses them too widely; they may be infinite";
      return cells_ ? "expectations are enclosed by quadrature over cells in ball arithmetic"
                    : "expectations come from quadrature while searching and from samples to decide";
    case Means::samples:
      if (certain()) return by_laws;
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
    case Means::moments:
      return 1e-12;
    case Means::quadrature:
      if (random_numbers(program_).size() == 1) return 1e-3;
      // A grid of 60 x 60 points knows little of where an event ends.
      return std::ranges::any_of(program_.expectations(), &language::Expectation::probability) ? 0.1 : 0.03;
    case Means::samples:
      return 0.1;
  }
  return 0.1;
}

}  // namespace attest::referee
