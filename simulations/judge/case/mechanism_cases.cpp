// The cases of mechanisms other than softmax.
#include <algorithm>
#include <set>
#include <string_view>

#include "kernels/attention/mechanism/letters.hpp"
#include "kernels/attention/mechanism/mechanism.hpp"
#include "kernels/random/stream.hpp"
#include "simulations/judge/case/case_list.hpp"

namespace attest::judge {
namespace {

/// Boolean masks, and sequences of which the last is padded: extents that a mechanism does not take are left out later.
void add_masks(CaseList& list, const attention::Mechanism& mechanism) {
  const Extents extents[] = {{2, 4, 4, 12, 12, 4, 3}, {1, 1, 1, 9, 9, 2, 2}, {3, 2, 2, 6, 6, 5, 5},
                             {2, 2, 2, 5, 11, 4, 4},  {1, 2, 2, 3, 3, 4, 4}, {2, 1, 1, 33, 33, 8, 8}};
  const auto put = [&](CaseSpec spec, ElementType type) {
    spec.type = type;
    spec.settings = list.request().settings;
    for (const bool causal : {false, true}) {
      if (causal && (!declares(mechanism, "causal") || spec.queries != spec.keys)) continue;
      spec.causal = causal;
      list.add_both(spec);
    }
  };
  for (const ElementType type : list.request().types)
    for (const Extents& e : extents) {
      for (const char* mask : {"bool NN", "bool B1NN", "bool BHNN"}) {
        CaseSpec s = list.base(e);
        s.mask = mask;
        if (s.mask == "bool NN" ? mechanism.takes_mask : mechanism.takes_mask_per_head) put(s, type);
      }
      for (const Index padding : std::set<Index>{1, e.keys / 3}) {
        CaseSpec s = list.base(e);
        s.padding = padding;
        if (mechanism.takes_key_lengths) put(s, type);
      }
    }
}

/// More tokens than a tile of 32, 64, 128 or 256 holds, whole tiles and parts of them.
void add_long(CaseList& list, const attention::Mechanism& mechanism) {
  for (const Index tokens : {48, 64, 70, 128, 132, 256, 300})
    for (const bool causal : {false, true}) {
      if (causal && !declares(mechanism, "causal")) continue;
      CaseSpec s = list.base({1, 2, 2, tokens, tokens, 4, 4});
      s.causal = causal;
      s.settings = list.request().settings;
      list.add_both(s);
    }
}

}  // namespace

void add_mechanism_combinations(CaseList& list, int count) {
  const attention::Mechanism& mechanism = attention::find_mechanism(list.request().mechanism);
  random::Stream draw(list.request().seed, random::stream_key("combinations of " + mechanism.name), 0);
  const auto chance = [&](double p) { return draw.uniform() < p; };
  const auto up_to = [&](int most) { return 1 + static_cast<Index>(draw.integer(static_cast<std::uint64_t>(most))); };
  for (int n = 0; n < count; ++n) {
    const Index heads = up_to(4), tokens = up_to(40), width = up_to(12);
    CaseSpec s = list.base({up_to(3), heads, heads, tokens, tokens, width, width});
    if (chance(0.3)) s.queries = up_to(24);
    if (chance(0.3)) s.value_width = up_to(12);
    s.gradient = chance(0.5);
    s.causal = declares(mechanism, "causal") && s.queries == s.keys && chance(0.4);
    static const char* const masks[] = {"bool NN", "bool B1NN", "bool BHNN"};
    if (mechanism.takes_mask && chance(0.25)) s.mask = masks[draw.integer(mechanism.takes_mask_per_head ? 3 : 1)];
    if (mechanism.takes_key_lengths && s.keys > 1 && chance(0.25)) s.padding = up_to(static_cast<int>(s.keys) - 1);
    s.type = list.request().types[draw.integer(list.request().types.size())];
    s.settings = list.request().settings;
    for (const attention::OptionSpec& option : mechanism.options)
      if (option.name != "causal" && !option.example.empty() && !s.settings.contains(option.name) && chance(0.15))
        s.settings[option.name] = option.example;
    list.add(s);
  }
}

void add_mechanism(CaseList& list) {
  const attention::Mechanism& mechanism = attention::find_mechanism(list.request().mechanism);
  const std::vector<std::string> letters = attention::letters_of(mechanism.inputs.front().shape);
  add_masks(list, mechanism);
  add_long(list, mechanism);
  const bool rectangular = std::find(letters.begin(), letters.end(), "N_q") != letters.end();
  const Extents extents[] = {{2, 4, 4, 12, 12, 4, 3}, {1, 1, 1, 3, 3, 2, 2},   {1, 3, 3, 4, 4, 3, 3},
                             {1, 4, 4, 3, 3, 4, 4},   {2, 2, 2, 8, 8, 4, 4},   {1, 1, 1, 9, 9, 2, 2},
                             {1, 2, 2, 20, 20, 8, 8}, {2, 1, 1, 17, 17, 3, 3}, {1, 1, 1, 37, 37, 5, 5},
                             {3, 2, 2, 6, 6, 6, 2},   {1, 1, 1, 12, 12, 4, 4}, {1, 2, 2, 5, 11, 4, 4},
                             {1, 4, 4, 13, 13, 4, 4}, {2, 4, 4, 9, 9, 3, 3}};
  for (const ElementType type : list.request().types) {
    for (const Extents& e : extents)
      for (int with = 0; with < 8; ++with) {
        CaseSpec s = list.base(e);
        if (s.queries != s.keys && (!rectangular || (with & 1) != 0)) continue;
        s.type = type;
        if ((with & 1) != 0 && !declares(mechanism, "causal")) continue;
        s.causal = (with & 1) != 0;
        s.gradient = (with & 2) != 0;
        if ((with & 4) != 0) s.family = "identity", s.value_width = s.keys;
        if (s.gradient && (with & 4) != 0) continue;
        s.settings = list.request().settings;
        list.add(s);
      }
    // Distances of 0, features beyond what an exponential takes, the first layer, which lacks what earlier ones give.
    const bool shows_optional =
        std::ranges::any_of(mechanism.inputs, [](const attention::InputSpec& input) { return input.shown; });
    for (const std::string_view family : {"keys as queries", "large features", "required inputs alone"}) {
      if (family == "large features" && !mechanism.name.starts_with("linear")) continue;
      if (family == "required inputs alone" && !shows_optional) continue;
      for (const bool gradient : {false, true}) {
        CaseSpec s = list.base(extents[0]);
        s.type = type;
        s.family = family;
        s.gradient = gradient;
        s.settings = list.request().settings;
        list.add(s);
      }
    }
    for (const attention::OptionSpec& option : mechanism.options) {
      if (option.name == "causal" || option.example.empty() || list.request().settings.contains(option.name)) continue;
      for (const bool gradient : {false, true}) {
        CaseSpec s = list.base(extents[0]);
        s.type = type;
        s.gradient = gradient;
        s.settings = list.request().settings;
        s.settings[option.name] = option.example;
        list.add(s);
      }
    }
  }
}

}  // namespace attest::judge
