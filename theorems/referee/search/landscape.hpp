// What a search at fixed choices descends: the relative slack of the claim, or minus the constant that a point demands.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "theorems/language/evaluation/decide.hpp"
#include "theorems/language/program.hpp"

namespace attest::referee {

/// The values of a program's expectations at a point, for `Evaluator::run`; empty for programs without any.
using ExpectedValues = std::function<std::vector<double>(std::span<const double> raw)>;

/// A constant that is asked for: which raw number it is, and whether the smallest or the largest is wanted.
struct Asked {
  std::size_t coordinate = 0;
  double lower = 0, upper = 0;  ///< of its set
  bool smallest = true;
};

/// A point, assessed.
struct Assessment {
  /// Negative where the claim fails (for `Asked`: minus the constant demanded); NaN: undefined. It is the margin
  /// relative to its terms; for f > 0 with f no sum, where that is 1, the least factor relative to its terms, and
  /// without a factor that is a sum L/(1 + L) with L = log(1 + f).
  double slack = 0;
  bool flat = false;     ///< the margin relative to its terms is 1, as around; slack is what leads there
  bool led = false;      ///< flat, and slack is the size of a factor relative to its terms: 0 where its sign may change
  bool trivial = false;  ///< both sides are 0, which says nothing; slack is NaN then
  double shortfall = 0;  ///< 0 where every condition holds in doubles; else the sum of their relative excesses
  bool admissible() const { return shortfall == 0; }
};

/// One object per thread.
class Landscape {
 public:
  /// The program must outlive it.
  explicit Landscape(const language::Program& program, ExpectedValues expected = {}, std::optional<Asked> asked = {});

  Assessment assess(std::span<const double> raw);
  /// d/d raw of slack + weight * shortfall at the point of the last `assess`; `out` has dimension() entries. False
  /// where no gradient is known (expectations, a constant that is found by bisection).
  bool gradient(std::span<const double> raw, double weight, std::span<double> out);
  bool has_gradient() const { return !expected_ && (!asked_ || affine_); }

  /// How many points whose doubles claim a violation (a record, for `Asked`) are evaluated again in balls, so that the
  /// search does not chase rounding. Beyond it such points count as exactly tight.
  void set_ball_checks(std::int64_t most) { ball_checks_left_ = most; }

  const language::Program& program() const { return program_; }
  language::Evaluator& evaluator() { return evaluator_; }
  const std::optional<Asked>& asked() const { return asked_; }
  std::int64_t evaluations() const { return evaluations_; }
  /// What the claim's margin is at this value of the constant; for `Asked` only.
  double margin_at(std::span<const double> raw, double constant);

 private:
  double demanded(std::span<const double> raw);
  double slack_in_balls(std::span<const double> raw);
  double checked(std::span<const double> raw, double slack);
  void run(std::span<const double> raw);

  const language::Program& program_;
  language::Evaluator evaluator_;
  ExpectedValues expected_;
  std::optional<Asked> asked_;
  bool affine_ = false;     ///< one scalar inequality, in which the constant may enter linearly
  bool linear_ = false;     ///< it did at the last point
  bool with_zero_ = false;  ///< an inequality of which one side is the number 0
  double steepness_ = 1;    ///< of the last point's slack, as a function of the margin relative to its terms
  std::optional<language::Factor> lead_;  ///< the factor whose size was the last point's slack
  std::int64_t evaluations_ = 0;
  std::vector<double> scratch_;
  std::unique_ptr<language::BallEvaluator> balls_;
  std::int64_t ball_checks_left_ = 200;
  std::vector<double> proven_;  ///< the point of least slack that balls confirmed below 0, the first of equal ones
  double proven_slack_ = 0;     ///< its slack
  double record_ = 0;           ///< least slack known not to be rounding
  bool has_record_ = false;
};

}  // namespace attest::referee
