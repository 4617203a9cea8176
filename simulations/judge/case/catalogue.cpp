#include "simulations/judge/case/catalogue.hpp"

#include <algorithm>
#include <functional>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "kernels/random/stream.hpp"
#include "simulations/judge/case/families.hpp"

namespace attest::judge {
namespace {

struct Extents {
  Index batch, heads, kv_heads, queries, keys, width, value_width;
};

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

class Catalogue {
 public:
  explicit Catalogue(const CatalogueRequest& request) : request_(request) {}

  std::vector<CaseSpec> softmax() {
    plain();
    visibility();
    terms();
    packed();
    comparisons();
    numbers();
    long_rows();
    combinations(request_.budget == Budget::quick ? 60 : 600);
    if (request_.budget == Budget::standard) {
      // The same once more with other numbers: the numbers of the streams differ.
      for (int round = 0; round < 3; ++round) {
        plain();
        visibility();
        terms();
        packed();
        numbers();
      }
    }
    return std::move(cases_);
  }

  std::vector<CaseSpec> mechanism() {
    const attention::Mechanism& mechanism = attention::find_mechanism(request_.mechanism);
    const auto declared = [&](const char* name) {
      return std::any_of(mechanism.options.begin(), mechanism.options.end(),
                         [&](const attention::OptionSpec& option) { return option.name == name; });
    };
    const bool rectangular = mechanism.inputs.front().shape.find("N_q") != std::string::npos;
    const Extents extents[] = {{2, 4, 4, 12, 12, 4, 3}, {1, 1, 1, 3, 3, 2, 2},   {1, 3, 3, 4, 4, 3, 3},
                               {1, 4, 4, 3, 3, 4, 4},   {2, 2, 2, 8, 8, 4, 4},   {1, 1, 1, 9, 9, 2, 2},
                               {1, 2, 2, 20, 20, 8, 8}, {2, 1, 1, 17, 17, 3, 3}, {1, 1, 1, 37, 37, 5, 5},
                               {3, 2, 2, 6, 6, 6, 2},   {1, 1, 1, 12, 12, 4, 4}, {1, 2, 2, 5, 11, 4, 4}};
    for (const ElementType type : request_.types) {
      if (type == ElementType::float16 || type == ElementType::bfloat16) continue;
      for (const Extents& e : extents)
        for (int with = 0; with < 8; ++with) {
          CaseSpec s = base(e);
          if (s.queries != s.keys && (!rectangular || (with & 1) != 0)) continue;
          s.type = type;
          if ((with & 1) != 0 && !declared("causal")) continue;
          s.causal = (with & 1) != 0;
          s.gradient = (with & 2) != 0;
          if ((with & 4) != 0) s.family = "identity", s.value_width = s.keys;
          if (s.gradient && (with & 4) != 0) continue;
          s.settings = request_.settings;
          add(s);
        }
      for (const attention::OptionSpec& option : mechanism.options) {
        if (option.name == "causal" || option.example.empty() || request_.settings.contains(option.name)) continue;
        for (const bool gradient : {false, true}) {
          CaseSpec s = base(extents[0]);
          s.type = type;
          s.gradient = gradient;
          s.settings = request_.settings;
          s.settings[option.name] = option.example;
          add(s);
        }
      }
    }
    return std::move(cases_);
  }

 private:
  CaseSpec base(const Extents& e) const {
    CaseSpec s;
    s.mechanism = request_.mechanism;
    s.type = request_.types.front();
    s.seed = request_.seed;
    s.batch = e.batch, s.heads = e.heads, s.kv_heads = e.kv_heads;
    s.queries = e.queries, s.keys = e.keys, s.width = e.width, s.value_width = e.value_width;
    s.corner = request_.corner;
    return s;
  }
  void add(CaseSpec spec) {
    spec.number = ++number_;
    cases_.push_back(std::move(spec));
  }
  /// Forward alone, and with gradients.
  void add_both(CaseSpec spec) {
    add(spec);
    spec.gradient = true;
    add(spec);
  }
  /// Every corner that the target takes.
  void add_corners(CaseSpec spec, bool gradient = true) {
    for (const Corner corner : {Corner::bottom_right, Corner::top_left}) {
      if (!request_.both_corners && corner != request_.corner && spec.queries != spec.keys) continue;
      if (spec.queries == spec.keys && corner != request_.corner) continue;
      spec.corner = corner;
      gradient ? add_both(spec) : add(spec);
    }
  }

  void plain() {
    for (const Extents& e : plain_extents) add_both(base(e));
    for (const Extents& e : wide_extents) add_both(base(e));
    for (const Extents& e : grouped_extents) add_both(base(e));
    for (const Extents e : {Extents{2, 2, 2, 9, 11, 8, 8}, Extents{1, 2, 2, 5, 37, 4, 4}})
      for (const std::string& family : families()) {
        CaseSpec s = base(e);
        s.family = family;
        if (family == "identity") s.width = s.value_width = s.keys;
        add_both(s);
      }
    CaseSpec s = base(plain_extents[0]);
    s.gradient = s.lse_gradient = true;
    add(s);
    s = base(plain_extents[7]);
    s.gradient = s.lse_gradient = true;
    add(s);
  }

  void visibility() {
    const Extents causal[] = {{2, 2, 2, 3, 3, 4, 4},   {1, 2, 2, 3, 5, 4, 4},  {1, 1, 1, 8, 8, 4, 4},
                              {1, 1, 1, 17, 17, 8, 8}, {1, 1, 1, 1, 6, 4, 4},  {2, 1, 1, 2, 9, 4, 4},
                              {1, 1, 1, 33, 40, 8, 8}, {1, 2, 2, 5, 3, 4, 4},  {1, 4, 2, 6, 6, 4, 4},
                              {1, 1, 1, 6, 40, 4, 4},  {1, 1, 1, 65, 65, 8, 8}};
    for (const Extents& e : causal) {
      CaseSpec s = base(e);
      s.causal = true;
      add_corners(s);
      s.scale = 0.3;
      add(s);
    }
    const Window windows[] = {{2, 0}, {1, 1}, {0, 0}, {3, -1}, {-1, 1}, {9, 9}, {3, 0}};
    const Extents seen[] = {
        {1, 2, 2, 6, 6, 4, 4}, {1, 1, 1, 1, 5, 4, 4}, {1, 1, 1, 6, 3, 4, 4}, {1, 1, 1, 17, 23, 4, 4}};
    for (const Extents& e : seen)
      for (const Window& window : windows) {
        CaseSpec s = base(e);
        s.window = window;
        add_corners(s, window.second <= 1);
        if (window.second != 0) continue;
        s.causal = true;
        add_corners(s);
      }
    for (const char* mask : {"bool NN", "bool B1NN", "bool BHNN", "float NN", "float B1NN", "float BHNN"})
      for (const Extents e :
           {Extents{2, 2, 2, 4, 4, 4, 4}, Extents{2, 4, 2, 5, 7, 4, 4}, Extents{1, 1, 1, 9, 33, 4, 4}}) {
        CaseSpec s = base(e);
        s.mask = mask;
        add_both(s);
        if (e.queries == 4) {
          s.causal = true;
          add(s);
          s.causal = false;
          s.empty_row = true;
          add_both(s);
          s.empty_row = false;
          s.family = "saturated";
          add(s);
        }
      }
  }

  void terms() {
    const Extents extents[] = {{2, 2, 2, 4, 4, 4, 4}, {1, 4, 2, 3, 7, 8, 8}, {1, 2, 2, 17, 9, 5, 5}};
    for (const Extents& e : extents) {
      const CaseSpec plain = base(e);
      const auto with = [&](const std::function<void(CaseSpec&)>& change, bool causal_too = true) {
        CaseSpec s = plain;
        change(s);
        add_both(s);
        if (!causal_too) return;
        s.causal = true;
        s.corner = request_.corner;
        add_both(s);
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
      add(s);
      s.softcap = 1;
      add(s);
    }
    CaseSpec s = base({1, 2, 2, 3, 5, 4, 4});
    s.alibi = true;
    add_corners(s);
  }

  void packed() {
    const std::vector<Index> lengths[] = {{3, 4}, {2, 1, 4}, {1, 5, 3, 2}, {2, 0, 3}, {7}, {17, 16, 9}};
    for (const std::vector<Index>& each : lengths) {
      Index total = 0;
      for (const Index length : each) total += length;
      CaseSpec s = base({1, 2, 2, total, total, 4, 4});
      s.packed = each;
      add_both(s);
      s.causal = true;
      add_both(s);
    }
    const std::pair<std::vector<Index>, std::vector<Index>> pairs[] = {
        {{2, 3}, {4, 3}}, {{2, 3}, {2, 2}}, {{1, 2, 2}, {3, 1, 5}}};
    for (const auto& [queries, keys] : pairs) {
      CaseSpec s = base({1, 2, 2, 0, 0, 4, 4});
      for (const Index length : queries) s.queries += length;
      for (const Index length : keys) s.keys += length;
      s.packed = queries, s.packed_keys = keys;
      add_both(s);
      s.causal = true;
      add_both(s);
      if (request_.both_corners) {
        s.corner = request_.corner == Corner::top_left ? Corner::bottom_right : Corner::top_left;
        add_both(s);
      }
    }
  }

  /// Properties that compare calls with each other.
  void comparisons() {
    const auto put = [&](const char* property, CaseSpec s) {
      s.property = property;
      add(s);
    };
    const Extents small{2, 2, 2, 6, 6, 4, 4};
    const auto leaks = [&](const std::function<void(CaseSpec&)>& change) {
      CaseSpec s = base(small);
      change(s);
      put("leak", s);
      s.gradient = true;
      put("leak", s);
    };
    leaks([](CaseSpec& s) { s.causal = true; });
    leaks([](CaseSpec& s) { s.mask = "bool NN"; });
    leaks([](CaseSpec& s) { s.mask = "bool B1NN"; });
    leaks([](CaseSpec& s) { s.mask = "bool BHNN"; });
    leaks([](CaseSpec& s) { s.window = {1, 1}; });
    leaks([](CaseSpec& s) { s.window = {1, 0}, s.causal = true; });
    leaks([](CaseSpec& s) { s.causal = true, s.softcap = 1; });
    leaks([](CaseSpec& s) { s.packed = {2, 4}, s.batch = 1; });
    CaseSpec causal = base({1, 2, 2, 19, 19, 4, 4});
    causal.causal = true;
    put("causality", causal);
    causal.gradient = true;
    put("causality", causal);
    causal = base({1, 1, 1, 5, 33, 4, 4});
    causal.causal = true;
    put("causality", causal);
    for (const char* property : {"permutation", "shift", "linearity"}) {
      put(property, base({2, 2, 2, 7, 13, 5, 5}));
      put(property, base({1, 1, 1, 17, 33, 8, 8}));
    }
    put("linearity", causal);
    for (const char* property : {"heads", "sequences", "mates"}) {
      put(property, base({2, 2, 2, 5, 7, 4, 4}));
      CaseSpec s = base({3, 4, 2, 6, 6, 4, 4});
      s.gradient = true;
      put(property, s);
      s = base({3, 2, 2, 6, 6, 4, 4});
      s.gradient = true;
      put(property, s);
      s.causal = true;
      put(property, s);
    }
    put("alone", base({3, 2, 2, 3, 40, 4, 4}));
    put("alone", base({2, 1, 1, 5, 5, 4, 4}));
    for (const ElementType type : request_.types) {
      CaseSpec s = base({3, 2, 2, 3, 40, 8, 8});
      s.type = type;
      put("alone", s);
      put("repeat", s);
      put("strides", s);
    }
    put("repeat", base(small));
    put("strides", base(small));
    CaseSpec s = base(small);
    s.gradient = true;
    put("strides", s);
    const auto own = [&](const std::function<void(CaseSpec&)>& change) {
      if (request_.types.front() != ElementType::float64) return;
      CaseSpec spec = base({2, 2, 2, 5, 6, 4, 4});
      spec.gradient = true;
      change(spec);
      put("own differences", spec);
    };
    own([](CaseSpec&) {});
    own([](CaseSpec& spec) { spec.keys = 5, spec.causal = true; });
    own([](CaseSpec& spec) { spec.heads = 4; });
    own([](CaseSpec& spec) { spec.softcap = 1; });
    own([](CaseSpec& spec) { spec.window = {1, 1}; });
    own([](CaseSpec& spec) { spec.mask = "bool BHNN"; });
    own([](CaseSpec& spec) { spec.bias = "HNN"; });
    for (const double rate : {0.1, 0.5}) {
      CaseSpec drawn = base({2, 4, 4, 64, 64, 64, 64});
      drawn.family = "identity";
      drawn.number = 0;
      drawn.dropout = rate;
      put("drawn dropout", drawn);
    }
  }

  /// Other element types, long sums, large logits.
  void numbers() {
    for (const ElementType type : request_.types) {
      const bool narrow = type == ElementType::float16 || type == ElementType::bfloat16;
      for (const Extents e : {Extents{1, 2, 2, 5, 37, 8, 8}, Extents{2, 2, 2, 9, 11, 4, 4}})
        for (const std::string& family : families()) {
          if (type == request_.types.front()) break;
          if (family == "identity" || (narrow && (family == "huge" || family == "negative"))) continue;
          CaseSpec s = base(e);
          s.type = type;
          s.family = family;
          add_both(s);
        }
      for (const char* family : {"alike", "positive", "leader"}) {
        CaseSpec s = base({1, 1, 1, 3, narrow ? 2500 : 600, 4, 4});
        s.type = type;
        s.family = family;
        add(s);
        s = base({1, 1, 1, narrow ? 1200 : 300, 5, 4, 4});
        s.type = type;
        s.family = family;
        s.gradient = true;
        add(s);
      }
      if (type != request_.types.front()) {
        CaseSpec s = base({1, 2, 2, 6, 6, 4, 4});
        s.type = type;
        s.causal = true;
        add_both(s);
        s.causal = false;
        s.mask = "bool NN";
        add_both(s);
        s.mask = "float NN";
        add_both(s);
      }
      if (narrow) {
        CaseSpec s = base({2, 4, 4, 512, 48, 8, 8});
        s.type = type;
        s.family = "positive";
        s.property = "bias of rounding";
        add(s);
      }
    }
  }

  void long_rows() {
    for (const Extents& e : long_extents) {
      CaseSpec s = base(e);
      s.type = request_.types.back() == ElementType::float16 || request_.types.back() == ElementType::bfloat16
                   ? request_.types.front()
                   : request_.types.back();
      add(s);
    }
  }

  /// Options, extents and families put together at random.
  void combinations(int count) {
    random::Stream draw(request_.seed, random::claim_key("combinations"), 0);
    const auto chance = [&](double p) { return draw.uniform() < p; };
    for (int n = 0; n < count; ++n) {
      const bool grouped = chance(0.3);
      const Index group = grouped ? 1 + static_cast<Index>(draw.integer(3)) : 1;
      const Index kv_heads = 1 + static_cast<Index>(draw.integer(3)), width = 1 + static_cast<Index>(draw.integer(12));
      CaseSpec s =
          base({1 + static_cast<Index>(draw.integer(3)), kv_heads * group, kv_heads,
                1 + static_cast<Index>(draw.integer(24)), 1 + static_cast<Index>(draw.integer(48)), width, width});
      if (chance(0.5)) s.keys = s.queries;
      if (chance(0.2)) s.value_width = 1 + static_cast<Index>(draw.integer(12));
      s.gradient = chance(0.5);
      s.causal = chance(0.4);
      if (request_.both_corners && chance(0.5)) s.corner = Corner::top_left;
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
      if (chance(0.3)) s.type = request_.types[draw.integer(request_.types.size())];
      add(s);
    }
  }

  const CatalogueRequest& request_;
  std::vector<CaseSpec> cases_;
  std::uint64_t number_ = 0;
};

}  // namespace

std::vector<CaseSpec> catalogue(const CatalogueRequest& request) {
  Catalogue cases(request);
  return request.mechanism == "softmax" ? cases.softmax() : cases.mechanism();
}

bool has_feature(const CaseSpec& s, const std::string& feature) {
  if (feature == "grouped heads") return s.kv_heads != s.heads;
  if (feature == "values of another width than keys") return s.value_width != s.width;
  if (feature == "another number of queries than keys") return s.queries != s.keys;
  if (feature == "several sequences in a batch") return s.batch > 1;
  if (feature.starts_with("mask ")) return s.mask == feature.substr(5);
  return feature == simulations::name(s.type);
}

std::vector<Probe> probes(const CatalogueRequest& request) {
  std::vector<Probe> result;
  const auto with = [&](const std::string& feature, const std::function<void(CaseSpec&)>& change) {
    Probe probe{feature, {}};
    for (const Index queries : {3, 4}) {
      CaseSpec s;
      s.mechanism = request.mechanism;
      s.seed = request.seed;
      s.number = 900 + static_cast<std::uint64_t>(queries);
      s.type = request.types.front();
      s.corner = request.corner;
      s.heads = s.kv_heads = 4;
      s.queries = s.keys = queries;
      s.settings = request.settings;
      change(s);
      probe.cases.push_back(s);
    }
    result.push_back(std::move(probe));
  };
  for (const ElementType type : request.types)
    with(std::string(simulations::name(type)), [&](CaseSpec& s) { s.type = type; });
  with("several sequences in a batch", [](CaseSpec& s) { s.batch = 2; });
  with("values of another width than keys", [](CaseSpec& s) { s.value_width = 6; });
  if (request.mechanism != "softmax") return result;
  with("grouped heads", [](CaseSpec& s) { s.kv_heads = 2; });
  with("another number of queries than keys", [](CaseSpec& s) { s.keys += 2; });
  for (const char* mask : {"bool NN", "bool B1NN", "bool BHNN", "float NN", "float B1NN", "float BHNN"})
    with(std::string("mask ") + mask, [&](CaseSpec& s) { s.mask = mask, s.batch = 2; });
  return result;
}

}  // namespace attest::judge
