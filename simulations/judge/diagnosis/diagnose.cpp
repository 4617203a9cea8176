#include "simulations/judge/diagnosis/diagnose.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "simulations/judge/case/number_types.hpp"
#include "simulations/judge/diagnosis/features.hpp"
#include "simulations/judge/diagnosis/hypotheses.hpp"
#include "simulations/judge/diagnosis/read_weights.hpp"
#include "simulations/judge/reference/mechanism_reference.hpp"

namespace attest::judge {
namespace {

bool is_gradient(const std::string& output) { return output.starts_with("d"); }

double cost(const CaseSpec& s) {
  return static_cast<double>(s.batch * s.heads * s.queries * s.keys) *
         static_cast<double>(s.width + s.value_width + 8) * (s.gradient ? 3 : 1);
}

bool compares_calls(const CaseSpec& spec) {
  return spec.property != "values" && spec.property != "strides" && spec.property != "bias of rounding";
}

/// A failing case with what belongs, kept while hypotheses are tried on it.
struct Failing {
  Record* record;
  std::vector<std::size_t> failures;  ///< those of the record that are of this kind (outputs or gradients)
  Problem problem;
  Expected truth;
  std::set<std::size_t> explained_by;
};

class Diagnosis {
 public:
  Diagnosis(std::vector<Record>& records, Target& target, const TrialSettings& settings)
      : records_(records), target_(target), settings_(settings) {}

  std::vector<Finding> run() {
    softmax_ = records_.empty() || records_.front().spec.mechanism == "softmax";
    if (softmax_) {
      special_rows(true);
      by_hypotheses(false);
      special_rows(false);
    }
    by_narrower_type(false);
    remaining(false);
    drop_gradients_of_wrong_outputs();
    if (softmax_) by_hypotheses(true);
    by_narrower_type(true);
    remaining(true);
    return merged();
  }

 private:
  template <typename Visit>
  void each_open(bool gradient, const Visit& visit) {
    for (Record& record : records_)
      for (Failure& failure : record.failures)
        if (failure.class_name.empty() && is_gradient(failure.output) == gradient) visit(record, failure);
  }

  /// Rows that see nothing, logits that are too large or too small, numbers that are none.
  void special_rows(bool empty_ones) {
    for (Record& record : records_) {
      if (compares_calls(record.spec)) continue;
      const bool open = std::any_of(record.failures.begin(), record.failures.end(),
                                    [](const Failure& f) { return f.class_name.empty(); });
      if (!open || cost(record.spec) > 3e6) continue;
      const Problem problem = problem_of(record.spec);
      const Expected expected = expected_attention(problem, precision_for(record.spec, settings_));
      for (Failure& failure : record.failures)
        if (failure.class_name.empty())
          failure.class_name = class_of_rows(record, failure.output, expected, empty_ones);
    }
  }

  static std::string class_of_rows(const Record& record, const std::string& output, const Expected& expected,
                                   bool empty_ones) {
    const std::vector<double>& actual = record.actual.at(output);
    const Judged& judged = *expected.find(output);
    const std::size_t rows = expected.lse.values.size();
    const bool any_empty =
        std::any_of(expected.lse.values.begin(), expected.lse.values.end(), [](double lse) { return std::isinf(lse); });
    if (is_gradient(output)) {
      const bool nan = std::any_of(actual.begin(), actual.end(), [](double x) { return std::isnan(x); });
      return nan && any_empty && empty_ones ? "a fully masked row gives NaN gradients" : "";
    }
    const std::size_t width = actual.size() / rows;
    bool only_empty = true, nan = false, nan_elsewhere = false, only_low = true, only_infinite = true;
    for (std::size_t n = 0; n < actual.size(); ++n) {
      const Distance one = distance({{judged.values[n]}, {judged.bounds[n]}}, {actual[n]});
      if (one.ratio <= 1) continue;
      const double lse = expected.lse.values[n / width];
      if (!std::isinf(lse)) only_empty = false;
      if (std::isnan(actual[n])) nan = true;
      if (std::isnan(actual[n]) && !std::isinf(lse)) nan_elsewhere = true;
      if (lse > -80) only_low = false;
      if (std::isfinite(actual[n])) only_infinite = false;
    }
    if (any_empty && only_empty) {
      if (output == "lse") return "wrong lse of a fully masked row";
      return nan ? "a fully masked row gives NaN" : "a fully masked row is not zero";
    }
    if (empty_ones) return "";
    const std::string& family = record.spec.family;
    const bool large = family == "saturated" || family == "huge" || family == "times-5" || family == "negative";
    if (large && only_low && output == "out") return "underflow at very negative logits";
    if (large && (nan_elsewhere || only_infinite)) return "overflow at large logits";
    const bool hides = hides_keys(record.spec) || !record.spec.packed.empty();
    return nan_elsewhere && hides && output == "out" ? "a masked part of the keys gives NaN" : "";
  }

  std::vector<Failing> failing(bool gradient) {
    std::vector<Failing> result;
    for (Record& record : records_) {
      if (compares_calls(record.spec) || cost(record.spec) > 4e6) continue;
      // Gradients are explained together, out and lse each by itself.
      Failing one{&record, {}, {}, {}, {}};
      for (std::size_t n = 0; n < record.failures.size(); ++n) {
        if (!record.failures[n].class_name.empty() || is_gradient(record.failures[n].output) != gradient) continue;
        one.failures.push_back(n);
        if (!gradient) result.push_back(std::exchange(one, Failing{&record, {}, {}, {}, {}}));
      }
      if (!one.failures.empty()) result.push_back(std::move(one));
    }
    // Where wide types were judged, 16-bit answers, whose bounds fit much, say nothing about formulas.
    const auto narrow = [](const CaseSpec& s) {
      return s.type == ElementType::float16 || s.type == ElementType::bfloat16;
    };
    if (std::any_of(records_.begin(), records_.end(), [&](const Record& r) { return r.judged && !narrow(r.spec); }) &&
        std::none_of(result.begin(), result.end(), [&](const Failing& f) { return !narrow(f.record->spec); }))
      result.clear();
    // The cheapest of each kind are enough to tell hypotheses apart; all are named by what explains those.
    std::stable_sort(result.begin(), result.end(),
                     [](const Failing& a, const Failing& b) { return cost(a.record->spec) < cost(b.record->spec); });
    return result;
  }

  /// Within the bounds of the wrong formula, whose rounding may be larger than the right one's; but where these bounds
  /// would let anything pass (huge logits), within a thousandth of the largest number.
  static bool reproduces(Judged judged, const std::vector<double>& actual, ElementType type) {
    const bool narrow = type == ElementType::float16 || type == ElementType::bfloat16;
    double largest = 0;
    for (const double value : judged.values)
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    for (double& bound : judged.bounds) bound = std::min(4 * bound, (narrow ? 0.05 : 1e-3) * largest);
    return distance(judged, actual).ratio <= 1;
  }

  /// Whether the answers are what the hypothesis gives: every output that fails, and of gradients every one.
  bool explains(const Hypothesis& hypothesis, const Failing& one, bool gradient) const {
    const Expected expected =
        expected_attention(one.problem, precision_for(one.record->spec, settings_), hypothesis.semantics, &one.truth);
    const auto fits = [&](const std::string& output) {
      const Judged* judged = expected.find(output);
      const auto actual = one.record->actual.find(output);
      if (judged == nullptr || actual == one.record->actual.end() || judged->values.size() != actual->second.size())
        return false;
      return reproduces(*judged, actual->second, one.record->spec.type);
    };
    for (const std::size_t n : one.failures)
      if (!fits(one.record->failures[n].output)) return false;
    if (!gradient) return true;
    for (const char* name : {"dq", "dk", "dv"})
      if (one.record->actual.contains(name) && !fits(name)) return false;
    return true;
  }

  void by_hypotheses(bool gradient) {
    std::vector<Failing> cases = failing(gradient);
    const std::vector<Hypothesis>& all = hypotheses();
    std::vector<int> count(all.size(), 0), applicable(all.size(), 0);
    constexpr std::size_t most_asked = 60;
    std::vector<Failing> others(
        std::make_move_iterator(cases.begin() + static_cast<std::ptrdiff_t>(std::min(most_asked, cases.size()))),
        std::make_move_iterator(cases.end()));
    cases.resize(std::min(most_asked, cases.size()));
    for (Failing& one : cases) {
      prepare(one);
      for (std::size_t h = 0; h < all.size(); ++h) {
        const Hypothesis& hypothesis = all[h];
        const bool speaks = hypothesis.of == Hypothesis::Of::both ||
                            hypothesis.of == (gradient ? Hypothesis::Of::gradient : Hypothesis::Of::output);
        if (!speaks || !hypothesis.applies(one.record->spec)) continue;
        ++applicable[h];
        if (!explains(hypothesis, one, gradient)) continue;
        one.explained_by.insert(h);
        ++count[h];
      }
    }
    // What explains a few of the failures that it should explain, explains them by chance.
    for (Failing& one : cases)
      std::erase_if(one.explained_by, [&](std::size_t h) { return 4 * count[h] < applicable[h]; });
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
        if (is_open(one) && one.explained_by.contains(best)) name(one, all[best], gradient);
      for (Failing& one : others) {
        if (!is_open(one) || !all[best].applies(one.record->spec)) continue;
        prepare(one);
        if (explains(all[best], one, gradient)) name(one, all[best], gradient);
        one.problem = {}, one.truth = {};
      }
    }
  }

  void prepare(Failing& one) const {
    one.problem = problem_of(one.record->spec);
    one.truth = expected_attention(one.problem, precision_for(one.record->spec, settings_));
  }

  static void name(Failing& one, const Hypothesis& hypothesis, bool gradient) {
    for (const std::size_t n : one.failures) {
      Failure& failure = one.record->failures[n];
      failure.class_name = gradient ? gradient_class(hypothesis) : hypothesis.class_name;
      failure.message += "; as if: " + hypothesis.text;
    }
  }

  static bool is_open(const Failing& one) { return one.record->failures[one.failures.front()].class_name.empty(); }

  /// The name of a hypothesis about the whole where only the gradients follow it.
  static std::string gradient_class(const Hypothesis& hypothesis) {
    if (hypothesis.of == Hypothesis::Of::gradient) return hypothesis.class_name;
    const std::string& name = hypothesis.class_name;
    const auto about = [&](const char* word) { return name.find(word) != std::string::npos; };
    if (about("packed")) return "wrong gradients with packed sequences";
    if (about("dropout")) return "dropout wrong in the gradients";
    if (about("sink")) return "wrong gradients with sinks";
    if (about("bias")) return "wrong gradients with bias";
    if (about("ALiBi")) return "wrong gradients with ALiBi";
    if (about("softcap")) return "softcap missing in the gradients";
    if (about("heads") || about("sequences")) return "sequences or heads are mixed up in the gradients";
    if (about("causal") || about("window") || about("mask")) return "wrong gradients with this mask";
    return about("scale") ? "wrong dq and dk" : name;
  }

  /// Errors that the bounds of a narrower type allow, spread over most entries and both ways.
  void by_narrower_type(bool gradient) {
    each_open(gradient, [&](Record& record, Failure& failure) {
      if (compares_calls(record.spec) || !record.actual.contains(failure.output) || cost(record.spec) > 2e7) return;
      if (rounding_like(record, failure.output)) {
        failure.guessed = true;
        failure.class_name = gradient                  ? "gradients in less than the type's precision"
                             : failure.output == "lse" ? "wrong lse"
                                                       : "less than the type's precision";
      }
    });
  }

  bool rounding_like(const Record& record, const std::string& output) const {
    const CaseSpec& spec = record.spec;
    const bool narrow = spec.type == ElementType::float16 || spec.type == ElementType::bfloat16;
    Precision coarse = precision_of(ElementType::bfloat16, Accumulation::widened);
    if (narrow) coarse = precision_of(spec.type, Accumulation::input);
    // The bounds of other mechanisms are wide: those of bfloat16 would let formulas pass.
    if (!softmax_) coarse = precision_of(ElementType::float32, Accumulation::widened);
    Judged judged, coarse_judged;
    if (softmax_) {
      const Problem problem = problem_of(spec);
      judged = *expected_attention(problem, precision_for(spec, settings_)).find(output);
      coarse_judged = *expected_attention(problem, coarse).find(output);
    } else {
      judged = expected_mechanism(spec, precision_for(spec, settings_))[output];
      coarse_judged = expected_mechanism(spec, coarse)[output];
    }
    const std::vector<double>& actual = record.actual.at(output);
    if (distance(coarse_judged, actual).ratio > 1) return false;
    if (narrow) return true;
    double sum = 0, size = 0;
    std::size_t beyond = 0;
    for (std::size_t n = 0; n < actual.size(); ++n) {
      const double error = (actual[n] - judged.values[n]) * (judged.values[n] < 0 ? -1 : 1);
      sum += error;
      size += std::abs(error);
      if (std::abs(error) > judged.bounds[n]) ++beyond;
    }
    const double entries = static_cast<double>(actual.size());
    // Of n random signs the mean is within 4 / sqrt(n) but once in ten thousand times.
    return beyond * 4 >= actual.size() && std::abs(sum) <= size * std::min(0.9, 4 / std::sqrt(entries) + 0.1);
  }

  /// What no hypothesis explains: earlier calls, weights, common features, and at last the output's own name.
  void remaining(bool gradient) {
    std::map<std::string, std::vector<std::pair<Record*, Failure*>>> open;  // by output: lse apart
    each_open(gradient, [&](Record& record, Failure& failure) {
      open[failure.output == "lse" ? "lse" : gradient ? "gradients" : "out"].emplace_back(&record, &failure);
    });
    for (auto& [kind, failures] : open) {
      std::sort(failures.begin(), failures.end(),
                [](const auto& a, const auto& b) { return cost(a.first->spec) < cost(b.first->spec); });
      std::string name;
      if (right_when_fresh(*failures.front().first)) name = "a result depends on earlier calls";
      if (name.empty() && kind == "lse") name = "wrong lse";
      if (name.empty()) name = class_of(failures, gradient);
      for (auto& [record, failure] : failures) failure->class_name = name, failure->guessed = true;
    }
  }

  std::string class_of(const std::vector<std::pair<Record*, Failure*>>& failures, bool gradient) {
    std::vector<const CaseSpec*> fails, passes;
    std::set<std::string> outputs;
    for (const auto& [record, failure] : failures) {
      fails.push_back(&record->spec);
      outputs.insert(failure->output);
    }
    for (const Record& record : records_)
      if (record.judged && record.failures.empty() && record.spec.gradient >= gradient) passes.push_back(&record.spec);
    const std::string by_feature = class_by_feature(fails, passes, gradient);
    if (!gradient) {
      // What weights say is more than what cases have in common, but for lengths and numbers.
      static const std::set<std::string> by_length_or_size = {
          "wrong beyond 65,536 keys", "strides ignored", "overflow at large logits",
          "underflow at very negative logits", "key heads mapped wrongly"};
      if (softmax_ && by_length_or_size.contains(by_feature)) return by_feature;
      int asked = 0;
      for (const CaseSpec* spec : fails) {
        if (++asked > 12) break;
        const WeightsSay say = class_by_weights(*spec, target_, settings_, widths_differ());
        // Sums are off, too, where tiles are put together wrongly; weights that are missing say more.
        if (!say.class_name.empty() && !(say.only_sums && by_feature == "wrong across tiles of keys"))
          return say.class_name;
      }
      // Statistics over keys that are not seen leave no trace in the weights.
      if (!softmax_ && by_feature == "causal mask applied wrongly") return "causal ignored";
      if (!softmax_ && by_feature == "wrong across tiles of keys") return "wrong values";
      return by_feature.empty() ? "wrong values" : by_feature;
    }
    if (swapped(failures)) return "dk and dv swapped";
    if (outputs.size() > 1) outputs.erase("dbias");
    if (!by_feature.empty()) return by_feature;
    if (outputs.size() == 1) return "wrong " + *outputs.begin();
    if (outputs == std::set<std::string>{"dk", "dq"}) return "wrong dq and dk";
    return "wrong gradients";
  }

  bool widths_differ() const {
    return std::any_of(records_.begin(), records_.end(),
                       [](const Record& r) { return r.judged && r.spec.width != r.spec.value_width; });
  }

  bool swapped(const std::vector<std::pair<Record*, Failure*>>& failures) const {
    if (!softmax_) return false;
    for (const auto& [record, failure] : failures) {
      const auto dk = record->actual.find("dk"), dv = record->actual.find("dv");
      if (dk == record->actual.end() || dv == record->actual.end() || dk->second.size() != dv->second.size()) continue;
      const Expected expected = expected_attention(problem_of(record->spec), precision_for(record->spec, settings_));
      return distance(expected.dk, dv->second).ratio <= 1 && distance(expected.dv, dk->second).ratio <= 1;
    }
    return false;
  }

  bool right_when_fresh(const Record& record) {
    target_.start_afresh();
    const Record again = run_trial(record.spec, target_, settings_);
    return again.judged && again.failures.empty();
  }

  /// A wrong forward pass has wrong gradients: they are no second cause.
  void drop_gradients_of_wrong_outputs() {
    for (Record& record : records_) {
      const bool wrong = std::any_of(record.failures.begin(), record.failures.end(), [](const Failure& f) {
        return !is_gradient(f.output) && f.output != "gradients";
      });
      if (!wrong) continue;
      std::erase_if(record.failures, [](const Failure& f) { return f.class_name.empty() && is_gradient(f.output); });
    }
  }

  std::vector<Finding> merged() {
    std::vector<Finding> findings;
    for (const Record& record : records_)
      for (const Failure& failure : record.failures) {
        const auto same = std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) {
          return finding.class_name == failure.class_name;
        });
        Finding finding{
            failure.class_name, record.spec.property, failure.ratio, record.spec, failure.output, failure.message, 1,
            failure.guessed};
        if (same == findings.end()) {
          findings.push_back(finding);
          continue;
        }
        const int cases = same->cases + 1;
        finding.guessed = finding.guessed && same->guessed;
        if (cost(record.spec) < cost(same->spec))
          *same = finding;
        else
          same->guessed = finding.guessed;
        same->cases = cases;
      }
    drop_consequences(findings);
    return findings;
  }

  static std::string kind(const Finding& f) {
    return f.output == "lse" ? "lse" : is_gradient(f.output) ? "gradients" : f.output;
  }

  /// Findings that follow from another one.
  static void drop_consequences(std::vector<Finding>& findings) {
    const auto has = [&](const std::function<bool(const Finding&)>& which) {
      return std::any_of(findings.begin(), findings.end(), which);
    };
    const auto seen_wrongly = [](const Finding& f) {
      const auto about = [&](const char* word) { return f.class_name.find(word) != std::string::npos; };
      return about("causal") || about("window") || about("mask ") || about("packed") || about("masked keys get") ||
             about("softcap applied after the mask");
    };
    const auto a_value = [](const Finding& f) {
      return f.property == "values" && (f.output == "out" || f.output == "lse") && f.class_name != "wrong lse";
    };
    // Heads and sequences that read others' numbers change with them.
    const bool mapping = has([&](const Finding& f) {
      return a_value(f) &&
             (f.class_name == "key heads mapped wrongly" || f.class_name == "sequences or heads are mixed up");
    });
    const bool visibility = has([&](const Finding& f) { return seen_wrongly(f) && a_value(f); });
    const bool stateful = has([](const Finding& f) { return f.class_name == "a result depends on earlier calls"; });
    const bool named = has([&](const Finding& f) { return a_value(f) && f.class_name != "wrong values"; });
    const bool any_gradient = has([](const Finding& f) { return is_gradient(f.output); });
    // What a few cases seem to have in common is no second cause beside one that explains many.
    std::map<std::string, int> explained;
    for (const Finding& f : findings)
      if (!f.guessed) explained[kind(f)] = std::max(explained[kind(f)], f.cases);
    std::erase_if(findings, [&](const Finding& f) {
      if (f.guessed && f.cases * 4 <= explained[kind(f)]) return true;
      if (mapping && f.property != "values" && f.class_name.find("heads are mixed up") != std::string::npos)
        return true;
      if (visibility && f.class_name.starts_with("a masked key or value reaches")) return true;
      if (stateful && f.class_name == "results differ between runs") return true;
      if (named && f.class_name == "wrong values") return true;
      return any_gradient && f.output == "gradients" &&
             has([](const Finding& other) { return other.property == "values" && is_gradient(other.output); });
    });
  }

  std::vector<Record>& records_;
  Target& target_;
  const TrialSettings& settings_;
  bool softmax_ = true;
};

}  // namespace

std::vector<Finding> diagnose(std::vector<Record>& records, Target& target, const TrialSettings& settings) {
  return Diagnosis(records, target, settings).run();
}

}  // namespace attest::judge
