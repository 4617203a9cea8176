// Cases of mechanisms other than softmax that compare calls with each other.
#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/judge/case/case_list.hpp"
#include "simulations/judge/case/comparisons.hpp"

namespace attest::judge {
namespace {

/// Of the example of every mechanism; with values as wide as keys; with fewer tokens than a tile; rectangular. A case
/// that a mechanism does not take is left out later.
constexpr Extents some[] = {
    {2, 4, 4, 12, 12, 4, 3}, {2, 4, 4, 12, 12, 4, 4}, {3, 2, 2, 7, 7, 5, 5}, {2, 2, 2, 5, 11, 4, 4}};

/// With few heads, of which each takes 2^31 entries of address space.
constexpr Extents far[] = {{1, 2, 2, 5, 5, 4, 4}, {1, 4, 4, 12, 12, 4, 3}};

class Comparisons {
 public:
  explicit Comparisons(CaseList& list) : list_(list) {}

  void add(Property property) {
    if (property == Property::own_differences) {
      if (list_.request().types.front() == ElementType::float64) put(property, true, false);
    } else if (property == Property::leak || property == Property::causality) {
      put(property, false, true);
    } else if (property == Property::padding) {
      put(property, false, false);
    } else if (property == Property::other_options) {
      add_other_options();
    } else if (property == Property::heads || property == Property::sequences || property == Property::mates) {
      for (const bool gradient : {false, true}) put(property, gradient, false), put(property, gradient, true);
    } else if (property == Property::alone || property == Property::repeat) {
      for (const ElementType type : list_.request().types) put(property, false, false, type);
    } else {
      put(property, false, false);
      // A causal mask counts by places: keys keep theirs.
      if (property != Property::permutation) put(property, false, true);
    }
  }

  void add_strides() {
    for (const ElementType type : list_.request().types)
      for (const bool gradient : {false, true}) put(Property::strides, gradient, false, type);
    if (!list_.request().far) return;
    for (const bool gradient : {false, true})
      for (const Extents& extents : far)
        put(Property::far_strides, gradient, false, list_.request().types.front(), extents);
  }

 private:
  /// Of extents that no other case has.
  void add_other_options() {
    const attention::Mechanism& mechanism = attention::find_mechanism(list_.request().mechanism);
    CaseSpec s = list_.base({2, 4, 4, 28, 28, 4, 4});
    s.property = Property::other_options;
    s.settings = list_.request().settings;
    if (declares(mechanism, "causal")) list_.add(s);
    if (mechanism.takes_mask) s.mask = "bool NN", list_.add(s);
    if (!mechanism.takes_key_lengths) return;
    s.mask.clear(), s.padding = 5;
    list_.add(s);
  }

  void put(Property property, bool gradient, bool causal) {
    put(property, gradient, causal, list_.request().types.front());
  }
  void put(Property property, bool gradient, bool causal, ElementType type) {
    for (const Extents& extents : some)
      if (!causal || extents.queries == extents.keys) put(property, gradient, causal, type, extents);
  }
  void put(Property property, bool gradient, bool causal, ElementType type, const Extents& extents) {
    CaseSpec s = list_.base(extents);
    s.property = property;
    s.type = type;
    s.gradient = gradient;
    s.causal = causal;
    s.padding = property == Property::padding ? 3 : 0;
    s.settings = list_.request().settings;
    list_.add(s);
  }

  CaseList& list_;
};

}  // namespace

void add_mechanism_comparisons(CaseList& list) {
  Comparisons comparisons(list);
  const attention::Settings settings(list.request().settings.begin(), list.request().settings.end());
  for (const Comparison& one : comparisons_of(attention::find_mechanism(list.request().mechanism), settings))
    if (one.why_not.empty()) comparisons.add(one.property);
  comparisons.add_strides();
}

}  // namespace attest::judge
