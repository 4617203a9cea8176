// Dropout that an implementation draws for itself.
#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "kernels/statistics/confidence_sequence.hpp"
#include "simulations/judge/trial/compare_calls.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {
namespace {

constexpr double alpha = 1e-9;  // of each of the sequences below

bool contains(const std::vector<double>& observations, double mean) {
  statistics::BettingSequence sequence({0, 1}, alpha);
  constexpr std::size_t block = 1024;
  for (std::size_t n = 0; n < observations.size(); n += block)
    sequence.update(std::span(observations).subspan(n, std::min(block, observations.size() - n)));
  const statistics::Interval interval = sequence.interval();
  return interval.lower <= mean && mean <= interval.upper;
}

/// Kept or not, for each weight: q = 0 makes all weights equal, V = identity shows each.
struct Pattern {
  std::vector<std::uint8_t> kept;
  bool scaled_rightly = true;
};

class DropoutTrial {
 public:
  DropoutTrial(const CaseSpec& spec, Target& target, const TrialSettings& settings)
      : spec_(spec), target_(target), settings_(settings), problem_(problem_of(spec)) {
    record_.spec = spec;
    rate_name_ = settings.conventions.first_taken({"dropout_rate", "dropout_p"});
    problem_.kept = {};
    std::fill(problem_.q.begin(), problem_.q.end(), 0.0);
    for (std::size_t n = 0; n < problem_.v.size(); ++n) {
      const Index column = static_cast<Index>(n) % problem_.value_width;
      problem_.v[n] = static_cast<Index>(n) / problem_.value_width % problem_.keys == column ? 1 : 0;
    }
  }

  Record run() {
    const auto first = pattern(11), again = pattern(11), other = pattern(12);
    if (!first || !again || !other) return record_;
    record_.ratios["out"] = 0;
    std::vector<double> kept(first->kept.begin(), first->kept.end());
    kept.insert(kept.end(), other->kept.begin(), other->kept.end());
    // Copies of decisions first: they make any fraction look wrong, whose interval takes them for independent.
    if (copies(first->kept)) return record_;
    if (!contains(kept, 1 - spec_.dropout))
      return fail(fault::dropout_keeps_the_wrong_fraction,
                  fmt::format("{:.4f} of {} weights are kept where {:g} should be", mean(kept), kept.size(),
                              1 - spec_.dropout));
    if (!first->scaled_rightly)
      return fail(fault::dropout_scaled_wrongly, "kept weights are not 1 / (1 - rate) of what they were");
    if (settings_.conventions.takes("seed")) {
      if (first->kept != again->kept)
        return fail(fault::results_differ_between_runs, "the same seed gives another pattern");
      if (first->kept == other->kept) return fail(fault::dropout_ignores_the_seed, "two seeds give the same pattern");
      independent(first->kept, other->kept, "seeds");
    }
    const Index n = problem_.keys, rows = problem_.queries, heads = problem_.heads;
    pairs(first->kept, 1, n, "neighbouring keys");
    pairs(first->kept, n, rows, "neighbouring queries");
    pairs(first->kept, n * rows, heads, "neighbouring heads");
    pairs(first->kept, n * rows * heads, problem_.batch, "neighbouring sequences");
    if (settings_.conventions.takes("seed")) gradients(*first);  // without one every call draws anew
    return record_;
  }

 private:
  static double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }
  const Record& fail(const Fault& fault, const std::string& message) {
    record_.failures.push_back({"out", std::numeric_limits<double>::infinity(), fault, message});
    return record_;
  }

  Request request(const Problem& problem, int seed) const {
    Request request = request_of(problem, settings_.conventions);
    request.options[rate_name_] = spec_.dropout;
    if (settings_.conventions.takes("seed")) request.options["seed"] = seed;
    return request;
  }

  std::optional<Pattern> pattern(int seed) {
    const auto outputs = outputs_of(request(problem_, seed), problem_, target_, settings_, record_);
    if (!outputs || !outputs->contains("out")) return std::nullopt;
    Pattern pattern;
    const double wanted = 1 / (static_cast<double>(problem_.keys) * (1 - spec_.dropout));
    for (const double value : outputs->at("out")) {
      const bool kept = value != 0;
      pattern.kept.push_back(kept ? 1 : 0);
      if (kept && !(std::abs(value - wanted) <= wanted * 1e-4)) pattern.scaled_rightly = false;
    }
    return pattern;
  }

  /// Whether decisions agree as often as independent ones would.
  void independent(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b, const char* what) {
    std::vector<double> agree;
    for (std::size_t n = 0; n < a.size(); ++n) agree.push_back(a[n] == b[n] ? 1 : 0);
    const double p = spec_.dropout;
    if (!contains(agree, p * p + (1 - p) * (1 - p)))
      fail(fault::dropout_decisions_are_not_independent,
           fmt::format("decisions of {} agree in {:.4f} of the cases where {:.4f} belongs", what, mean(agree),
                       p * p + (1 - p) * (1 - p)));
  }

  /// Disjoint pairs of neighbours along one axis, of `extent` steps of `stride`.
  void pairs(const std::vector<std::uint8_t>& kept, Index stride, Index extent, const char* what) {
    for (const Index offset : {Index{0}, Index{1}}) {
      std::vector<std::uint8_t> a, b;
      for (std::size_t n = 0; n < kept.size(); ++n) {
        const Index at = static_cast<Index>(n) / stride % extent;
        if (at < offset || (at - offset) % 2 != 0 || at + 1 >= extent) continue;
        a.push_back(kept[n]);
        b.push_back(kept[n + static_cast<std::size_t>(stride)]);
      }
      if (!a.empty()) independent(a, b, what);
    }
  }

  /// Whether neighbours along some axis always agree though some weights are kept and some are not.
  bool copies(const std::vector<std::uint8_t>& kept) {
    const Index n = problem_.keys, rows = problem_.queries, heads = problem_.heads;
    const auto both = std::minmax_element(kept.begin(), kept.end());
    if (*both.first == *both.second) return false;
    const std::tuple<Index, Index, const char*> axes[] = {{1, n, "keys"},
                                                          {n, rows, "queries"},
                                                          {n * rows, heads, "heads"},
                                                          {n * rows * heads, problem_.batch, "sequences"}};
    for (const auto& [stride, extent, what] : axes) {
      std::size_t pairs = 0, agree = 0;
      for (std::size_t at = 0; at < kept.size(); ++at) {
        const Index place = static_cast<Index>(at) / stride % extent;
        if (place % 2 != 0 || place + 1 >= extent) continue;
        ++pairs;
        agree += kept[at] == kept[at + static_cast<std::size_t>(stride)] ? 1 : 0;
      }
      if (pairs < 256 || agree < pairs) continue;
      fail(fault::dropout_decisions_are_not_independent, fmt::format("neighbouring {} share their decisions", what));
      return true;
    }
    return false;
  }

  /// Gradients under the pattern that the forward pass showed.
  void gradients(const Pattern& pattern) {
    if (!settings_.conventions.takes("dout") && !settings_.conventions.signature.differentiates) return;
    CaseSpec spec = spec_;
    spec.gradient = true;
    Problem with = problem_of(spec);
    with.kept = {true, true, with.heads, with.queries, with.keys, {}};
    with.dropout = spec_.dropout;
    Problem asked = with;
    asked.kept = {};
    with.kept.values = pattern.kept;
    const auto outputs = outputs_of(request(asked, 11), with, target_, settings_, record_);
    if (!outputs || !record_.failures.empty()) return;
    const Expected expected = expected_attention(with, precision_for(spec_, settings_));
    for (const char* name : {"dq", "dk", "dv"}) {
      const auto found = outputs->find(name);
      if (found == outputs->end()) continue;
      const Distance far = distance(*expected.find(name), found->second);
      record_.ratios[name] = far.ratio;
      if (far.ratio > 1)
        record_.failures.push_back({name, far.ratio, fault::dropout_wrong_in_the_gradients,
                                    fmt::format("{} is not that of the pattern of the forward pass", name)});
    }
  }

  const CaseSpec& spec_;
  Target& target_;
  const TrialSettings& settings_;
  Problem problem_;
  std::string rate_name_;
  Record record_;
};

}  // namespace

Record run_drawn_dropout(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  return DropoutTrial(spec, target, settings).run();
}

}  // namespace attest::judge
