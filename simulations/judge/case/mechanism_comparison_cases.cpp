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

  void add(const std::string& property) {
    if (property == "own differences") {
      if (list_.request().types.front() == ElementType::float64) put(property, true, false);
    } else if (property == "leak" || property == "causality") {
      put(property, false, true);
    } else if (property == "heads" || property == "sequences" || property == "mates") {
      for (const bool gradient : {false, true}) put(property, gradient, false), put(property, gradient, true);
    } else if (property == "alone" || property == "repeat") {
      for (const ElementType type : list_.request().types) put(property, false, false, type);
    } else {
      put(property, false, false);
      // A causal mask counts by places: keys keep theirs.
      if (property != "permutation") put(property, false, true);
    }
  }

  void add_strides() {
    for (const ElementType type : list_.request().types)
      for (const bool gradient : {false, true}) put("strides", gradient, false, type);
    if (!list_.request().far) return;
    for (const bool gradient : {false, true})
      for (const Extents& extents : far) put("far strides", gradient, false, list_.request().types.front(), extents);
  }

 private:
  void put(const std::string& property, bool gradient, bool causal) {
    put(property, gradient, causal, list_.request().types.front());
  }
  void put(const std::string& property, bool gradient, bool causal, ElementType type) {
    for (const Extents& extents : some)
      if (!causal || extents.queries == extents.keys) put(property, gradient, causal, type, extents);
  }
  void put(const std::string& property, bool gradient, bool causal, ElementType type, const Extents& extents) {
    CaseSpec s = list_.base(extents);
    s.property = property;
    s.type = type;
    s.gradient = gradient;
    s.causal = causal;
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
