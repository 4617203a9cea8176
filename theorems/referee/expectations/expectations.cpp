#include "theorems/referee/expectations/expectations.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

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
  } else if (auto moments = Moments::of(program)) {
    means_ = Means::moments;
    moments_ = std::make_shared<const Moments>(std::move(*moments));
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
    case Means::moments:
      return "expectations of polynomials are those of the laws' moments, exactly";
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
    case Means::moments:
      return 1e-12;
    case Means::quadrature:
      return random_numbers(program_).size() > 1 ? 0.03 : 1e-3;
    case Means::samples:
      return 0.1;
  }
  return 0.1;
}

}  // namespace attest::referee
