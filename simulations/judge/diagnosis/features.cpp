#include "simulations/judge/diagnosis/features.hpp"

#include <algorithm>

namespace attest::judge {
namespace {

struct Feature {
  Fault fault;
  std::function<bool(const CaseSpec&)> has;
};

bool extreme(const CaseSpec& s) {
  return s.family == "saturated" || s.family == "huge" || s.family.ends_with("times-5");
}

bool no_power_of_two(Index n) { return (n & (n - 1)) != 0; }

const std::vector<Feature>& features() {
  static const std::vector<Feature> all = {
      {fault::beyond_64k_keys, [](const CaseSpec& s) { return s.keys > 65536; }},
      {fault::strides_ignored, [](const CaseSpec& s) { return s.property == Property::strides; }},
      {fault::underflow_at_very_negative_logits, [](const CaseSpec& s) { return s.family == "negative"; }},
      {fault::overflow_at_large_logits, extreme},
      {fault::wrong_gradients_with_sinks, [](const CaseSpec& s) { return s.sinks; }},
      {fault::dropout_wrong_in_the_gradients, [](const CaseSpec& s) { return s.dropout != 0; }},
      {fault::wrong_gradients_with_packed_sequences, [](const CaseSpec& s) { return !s.packed.empty(); }},
      {fault::wrong_gradients_with_alibi, [](const CaseSpec& s) { return s.alibi; }},
      {fault::wrong_gradients_with_bias, [](const CaseSpec& s) { return !s.bias.empty(); }},
      {fault::wrong_gradients_with_this_mask, [](const CaseSpec& s) { return s.window.has_value(); }},
      {fault::wrong_gradients_with_this_mask, [](const CaseSpec& s) { return !s.mask.empty(); }},
      {fault::wrong_gradients_with_padded_keys, [](const CaseSpec& s) { return s.padding != 0; }},
      {fault::gradient_of_lse_wrong, [](const CaseSpec& s) { return s.lse_gradient; }},
      {fault::dk_and_dv_not_summed_over_the_group, [](const CaseSpec& s) { return s.heads != s.kv_heads; }},
      {fault::wrong_when_values_have_another_width, [](const CaseSpec& s) { return s.width != s.value_width; }},
      {fault::mixed_up_in_gradients, [](const CaseSpec& s) { return s.batch > 1; }},
      {fault::mixed_up_in_gradients, [](const CaseSpec& s) { return s.heads > 1; }},
      {fault::wrong_when_values_have_another_width, [](const CaseSpec& s) { return no_power_of_two(s.value_width); }},
      {fault::wrong_at_wide_heads, has_wide_heads},
      {fault::wrong_at_partial_vectors, [](const CaseSpec& s) { return s.width % 2 != 0 && s.width > 1; }}};
  return all;
}

}  // namespace

bool has_large_logits(const CaseSpec& s) { return extreme(s) || s.family == "negative"; }

bool hides_keys(const CaseSpec& s) { return s.causal || s.window || !s.mask.empty(); }

Fault fault_by_feature(const std::vector<const CaseSpec*>& fails, const std::vector<const CaseSpec*>& passes) {
  const Feature* best = nullptr;
  double best_share = 0.34;
  for (const Feature& feature : features()) {
    const auto has = [&](const CaseSpec* spec) { return feature.has(*spec); };
    const auto failing = std::count_if(fails.begin(), fails.end(), has);
    if (static_cast<std::size_t>(failing) != fails.size()) continue;
    const auto passing = std::count_if(passes.begin(), passes.end(), has);
    const double share = static_cast<double>(failing) / static_cast<double>(failing + passing);
    // A case or two of a common feature is not a pattern; the more a feature tells of who fails, the better.
    if (passes.size() == static_cast<std::size_t>(passing) || share <= best_share * 1.02) continue;
    best = &feature;
    best_share = share;
  }
  return best == nullptr ? Fault{} : best->fault;
}

}  // namespace attest::judge
