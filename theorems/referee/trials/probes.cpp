#include "theorems/referee/trials/probes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "theorems/language/evaluation/decide.hpp"
#include "theorems/referee/points/points.hpp"
#include "theorems/referee/points/work.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/proof/relations.hpp"

namespace attest::referee {
namespace {

using language::Program;

constexpr std::size_t most_variables = 300;

/// The tightest points, and one where every number is 1 or the nearest that its set has.
std::vector<std::vector<double>> bases_of(const Trial& trial) {
  constexpr std::size_t most = 3;
  std::vector<std::vector<double>> bases;
  for (const search::Candidate& candidate : trial.harvest.best.candidates()) {
    if (bases.size() == most) break;
    bases.push_back(candidate.point);
  }
  const Bounds bounds = bounds_of(*trial.program);
  std::vector<double> ones(trial.program->dimension(), 1.0);
  for (std::size_t k = 0; k < ones.size(); ++k) ones[k] = std::clamp(1.0, bounds.lower[k], bounds.upper[k]);
  bases.push_back(ones);
  return bases;
}

/// A raw number with an open end, and the way from there into the set.
struct OpenEnd {
  std::size_t at = 0;
  double end = 0, inwards = 1;
};

std::vector<OpenEnd> open_ends(const Program& program) {
  std::vector<OpenEnd> ends;
  for (const language::RawInput& input : program.inputs()) {
    if (input.random || input.whole) continue;
    for (std::size_t k = 0; k < input.lower.size(); ++k) {
      if (input.lower_open && std::isfinite(input.lower[k])) ends.push_back({input.offset + k, input.lower[k], 1});
      if (input.upper_open && std::isfinite(input.upper[k])) ends.push_back({input.offset + k, input.upper[k], -1});
    }
  }
  return ends;
}

/// `distance` from the end, relative to it where it is not 0; the next double where that rounds to the end itself.
double near_end(const OpenEnd& open, double distance) {
  const double next = std::nextafter(open.end, open.inwards * std::numeric_limits<double>::infinity());
  const double near = open.end + open.inwards * distance * (open.end == 0 ? 1 : std::abs(open.end));
  return near == open.end ? next : near;
}

class Probing {
 public:
  Probing(const Trial& trial, std::size_t number)
      : trial_(trial), number_(number), evaluator_(*trial.program), left_(most_work) {}

  /// All probes of open ends were made.
  bool went_to_ends() const { return went_to_ends_; }

  std::vector<Violation> found() {
    const std::vector<std::vector<double>> bases = bases_of(trial_);
    for (const std::vector<double>& base : bases)
      if (equal_in_doubles(base) && confirms(base)) return {found_};
    if (trial_.program->dimension() == 0 || has_equation(trial_.program->claim())) return {};
    for (const std::vector<double>& base : bases)
      if (next_to_ends(base)) return {found_};
    went_to_ends_ = !ran_out_;
    for (const std::vector<double>& base : bases)
      if (saturated(base)) return {found_};
    return {};
  }

 private:
  static constexpr double most_work = 3e7;

  /// Doubles tell no difference of the sides, or nothing: balls may.
  bool equal_in_doubles(const std::vector<double>& raw) {
    constexpr double rounding = 1e-11;
    evaluator_.run(raw);
    return !(language::margin(evaluator_, trial_.program->claim(), true) > rounding);
  }

  bool confirms(const std::vector<double>& raw) {
    const double work = ball_work_of(*trial_.program);
    if (left_ < work) {
      ran_out_ = true;
      return false;
    }
    left_ -= work;
    if (!confirm(*trial_.program, raw).violates()) return false;
    found_ = {number_, raw, 0};
    return true;
  }

  bool next_to_ends(const std::vector<double>& base) {
    const std::vector<OpenEnd> ends = open_ends(*trial_.program);
    if (ends.empty()) return false;
    constexpr std::size_t one_at_a_time = 8;
    for (const double distance : {1e-12, 1e-15, 1e-30, 1e-100, nearest_to_zero}) {
      std::vector<double> lowest = base, highest = base;
      for (std::size_t i = 0; i < ends.size(); ++i) {
        (ends[i].inwards > 0 ? lowest : highest)[ends[i].at] = near_end(ends[i], distance);
        if (i >= one_at_a_time) continue;
        std::vector<double> one = base;
        one[ends[i].at] = near_end(ends[i], distance);
        if (confirms(one)) return true;
      }
      if (ends.size() > 1 && (confirms(lowest) || confirms(highest))) return true;
    }
    return false;
  }

  /// The unbounded numbers of `base` scaled so that the largest is `size`; empty where there are none but 0.
  std::vector<double> scaled(const std::vector<double>& base, double size) const {
    std::vector<double> raw = base;
    double largest = 0;
    std::vector<std::size_t> free;
    for (const language::RawInput& input : trial_.program->inputs()) {
      if (input.random || input.whole) continue;
      for (std::size_t k = 0; k < input.lower.size(); ++k) {
        if (std::isfinite(input.lower[k]) && std::isfinite(input.upper[k])) continue;
        free.push_back(input.offset + k);
        largest = std::max(largest, std::abs(base[input.offset + k]));
      }
    }
    if (!(largest > 0)) return {};
    for (const std::size_t k : free) raw[k] *= size / largest;
    return within_sets(*trial_.program, raw) ? raw : std::vector<double>{};
  }

  bool saturated(const std::vector<double>& base) {
    constexpr std::array sizes = {1.0,   2.0,   4.0,    6.0,    8.0,  10.0, 12.0, 14.0,  16.0, 17.0, 18.0,
                                  20.0,  24.0,  28.0,   32.0,   36.0, 40.0, 48.0, 64.0,  80.0, 96.0, 128.0,
                                  200.0, 400.0, 1000.0, 3000.0, 1e4,  1e6,  1e30, 1e150, 1e300};
    constexpr double same = 4e-16;
    for (const double size : sizes) {
      const std::vector<double> raw = scaled(base, size);
      if (raw.empty()) return false;
      evaluator_.run(raw);
      const double margin = language::margin(evaluator_, trial_.program->claim(), true);
      if (margin > same) continue;  // not for NaN, where doubles know nothing
      if (confirms(raw)) return true;
    }
    return false;
  }

  const Trial& trial_;
  std::size_t number_;
  language::Evaluator evaluator_;
  double left_;
  bool ran_out_ = false, went_to_ends_ = false;
  Violation found_;
};

/// The corners of the closed intervals that one or two numbers run over beside the random ones.
std::vector<std::vector<double>> corners_of(const Program& program) {
  std::vector<std::vector<double>> corners{std::vector<double>(program.dimension(), 0.0)};
  std::size_t free = 0;
  for (const language::RawInput& input : program.inputs()) {
    if (input.random) continue;
    for (std::size_t k = 0; k < input.lower.size(); ++k) {
      if (++free > 2 || input.whole || input.lower_open || input.upper_open || !std::isfinite(input.lower[k]) ||
          !std::isfinite(input.upper[k]))
        return {};
      std::vector<std::vector<double>> both;
      for (const double end : {input.lower[k], input.upper[k]})
        for (std::vector<double> corner : corners) {
          corner[input.offset + k] = end;
          both.push_back(std::move(corner));
        }
      corners = std::move(both);
    }
  }
  return free == 0 ? std::vector<std::vector<double>>{} : corners;
}

/// Doubles of a tail far out are 0, and lead nowhere; enclosures know better.
std::vector<Violation> at_corners(const Trial& trial, std::size_t number, const engine::Context& context) {
  for (const std::vector<double>& corner : corners_of(*trial.program)) {
    context.poll();
    const Confirmation found = confirm(*trial.program, corner, trial.expectations->enclosures(0.25 * context.effort));
    if (found.violates() && trial.expectations->certain_at(corner)) return {{number, corner, 0}};
  }
  return {};
}

}  // namespace

std::vector<Violation> probed_violations(std::vector<Trial>& trials, const engine::Context& context) {
  for (std::size_t t = 0; t < trials.size(); ++t) {
    Trial& trial = trials[t];
    const std::size_t variables = trial.program->dimension();
    if (variables > most_variables) continue;
    context.poll();
    if (trial.expectations->means() != Means::none) {
      constexpr std::size_t first = 3;  // enclosures are dear
      std::vector<Violation> found =
          t < first && context.effort >= 1 ? at_corners(trial, t, context) : std::vector<Violation>{};
      if (!found.empty()) return found;
      continue;
    }
    Probing probing(trial, t);
    std::vector<Violation> found = probing.found();
    trial.went_to_ends = probing.went_to_ends();
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace attest::referee
