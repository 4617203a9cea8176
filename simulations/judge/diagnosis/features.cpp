#include "simulations/judge/diagnosis/features.hpp"

#include <algorithm>

namespace attest::judge {
namespace {

struct Feature {
  const char* class_name;
  std::function<bool(const CaseSpec&)> has;
};

bool extreme(const CaseSpec& s) { return s.family == "saturated" || s.family == "huge" || s.family == "times-5"; }

bool no_power_of_two(Index n) { return (n & (n - 1)) != 0; }

const std::vector<Feature>& features() {
  static const std::vector<Feature> all = {
      {"wrong beyond 65,536 keys", [](const CaseSpec& s) { return s.keys > 65536; }},
      {"strides ignored", [](const CaseSpec& s) { return s.property == "strides"; }},
      {"underflow at very negative logits", [](const CaseSpec& s) { return s.family == "negative"; }},
      {"overflow at large logits", extreme},
      {"wrong gradients with sinks", [](const CaseSpec& s) { return s.sinks; }},
      {"dropout wrong in the gradients", [](const CaseSpec& s) { return s.dropout != 0; }},
      {"wrong gradients with packed sequences", [](const CaseSpec& s) { return !s.packed.empty(); }},
      {"wrong gradients with ALiBi", [](const CaseSpec& s) { return s.alibi; }},
      {"wrong gradients with bias", [](const CaseSpec& s) { return !s.bias.empty(); }},
      {"wrong gradients with this mask", [](const CaseSpec& s) { return s.window.has_value(); }},
      {"wrong gradients with this mask", [](const CaseSpec& s) { return !s.mask.empty(); }},
      {"gradient of lse wrong", [](const CaseSpec& s) { return s.lse_gradient; }},
      {"dk and dv not summed over the group", [](const CaseSpec& s) { return s.heads != s.kv_heads; }},
      {"wrong when values have another width", [](const CaseSpec& s) { return s.width != s.value_width; }},
      {"sequences or heads are mixed up in the gradients", [](const CaseSpec& s) { return s.batch > 1; }},
      {"sequences or heads are mixed up in the gradients", [](const CaseSpec& s) { return s.heads > 1; }},
      {"wrong when values have another width", [](const CaseSpec& s) { return no_power_of_two(s.value_width); }},
      {"wrong at odd widths", [](const CaseSpec& s) { return s.width % 2 != 0 && s.width > 1; }}};
  return all;
}

}  // namespace

bool hides_keys(const CaseSpec& s) { return s.causal || s.window || !s.mask.empty(); }

std::string class_by_feature(const std::vector<const CaseSpec*>& fails, const std::vector<const CaseSpec*>& passes) {
  const Feature* best = nullptr;
  double best_share = 0.34;
  for (const Feature& feature : features()) {
    const auto has = [&](const CaseSpec* spec) { return feature.has(*spec); };
    const auto failing = std::count_if(fails.begin(), fails.end(), has);
    if (static_cast<std::size_t>(failing) != fails.size()) continue;
    const auto passing = std::count_if(passes.begin(), passes.end(), has);
    const double share = static_cast<double>(failing) / static_cast<double>(failing + passing);
    // A case or two of a common feature is no pattern; the more a feature tells of who fails, the better.
    if (passes.size() == static_cast<std::size_t>(passing) || share <= best_share * 1.02) continue;
    best = &feature;
    best_share = share;
  }
  return best == nullptr ? "" : best->class_name;
}

}  // namespace attest::judge
