#include "theorems/referee/protocols/rays.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "theorems/referee/points/points.hpp"

namespace attest::referee {
namespace {

using language::RawInput;

/// A point on its way, with what it demands there.
class Follower {
 public:
  Follower(Landscape& landscape, std::vector<double> point)
      : landscape_(landscape),
        inputs_(landscape.program().inputs()),
        bounds_(bounds_of(landscape.program())),
        slack_(slack_at(landscape, point)),
        followed_{std::move(point)} {}

  const Followed& followed() const { return followed_; }

  /// All scalings once, then all pairs. False where nothing grew.
  bool round() {
    const double before = slack_;
    for (const double factor : {0.5, 0.1, 2.0, 10.0})
      for (std::size_t v = 0; v <= inputs_.size(); ++v) scale(v, factor);
    for (std::size_t v = 0; v < inputs_.size(); ++v)
      for (std::size_t w = 0; w < inputs_.size(); ++w)
        if (are_a_pair(v, w))
          for (const double factor : {0.5, 0.1, 2.0}) draw_together(inputs_[v], inputs_[w], factor);
    return slack_ < before;
  }

 private:
  bool may_be_scaled(const RawInput& input) const {
    return !input.random && !input.whole && (!landscape_.asked() || input.offset != landscape_.asked()->coordinate);
  }

  bool are_a_pair(std::size_t v, std::size_t w) const {
    const RawInput &first = inputs_[v], &second = inputs_[w];
    return v != w && first.raw == second.raw && !first.random && !second.random && !first.whole;
  }

  /// Variable v, or all of them where v is their number.
  void scale(std::size_t v, double factor) {
    constexpr int most_steps = 40, many_steps = 12;
    for (int step = 0; step < most_steps; ++step) {
      std::vector<double> next = followed_.point;
      for (std::size_t w = 0; w < inputs_.size(); ++w) {
        if (!may_be_scaled(inputs_[w]) || (v < inputs_.size() && v != w)) continue;
        for (std::size_t k = 0; k < static_cast<std::size_t>(inputs_[w].raw.size()); ++k)
          next[inputs_[w].offset + k] *= factor;
      }
      if (!go_on(std::move(next))) break;
      followed_.to_the_end |= step > many_steps;
    }
  }

  /// The second variable towards the first (factor below 1) or away from it.
  void draw_together(const RawInput& first, const RawInput& second, double factor) {
    constexpr int most_steps = 20, many_steps = 8;
    for (int step = 0; step < most_steps; ++step) {
      std::vector<double> next = followed_.point;
      for (std::size_t k = 0; k < static_cast<std::size_t>(first.raw.size()); ++k) {
        const double anchor = followed_.point[first.offset + k];
        next[second.offset + k] = anchor + factor * (followed_.point[second.offset + k] - anchor);
      }
      if (!go_on(std::move(next))) break;
      followed_.to_the_end |= step > many_steps;
    }
  }

  /// Moves there, within the bounds, if it is another point and demands more.
  bool go_on(std::vector<double> next) {
    if (next == followed_.point) return false;
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = std::clamp(next[i], bounds_.lower[i], bounds_.upper[i]);
    const double there = slack_at(landscape_, next);
    if (!(there < slack_)) return false;
    slack_ = there;
    followed_.point = std::move(next);
    return true;
  }

  Landscape& landscape_;
  const std::vector<RawInput>& inputs_;
  const Bounds bounds_;
  double slack_;
  Followed followed_;
};

}  // namespace

double slack_at(Landscape& landscape, const std::vector<double>& raw) {
  const Assessment a = landscape.assess(raw);
  return a.admissible() && !std::isnan(a.slack) ? a.slack : 1e300;
}

Followed follow_rays(Landscape& landscape, std::vector<double> point) {
  Follower follower(landscape, std::move(point));
  for (int round = 0; round < 3; ++round)
    if (!follower.round()) break;
  return follower.followed();
}

}  // namespace attest::referee
