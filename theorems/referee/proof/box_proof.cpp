#include "theorems/referee/proof/box_proof.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/proof/expansion.hpp"

namespace attest::referee {
namespace {

using language::BallEvaluator;
using language::Formula;
using language::Program;
using language::Relation;
using language::Truth;
using rigor::Ball;

/// 64 bits: boxes are far wider than their rounding.
constexpr std::int64_t box_precision = 64;

/// A proof tries at most this many: places where the sides touch are few.
constexpr std::int64_t most_expansions = 2000;

struct Side {
  double lower, upper;
  Ball ball() const { return lower == upper ? Ball(lower) : Ball::hull(Ball(lower), Ball(upper)); }
};
using Box = std::vector<Side>;

/// Boxes never show that sides are equal, nor that denied ones are not apart.
bool has_equality(const Formula& formula, bool denied = false) {
  if (formula.kind == Formula::Kind::relation) return formula.relation == Relation::equal && !denied;
  if (formula.kind == Formula::Kind::negation) return has_equality(formula.parts.front(), !denied);
  return formula.kind == Formula::Kind::order ||
         std::any_of(formula.parts.begin(), formula.parts.end(),
                     [denied](const Formula& part) { return has_equality(part, denied); });
}

class Proof {
 public:
  Proof(const Program& program, const engine::Context& context, const ProofOptions& options)
      : program_(program), context_(context), options_(options), balls_(program) {}

  BoxProof run(std::int64_t most_boxes) {
    Box all, bounds;
    for (const language::RawInput& input : program_.inputs())
      for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k) {
        bounds.push_back({input.lower[k], input.upper[k]});
        // An end that no double is lies beyond the last double of the set.
        all.push_back({input.lower_end ? std::nextafter(input.lower[k], -HUGE_VAL) : input.lower[k],
                       input.upper_end ? std::nextafter(input.upper[k], HUGE_VAL) : input.upper[k]});
      }
    std::deque<Box> boxes{all};
    BoxProof result;
    result.vacuous = true;
    while (!boxes.empty()) {
      if (result.boxes >= most_boxes) {
        result.status = ProofStatus::undecided;
        return result;
      }
      if ((++result.boxes & 63) == 0) context_.poll();
      const Box box = boxes.front();
      boxes.pop_front();
      expanded_ = false;
      switch (judge(box, result)) {
        case Truth::holds:
          result.expanded += expanded_ ? 1 : 0;
          if (options_.keep_leaves) {
            result.leaves.emplace_back();
            for (std::size_t i = 0; i < box.size(); ++i)
              result.leaves.back().emplace_back(std::max(box[i].lower, bounds[i].lower),
                                                std::min(box[i].upper, bounds[i].upper));
          }
          break;
        case Truth::fails:
          result.status = ProofStatus::refuted;
          return result;
        case Truth::open: {
          const std::size_t side = longest_;
          const double middle = box[side].lower + (box[side].upper - box[side].lower) / 2;
          if (!(box[side].lower < middle && middle < box[side].upper)) {
            result.status = ProofStatus::undecided;
            return result;
          }
          Box left = box, right = box;
          left[side].upper = right[side].lower = middle;
          boxes.push_back(std::move(left));
          boxes.push_back(std::move(right));
        }
      }
    }
    result.status = ProofStatus::certified;
    return result;
  }

 private:
  void run_on(const Box& box) {
    std::vector<Ball> raw;
    for (const Side& side : box) raw.push_back(side.ball());
    balls_.run(raw);
  }

  Truth judge(const Box& box, BoxProof& result) {
    longest_ = 0;
    for (std::size_t i = 1; i < box.size(); ++i)
      if (box[i].upper - box[i].lower > box[longest_].upper - box[longest_].lower) longest_ = i;
    run_on(box);
    for (const Formula& condition : program_.conditions())
      if (language::decide(balls_, condition) == Truth::fails) return Truth::holds;
    result.vacuous = false;
    const Truth plain = language::decide(balls_, program_.claim());
    if (plain == Truth::holds) return plain;
    if (plain == Truth::fails && fails_inside(box, result)) return Truth::fails;
    return plain == Truth::open && options_.derivatives && holds_by_derivatives(box) ? Truth::holds : Truth::open;
  }

  /// The middle of the box is an admissible point that fails.
  bool fails_inside(const Box& box, BoxProof& result) {
    std::vector<double> middle;
    for (const Side& side : box) middle.push_back(side.lower + (side.upper - side.lower) / 2);
    if (!confirm(program_, middle).violates()) return false;
    result.point = middle;
    return true;
  }

  /// Every relation of a conjunction holds by its mean value form or at the end that monotonicity singles out.
  bool holds_by_derivatives(const Box& box) { return holds(box, program_.claim()); }

  bool holds(const Box& box, const Formula& formula) {
    if (formula.kind == Formula::Kind::conjunction)
      return std::all_of(formula.parts.begin(), formula.parts.end(), [&](const Formula& f) { return holds(box, f); });
    if (formula.kind != Formula::Kind::relation) return false;
    const std::size_t entries = std::max(balls_.value(formula.lhs).size(), balls_.value(formula.rhs).size());
    for (std::size_t k = 0; k < entries; ++k) {
      run_on(box);
      if (!entry_holds(box, formula, k)) return false;
    }
    return true;
  }

  Ball slack(const Formula& formula, std::size_t k) const {
    const auto lhs = balls_.value(formula.lhs), rhs = balls_.value(formula.rhs);
    const Ball& l = lhs[lhs.size() == 1 ? 0 : k];
    const Ball& r = rhs[rhs.size() == 1 ? 0 : k];
    const bool upwards = says_greater(formula.relation);
    return upwards ? l - r : r - l;
  }

  bool settles(const Ball& difference, const Formula& formula) const {
    const bool strict = is_strict(formula.relation);
    return strict ? difference.is_positive() : difference.is_nonnegative();
  }

  bool entry_holds(const Box& box, const Formula& formula, std::size_t k) {
    if (settles(slack(formula, k), formula)) return true;
    const std::vector<Ball> slopes = slack_slopes(formula, k, box.size());
    // Where the slack certainly grows (falls) along a variable, its least value lies at the lower (upper) end.
    Box reduced = box;
    double steepest = -1;
    for (std::size_t i = 0; i < box.size(); ++i) {
      if (slopes[i].is_nonnegative())
        reduced[i].upper = reduced[i].lower;
      else if (slopes[i].is_nonpositive())
        reduced[i].lower = reduced[i].upper;
      const double width = box[i].upper - box[i].lower;
      const double steep =
          slopes[i].is_finite() ? (std::abs(slopes[i].mid()) + slopes[i].radius()) * width : 1e300 * width;
      if (steep > steepest && width > 0) {
        steepest = steep;
        longest_ = i;
      }
    }
    run_on(reduced);
    if (settles(slack(formula, k), formula)) return true;
    // f(x) = f(middle) + f'(box)(x - middle) over what is left of the box.
    Box middle = reduced;
    for (Side& side : middle) side.lower = side.upper = side.lower + (side.upper - side.lower) / 2;
    run_on(middle);
    Ball form = slack(formula, k);
    for (std::size_t i = 0; i < box.size(); ++i)
      if (reduced[i].lower < reduced[i].upper) form += slopes[i] * (reduced[i].ball() - Ball(middle[i].lower));
    return settles(form, formula) || holds_where_it_touches(box, formula, k);
  }

  /// By a Taylor expansion, where an end of the box is one at which both sides may be equal.
  bool holds_where_it_touches(const Box& box, const Formula& formula, std::size_t k) {
    if (!options_.expansions || expansions_ >= most_expansions || !may_touch(box, formula, k)) return false;
    ++expansions_;
    ProofBox plain;
    for (const Side& side : box) plain.emplace_back(side.lower, side.upper);
    const bool held = holds_by_expansion(program_, formula, k, plain);
    expanded_ |= held;
    return held;
  }

  bool may_touch(const Box& box, const Formula& formula, std::size_t k) {
    for (std::size_t i = 0; i < box.size(); ++i) {
      for (const double end : {box[i].lower, box[i].upper}) {
        Box face = box;
        face[i].lower = face[i].upper = end;
        run_on(face);
        if (slack(formula, k).contains_zero()) return true;
      }
    }
    return false;
  }

  std::vector<Ball> slack_slopes(const Formula& formula, std::size_t k, std::size_t count) {
    std::vector<Ball> up(count), down(count);
    gradient_of_entry(formula.rhs, k, up);
    gradient_of_entry(formula.lhs, k, down);
    const bool upwards = says_greater(formula.relation);
    for (std::size_t i = 0; i < count; ++i) up[i] = upwards ? down[i] - up[i] : up[i] - down[i];
    return up;
  }

  void gradient_of_entry(std::size_t reg, std::size_t k, std::span<Ball> gradient) {
    std::vector<Ball> weight(balls_.value(reg).size());
    weight[weight.size() == 1 ? 0 : k] = Ball(1);
    balls_.gradient(reg, weight, gradient);
  }

  const Program& program_;
  const engine::Context& context_;
  ProofOptions options_;
  BallEvaluator balls_;
  std::size_t longest_ = 0;
  std::int64_t expansions_ = 0;  ///< tried so far
  bool expanded_ = false;        ///< the box at hand needed one
};

}  // namespace

BoxProof prove_on_box(const Program& program, const engine::Context& context, std::int64_t most_boxes,
                      const ProofOptions& options) {
  if (program.dimension() > most_proof_variables || program.dimension() == 0 || !program.expectations().empty() ||
      has_equality(program.claim()))
    return {};
  for (const language::RawInput& input : program.inputs()) {
    if (input.whole || input.random) return {};
    for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k)
      if (!std::isfinite(input.lower[k]) || !std::isfinite(input.upper[k])) return {};
  }
  const rigor::PrecisionScope precision(box_precision);
  return Proof(program, context, options).run(most_boxes);
}

}  // namespace attest::referee
