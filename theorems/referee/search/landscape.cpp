#include "theorems/referee/search/landscape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "theorems/language/program/instruction.hpp"
#include "theorems/referee/proof/confirm.hpp"

namespace attest::referee {
namespace {

using language::Formula;
using rigor::Ball;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Relative differences of doubles below this are rounding as often as not.
constexpr double equality_noise = 1e-13;

/// Arb keeps pi, e and log 2 for each thread as precisely as it has needed them so far, and the last bit of a result
/// may depend on it. Kept far beyond what is used here, no result depends on what the thread did before.
void keep_constants() {
  static thread_local bool kept = false;
  if (kept) return;
  kept = true;
  const rigor::PrecisionScope precision(4096);
  (void)rigor::log(rigor::Ball(2));
  (void)rigor::exp(rigor::Ball(1));
  (void)(rigor::Ball::pi() + rigor::Ball::e());
  Ball log_2;
  arb_const_log2(log_2.raw(), 4096);
  arb_const_log10(log_2.raw(), 4096);
  arb_const_euler(log_2.raw(), 4096);
}

/// A condition's excess in doubles. Equalities cannot be met exactly in doubles: they count as met to rounding, and
/// balls judge later.
double excess(const language::Evaluator& at, const Formula& condition) {
  const language::ActiveRelation active = language::active_relation(at, condition, true);
  if (std::isnan(active.margin)) return 1;
  if (active.relation == nullptr) return active.margin < 0 ? 1 : 0;
  const bool strict = is_strict(active.relation->relation);
  if (active.relation->relation == language::Relation::equal)
    return active.margin >= -equality_noise ? 0 : -active.margin;
  if (active.margin < 0) return -active.margin;
  return strict && active.margin == 0 ? 1e-9 : 0;
}

bool is_scalar_relation(const language::Program& program, const Formula& claim) {
  return claim.kind == Formula::Kind::relation && program.shape_of(claim.lhs).size() == 1 &&
         program.shape_of(claim.rhs).size() == 1 && claim.relation != language::Relation::equal;
}

bool is_zero(const language::Program& program, std::size_t reg) {
  const language::Instruction& i = program.instructions.at(reg);
  return i.code == language::Code::constant && i.number == rigor::Rational(0);
}

/// An inequality with 0: relative to its terms, a side that is not a sum has the slack 1 wherever it is positive.
bool compares_with_zero(const language::Program& program, const Formula& claim) {
  return claim.kind == Formula::Kind::relation && claim.relation != language::Relation::equal &&
         (is_zero(program, claim.lhs) || is_zero(program, claim.rhs));
}

}  // namespace

Landscape::Landscape(const language::Program& program, ExpectedValues expected, std::optional<Asked> asked)
    : program_(program), evaluator_(program), expected_(std::move(expected)), asked_(asked) {
  keep_constants();
  affine_ = asked_ && is_scalar_relation(program_, program_.claim());
  with_zero_ = !asked_ && compares_with_zero(program_, program_.claim());
}

void Landscape::run(std::span<const double> raw) {
  ++evaluations_;
  if (expected_) {
    const std::vector<double> values = expected_(raw);
    evaluator_.run(raw, values);
  } else {
    evaluator_.run(raw);
  }
}

double Landscape::margin_at(std::span<const double> raw, double constant) {
  scratch_.assign(raw.begin(), raw.end());
  scratch_[asked_->coordinate] = constant;
  run(scratch_);
  return language::margin(evaluator_, program_.claim(), false);
}

double Landscape::demanded(std::span<const double> raw) {
  const double towards = asked_->smallest ? 1 : -1;
  linear_ = affine_;
  if (affine_) {
    const double at_zero = margin_at(raw, 0), at_one = margin_at(raw, 1);
    const double slope = at_one - at_zero;
    if (std::isnan(slope)) return nan;
    // A point at which the constant does not count demands nothing, or more than any constant.
    if (slope == 0) return at_zero < 0 ? towards * std::numeric_limits<double>::max() : nan;
    const double constant = -at_zero / slope;
    // Three points lie on a line unless the constant enters otherwise than linearly.
    const double check = margin_at(raw, constant);
    const double size = std::max(std::abs(at_zero), std::abs(at_one));
    if (std::abs(check) <= 1e-9 * size * std::max(1.0, std::abs(constant))) return slope * towards > 0 ? constant : nan;
  }
  // Bisection on the sign of the margin over the set of the constant.
  linear_ = false;
  double easy = asked_->smallest ? asked_->upper : asked_->lower,
         hard = asked_->smallest ? asked_->lower : asked_->upper;
  if (!std::isfinite(easy)) easy = towards * 1e9;
  if (!std::isfinite(hard)) hard = -towards * 1e9;
  const double at_easy = margin_at(raw, easy);
  if (std::isnan(at_easy)) return nan;
  if (at_easy < 0) return towards * std::numeric_limits<double>::max();
  if (margin_at(raw, hard) >= 0) return hard;
  for (int step = 0; step < 100 && easy != hard; ++step) {
    const double middle = easy + (hard - easy) / 2;
    if (middle == easy || middle == hard) break;
    (margin_at(raw, middle) >= 0 ? easy : hard) = middle;
  }
  return easy;
}

double Landscape::slack_in_balls(std::span<const double> raw) {
  const rigor::PrecisionScope precision(128);
  if (!balls_) balls_ = std::make_unique<language::BallEvaluator>(program_);
  if (!asked_) {
    balls_->run(std::vector<rigor::Ball>(raw.begin(), raw.end()));
    return ball_margin(*balls_, program_.claim());
  }
  if (!linear_) return nan;
  const auto margin = [&](double constant) {
    std::vector<rigor::Ball> point(raw.begin(), raw.end());
    point[asked_->coordinate] = rigor::Ball(constant);
    balls_->run(point);
    const Formula& claim = program_.claim();
    const rigor::Ball difference = balls_->value(claim.rhs)[0] - balls_->value(claim.lhs)[0];
    const bool upwards = says_greater(claim.relation);
    return upwards ? -difference : difference;
  };
  const rigor::Ball at_zero = margin(0), at_one = margin(1);
  const rigor::Ball constant = -at_zero / (at_one - at_zero);
  // A quotient of cancelled differences that balls hardly know is not a demand.
  if (!constant.is_finite() || !(constant.radius() <= 1e-12 * std::abs(constant.mid()))) return nan;
  return asked_->smallest ? -constant.mid() : constant.mid();
}

double Landscape::checked(std::span<const double> raw, double slack) {
  if (expected_ || std::isnan(slack)) return slack;
  if (!asked_) {
    const bool equality =
        program_.claim().kind == Formula::Kind::relation && program_.claim().relation == language::Relation::equal;
    if (slack >= (equality ? -equality_noise : 0.0)) return slack;
    // A descent that spent the checks comes back to its best point, which must not count as tight then.
    if (proven_slack_ < 0 && std::ranges::equal(raw, proven_)) return proven_slack_;
    if (ball_checks_left_ <= 0) return 0;
    --ball_checks_left_;
    const double exact = slack_in_balls(raw);
    if (exact < proven_slack_) {
      proven_slack_ = exact;
      proven_.assign(raw.begin(), raw.end());
    }
    return std::isnan(exact) ? 0 : exact;
  }
  if (has_record_ && slack >= record_) return slack;
  if (ball_checks_left_ <= 0) return record_;
  --ball_checks_left_;
  const double exact = linear_ ? slack_in_balls(raw) : slack;
  if (!std::isnan(exact) && (!has_record_ || exact < record_)) {
    record_ = exact;
    has_record_ = true;
  }
  return exact;
}

Assessment Landscape::assess(std::span<const double> raw) {
  Assessment result;
  if (asked_) {
    const double constant = demanded(raw);
    for (const Formula& condition : program_.conditions()) result.shortfall += excess(evaluator_, condition);
    result.trivial = std::isnan(constant);
    result.slack = asked_->smallest ? -constant : constant;
    if (result.admissible()) result.slack = checked(raw, result.slack);
    return result;
  }
  run(raw);
  for (const Formula& condition : program_.conditions()) result.shortfall += excess(evaluator_, condition);
  const language::ActiveRelation active = language::active_relation(evaluator_, program_.claim(), true);
  result.slack = active.margin;
  steepness_ = 1;
  lead_.reset();
  result.flat = with_zero_ && active.margin == 1;
  if (result.flat) {
    // A factor that is a sum leads the search; without any, the margin itself, by a rising function below 1.
    const bool left = is_zero(program_, active.relation->rhs);
    const language::Factor factor = language::tightest_factor(
        evaluator_, left ? active.relation->lhs : active.relation->rhs, left ? active.lhs_entry : active.rhs_entry);
    if (factor.slack < 1) {
      lead_ = factor;
      result.led = true;
      result.slack = factor.slack;
    } else {
      const double size = std::log1p(active.scale);
      result.slack = size / (1 + size);
      steepness_ = active.scale / ((1 + size) * (1 + size) * (1 + active.scale));
    }
  }
  if (active.relation != nullptr && active.margin == 0 &&
      (active.relation->relation == language::Relation::less_equal ||
       active.relation->relation == language::Relation::greater_equal) &&
      evaluator_.value(active.relation->lhs)[active.lhs_entry] == 0 &&
      evaluator_.value(active.relation->rhs)[active.rhs_entry] == 0) {
    result.trivial = true;
    result.slack = nan;
  } else if (result.admissible()) {
    result.slack = checked(raw, result.slack);
  }
  return result;
}

bool Landscape::gradient(std::span<const double> raw, double weight, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  if (!has_gradient()) return false;
  if (asked_) {
    const double constant = demanded(raw);
    if (!std::isfinite(constant) || std::abs(constant) > 1e300) return true;
    (void)margin_at(raw, constant);
    language::margin_gradient(evaluator_, program_.claim(), false, out);
    // On the level set margin(x, C) = 0: dC/dx = -(d margin/dx) / (d margin/dC).
    const double slope = out[asked_->coordinate];
    const double factor = (asked_->smallest ? 1 : -1) / slope;
    for (double& entry : out) entry = slope == 0 ? 0 : entry * factor;
    out[asked_->coordinate] = 0;
  } else if (lead_) {
    const Formula& claim = program_.claim();
    evaluator_.gradient_of_difference(lead_->reg, lead_->entry, is_zero(program_, claim.rhs) ? claim.rhs : claim.lhs, 0,
                                      out);
    const double factor = lead_->slack / evaluator_.value(lead_->reg)[lead_->entry];
    for (double& entry : out) entry *= factor;
  } else {
    language::margin_gradient(evaluator_, program_.claim(), true, out);
    for (double& entry : out) entry *= steepness_;
  }
  std::vector<double> part(out.size());
  for (const Formula& condition : program_.conditions()) {
    if (excess(evaluator_, condition) == 0) continue;
    std::fill(part.begin(), part.end(), 0.0);
    language::margin_gradient(evaluator_, condition, true, part);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] -= weight * part[i];
  }
  return true;
}

}  // namespace attest::referee
