#include "simulations/judge/diagnosis/read_weights.hpp"

#include <cmath>

#include "simulations/judge/reference/mechanism_reference.hpp"
#include "simulations/judge/reference/visibility.hpp"
#include "simulations/judge/trial/answers.hpp"

namespace attest::judge {
namespace {

/// Counts over all rows.
struct Weights {
  Index hidden_seen = 0;      ///< weights where there should be none
  Index next_seen = 0;        ///< of these, those of the key after the query's own
  Index visible_missing = 0;  ///< no weight where there should be one
  Index own_missing = 0;      ///< of these, those of the query's own key
  Index wrong_sums = 0;
};

Weights compared(const std::vector<double>& actual, const std::vector<double>& wanted, Index queries, Index keys,
                 Index shift, double tolerance) {
  Weights weights;
  for (std::size_t row = 0; (row + 1) * static_cast<std::size_t>(keys) <= wanted.size(); ++row) {
    const Index position = static_cast<Index>(row) % queries + shift;
    double sum = 0, wanted_sum = 0;
    for (Index j = 0; j < keys; ++j) {
      const std::size_t n = row * static_cast<std::size_t>(keys) + static_cast<std::size_t>(j);
      sum += actual[n];
      wanted_sum += wanted[n];
      if (wanted[n] == 0 && actual[n] != 0) {
        ++weights.hidden_seen;
        if (j == position + 1) ++weights.next_seen;
      }
      if (std::abs(wanted[n]) > 1e-9 && actual[n] == 0) {
        ++weights.visible_missing;
        if (j == position) ++weights.own_missing;
      }
    }
    if (!(std::abs(sum - wanted_sum) <= tolerance)) ++weights.wrong_sums;
  }
  return weights;
}

std::string class_of_weights(const Weights& w, const CaseSpec& spec) {
  const char* sums = "rows of weights do not sum to 1";
  if (w.hidden_seen > 0) {
    if (spec.mechanism == "sparse") return spec.causal ? "causal ignored" : "wrong sparse pattern";
    if (!spec.packed.empty() && !spec.causal) return "packed sequences see each other";
    if (spec.causal && w.hidden_seen == w.next_seen) return "causal mask off by one";
    if (spec.window) return "sliding window has the wrong width";
    if (!spec.packed.empty()) return "packed sequences see each other";
    if (!spec.mask.empty()) return "masked keys get weight";
    if (spec.causal) return "causal ignored";
    return "";
  }
  if (w.visible_missing > 0) {
    if (spec.mechanism == "sparse") return "wrong sparse pattern";
    // A softmax over fewer keys still sums to 1; weights that were cleared do not.
    if (w.wrong_sums > 0) return sums;
    return spec.causal && w.own_missing == w.visible_missing ? "causal mask off by one" : "visible keys are skipped";
  }
  return w.wrong_sums > 0 ? sums : "";
}

WeightsSay class_of(const Weights& w, const CaseSpec& spec) {
  return {class_of_weights(w, spec), w.hidden_seen == 0 && w.visible_missing == 0};
}

WeightsSay of_softmax(CaseSpec spec, Target& target, const TrialSettings& settings, bool widths_differ) {
  spec.value_width = spec.keys;
  if (!widths_differ) spec.width = spec.keys;
  spec.gradient = spec.lse_gradient = false;
  spec.dropout = 0;
  Problem problem = problem_of(spec);
  for (std::size_t n = 0; n < problem.v.size(); ++n)
    problem.v[n] =
        static_cast<Index>(n) / problem.value_width % problem.keys == static_cast<Index>(n) % problem.value_width ? 1
                                                                                                                  : 0;
  Record record{.spec = spec};
  const auto outputs = outputs_of(request_of(problem, settings.conventions), problem, target, settings, record);
  if (!outputs || !outputs->contains("out")) return {};
  const Expected expected = expected_attention(problem, precision_for(spec, settings));
  // Padded or underflowed weights are no weights: what is not seen is told from what is small by the mask.
  std::vector<double> wanted = expected.out.values;
  double tolerance = 0;
  for (const double bound : expected.out.bounds) tolerance = std::max(tolerance, bound);
  const Index shift = spec.corner == Corner::bottom_right ? spec.keys - spec.queries : 0;
  return class_of(
      compared(outputs->at("out"), wanted, spec.queries, spec.keys, shift, tolerance * static_cast<double>(spec.keys)),
      spec);
}

WeightsSay of_mechanism(CaseSpec spec, Target& target, const TrialSettings& settings) {
  spec.value_width = spec.keys;
  spec.family = "identity";
  spec.gradient = false;
  std::map<std::string, Judged> expected;
  try {
    expected = expected_mechanism(spec, precision_for(spec, settings));
  } catch (const std::invalid_argument&) {
    return {};
  }
  Problem extents;
  extents.type = spec.type, extents.batch = spec.batch, extents.heads = extents.kv_heads = spec.heads;
  extents.queries = spec.queries, extents.keys = spec.keys, extents.width = spec.width, extents.value_width = spec.keys;
  Record record{.spec = spec};
  const auto outputs = outputs_of(mechanism_request(spec, call_of(spec), settings.conventions, nullptr), extents,
                                  target, settings, record);
  if (!outputs || !outputs->contains("out")) return {};
  const std::vector<double>& wanted = expected["out"].values;
  // 2 A - A^2 and A - I are no weights: they only show who sees whom.
  const bool no_weights = spec.mechanism.find("twicing") != std::string::npos || spec.mechanism == "graph-diffusion" ||
                          spec.mechanism == "neutreno";
  // Only weights: rows that are non-negative and sum to 1, which those of twicing and of diffusion are not.
  double largest_off = 0;
  for (std::size_t row = 0; (row + 1) * static_cast<std::size_t>(spec.keys) <= wanted.size(); ++row) {
    double sum = 0;
    for (Index j = 0; j < spec.keys; ++j)
      sum += wanted[row * static_cast<std::size_t>(spec.keys) + static_cast<std::size_t>(j)];
    largest_off = std::max(largest_off, std::abs(sum - 1));
  }
  // Linear attention's epsilon keeps sums below 1 by less than this.
  Weights weights = compared(outputs->at("out"), wanted, spec.queries, spec.keys, 0, 1e-4);
  if (no_weights || largest_off > 1e-4) weights.wrong_sums = weights.visible_missing = 0;
  return class_of(weights, spec);
}

}  // namespace

WeightsSay class_by_weights(const CaseSpec& spec, Target& target, const TrialSettings& settings, bool widths_differ) {
  constexpr Index most_keys = 400;
  if (spec.keys > most_keys) return {};
  if (spec.mechanism != "softmax") return of_mechanism(spec, target, settings);
  return of_softmax(spec, target, settings, widths_differ);
}

}  // namespace attest::judge
