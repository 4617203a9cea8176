// The cases of softmax attention that are judged by their values.
#include <functional>
#include <utility>

#include "simulations/judge/case/case_list.hpp"
#include "simulations/judge/case/families.hpp"

namespace attest::judge {
namespace {

/// 1, 2, primes, 2^k +- 1, no multiples of tiles, N_q and N_k that differ, several sequences and heads.
constexpr Extents plain_extents[] = {{2, 2, 2, 3, 3, 4, 4},   {1, 1, 1, 1, 1, 1, 1},     {1, 1, 1, 2, 1, 3, 3},
                                     {1, 1, 1, 1, 2, 2, 2},   {1, 1, 1, 5, 7, 3, 3},     {2, 3, 3, 7, 5, 5, 5},
                                     {1, 2, 2, 16, 16, 8, 8}, {1, 2, 2, 17, 17, 8, 8},   {1, 1, 1, 31, 33, 16, 16},
                                     {1, 1, 1, 3, 40, 4, 4},  {1, 1, 1, 65, 63, 16, 16}, {1, 1, 1, 4, 127, 8, 8},
                                     {1, 1, 1, 9, 130, 7, 7}, {2, 1, 1, 13, 9, 6, 6},    {1, 2, 2, 37, 11, 12, 12},
                                     {1, 1, 1, 5, 263, 4, 4}, {3, 2, 2, 6, 6, 2, 2},     {1, 1, 1, 29, 29, 64, 64}};
constexpr Extents wide_extents[] = {
    {1, 2, 2, 5, 7, 4, 6}, {1, 1, 1, 4, 4, 8, 3}, {2, 2, 2, 3, 9, 5, 1}, {1, 1, 1, 6, 20, 16, 24}};
constexpr Extents grouped_extents[] = {
    {2, 4, 2, 5, 6, 4, 4}, {1, 6, 3, 4, 9, 3, 3}, {1, 8, 2, 7, 17, 8, 8}, {2, 3, 1, 4, 5, 4, 4}, {1, 6, 2, 5, 5, 2, 2}};
constexpr Extents long_extents[] = {{1, 1, 1, 1, 65541, 1, 1}, {1, 1, 1, 2, 65600, 2, 2}};

}  // namespace

void add_plain(CaseList& list) {
  for (const Extents& e : plain_extents) list.add_both(list.base(e));
  for (const Extents& e : wide_extents) list.add_both(list.base(e));
  for (const Extents& e : grouped_extents) list.add_both(list.base(e));
  for (const Extents e : {Extents{2, 2, 2, 9, 11, 8, 8}, Extents{1, 2, 2, 5, 37, 4, 4}})
    for (const std::string& family : drawn_families()) {
      CaseSpec s = list.base(e);
      s.family = family;
      if (family == "identity") s.width = s.value_width = s.keys;
      list.add_both(s);
    }
  CaseSpec s = list.base(plain_extents[0]);
  s.gradient = s.lse_gradient = true;
  list.add(s);
  s = list.base(plain_extents[7]);
  s.gradient = s.lse_gradient = true;
  list.add(s);
}

void add_visibility(CaseList& list) {
  const Extents causal[] = {{2, 2, 2, 3, 3, 4, 4},   {1, 2, 2, 3, 5, 4, 4},  {1, 1, 1, 8, 8, 4, 4},
                            {1, 1, 1, 17, 17, 8, 8}, {1, 1, 1, 1, 6, 4, 4},  {2, 1, 1, 2, 9, 4, 4},
                            {1, 1, 1, 33, 40, 8, 8}, {1, 2, 2, 5, 3, 4, 4},  {1, 4, 2, 6, 6, 4, 4},
                            {1, 1, 1, 6, 40, 4, 4},  {1, 1, 1, 65, 65, 8, 8}};
  for (const Extents& e : causal) {
    CaseSpec s = list.base(e);
    s.causal = true;
    list.add_corners(s);
    s.scale = 0.3;
    list.add(s);
  }
  const Window windows[] = {{2, 0}, {1, 1}, {0, 0}, {3, -1}, {-1, 1}, {9, 9}, {3, 0}};
  const Extents seen[] = {{1, 2, 2, 6, 6, 4, 4}, {1, 1, 1, 1, 5, 4, 4}, {1, 1, 1, 6, 3, 4, 4}, {1, 1, 1, 17, 23, 4, 4}};
  for (const Extents& e : seen)
    for (const Window& window : windows) {
      CaseSpec s = list.base(e);
      s.window = window;
      list.add_corners(s, window.second <= 1);
      if (window.second != 0) continue;
      s.causal = true;
      list.add_corners(s);
    }
  for (const char* mask : {"bool NN", "bool B1NN", "bool BHNN", "float NN", "float B1NN", "float BHNN"})
    for (const Extents e :
         {Extents{2, 2, 2, 4, 4, 4, 4}, Extents{2, 4, 2, 5, 7, 4, 4}, Extents{1, 1, 1, 9, 33, 4, 4}}) {
      CaseSpec s = list.base(e);
      s.mask = mask;
      list.add_both(s);
      if (e.queries == 4) {
        s.causal = true;
        list.add(s);
        s.causal = false;
        s.empty_row = true;
        list.add_both(s);
        s.empty_row = false;
        s.family = "saturated";
        list.add(s);
      }
    }
}

void add_terms(CaseList& list) {
  const Extents extents[] = {{2, 2, 2, 4, 4, 4, 4}, {1, 4, 2, 3, 7, 8, 8}, {1, 2, 2, 17, 9, 5, 5}};
  for (const Extents& e : extents) {
    const CaseSpec plain = list.base(e);
    const auto with = [&](const std::function<void(CaseSpec&)>& change, bool causal_too = true) {
      CaseSpec s = plain;
      change(s);
      list.add_both(s);
      if (!causal_too) return;
      s.causal = true;
      s.corner = list.request().corner;
      list.add_both(s);
    };
    with([](CaseSpec& s) { s.scale = 0.3; });
    with([](CaseSpec& s) { s.scale = 1.5; }, false);
    with([](CaseSpec& s) { s.softcap = 1; });
    with([](CaseSpec& s) { s.softcap = 5, s.family = "times-5"; });
    with([](CaseSpec& s) { s.softcap = 2, s.scale = 0.3; }, false);
    with([](CaseSpec& s) { s.softcap = 1, s.mask = "bool NN"; }, false);
    with([](CaseSpec& s) { s.softcap = 1, s.mask = "float NN"; }, false);
    with([](CaseSpec& s) { s.bias = "HNN"; });
    with([](CaseSpec& s) { s.softcap = 1, s.bias = "HNN"; }, false);
    with([](CaseSpec& s) { s.scale = 0.3, s.bias = "HNN"; }, false);
    with([](CaseSpec& s) { s.alibi = true; });
    with([](CaseSpec& s) { s.sinks = true; });
    with([](CaseSpec& s) { s.sinks = true, s.mask = "bool NN"; }, false);
    with([](CaseSpec& s) { s.dropout = 0.5; });
    with([](CaseSpec& s) { s.dropout = 0.2; }, false);
    CaseSpec s = plain;
    s.gradient = s.lse_gradient = true;
    s.causal = true;
    list.add(s);
    s.softcap = 1;
    list.add(s);
  }
  CaseSpec s = list.base({1, 2, 2, 3, 5, 4, 4});
  s.alibi = true;
  list.add_corners(s);
}

void add_packed(CaseList& list) {
  const std::vector<Index> lengths[] = {{3, 4}, {2, 1, 4}, {1, 5, 3, 2}, {2, 0, 3}, {7}, {17, 16, 9}};
  for (const std::vector<Index>& each : lengths) {
    Index total = 0;
    for (const Index length : each) total += length;
    CaseSpec s = list.base({1, 2, 2, total, total, 4, 4});
    s.packed = each;
    list.add_both(s);
    s.causal = true;
    list.add_both(s);
  }
  const std::pair<std::vector<Index>, std::vector<Index>> pairs[] = {
      {{2, 3}, {4, 3}}, {{2, 3}, {2, 2}}, {{1, 2, 2}, {3, 1, 5}}, {{3, 0, 2, 1}, {2, 2, 3, 2}}};
  for (const auto& [queries, keys] : pairs) {
    CaseSpec s = list.base({1, 2, 2, 0, 0, 4, 4});
    for (const Index length : queries) s.queries += length;
    for (const Index length : keys) s.keys += length;
    s.packed = queries, s.packed_keys = keys;
    list.add_both(s);
    s.causal = true;
    list.add_both(s);
    if (list.request().both_corners) {
      s.corner = list.request().corner == Corner::top_left ? Corner::bottom_right : Corner::top_left;
      list.add_both(s);
    }
  }
}

void add_numbers(CaseList& list) {
  for (const ElementType type : list.request().types) {
    const bool narrow = type == ElementType::float16 || type == ElementType::bfloat16;
    for (const Extents e : {Extents{1, 2, 2, 5, 37, 8, 8}, Extents{2, 2, 2, 9, 11, 4, 4}})
      for (const std::string& family : drawn_families()) {
        if (type == list.request().types.front()) break;
        if (family == "identity" || (narrow && (family == "huge" || family == "negative"))) continue;
        CaseSpec s = list.base(e);
        s.type = type;
        s.family = family;
        list.add_both(s);
      }
    for (const char* family : {"alike", "positive", "leader"}) {
      CaseSpec s = list.base({1, 1, 1, 3, narrow ? 2500 : 600, 4, 4});
      s.type = type;
      s.family = family;
      list.add(s);
      s = list.base({1, 1, 1, narrow ? 5000 : 300, 5, 4, 4});
      s.type = type;
      s.family = family;
      s.gradient = true;
      list.add(s);
    }
    if (type != list.request().types.front()) {
      CaseSpec s = list.base({1, 2, 2, 6, 6, 4, 4});
      s.type = type;
      s.causal = true;
      list.add_both(s);
      s.causal = false;
      s.mask = "bool NN";
      list.add_both(s);
      s.mask = "float NN";
      list.add_both(s);
    }
    if (narrow) {
      CaseSpec s = list.base({2, 4, 4, 512, 48, 8, 8});
      s.type = type;
      s.family = "positive";
      s.property = Property::rounding_bias;
      list.add(s);
    }
  }
}

void add_long_rows(CaseList& list) {
  // Sums of so many terms show in 16 bits how they were formed.
  for (const ElementType type : list.request().types)
    if (type == ElementType::float16 || type == ElementType::bfloat16) {
      CaseSpec s = list.base({1, 1, 1, 2, 66000, 1, 1});
      s.type = type;
      s.family = "positive";
      list.add(s);
      std::swap(s.queries, s.keys);
      s.gradient = true;
      list.add(s);
    }
  for (const Extents& e : long_extents) {
    CaseSpec s = list.base(e);
    s.type = list.request().types.back() == ElementType::float16 || list.request().types.back() == ElementType::bfloat16
                 ? list.request().types.front()
                 : list.request().types.back();
    list.add(s);
    s.causal = true;
    list.add(s);
    s.window = {e.keys - 20, 0};
    list.add(s);
  }
}

}  // namespace attest::judge
