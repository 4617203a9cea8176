// Cases of softmax attention that compare calls with each other, and combinations at random.
#include <functional>

#include "kernels/random/stream.hpp"
#include "simulations/judge/case/case_list.hpp"
#include "simulations/judge/case/families.hpp"

namespace attest::judge {

void add_comparisons(CaseList& list) {
  const auto put = [&](Property property, CaseSpec s) {
    s.property = property;
    list.add(s);
  };
  const Extents small{2, 2, 2, 6, 6, 4, 4};
  const auto leaks = [&](const std::function<void(CaseSpec&)>& change) {
    CaseSpec s = list.base(small);
    change(s);
    put(Property::leak, s);
    s.gradient = true;
    put(Property::leak, s);
  };
  leaks([](CaseSpec& s) { s.causal = true; });
  leaks([](CaseSpec& s) { s.mask = "bool NN"; });
  leaks([](CaseSpec& s) { s.mask = "bool B1NN"; });
  leaks([](CaseSpec& s) { s.mask = "bool BHNN"; });
  leaks([](CaseSpec& s) { s.window = {1, 1}; });
  leaks([](CaseSpec& s) { s.window = {1, 0}, s.causal = true; });
  leaks([](CaseSpec& s) { s.causal = true, s.softcap = 1; });
  leaks([](CaseSpec& s) { s.packed = {2, 4}, s.batch = 1; });
  CaseSpec causal = list.base({1, 2, 2, 19, 19, 4, 4});
  causal.causal = true;
  put(Property::causality, causal);
  causal.gradient = true;
  put(Property::causality, causal);
  causal = list.base({1, 1, 1, 5, 33, 4, 4});
  causal.causal = true;
  put(Property::causality, causal);
  for (const Property property : {Property::permutation, Property::shift, Property::linearity}) {
    put(property, list.base({2, 2, 2, 7, 13, 5, 5}));
    put(property, list.base({1, 1, 1, 17, 33, 8, 8}));
  }
  put(Property::linearity, causal);
  for (const Property property : {Property::heads, Property::sequences, Property::mates}) {
    put(property, list.base({2, 2, 2, 5, 7, 4, 4}));
    CaseSpec s = list.base({3, 4, 2, 6, 6, 4, 4});
    s.gradient = true;
    put(property, s);
    s = list.base({3, 2, 2, 6, 6, 4, 4});
    s.gradient = true;
    put(property, s);
    s.causal = true;
    put(property, s);
  }
  put(Property::alone, list.base({3, 2, 2, 3, 40, 4, 4}));
  put(Property::alone, list.base({2, 1, 1, 5, 5, 4, 4}));
  for (const ElementType type : list.request().types) {
    CaseSpec s = list.base({3, 2, 2, 3, 40, 8, 8});
    s.type = type;
    put(Property::alone, s);
    put(Property::repeat, s);
    put(Property::strides, s);
  }
  put(Property::repeat, list.base(small));
  put(Property::strides, list.base(small));
  CaseSpec s = list.base(small);
  s.gradient = true;
  put(Property::strides, s);
  if (list.request().far) {
    s = list.base({1, 2, 2, 3, 5, 4, 4});
    put(Property::far_strides, s);
    s.gradient = true;
    put(Property::far_strides, s);
  }
  const auto own = [&](const std::function<void(CaseSpec&)>& change) {
    if (list.request().types.front() != ElementType::float64) return;
    CaseSpec spec = list.base({2, 2, 2, 5, 6, 4, 4});
    spec.gradient = true;
    change(spec);
    put(Property::own_differences, spec);
  };
  own([](CaseSpec&) {});
  own([](CaseSpec& spec) { spec.keys = 5, spec.causal = true; });
  own([](CaseSpec& spec) { spec.heads = 4; });
  own([](CaseSpec& spec) { spec.softcap = 1; });
  own([](CaseSpec& spec) { spec.window = {1, 1}; });
  own([](CaseSpec& spec) { spec.mask = "bool BHNN"; });
  own([](CaseSpec& spec) { spec.bias = "HNN"; });
  for (const double rate : {0.1, 0.5}) {
    CaseSpec drawn = list.base({2, 4, 4, 64, 64, 64, 64});
    drawn.family = "identity";
    drawn.number = 0;
    drawn.dropout = rate;
    put(Property::drawn_dropout, drawn);
  }
}

void add_combinations(CaseList& list, int count) {
  random::Stream draw(list.request().seed, random::stream_key("combinations"), 0);
  const auto chance = [&](double p) { return draw.uniform() < p; };
  for (int n = 0; n < count; ++n) {
    const bool grouped = chance(0.3);
    const Index group = grouped ? 1 + static_cast<Index>(draw.integer(3)) : 1;
    const Index kv_heads = 1 + static_cast<Index>(draw.integer(3)), width = 1 + static_cast<Index>(draw.integer(12));
    CaseSpec s =
        list.base({1 + static_cast<Index>(draw.integer(3)), kv_heads * group, kv_heads,
                   1 + static_cast<Index>(draw.integer(24)), 1 + static_cast<Index>(draw.integer(48)), width, width});
    if (chance(0.5)) s.keys = s.queries;
    if (chance(0.2)) s.value_width = 1 + static_cast<Index>(draw.integer(12));
    s.gradient = chance(0.5);
    s.causal = chance(0.4);
    if (list.request().both_corners && chance(0.5)) s.corner = Corner::top_left;
    if (chance(0.2))
      s.window = {static_cast<Index>(draw.integer(6)), s.causal ? 0 : static_cast<Index>(draw.integer(4))};
    if (chance(0.2)) s.softcap = 1 + 4 * draw.uniform();
    if (chance(0.2)) s.scale = 0.25 + draw.uniform();
    static const char* const masks[] = {"bool NN", "bool B1NN", "bool BHNN", "float NN", "float B1NN", "float BHNN"};
    if (chance(0.25)) s.mask = masks[draw.integer(6)];
    if (chance(0.15)) s.bias = "HNN";
    if (chance(0.15)) s.alibi = true;
    if (chance(0.15)) s.sinks = true;
    if (chance(0.15)) s.dropout = chance(0.5) ? 0.5 : 0.2;
    if (chance(0.3)) s.family = families()[draw.integer(8)];
    s.scale = static_cast<double>(static_cast<float>(s.scale));
    s.softcap = static_cast<double>(static_cast<float>(s.softcap));
    if (chance(0.3)) s.type = list.request().types[draw.integer(list.request().types.size())];
    list.add(s);
  }
}

}  // namespace attest::judge
