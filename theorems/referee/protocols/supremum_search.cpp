#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/protocols/constants.hpp"
#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/protocols/rays.hpp"

namespace attest::referee {
namespace {

std::size_t coordinate_of(const language::Program& program, const std::string& name) {
  for (const language::RawInput& input : program.inputs())
    if (input.name == name) return input.offset;
  throw language::Problem({}, fmt::format("the constant '{}' does not stand in the statement", name));
}

/// Whether a larger constant makes the claim easier, from points at which it matters; empty where it matters nowhere.
std::optional<bool> larger_is_easier(const Trial& trial, const Asked& asked, const engine::Context& context) {
  Landscape landscape(*trial.program, trial.expectations->values(), asked);
  const Bounds bounds = bounds_of(*trial.program);
  int votes = 0;
  for (std::uint64_t k = 0; k < 200; ++k) {
    random::Stream stream(context.seed, context.key, 0x77000000 + k);
    const std::vector<double> point = draw_point(*trial.program, bounds, k, stream);
    const double less = landscape.margin_at(point, 0.5), more = landscape.margin_at(point, 1);
    if (std::isnan(less) || std::isnan(more) || less == more) continue;
    votes += more > less ? 1 : -1;
  }
  return votes == 0 ? std::nullopt : std::optional(votes > 0);
}

/// The claim at this constant certainly fails at the point.
bool fails_at(const Trial& trial, const Asked& asked, std::vector<double> raw, double constant) {
  raw[asked.coordinate] = constant;
  for (const std::int64_t bits : {128, 512}) {
    const rigor::PrecisionScope precision(bits);
    language::BallEvaluator balls(*trial.program);
    const std::vector<rigor::Ball> point(raw.begin(), raw.end());
    if (const EnclosedExpectations expected = trial.expectations->enclosures(1)) {
      balls.run(point, expected(raw));
    } else {
      balls.run(point);
    }
    for (const auto& condition : trial.program->conditions())
      if (language::decide(balls, condition) != language::Truth::holds) return false;
    if (language::decide(balls, trial.program->claim()) == language::Truth::fails) return true;
  }
  return false;
}

/// Whatever the constant is: at the ends of its set and at some between, or at some of all sizes where it has no ends,
/// and far beyond it the claim certainly fails. One that holds somewhere between is not met by making the constant
/// larger.
bool fails_for_all(const Trial& trial, const Asked& asked, const std::vector<double>& raw, double far) {
  std::vector<double> values = {0, 0.01, -0.01, 1, -1, 100, -100, 1e4, -1e4, 1e6, -1e6, far};
  if (std::isfinite(asked.lower) && std::isfinite(asked.upper)) {
    constexpr int parts = 10;
    values = {far};
    for (int k = 0; k <= parts; ++k) values.push_back(asked.lower + (asked.upper - asked.lower) * k / parts);
  }
  return std::ranges::all_of(values, [&](double value) {
    return (value != far && (value < asked.lower || value > asked.upper)) || fails_at(trial, asked, raw, value);
  });
}

}  // namespace

SupremumSearch::SupremumSearch(const language::Statement& statement, const std::string& constant,
                               const engine::Context& context, double share)
    : context_(context), name_(constant) {
  const double flops = share * context.effort * flops_of_effort;
  const Sizes sizes = choose_sizes(statement, context,
                                   context.effort < 2    ? 10
                                   : context.effort < 16 ? 16
                                                         : 30,
                                   flops / 400);
  trials_ = make_trials(statement, sizes, context);
  sizes_ = sizes;
  for (const Trial& trial : trials_) {
    Asked asked;
    asked.coordinate = coordinate_of(*trial.program, constant);
    const language::RawInput* own = nullptr;
    for (const language::RawInput& input : trial.program->inputs())
      if (input.name == constant) own = &input;
    asked.lower = own->lower.at(0);
    asked.upper = own->upper.at(0);
    asked_.emplace_back(asked);
  }
  // At the least sizes it may not matter: n^C at n = 1.
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    if (const auto easier = larger_is_easier(trials_[i], *asked_[i], context)) {
      smallest_ = *easier;
      break;
    }
  }
  for (auto& asked : asked_) asked->smallest = smallest_;
  search_all(trials_, context, flops, static_cast<std::int64_t>(20000 * context.effort), asked_);
  polish(flops);
}

std::vector<std::size_t> SupremumSearch::most_demanding_first() const {
  const auto slack = [&](std::size_t i) { return trials_[i].harvest.best.candidates().front().slack; };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < trials_.size(); ++i)
    if (!trials_[i].harvest.best.empty()) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return slack(a) < slack(b); });
  return order;
}

bool SupremumSearch::polish_trial(Trial& trial, const Asked& asked, double flops) const {
  Landscape landscape(*trial.program, trial.expectations->values(), asked);
  landscape.set_ball_checks(4000);
  const auto evaluations = static_cast<std::int64_t>(std::clamp(flops / trial.work, 200.0, 20000.0));
  std::vector<std::vector<double>> seeds;
  for (const search::Candidate& candidate : trial.harvest.best.candidates()) {
    if (seeds.size() == 4) break;
    seeds.push_back(candidate.point);
  }
  bool to_the_end = false;
  const auto follow = [&](std::vector<double>& seed) {
    Followed followed = follow_rays(landscape, seed);
    seed = std::move(followed.point);
    to_the_end |= followed.to_the_end;
  };
  for (int round = 0; round < 2; ++round) {
    for (std::vector<double>& seed : seeds) follow(seed);
    Harvest more = search_from(landscape, context_, 0x400 + static_cast<std::uint64_t>(round), evaluations / 2, seeds);
    trial.harvest.evaluations += more.evaluations;
    trial.harvest.admissible += more.admissible;
    trial.harvest.best.merge(more.best);
    if (!trial.harvest.best.empty()) seeds.insert(seeds.begin(), trial.harvest.best.candidates().front().point);
    if (seeds.size() > 3) seeds.resize(3);
  }
  for (std::vector<double>& seed : seeds) {
    follow(seed);
    const double slack = slack_at(landscape, seed);
    if (slack < 1e300) trial.harvest.best.add(slack, seed);
  }
  return to_the_end;
}

void SupremumSearch::polish(double flops) {
  // The most demanding trials are searched further, then followed to where suprema that are not attained lie.
  std::vector<std::size_t> order = most_demanding_first();
  if (order.size() > 4) order.resize(4);
  std::vector<char> at_the_end(trials_.size(), 0);
  parallel::for_each_block(static_cast<std::int64_t>(order.size()), context_.threads, [&](std::int64_t block) {
    const std::size_t i = order[static_cast<std::size_t>(block)];
    at_the_end[i] = polish_trial(trials_[i], *asked_[i], 0.5 * flops / static_cast<double>(order.size())) ? 1 : 0;
  });
  best_trial_ = order.empty() ? trials_.size() : order.front();
  for (const std::size_t i : order)
    if (trials_[i].harvest.best.candidates().front().slack <
        trials_[best_trial_].harvest.best.candidates().front().slack)
      best_trial_ = i;
  if (best_trial_ < trials_.size()) attained_ = at_the_end[best_trial_] == 0;
}

std::optional<BestConstant> SupremumSearch::confirmed(std::size_t i) const {
  const Trial& trial = trials_[i];
  const Asked& asked = *asked_[i];
  BestConstant best;
  best.name = name_;
  best.smallest = smallest_;
  best.attained = attained_;
  const double towards = smallest_ ? -1 : 1;
  std::size_t looked_at = 0;
  for (const search::Candidate& candidate : trial.harvest.best.candidates()) {
    if (++looked_at > 6) break;
    const double demanded = smallest_ ? -candidate.slack : candidate.slack;
    if (std::abs(demanded) > 1e300) {
      // Whatever the constant is, the claim fails there: shown at one far beyond its set.
      const double far = -towards * 1e12;
      if (!fails_for_all(trial, asked, candidate.point, far)) continue;
      best.found = best.extrapolated = best.not_refuted =
          std::copysign(std::numeric_limits<double>::infinity(), demanded);
      std::vector<double> raw = candidate.point;
      raw[asked.coordinate] = std::clamp(far, asked.lower, asked.upper);
      best.witness = point_at(*trial.program, trial.choices, raw, trial.expectations->enclosures(1));
      return best;
    }
    // What is called found must certainly be demanded: just inside of it the claim fails in balls.
    for (const double step : {1e-15, 1e-13, 1e-11, 1e-9, 1e-7}) {
      const double inside = demanded + towards * step * std::max(std::abs(demanded), 1e-300);
      if (!fails_at(trial, asked, candidate.point, inside)) continue;
      best.found = inside;
      std::vector<double> raw = candidate.point;
      raw[asked.coordinate] = inside;
      best.witness = point_at(*trial.program, trial.choices, raw, trial.expectations->enclosures(1));
      best.extrapolated = best.not_refuted = demanded;
      return best;
    }
  }
  return std::nullopt;
}

bool SupremumSearch::grows_without_end() const {
  if (best_trial_ >= trials_.size() || trials_[best_trial_].harvest.best.empty()) return false;
  const Trial& trial = trials_[best_trial_];
  const std::vector<double>& far = trial.harvest.best.candidates().front().point;
  Landscape landscape(*trial.program, trial.expectations->values(), asked_[best_trial_]);
  const Bounds bounds = bounds_of(*trial.program);
  const double demanded = slack_at(landscape, far);
  // Towards infinity, and towards 0.
  for (const bool outwards : {true, false}) {
    std::vector<double> nearer = far;
    bool moved = false;
    for (const language::RawInput& input : trial.program->inputs()) {
      if (input.random || input.whole || input.name == name_) continue;
      for (std::size_t i = input.offset; i < input.offset + static_cast<std::size_t>(input.raw.size()); ++i) {
        const double size = std::abs(far[i]);
        if (outwards ? size < 1e5 : !(size > 0 && size < 1e-5)) continue;
        nearer[i] = std::clamp(far[i] * (outwards ? 0.1 : 10.0), bounds.lower[i], bounds.upper[i]);
        moved |= nearer[i] != far[i];
      }
    }
    const double there = moved ? slack_at(landscape, nearer) : 1e300;
    if (!(there < 1e300) || !(std::abs(demanded) > 1.05 * std::abs(there))) continue;
    // Not by rounding: nearer this is enough, as far as balls tell, and far out more is certainly demanded.
    const double enough = (smallest_ ? -1 : 1) * there,
                 more = (1 + std::copysign(0.05, enough * (smallest_ ? 1 : -1))) * enough;
    const Asked& asked = *asked_[best_trial_];
    if (!fails_at(trial, asked, nearer, (enough + more) / 2) && fails_at(trial, asked, far, more)) return true;
  }
  return false;
}

std::optional<BestConstant> SupremumSearch::result() const {
  // The most demanding size whose demand is confirmed.
  for (const std::size_t i : most_demanding_first())
    if (auto best = confirmed(i)) return best;
  return std::nullopt;
}

}  // namespace attest::referee
