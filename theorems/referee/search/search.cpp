#include "theorems/referee/search/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/search/local_optimiser.hpp"
#include "theorems/referee/points/structures.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/search/local_box.hpp"
#include "theorems/referee/search/within_conditions.hpp"

namespace attest::referee {
namespace {

/// What a violated condition costs a local search, in units of the relative slack.
constexpr double penalty = 10;

class Hunt {
 public:
  Hunt(Landscape& landscape, const engine::Context& context, std::uint64_t offset)
      : landscape_(landscape), context_(context), offset_(offset), bounds_(bounds_of(landscape.program())) {}

  /// Assesses, records, and says what it is worth.
  Assessment consider(const std::vector<double>& point, std::size_t family) {
    if ((++harvest_.evaluations & 63) == 0) context_.poll();
    const Assessment a = landscape_.assess(point);
    harvest_.least_shortfall = std::min(harvest_.least_shortfall, a.shortfall);
    if (!a.admissible()) return a;
    ++harvest_.admissible;
    if (std::isnan(a.slack)) {
      if (!a.trivial && !harvest_.undefined) harvest_.undefined = point;
      return a;
    }
    if (anchors_.size() < 8) {
      anchors_.push_back(point);
    } else if (harvest_.admissible % 16 == 0) {
      anchors_[static_cast<std::size_t>(harvest_.admissible / 16) % anchors_.size()] = point;
    }
    harvest_.best.add(a.slack, point);
    // Where all is flat, the least value may lie far from a violation: the families keep what was met first.
    by_family_[family].add(a.flat ? 1 : a.slack, point);
    if (a.led) led_[family].add(a.slack, point);
    return a;
  }

  /// An inadmissible point is drawn towards an admissible one until the conditions hold, and lies on their edge then.
  void repair(const std::vector<double>& point, std::size_t family, random::Stream& stream) {
    if (anchors_.empty()) return;
    const std::vector<double> anchor = anchors_[stream.integer(anchors_.size())];
    const auto along = [&](double t) {
      std::vector<double> mixed(point.size());
      for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i] = anchor[i] + t * (point[i] - anchor[i]);
      for (const language::RawInput& input : landscape_.program().inputs())
        if (input.whole)
          for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k)
            mixed[input.offset + k] = anchor[input.offset + k];
      return mixed;
    };
    double inside = 0, outside = 1;
    for (int step = 0; step < 14; ++step) {
      const double middle = (inside + outside) / 2;
      (consider(along(middle), family).admissible() ? inside : outside) = middle;
    }
  }

  void draw(std::int64_t count, const std::vector<std::vector<double>>& seeds) {
    for (const auto& seed : seeds) consider(seed, structure_count);
    std::vector<double> nearest_to_zero(landscape_.program().dimension(), 0.0);
    for (std::size_t i = 0; i < nearest_to_zero.size(); ++i)
      nearest_to_zero[i] = std::clamp(0.0, bounds_.lower[i], bounds_.upper[i]);
    consider(nearest_to_zero, 0);
    if (!landscape_.program().expectations().empty())  // each point is an integral: few are drawn
      for (const auto& point : few_against_many(landscape_.program(), bounds_)) consider(point, 0);
    const std::int64_t stop = harvest_.evaluations + count;
    for (std::uint64_t k = 0; harvest_.evaluations < stop; ++k) {
      random::Stream stream(context_.seed, context_.key, (offset_ << 24) + k);
      // From a third of the budget on, every third point varies one of the best so far.
      const bool vary = harvest_.evaluations > stop - 2 * count / 3 && k % 3 == 0 && !harvest_.best.empty();
      const auto& best = harvest_.best.candidates();
      const std::vector<double> point =
          vary ? draw_near(landscape_.program(), bounds_, best[stream.integer(best.size())].point, stream)
               : draw_point(landscape_.program(), bounds_, k, stream);
      const auto family = static_cast<std::size_t>(k % structure_count);
      const Assessment a = consider(point, family);
      if (!a.admissible() && (k % 4 == 0 || harvest_.admissible < 200)) repair(point, family, stream);
      if (harvest_.admissible == 0 && k == static_cast<std::uint64_t>(count) / 3) find_admissible(count / 3);
    }
  }

  /// What is false only at scales far beyond or below the usual ones.
  void look_far(std::int64_t count) {
    if (landscape_.asked() || !has_unbounded(landscape_.program())) return;
    harvest_.looked_far = true;
    for (std::int64_t k = 0; k < count; ++k) {
      random::Stream stream(context_.seed, context_.key, (offset_ << 24) + 0xA00000 + static_cast<std::uint64_t>(k));
      const std::vector<double> point =
          draw_far_point(landscape_.program(), bounds_, static_cast<std::uint64_t>(k), stream);
      if ((++harvest_.evaluations & 63) == 0) context_.poll();
      const Assessment a = landscape_.assess(point);
      if (!a.admissible() || std::isnan(a.slack)) continue;
      // 1e20 >= 1e20 + 1 holds in doubles: conditions that far out count where they are certain.
      const bool conditional = !landscape_.program().conditions().empty();
      if (conditional && (a.slack >= 0 || !confirm(landscape_.program(), point).admissible)) continue;
      ++harvest_.admissible;
      if (a.slack < 0) harvest_.best.add(a.slack, point);
      if (!conditional) far_.add(a.slack, point);
    }
  }

  /// Local searches from the best of different families; returns when the evaluations are spent.
  void descend(std::int64_t evaluations, int starts) {
    const std::vector<search::Candidate> met = search::sorted(by_family_), led = search::sorted(led_);
    if (met.empty() || landscape_.program().dimension() == 0) return;
    // Where all is flat, half of the starts are points from which a factor leads.
    const auto most = static_cast<std::size_t>(starts);
    const std::size_t by_lead = std::min(led.size(), (most + 1) / 2), others = std::min(met.size(), most - by_lead);
    const std::int64_t each = std::max<std::int64_t>(30, evaluations / static_cast<std::int64_t>(by_lead + others + 2));
    for (std::size_t i = 0; i < by_lead + others; ++i)
      descend_from(i < by_lead ? led[i] : met[i - by_lead], static_cast<int>(i), each, i < by_lead);
    for (const search::Candidate& far : far_.candidates()) descend_from(far, 0, each / 2);
    // What is left goes to the best point reached, once by each order of the methods.
    const std::vector<search::Candidate> reached = harvest_.best.candidates();
    for (int rotation = 0; rotation < 2 && !reached.empty(); ++rotation) descend_from(reached.front(), rotation, each);
    vary_best(each / 4);
  }

  /// `led`: the start is one from which a factor leads; points without a lead then count as above all those with one.
  void descend_from(const search::Candidate& start, int rotation, std::int64_t evaluations, bool led = false) {
    const search::Problem problem = problem_at(start.point, rotation, led);
    if (landscape_.has_gradient() && !landscape_.asked() && !landscape_.program().conditions().empty() &&
        start.point.size() <= 80)
      descend_within(problem, start.point, std::min<std::int64_t>(evaluations / 2, 300));
    const search::Phase phase = search::optimise_locally(problem, start.point, start.slack, rotation, evaluations);
    if (phase.argmin.empty()) return;
    std::vector<double> end = phase.argmin;
    for (const language::RawInput& input : landscape_.program().inputs())
      if (input.whole)
        for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k)
          end[input.offset + k] = std::round(end[input.offset + k]);
    const Assessment a = consider(end, structure_count);
    if (!a.admissible()) {
      random::Stream stream(context_.seed, context_.key,
                            (offset_ << 24) + 0xF00000 + static_cast<std::uint64_t>(rotation));
      anchors_.insert(anchors_.begin(), start.point);
      for (int k = 0; k < 2; ++k) repair(end, structure_count, stream);
    }
  }

  /// Valleys of ratios (cyclic sums, means) are left for the bound 0 unless it is the logarithms that descend.
  void descend_in_logarithms(std::int64_t evaluations) {
    const std::vector<std::size_t> positive = positive_numbers(landscape_, bounds_);
    if (positive.size() < 3 || !landscape_.has_gradient()) return;
    constexpr std::array spreads = {0.3, 1.0, 3.0};
    constexpr std::int64_t starts = 12;
    for (std::uint64_t k = 0; k < starts; ++k) {
      random::Stream stream(context_.seed, context_.key, (offset_ << 24) + 0xB00000 + k);
      std::vector<double> logs = draw_point(landscape_.program(), bounds_, structure_count + k, stream);
      search::Problem problem = problem_at(logs, 2, false);
      for (const std::size_t i : positive) {
        problem.lower[i] = bounds_.lower[i];
        problem.upper[i] = bounds_.upper[i];
        logs[i] = std::log(std::min(1.0, bounds_.upper[i] / 3)) + spreads.at(k % 3) * stream.normal();
      }
      const search::Problem of_logs = in_logarithms(problem, positive);
      for (const std::size_t i : positive) logs[i] = std::clamp(logs[i], of_logs.lower[i], of_logs.upper[i]);
      if (const double slack = of_logs.slack(logs); !std::isnan(slack)) {
        const search::Phase phase = search::optimise_locally(of_logs, logs, slack, 0, evaluations / starts);
        if (!phase.argmin.empty()) consider(from_logarithms(problem, positive, phase.argmin), structure_count);
      }
    }
  }

  /// Where several conditions meet, a penalty alone stalls.
  void descend_within(const search::Problem& box, const std::vector<double>& start, std::int64_t evaluations) {
    const std::vector<double> end =
        descend_within_conditions(landscape_, box, start, evaluations,
                                  [this](const std::vector<double>& point) { consider(point, structure_count); });
    if (end.empty() || consider(end, structure_count).admissible()) return;
    random::Stream stream(context_.seed, context_.key, (offset_ << 24) + 0xC00000);
    anchors_.insert(anchors_.begin(), start);
    repair(end, structure_count, stream);
  }

  void vary_best(std::int64_t evaluations) {
    for (std::int64_t k = 0; k < evaluations && !harvest_.best.empty(); ++k) {
      random::Stream stream(context_.seed, context_.key, (offset_ << 24) + 0xE00000 + static_cast<std::uint64_t>(k));
      const auto& best = harvest_.best.candidates();
      consider(draw_near(landscape_.program(), bounds_,
                         best[stream.integer(std::min<std::size_t>(4, best.size()))].point, stream),
               structure_count);
    }
  }

  Harvest finish() {
    // The best of each family stay available, so that a near tie of one structure does not crowd out the others.
    for (const search::BestPoints& family : by_family_) harvest_.best.merge(family);
    return std::move(harvest_);
  }

 private:
  search::Problem problem_at(const std::vector<double>& start, int rotation, bool led) {
    search::Problem problem = local_box(landscape_, bounds_, start, rotation);
    problem.slack = [this, led](std::span<const double> x) {
      if ((++harvest_.evaluations & 63) == 0) context_.poll();
      const Assessment a = landscape_.assess(x);
      if (a.admissible() && !std::isnan(a.slack)) {
        ++harvest_.admissible;
        return led && a.flat && !a.led ? 1 + a.slack : a.slack;
      }
      return std::isnan(a.slack) ? std::numeric_limits<double>::quiet_NaN() : a.slack + penalty * a.shortfall;
    };
    if (landscape_.has_gradient())
      problem.gradient = [this](std::span<const double> x, std::span<double> out) {
        landscape_.gradient(x, penalty, out);
      };
    return problem;
  }

  /// No point met the conditions so far: descend their shortfall alone.
  void find_admissible(std::int64_t evaluations) {
    const int starts = 6;
    for (int start = 0; start < starts && harvest_.admissible == 0; ++start) {
      random::Stream stream(context_.seed, context_.key,
                            (offset_ << 24) + 0xD00000 + static_cast<std::uint64_t>(start));
      const std::vector<double> from =
          draw_point(landscape_.program(), bounds_, structure_count + static_cast<std::uint64_t>(start), stream);
      search::Problem problem = local_box(landscape_, bounds_, from, 2);
      std::vector<double> admissible;
      problem.slack = [&](std::span<const double> x) {
        ++harvest_.evaluations;
        const Assessment a = landscape_.assess(x);
        if (a.admissible() && admissible.empty()) admissible.assign(x.begin(), x.end());
        return a.shortfall;
      };
      const Assessment first = landscape_.assess(from);
      search::optimise_locally(problem, from, first.shortfall, start, evaluations / starts);
      if (!admissible.empty()) consider(admissible, structure_count);
    }
  }

  Landscape& landscape_;
  const engine::Context& context_;
  std::uint64_t offset_;
  Bounds bounds_;
  Harvest harvest_;
  std::vector<search::BestPoints> by_family_ = std::vector(structure_count + 1, search::BestPoints(2));
  std::vector<search::BestPoints> led_ = by_family_;  ///< of flat points those with a lead, by family
  search::BestPoints far_{3};
  std::vector<std::vector<double>> anchors_;
};

}  // namespace

Harvest search_at(Landscape& landscape, const engine::Context& context, std::uint64_t stream_offset,
                  const SearchLimits& limits, const std::vector<std::vector<double>>& seeds) {
  Hunt hunt(landscape, context, stream_offset);
  if (landscape.program().dimension() == 0) {
    hunt.consider({}, 0);
    return hunt.finish();
  }
  hunt.draw(limits.draws, seeds);
  hunt.look_far(limits.draws / 12);
  hunt.descend(limits.local, limits.starts);
  hunt.descend_in_logarithms(limits.local / 2);
  return hunt.finish();
}

Harvest search_from(Landscape& landscape, const engine::Context& context, std::uint64_t stream_offset,
                    std::int64_t evaluations, const std::vector<std::vector<double>>& seeds) {
  Hunt hunt(landscape, context, stream_offset);
  if (landscape.program().dimension() == 0) {
    hunt.consider({}, 0);
    return hunt.finish();
  }
  for (const auto& seed : seeds) hunt.consider(seed, structure_count);
  hunt.vary_best(evaluations / 4);
  hunt.descend(3 * evaluations / 4, 2);
  return hunt.finish();
}

}  // namespace attest::referee
