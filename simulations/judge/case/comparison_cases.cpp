// Cases of softmax attention that compare calls with each other, and combinations at random.
#include <functional>
#include <utility>

#include "kernels/random/stream.hpp"
#include "simulations/judge/case/case_list.hpp"
#include "simulations/judge/case/families.hpp"

namespace attest::judge {

namespace {

constexpr Extents small{2, 2, 2, 6, 6, 4, 4};

void put(CaseList& list, Property property, CaseSpec s) {
  s.property = property;
  list.add(std::move(s));
}

CaseSpec causal_case(const CaseList& list, const Extents& extents) {
  CaseSpec s = list.base(extents);
  s.causal = true;
  return s;
}

void add_leaks(CaseList& list) {
  const auto leaks = [&](const std::function<void(CaseSpec&)>& change) {
    CaseSpec s = list.base(small);
    change(s);
    put(list, Property::leak, s);
    s.gradient = true;
    put(list, Property::leak, s);
  };
  leaks([](CaseSpec& s) { s.causal = true; });
  leaks([](CaseSpec& s) { s.mask = "bool NN"; });
  leaks([](CaseSpec& s) { s.mask = "bool B1NN"; });
  leaks([](CaseSpec& s) { s.mask = "bool BHNN"; });
  leaks([](CaseSpec& s) { s.window = {1, 1}; });
  leaks([](CaseSpec& s) { s.window = {1, 0}, s.causal = true; });
  leaks([](CaseSpec& s) { s.causal = true, s.softcap = 1; });
  leaks([](CaseSpec& s) { s.packed = {2, 4}, s.batch = 1; });
}

void add_causality(CaseList& list) {
  CaseSpec causal = causal_case(list, {1, 2, 2, 19, 19, 4, 4});
  put(list, Property::causality, causal);
  causal.gradient = true;
  put(list, Property::causality, causal);
  put(list, Property::causality, causal_case(list, {1, 1, 1, 5, 33, 4, 4}));
}

void add_symmetries(CaseList& list) {
  for (const Property property : {Property::permutation, Property::shift, Property::linearity}) {
    put(list, property, list.base({2, 2, 2, 7, 13, 5, 5}));
    put(list, property, list.base({1, 1, 1, 17, 33, 8, 8}));
  }
  put(list, Property::linearity, causal_case(list, {1, 1, 1, 5, 33, 4, 4}));
}

void add_parts_of_others(CaseList& list) {
  for (const Property property : {Property::heads, Property::sequences, Property::mates}) {
    put(list, property, list.base({2, 2, 2, 5, 7, 4, 4}));
    CaseSpec s = list.base({3, 4, 2, 6, 6, 4, 4});
    s.gradient = true;
    put(list, property, s);
    s = list.base({3, 2, 2, 6, 6, 4, 4});
    s.gradient = true;
    put(list, property, s);
    s.causal = true;
    put(list, property, s);
  }
}

void add_repeats_and_strides(CaseList& list) {
  put(list, Property::alone, list.base({3, 2, 2, 3, 40, 4, 4}));
  put(list, Property::alone, list.base({2, 1, 1, 5, 5, 4, 4}));
  for (const ElementType type : list.request().types) {
    CaseSpec s = list.base({3, 2, 2, 3, 40, 8, 8});
    s.type = type;
    put(list, Property::alone, s);
    put(list, Property::repeat, s);
    put(list, Property::strides, s);
    s.gradient = true;
    put(list, Property::repeat, s);
  }
  put(list, Property::repeat, list.base(small));
  // Many tiles, whose order shows.
  for (const ElementType type : list.request().types) {
    CaseSpec s = list.base({2, 1, 1, 5, 700, 4, 4});
    s.type = type;
    put(list, Property::repeat, s);
    put(list, Property::alone, s);
    s.gradient = true;
    put(list, Property::repeat, s);
  }
  // An odd width: who moves several features at a time goes beyond the rows.
  CaseSpec s = list.base({2, 2, 2, 6, 7, 5, 5});
  put(list, Property::strides, s);
  s.gradient = true;
  put(list, Property::strides, s);
  for (const char* mask : {"bool BHNN", "float BHNN"}) {
    s = list.base({2, 3, 3, 4, 6, 4, 4});
    s.mask = mask;
    put(list, Property::strides, s);
    s.mask.clear();
    s.dropout = 0.5;
    put(list, Property::strides, s);
  }
  if (list.request().far) {
    s = list.base({1, 2, 2, 3, 5, 4, 4});
    put(list, Property::far_strides, s);
    s.gradient = true;
    put(list, Property::far_strides, s);
  }
}

/// Of extents that no other case has: what a case before has left behind would make the first call wrong, not the
/// second.
void add_other_options(CaseList& list) {
  const auto other = [&](const std::function<void(CaseSpec&)>& change) {
    CaseSpec spec = list.base({2, 2, 2, 26, 26, 4, 4});
    change(spec);
    put(list, Property::other_options, spec);
  };
  other([](CaseSpec&) {});
  if (list.request().both_corners) other([](CaseSpec& spec) { spec.keys = 29, spec.causal = true; });
  other([](CaseSpec& spec) { spec.scale = 0.3; });
  other([](CaseSpec& spec) { spec.window = {3, 2}; });
  other([](CaseSpec& spec) { spec.window = {3, 0}, spec.causal = true; });
  other([](CaseSpec& spec) { spec.softcap = 1; });
  other([](CaseSpec& spec) { spec.mask = "bool NN"; });
  other([](CaseSpec& spec) { spec.mask = "float BHNN"; });
  other([](CaseSpec& spec) { spec.bias = "HNN"; });
  other([](CaseSpec& spec) { spec.alibi = true; });
  other([](CaseSpec& spec) { spec.alibi = true, spec.causal = true; });
  other([](CaseSpec& spec) { spec.sinks = true; });
  other([](CaseSpec& spec) { spec.dropout = 0.5; });
  other([](CaseSpec& spec) { spec.batch = 1, spec.packed = {10, 16}; });
}

void add_own_differences(CaseList& list) {
  if (list.request().types.front() != ElementType::float64) return;
  const auto own = [&](const std::function<void(CaseSpec&)>& change) {
    CaseSpec spec = list.base({2, 2, 2, 5, 6, 4, 4});
    spec.gradient = true;
    change(spec);
    put(list, Property::own_differences, spec);
  };
  own([](CaseSpec&) {});
  own([](CaseSpec& spec) { spec.keys = 5, spec.causal = true; });
  own([](CaseSpec& spec) { spec.heads = 4; });
  own([](CaseSpec& spec) { spec.softcap = 1; });
  own([](CaseSpec& spec) { spec.window = {1, 1}; });
  own([](CaseSpec& spec) { spec.mask = "bool BHNN"; });
  own([](CaseSpec& spec) { spec.bias = "HNN"; });
}

void add_drawn_dropout(CaseList& list) {
  for (const double rate : {0.1, 0.5}) {
    CaseSpec drawn = list.base({2, 4, 4, 64, 64, 64, 64});
    drawn.family = "identity";
    drawn.number = 0;
    drawn.dropout = rate;
    put(list, Property::drawn_dropout, drawn);
  }
}

}  // namespace

void add_comparisons(CaseList& list) {
  add_leaks(list);
  add_causality(list);
  add_symmetries(list);
  add_parts_of_others(list);
  add_repeats_and_strides(list);
  add_other_options(list);
  add_own_differences(list);
  add_drawn_dropout(list);
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
