#include "theorems/referee/trials/touching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "theorems/language/evaluation/decide.hpp"
#include "theorems/referee/points/points.hpp"
#include "theorems/referee/points/work.hpp"
#include "theorems/referee/proof/clear_witness.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/proof/relations.hpp"

namespace attest::referee {
namespace {

using language::Formula;
using language::Relation;
using rigor::Ball;

constexpr double outside = std::numeric_limits<double>::infinity();
constexpr std::int64_t bits = 256;

/// The strict relations that all have to hold.
std::vector<const Formula*> strict_relations(const Formula& claim) {
  std::vector<const Formula*> found;
  if (is_strict_relation(claim)) found.push_back(&claim);
  if (claim.kind == Formula::Kind::conjunction)
    for (const Formula& part : claim.parts)
      if (is_strict_relation(part)) found.push_back(&part);
  return found;
}

class Touching {
 public:
  explicit Touching(const language::Program& program) : program_(program), balls_(program) {}

  /// An entry of the relation's larger side less the smaller that is not certainly positive, at a corner of the domain.
  std::optional<std::string> at_corner(const Formula& relation) {
    struct End {
      Ball value;
      bool open;
    };
    std::vector<std::pair<End, End>> ends;
    for (const language::RawInput& input : program_.inputs())
      for (std::size_t k = 0; k < input.lower.size(); ++k) {
        if (input.whole || !std::isfinite(input.lower[k]) || !std::isfinite(input.upper[k])) return std::nullopt;
        ends.push_back({{input.lower_end ? input.lower_end->to_ball() : Ball(input.lower[k]), input.set.lower_open},
                        {input.upper_end ? input.upper_end->to_ball() : Ball(input.upper[k]), input.set.upper_open}});
      }
    constexpr std::size_t most_variables = 6;
    if (ends.empty() || ends.size() > most_variables) return std::nullopt;
    for (std::size_t corner = 0; corner < std::size_t{1} << ends.size(); ++corner) {
      std::vector<Ball> raw;
      bool open = false;
      for (std::size_t i = 0; i < ends.size(); ++i) {
        const End& end = ((corner >> i) & 1) != 0 ? ends[i].second : ends[i].first;
        open |= end.open;
        raw.push_back(end.value);
      }
      if (open) continue;
      balls_.run(raw);
      if (excluded() || !not_positive(relation)) continue;
      return shown();
    }
    return std::nullopt;
  }

  /// The same at an isolated least value near `from`.
  std::optional<std::string> at_least_value(const Formula& relation, std::vector<double> from) {
    double largest = 0;
    for (const double x : from) largest = std::max(largest, std::abs(x));
    constexpr double moderate = 1e6;
    constexpr std::size_t most_variables = 24;
    if (!(largest < moderate) || from.empty() || from.size() > most_variables) return std::nullopt;
    const auto size_of = [&](double x) { return std::max(std::abs(x), largest > 0 ? 0.01 * largest : 1.0); };
    double least = difference(relation, from);
    // Parabolas along the coordinates, ever narrower.
    for (const double part : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11}) {
      for (std::size_t i = 0; i < from.size(); ++i) {
        const double h = part * size_of(from[i]);
        std::vector<double> moved = from;
        moved[i] = from[i] - h;
        const double before = difference(relation, moved);
        moved[i] = from[i] + h;
        const double after = difference(relation, moved);
        const double bend = before - 2 * least + after;
        if (!(bend > 0) || !std::isfinite(bend)) continue;
        moved[i] = from[i] + std::clamp(h * (before - after) / (2 * bend), -2 * h, 2 * h);
        if (const double there = difference(relation, moved); there < least) {
          least = there;
          from = moved;
        }
      }
    }
    if (!within_sets(program_, from)) return std::nullopt;
    constexpr double far = 0.01, equal = 1e-9;
    double around = outside;
    for (std::size_t i = 0; i < from.size(); ++i)
      for (const double sign : {-1.0, 1.0}) {
        std::vector<double> moved = from;
        moved[i] += sign * far * size_of(from[i]);
        if (beyond_open_end(moved, i)) return std::nullopt;
        around = std::min(around, difference(relation, moved));
      }
    if (!(around > 0) || !(around < outside) || !(least <= equal * around)) return std::nullopt;
    balls_.run(std::vector<Ball>(from.begin(), from.end()));
    return shown();
  }

 private:
  bool excluded() const {
    return std::any_of(program_.conditions().begin(), program_.conditions().end(), [&](const Formula& condition) {
      return language::decide(balls_, condition) == language::Truth::fails;
    });
  }

  /// The least entry of the larger side less the smaller; `outside` where a condition fails or a side is not a number.
  double difference(const Formula& relation, const std::vector<double>& raw) {
    if (!within_sets(program_, raw)) return outside;
    balls_.run(std::vector<Ball>(raw.begin(), raw.end()));
    if (excluded()) return outside;
    double least = outside;
    for_each_entry(relation,
                   [&](const Ball& d) { least = std::min(least, d.is_finite() ? std::max(0.0, d.mid()) : outside); });
    return least;
  }

  bool not_positive(const Formula& relation) {
    bool found = false;
    for_each_entry(relation, [&](const Ball& d) { found |= d.is_finite() && !d.is_positive(); });
    return found;
  }

  template <typename Visit>
  void for_each_entry(const Formula& relation, const Visit& visit) {
    const auto lhs = balls_.value(relation.lhs), rhs = balls_.value(relation.rhs);
    const bool upwards = relation.relation == Relation::greater;
    for (std::size_t k = 0; k < std::max(lhs.size(), rhs.size()); ++k) {
      const Ball &l = lhs[lhs.size() == 1 ? 0 : k], &r = rhs[rhs.size() == 1 ? 0 : k];
      visit(upwards ? l - r : r - l);
    }
  }

  /// What lies beyond an open end, or a strict condition, does not count as a neighbour.
  bool beyond_open_end(const std::vector<double>& raw, std::size_t i) {
    for (const language::RawInput& input : program_.inputs()) {
      if (i < input.offset || i >= input.offset + input.lower.size()) continue;
      const std::size_t k = i - input.offset;
      if ((raw[i] < input.lower[k] && input.set.lower_open) || (raw[i] > input.upper[k] && input.set.upper_open))
        return true;
    }
    if (!within_sets(program_, raw)) return false;
    balls_.run(std::vector<Ball>(raw.begin(), raw.end()));
    return std::any_of(program_.conditions().begin(), program_.conditions().end(), [&](const Formula& condition) {
      return is_strict_relation(condition) && language::decide(balls_, condition) == language::Truth::fails;
    });
  }

  /// The elements at the last run.
  std::string shown() const {
    std::string text;
    for (const language::RawInput& input : program_.inputs()) {
      NamedValue value{input.name, input.shape, {}};
      for (const Ball& entry : balls_.value(input.element)) value.entries.push_back(entry.mid());
      text += fmt::format("{}{}", text.empty() ? "" : ", ", referee::shown(value));
    }
    return text;
  }

  const language::Program& program_;
  language::BallEvaluator balls_;
};

bool searched_without_chance(const Trial& trial) {
  return trial.expectations->means() == Means::none && trial.program->dimension() > 0;
}

}  // namespace

std::vector<Violation> rounded_violations(const std::vector<Trial>& trials, const engine::Context& context) {
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const Trial& trial = trials[t];
    constexpr std::size_t looked_at = 3, most_variables = 200;
    constexpr double tight = 1e-6, most_work = 1e6;
    if (!searched_without_chance(trial) || strict_relations(trial.program->claim()).empty() ||
        trial.program->dimension() > most_variables || ball_work_of(*trial.program) > most_work)
      continue;
    const auto& candidates = trial.harvest.best.candidates();
    for (std::size_t c = 0; c < std::min(looked_at, candidates.size()) && candidates[c].slack < tight; ++c) {
      context.poll();
      for (int digits = 1; digits <= 4; ++digits) {
        std::vector<double> raw = candidates[c].point;
        for (double& x : raw) x = round_to_decimals(x, digits);
        if (confirm(*trial.program, raw).violates()) return {{t, raw, 0}};
      }
    }
  }
  return {};
}

std::optional<std::string> point_of_touching(const std::vector<Trial>& trials, const engine::Context& context) {
  const rigor::PrecisionScope precision(bits);
  double left = 0.1 * context.effort * flops_of_effort;
  for (const Trial& trial : trials) {
    const double work = ball_work_of(*trial.program);
    if (!searched_without_chance(trial)) continue;
    Touching touching(*trial.program);
    for (const Formula* relation : strict_relations(trial.program->claim())) {
      if (auto found = touching.at_corner(*relation)) return found;
      constexpr std::size_t looked_at = 4;
      const auto& candidates = trial.harvest.best.candidates();
      for (std::size_t c = 0; c < std::min(looked_at, candidates.size()); ++c) {
        const double cost = 20 * work * static_cast<double>(trial.program->dimension());
        if (left < cost) return std::nullopt;
        left -= cost;
        context.poll();
        if (auto found = touching.at_least_value(*relation, candidates[c].point)) return found;
      }
    }
  }
  return std::nullopt;
}

}  // namespace attest::referee
