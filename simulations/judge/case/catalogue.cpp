#include "simulations/judge/case/catalogue.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/judge/case/case_list.hpp"

namespace attest::judge {

namespace {

/// The same cases under a causal mask, without those whose property it breaks, or whose mechanism does not say where
/// the diagonal ends.
std::vector<CaseSpec> made_causal(std::vector<CaseSpec> cases) {
  std::erase_if(cases, [](const CaseSpec& s) {
    return !s.causal &&
           (s.property == Property::permutation || s.property == Property::drawn_dropout ||
            s.property == Property::rounding_bias || (!is_plain_attention(s.mechanism) && s.queries != s.keys));
  });
  for (CaseSpec& s : cases) s.causal = true;
  return cases;
}

Index next_of(const std::vector<Index>& widths, Index width) {
  const auto next = std::ranges::lower_bound(widths, width);
  return next == widths.end() ? widths.back() : *next;
}

/// Numbers of queries and keys in whole tiles, different where they were.
void round_up(Index& queries, Index& keys, Index tile) {
  const bool differ = queries != keys;
  Index& more = queries < keys ? keys : queries;
  for (Index* const tokens : {&queries, &keys}) *tokens = (*tokens + tile - 1) / tile * tile;
  if (differ && queries == keys) more += tile;
}

std::vector<CaseSpec> all_cases(const CatalogueRequest& request) {
  CaseList list(request);
  if (!is_plain_attention(request.mechanism)) {
    add_mechanism(list);
    add_mechanism_comparisons(list);
    // The same once more with other numbers, as below.
    for (int round = 0; request.budget == Budget::standard && round < 3; ++round) add_mechanism(list);
    if (request.budget == Budget::standard) add_mechanism_combinations(list, 300);
    add_activations(list);
    return list.taken();
  }
  add_plain(list);
  add_visibility(list);
  add_terms(list);
  add_packed(list);
  add_comparisons(list);
  add_tiles(list);
  add_numbers(list);
  add_long_rows(list);
  add_combinations(list, request.budget == Budget::quick ? 60 : 600);
  // The same once more with other numbers: the numbers of the streams differ.
  for (int round = 0; request.budget == Budget::standard && round < 3; ++round) {
    add_plain(list);
    add_visibility(list);
    add_terms(list);
    add_packed(list);
    add_numbers(list);
  }
  add_activations(list);
  return list.taken();
}

}  // namespace

std::vector<std::string> fill_needed_settings(CatalogueRequest& request) {
  std::vector<std::string> filled;
  if (is_plain_attention(request.mechanism)) return filled;
  for (const attention::OptionSpec& option : attention::find_mechanism(request.mechanism).options)
    if (option.fallback.empty() && !option.example.empty() && !request.settings.contains(option.name)) {
      request.settings[option.name] = option.example;
      filled.push_back(option.name + "=" + option.example);
    }
  return filled;
}

CaseSpec in_widths(CaseSpec spec, const std::vector<Index>& widths) {
  if (widths.empty()) return spec;
  const bool differ = spec.width != spec.value_width;
  spec.width = next_of(widths, spec.width);
  spec.value_width = differ ? next_of(widths, spec.value_width) : spec.width;
  if (differ && spec.value_width == spec.width)
    spec.value_width = spec.width == widths.back() ? widths.front() : widths.back();
  return spec;
}

CaseSpec in_tiles(CaseSpec spec, Index tile) {
  round_up(spec.queries, spec.keys, tile);
  if (spec.packed.empty()) return spec;
  const bool differ = !spec.packed_keys.empty();
  spec.queries = spec.keys = 0;
  for (std::size_t n = 0; n < spec.packed.size(); ++n) {
    Index keys = differ ? spec.packed_keys[n] : spec.packed[n];
    round_up(spec.packed[n], keys, tile);
    if (differ) spec.packed_keys[n] = keys;
    spec.queries += spec.packed[n], spec.keys += keys;
  }
  return spec;
}

CaseSpec in_extents(CaseSpec spec, const CatalogueRequest& request) {
  return in_tiles(in_widths(std::move(spec), request.widths), request.tile);
}

bool takes_too_many_products(const CaseSpec& spec) {
  constexpr Index most = Index{1} << 26;
  return spec.queries * spec.keys * std::max(spec.width, spec.value_width) > most;
}

std::vector<CaseSpec> catalogue(const CatalogueRequest& request) {
  std::vector<CaseSpec> cases = all_cases(request);
  for (CaseSpec& spec : cases) spec = in_extents(std::move(spec), request);
  return request.causal_only ? made_causal(std::move(cases)) : cases;
}

std::vector<std::size_t> judging_order(const std::vector<CaseSpec>& cases) {
  std::map<std::tuple<Property, bool, bool, bool, bool, bool, bool>, std::size_t> seen;
  std::vector<std::pair<std::size_t, std::size_t>> ranks;
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const CaseSpec& s = cases[n];
    const bool terms = s.softcap > 0 || s.sinks || s.alibi || !s.bias.empty() || s.dropout > 0;
    const auto kind = std::make_tuple(s.property, s.causal, s.queries != s.keys, s.window.has_value(), !s.mask.empty(),
                                      !s.packed.empty() || s.padding > 0, terms);
    ranks.emplace_back(seen[kind]++, n);
  }
  std::ranges::sort(ranks);
  std::vector<std::size_t> order;
  order.reserve(ranks.size());
  for (const auto& [rank, n] : ranks) order.push_back(n);
  return order;
}

std::vector<Probe> probes(const CatalogueRequest& request) {
  using Of = Probe::Of;
  std::vector<Probe> result;
  const auto with = [&](Of of, std::string feature, std::function<bool(const CaseSpec&)> has,
                        const std::function<void(CaseSpec&)>& change) {
    Probe probe{of, std::move(feature), std::move(has), {}};
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
      s.causal = request.causal_only;
      change(s);
      probe.cases.push_back(in_extents(std::move(s), request));
    }
    result.push_back(std::move(probe));
  };
  for (const ElementType type : request.types)
    with(
        Of::types, std::string(arrays::name(type)), [type](const CaseSpec& s) { return s.type == type; },
        [&](CaseSpec& s) { s.type = type; });
  with(
      Of::extents, "several sequences in a batch", [](const CaseSpec& s) { return s.batch > 1; },
      [](CaseSpec& s) { s.batch = 2; });
  with(
      Of::extents, "values of another width than keys", [](const CaseSpec& s) { return s.value_width != s.width; },
      [](CaseSpec& s) { s.value_width = 6; });
  const auto with_mask = [&](const char* mask) {
    with(
        Of::masks, std::string("mask ") + mask, [mask](const CaseSpec& s) { return s.mask.starts_with(mask); },
        [mask](CaseSpec& s) { s.mask = mask, s.batch = 2; });
  };
  if (!is_plain_attention(request.mechanism)) {
    for (const char* mask : {"bool NN", "bool B1NN", "bool BHNN"}) with_mask(mask);
    return result;
  }
  for (const Index most : {64, 128})
    with(
        Of::extents, "more than " + std::to_string(most) + " features",
        [most](const CaseSpec& s) { return std::max(s.width, s.value_width) > most; },
        [most](CaseSpec& s) { s.width = s.value_width = most + 8; });
  with(
      Of::extents, "grouped heads", [](const CaseSpec& s) { return s.kv_heads != s.heads; },
      [](CaseSpec& s) { s.kv_heads = 2; });
  with(
      Of::extents, "another number of queries than keys", [](const CaseSpec& s) { return s.queries != s.keys; },
      [](CaseSpec& s) { s.keys += 2; });
  for (const char* mask : {"bool NN", "bool B1NN", "bool BHNN", "float NN", "float B1NN", "float BHNN"})
    with_mask(mask);
  return result;
}

}  // namespace attest::judge
