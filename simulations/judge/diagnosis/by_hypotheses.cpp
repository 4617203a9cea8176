#include "simulations/judge/diagnosis/by_hypotheses.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "simulations/judge/diagnosis/failures.hpp"
#include "simulations/judge/diagnosis/hypotheses.hpp"

namespace attest::judge {
namespace {

/// A failing case with what belongs, kept while hypotheses are tried on it.
struct Failing {
  Record* record;
  std::vector<std::size_t> failures;  ///< those of the record that are of this kind (outputs or gradients)
  Problem problem;
  Expected truth;
  std::size_t worst_row = 0;  ///< of the first of the failures, where it is not a gradient
  std::set<std::size_t> explained_by;
};

class ByHypotheses {
 public:
  ByHypotheses(std::vector<Record>& records, const TrialSettings& settings, bool gradient)
      : records_(records), settings_(settings), gradient_(gradient) {}

  void run() {
    std::vector<Failing> cases = failing();
    const std::vector<Hypothesis>& all = hypotheses();
    const std::size_t asked = count_asked(cases);
    std::vector<Failing> others(std::make_move_iterator(cases.begin() + static_cast<std::ptrdiff_t>(asked)),
                                std::make_move_iterator(cases.end()));
    cases.resize(asked);
    // What shows beyond 65,536 keys alone is none of the faults that show anywhere.
    const bool all_long = std::ranges::all_of(cases, [](const Failing& one) { return one.record->spec.keys > 65536; });
    const auto speaks_of = [&](const Hypothesis& hypothesis, const Failing& one) {
      const bool speaks = hypothesis.of == Hypothesis::Of::both ||
                          hypothesis.of == (gradient_ ? Hypothesis::Of::gradient : Hypothesis::Of::output);
      return speaks && hypothesis.applies(one.record->spec) &&
             (!all_long || hypothesis.fault == fault::beyond_64k_keys);
    };
    std::vector<int> count(all.size(), 0), applicable(all.size(), 0);
    for (const Failing& one : cases)
      for (std::size_t h = 0; h < all.size(); ++h) applicable[h] += speaks_of(all[h], one) ? 1 : 0;
    // What explains a few of the failures that it should explain, explains them by chance.
    const auto too_few = [&](std::size_t h, int explained) { return 4 * explained < applicable[h]; };
    std::vector<int> left = applicable;
    for (Failing& one : cases) {
      prepare(one);
      for (std::size_t h = 0; h < all.size(); ++h) {
        if (!speaks_of(all[h], one)) continue;
        // The costliest cases come last: what cannot explain enough any more is not tried on them.
        const bool hopeless = too_few(h, count[h] + left[h]);
        --left[h];
        if (hopeless || !explains(all[h], one)) continue;
        one.explained_by.insert(h);
        ++count[h];
      }
    }
    for (Failing& one : cases) std::erase_if(one.explained_by, [&](std::size_t h) { return too_few(h, count[h]); });
    // Fewest causes: the hypothesis that explains most of what is left, until nothing is left that one explains.
    for (;;) {
      std::size_t best = all.size();
      int most = 0;
      for (std::size_t h = 0; h < all.size(); ++h) {
        int explained = 0;
        for (const Failing& one : cases)
          if (is_open(one) && one.explained_by.contains(h)) ++explained;
        if (explained > most) most = explained, best = h;
      }
      if (best == all.size()) return;
      for (Failing& one : cases)
        if (is_open(one) && one.explained_by.contains(best)) name(one, all[best]);
      for (Failing& one : others) {
        if (!is_open(one) || !all[best].applies(one.record->spec)) continue;
        prepare(one);
        if (explains(all[best], one)) name(one, all[best]);
        one.problem = {}, one.truth = {};
      }
    }
  }

 private:
  /// How many of the cases, the cheapest first, every hypothesis is tried on: what gradients, which take long, cost
  /// together is bounded, but a few are always asked.
  std::size_t count_asked(const std::vector<Failing>& cases) const {
    constexpr std::size_t most = 60, least = 3;
    constexpr double most_cost = 6e6;
    if (!gradient_) return std::min(most, cases.size());
    double sum = 0;
    std::size_t count = 0;
    for (; count < std::min(most, cases.size()); ++count) {
      sum += cost(cases[count].record->spec);
      if (count >= least && sum > most_cost) break;
    }
    return count;
  }

  std::vector<Failing> failing() {
    std::vector<Failing> result;
    for (Record& record : records_) {
      if (compares_calls(record.spec) || cost(record.spec) > 4e6) continue;
      // Gradients are explained together, out and lse each by itself.
      Failing one{&record, {}, {}, {}, 0, {}};
      for (std::size_t n = 0; n < record.failures.size(); ++n) {
        if (record.failures[n].fault || is_gradient(record.failures[n].output) != gradient_) continue;
        one.failures.push_back(n);
        if (!gradient_) result.push_back(std::exchange(one, Failing{&record, {}, {}, {}, 0, {}}));
      }
      if (!one.failures.empty()) result.push_back(std::move(one));
    }
    // Where wide types were judged, 16-bit answers, whose bounds fit much, say nothing about formulas.
    if (std::any_of(records_.begin(), records_.end(),
                    [&](const Record& r) { return r.judged && !is_narrow(r.spec); }) &&
        std::none_of(result.begin(), result.end(), [&](const Failing& f) { return !is_narrow(f.record->spec); }))
      result.clear();
    // The cheapest of each kind are enough to tell hypotheses apart; all are named by what explains those.
    std::stable_sort(result.begin(), result.end(),
                     [](const Failing& a, const Failing& b) { return cost(a.record->spec) < cost(b.record->spec); });
    return result;
  }

  /// Within the bounds of the wrong formula, whose rounding may be larger than the right one's; but where these bounds
  /// would let anything pass (huge logits), within a thousandth of the largest number.
  static constexpr double slack = 4;
  static bool reproduces(Judged judged, const std::vector<double>& actual, ElementType type) {
    const bool narrow = type == ElementType::float16 || type == ElementType::bfloat16;
    double largest = 0;
    for (const double value : judged.values) {
      if (std::isnan(value)) return false;  // a formula that gives no number says nothing about one that overflows
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
    for (double& bound : judged.bounds) bound = std::min(slack * bound, (narrow ? 0.05 : 1e-3) * largest);
    return distance(judged, actual).ratio <= 1;
  }

  /// The outputs that a hypothesis must give: every one that fails, and of gradients every one. What changes the output
  /// as a whole cannot be why lse alone is wrong.
  std::vector<std::string> to_be_given(const Hypothesis& hypothesis, const Failing& one) const {
    std::vector<std::string> names;
    for (const std::size_t n : one.failures) names.push_back(one.record->failures[n].output);
    const auto add = [&](const char* name) {
      if (one.record->actual.contains(name)) names.emplace_back(name);
    };
    if (gradient_)
      for (const char* name : {"dq", "dk", "dv"}) add(name);
    else if (names.front() == "lse" && hypothesis.of == Hypothesis::Of::both)
      add("out");
    return names;
  }

  /// Whether the answers are what the hypothesis gives.
  bool explains(const Hypothesis& hypothesis, const Failing& one) const {
    const std::vector<std::string> names = to_be_given(hypothesis, one);
    const auto actual_of = [&](const std::string& name) -> const std::vector<double>* {
      const auto found = one.record->actual.find(name);
      return found == one.record->actual.end() ? nullptr : &found->second;
    };
    // Most hypotheses are refuted by the row that is most wrong.
    const auto row_fits = [&](const Expected& until_now, std::size_t row) {
      return std::ranges::all_of(names, [&](const std::string& name) {
        const Judged& judged = *until_now.find(name);
        const std::vector<double>* actual = actual_of(name);
        const std::size_t width = name == "out" ? static_cast<std::size_t>(one.problem.value_width) : 1;
        if (actual == nullptr || actual->size() != judged.values.size()) return false;
        for (std::size_t n = row * width; n < (row + 1) * width; ++n)
          if (error_over_bound(judged.values[n], slack * judged.bounds[n], (*actual)[n]) > 1) return false;
        return true;
      });
    };
    bool refuted = false;
    const GoesOn goes_on = [&](const Expected& until_now, std::size_t row) {
      refuted = !row_fits(until_now, row);
      return !refuted;
    };
    const Expected expected =
        expected_attention(one.problem, precision_for(one.record->spec, settings_), hypothesis.semantics, &one.truth,
                           gradient_ ? nullptr : goes_on, one.worst_row);
    return !refuted && std::ranges::all_of(names, [&](const std::string& name) {
      const Judged* judged = expected.find(name);
      const std::vector<double>* actual = actual_of(name);
      return judged != nullptr && actual != nullptr && judged->values.size() == actual->size() &&
             reproduces(*judged, *actual, one.record->spec.type);
    });
  }

  void prepare(Failing& one) const {
    one.problem = problem_of(one.record->spec);
    if (!gradient_) one.problem.dout.clear(), one.problem.dlse.clear();  // gradients would be computed for nothing
    one.truth = expected_attention(one.problem, precision_for(one.record->spec, settings_));
    if (!gradient_) one.worst_row = worst_row(one);
  }

  /// Of out or lse, whichever failed.
  std::size_t worst_row(const Failing& one) const {
    const std::string& output = one.record->failures[one.failures.front()].output;
    const Judged* judged = one.truth.find(output);
    const auto actual = one.record->actual.find(output);
    if (judged == nullptr || actual == one.record->actual.end() || judged->values.empty() ||
        judged->values.size() != actual->second.size())
      return 0;
    return distance(*judged, actual->second).entry / (judged->values.size() / one.truth.lse.values.size());
  }

  /// Where a fault shows in out in some cases, gradients as if by it in others are not a second one.
  bool is_of_outputs(const Fault& fault) const {
    return std::any_of(records_.begin(), records_.end(), [&](const Record& record) {
      return std::any_of(record.failures.begin(), record.failures.end(),
                         [&](const Failure& f) { return f.output == "out" && f.fault == fault; });
    });
  }

  void name(Failing& one, const Hypothesis& hypothesis) const {
    const bool as_of_outputs = !gradient_ || is_of_outputs(hypothesis.fault);
    for (const std::size_t n : one.failures) {
      Failure& failure = one.record->failures[n];
      failure.fault = as_of_outputs ? hypothesis.fault : gradient_fault(hypothesis);
      failure.message += "; as if: " + hypothesis.text;
    }
  }

  static bool is_open(const Failing& one) { return !one.record->failures[one.failures.front()].fault; }

  /// What a hypothesis about the whole says where only the gradients follow it.
  static Fault gradient_fault(const Hypothesis& hypothesis) {
    if (hypothesis.of == Hypothesis::Of::gradient) return hypothesis.fault;
    switch (hypothesis.fault.topic) {
      case Topic::packed:
        return fault::wrong_gradients_with_packed_sequences;
      case Topic::dropout:
        return fault::dropout_wrong_in_the_gradients;
      case Topic::sinks:
        return fault::wrong_gradients_with_sinks;
      case Topic::bias:
        return fault::wrong_gradients_with_bias;
      case Topic::alibi:
        return fault::wrong_gradients_with_alibi;
      case Topic::softcap:
        return fault::softcap_missing_in_the_gradients;
      case Topic::mapping:
        return fault::mixed_up_in_gradients;
      case Topic::visibility:
        return fault::wrong_gradients_with_this_mask;
      case Topic::scale:
        return fault::wrong_dq_and_dk;
      case Topic::other:
        break;
    }
    return hypothesis.fault;
  }

  std::vector<Record>& records_;
  const TrialSettings& settings_;
  const bool gradient_;
};

}  // namespace

void name_by_hypotheses(std::vector<Record>& records, const TrialSettings& settings, bool gradient) {
  ByHypotheses(records, settings, gradient).run();
}

}  // namespace attest::judge
