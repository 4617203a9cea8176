#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"
#include "theorems/referee/points/work.hpp"
#include "theorems/referee/proof/box_proof.hpp"
#include "theorems/referee/proof/closed_form.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/proof/sign_proof.hpp"
#include "theorems/referee/protocols/constants.hpp"
#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/question/question.hpp"

namespace attest::referee {
namespace {

using engine::Verdict;
using language::Quantifier;

std::size_t coordinate_of(const language::Program& program, const std::string& name) {
  for (const language::RawInput& input : program.inputs())
    if (input.name == name) return input.offset;
  throw language::Problem({}, fmt::format("the constant '{}' does not stand in the statement", name));
}

/// Whether a larger constant makes the claim easier, from points at which it matters.
bool larger_is_easier(Trial& trial, const Asked& asked, const engine::Context& context) {
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
  return votes >= 0;
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

/// A demand as a search knows it: slack = -constant for the smallest, +constant for the largest.
double slack_at(Landscape& landscape, const std::vector<double>& raw) {
  const Assessment a = landscape.assess(raw);
  return a.admissible() && !std::isnan(a.slack) ? a.slack : 1e300;
}

/// Follows a point to where suprema that are not attained lie: variables of one shape drawn together, all or single
/// ones scaled down and up, as long as the demand grows.
std::vector<double> follow_rays(Landscape& landscape, std::vector<double> point, bool& moved_to_the_end) {
  const auto& inputs = landscape.program().inputs();
  const Bounds bounds = bounds_of(landscape.program());
  double slack = slack_at(landscape, point);
  moved_to_the_end = false;
  const auto try_point = [&](std::vector<double> next) {
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = std::clamp(next[i], bounds.lower[i], bounds.upper[i]);
    const double there = slack_at(landscape, next);
    if (!(there < slack)) return false;
    slack = there;
    point = std::move(next);
    return true;
  };
  for (int round = 0; round < 3; ++round) {
    const double before = slack;
    for (const double factor : {0.5, 0.1, 2.0, 10.0}) {
      for (std::size_t v = 0; v <= inputs.size(); ++v) {
        for (int step = 0; step < 40; ++step) {
          std::vector<double> next = point;
          for (std::size_t w = 0; w < inputs.size(); ++w) {
            if (inputs[w].random || inputs[w].whole || (v < inputs.size() && v != w)) continue;
            if (landscape.asked() && inputs[w].offset == landscape.asked()->coordinate) continue;
            for (std::size_t k = 0; k < static_cast<std::size_t>(inputs[w].raw.size()); ++k)
              next[inputs[w].offset + k] *= factor;
          }
          if (next == point || !try_point(std::move(next))) break;
          moved_to_the_end |= step > 12;
        }
      }
    }
    for (std::size_t v = 0; v < inputs.size(); ++v) {
      for (std::size_t w = 0; w < inputs.size(); ++w) {
        if (v == w || inputs[v].raw != inputs[w].raw || inputs[v].random || inputs[w].random || inputs[v].whole)
          continue;
        for (const double factor : {0.5, 0.1, 2.0}) {
          for (int step = 0; step < 20; ++step) {
            std::vector<double> next = point;
            for (std::size_t k = 0; k < static_cast<std::size_t>(inputs[v].raw.size()); ++k) {
              const double anchor = point[inputs[v].offset + k];
              next[inputs[w].offset + k] = anchor + factor * (point[inputs[w].offset + k] - anchor);
            }
            if (next == point || !try_point(std::move(next))) break;
            moved_to_the_end |= step > 8;
          }
        }
      }
    }
    if (!(slack < before)) break;
  }
  return point;
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
    asked_.push_back(asked);
  }
  smallest_ = larger_is_easier(trials_.front(), *asked_.front(), context);
  for (auto& asked : asked_) asked->smallest = smallest_;
  search_all(trials_, context, flops, static_cast<std::int64_t>(20000 * context.effort), asked_);
  polish(flops);
}

void SupremumSearch::polish(double flops) {
  // The most demanding trials are searched further, then followed to where suprema that are not attained lie.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < trials_.size(); ++i)
    if (!trials_[i].harvest.best.empty()) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return trials_[a].harvest.best.candidates().front().slack < trials_[b].harvest.best.candidates().front().slack;
  });
  if (order.size() > 4) order.resize(4);
  std::vector<char> at_the_end(trials_.size(), 0);
  parallel::for_each_block(static_cast<std::int64_t>(order.size()), context_.threads, [&](std::int64_t block) {
    const std::size_t i = order[static_cast<std::size_t>(block)];
    Trial& trial = trials_[i];
    Landscape landscape(*trial.program, trial.expectations->values(), asked_[i]);
    landscape.set_ball_checks(4000);
    const double share = 0.5 * flops / static_cast<double>(order.size());
    const auto evaluations = static_cast<std::int64_t>(std::clamp(share / trial.work, 200.0, 20000.0));
    std::vector<std::vector<double>> seeds;
    for (const search::Candidate& candidate : trial.harvest.best.candidates()) {
      if (seeds.size() == 4) break;
      seeds.push_back(candidate.point);
    }
    for (int round = 0; round < 2; ++round) {
      for (std::vector<double>& seed : seeds) {
        bool end = false;
        seed = follow_rays(landscape, seed, end);
        if (end) at_the_end[i] = 1;
      }
      Harvest more =
          search_from(landscape, context_, 0x400 + static_cast<std::uint64_t>(round), evaluations / 2, seeds);
      trial.harvest.evaluations += more.evaluations;
      trial.harvest.admissible += more.admissible;
      trial.harvest.best.merge(more.best);
      if (!trial.harvest.best.empty()) seeds.insert(seeds.begin(), trial.harvest.best.candidates().front().point);
      if (seeds.size() > 3) seeds.resize(3);
    }
    for (std::vector<double>& seed : seeds) {
      bool end = false;
      seed = follow_rays(landscape, seed, end);
      if (end) at_the_end[i] = 1;
      const double slack = slack_at(landscape, seed);
      if (slack < 1e300) trial.harvest.best.add(slack, seed);
    }
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
      if (!fails_at(trial, asked, candidate.point, far)) continue;
      best.found = best.extrapolated = best.not_refuted = demanded;
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
  constexpr double outside = 1e5, growth = 1.05;
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
        if (outwards ? size < outside : !(size > 0 && size < 1 / outside)) continue;
        nearer[i] = std::clamp(far[i] * (outwards ? 0.1 : 10.0), bounds.lower[i], bounds.upper[i]);
        moved |= nearer[i] != far[i];
      }
    }
    if (!moved) continue;
    const double there = slack_at(landscape, nearer);
    if (there < 1e300 && std::abs(demanded) > growth * std::abs(there)) return true;
  }
  return false;
}

std::optional<BestConstant> SupremumSearch::result() const {
  // The most demanding size whose demand is confirmed.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < trials_.size(); ++i)
    if (!trials_[i].harvest.best.empty()) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return trials_[a].harvest.best.candidates().front().slack < trials_[b].harvest.best.candidates().front().slack;
  });
  for (const std::size_t i : order)
    if (const auto best = confirmed(i)) return best;
  return std::nullopt;
}

void judge_best(const language::Statement& original, const engine::Context& context, Outcome& outcome) {
  const language::Binder* binder = binder_of(original, Quantifier::best);
  const language::Statement statement = balanced(as_universal(original, Quantifier::best));
  const std::string& constant = binder->names.front();
  const SupremumSearch search(statement, constant, context, 1.0);
  outcome.evaluations += evaluations_of(search.trials());
  outcome.domain = domain_sentence(original, search.sizes(), search.trials());
  outcome.method = "adversarial search for the most demanding point";
  std::optional<BestConstant> best = search.result();
  if (!best) {
    if (admissible_of(search.trials()) == 0) {
      outcome.verdict = Verdict::vacuous;
      outcome.reason = "no point met the conditions";
      outcome.would_change = "a point that meets the conditions";
    } else {
      outcome.verdict = Verdict::undecided;
      outcome.reason = fmt::format("no point was found whose demand on {} balls confirm", constant);
      outcome.would_change = "a larger budget";
    }
    return;
  }
  const Asked& asked = *search.asked().front();
  const double end = best->smallest ? asked.upper : asked.lower;
  const bool beyond = best->smallest ? best->found > end : best->found < end;
  if (beyond) {
    outcome.verdict = Verdict::refuted;
    outcome.reason = std::abs(best->found) > 1e300
                         ? fmt::format("no {} is enough: at a point the claim fails whatever it is", constant)
                         : fmt::format("no {} of the set is enough: a point demands {}", constant, best->found);
    outcome.would_change = fmt::format("a larger set for {}", constant);
    outcome.witness = best->witness;
    outcome.best = best;
    return;
  }
  // A short exact number just beyond what was found is where the demands tend to.
  const double sign = best->found < 0 ? -1 : 1;
  for (const double window : {1e-11, 1e-9, 1e-7, 2e-6}) {
    const auto form = closed_form(std::abs(best->found), window);
    if (!form) continue;
    const double value = sign * form->value;
    const double beyond_found = best->smallest ? value - best->found : best->found - value;
    if (beyond_found < -1e-14 * std::abs(value)) continue;
    best->closed_form = (sign < 0 ? "-" : "") + form->text;
    best->extrapolated = best->not_refuted = value;
    if (std::abs(value - best->found) > 1e-12 * std::abs(value)) best->attained = false;
    break;
  }
  // Certified where a proof shows the rest for the constant not refuted, or for one a millionth beyond.
  if (search.sizes().exhaustive) {
    for (const double slack : {0.0, 1e-9, 1e-6}) {
      const double value = best->not_refuted + (best->smallest ? 1 : -1) * slack * std::abs(best->not_refuted);
      bool all = true;
      for (const Trial& trial : search.trials()) {
        language::Choices choices = trial.choices;
        choices[constant] = value;
        const language::Program program = language::compile(balanced(original), choices);
        const double share = 0.1 * context.effort * flops_of_effort / static_cast<double>(search.trials().size());
        all = all &&
              (prove_on_box(program, context,
                            static_cast<std::int64_t>(std::clamp(share / (1.5 * ball_work_of(program)), 20.0, 50000.0)))
                       .status == ProofStatus::certified ||
               prove_by_signs(program, context));
        if (!all) break;
      }
      if (!all) continue;
      best->certified = true;
      best->not_refuted = value;
      break;
    }
  }
  outcome.verdict = best->certified ? Verdict::certified : Verdict::supported;
  outcome.reason = fmt::format("{} {} {} is demanded at a point, and no point found demands {} than {}{}", constant,
                               best->smallest ? ">=" : "<=", best->found, best->smallest ? "more" : "less",
                               best->closed_form.empty() ? fmt::format("{}", best->not_refuted) : best->closed_form,
                               best->certified ? ", which is proven to be enough" : "");
  outcome.would_change = fmt::format("a point that demands {}", best->smallest ? "more" : "less");
  outcome.best = best;
}

}  // namespace attest::referee
