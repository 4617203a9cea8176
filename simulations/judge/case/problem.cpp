#include "simulations/judge/case/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "kernels/random/stream.hpp"
#include "simulations/arrays/rounding.hpp"
#include "simulations/judge/case/families.hpp"

namespace attest::judge {
namespace {

random::Stream stream_of(const CaseSpec& spec, std::string_view what) {
  return {spec.seed, random::stream_key(what), spec.number};
}

std::vector<double> normals(const CaseSpec& spec, std::string_view what, Index count, double deviation = 1) {
  random::Stream stream = stream_of(spec, what);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = rounded(deviation * stream.normal(), spec.type);
  return values;
}

/// "bool BHNN" -> which axes the array has.
template <typename T>
PairArray<T> pair_array(const CaseSpec& spec, std::string_view axes) {
  PairArray<T> array{axes.find('B') != std::string_view::npos,
                     axes.find('H') != std::string_view::npos,
                     spec.heads,
                     spec.queries,
                     spec.keys,
                     {}};
  const Index matrices = (array.per_sequence ? spec.batch : 1) * (array.per_head ? spec.heads : 1);
  array.values.resize(static_cast<std::size_t>(matrices * spec.queries * spec.keys));
  return array;
}

/// Each query sees the keys around its place.
void fill_with_band(const CaseSpec& spec, PairArray<std::uint8_t>& mask) {
  const Index half = spec.keys / 16;
  for (std::size_t n = 0; n < mask.values.size(); ++n) {
    const Index j = static_cast<Index>(n) % spec.keys, i = static_cast<Index>(n) / spec.keys % spec.queries;
    mask.values[n] = std::abs(j - i * spec.keys / spec.queries) <= half ? 1 : 0;
  }
}

/// Two in three are visible; unless the spec asks for it, every query sees a key that a causal mask leaves it too.
PairArray<std::uint8_t> random_mask(const CaseSpec& spec, std::string_view axes) {
  PairArray<std::uint8_t> mask = pair_array<std::uint8_t>(spec, axes);
  if (axes.ends_with("band")) {
    fill_with_band(spec, mask);
    return mask;
  }
  random::Stream stream = stream_of(spec, "mask");
  for (std::uint8_t& entry : mask.values) entry = stream.uniform() < 2.0 / 3 ? 1 : 0;
  const auto keys = static_cast<std::size_t>(spec.keys);
  for (std::size_t row = 0; row * keys < mask.values.size(); ++row) {
    const bool hidden =
        spec.empty_row && row % static_cast<std::size_t>(spec.queries) == static_cast<std::size_t>(spec.queries / 2);
    for (std::size_t j = 0; j < keys; ++j)
      if (hidden) mask.values[row * keys + j] = 0;
    if (!hidden) mask.values[row * keys] = 1;
  }
  return mask;
}

std::vector<Index> bounds(const std::vector<Index>& lengths) {
  std::vector<Index> result = {0};
  for (const Index length : lengths) result.push_back(result.back() + length);
  return result;
}

}  // namespace

PairArray<std::uint8_t> boolean_mask(const CaseSpec& spec) {
  return random_mask(spec, std::string_view(spec.mask).substr(5));
}

Problem problem_of(const CaseSpec& spec) {
  Problem p;
  p.type = spec.type;
  p.batch = spec.batch, p.heads = spec.heads, p.kv_heads = spec.kv_heads;
  p.queries = spec.queries, p.keys = spec.keys, p.width = spec.width, p.value_width = spec.value_width;
  fill_by_family(spec, p);
  const Index rows = p.batch * p.heads * p.queries;
  if (spec.gradient) p.dout = normals(spec, "dout", rows * p.value_width);
  if (spec.family == "positive")
    for (double& value : p.dout) value = std::abs(value);
  if (spec.lse_gradient) p.dlse = normals(spec, "dlse", rows);
  p.causal = spec.causal, p.corner = spec.corner, p.window = spec.window, p.dropout = spec.dropout;
  if (spec.scale != 0) p.scale = spec.scale;
  p.softcap = spec.softcap;
  if (spec.mask.starts_with("bool")) p.visible = boolean_mask(spec);
  if (spec.mask.starts_with("float")) {
    const PairArray<std::uint8_t> hidden = random_mask(spec, std::string_view(spec.mask).substr(6));
    p.added = pair_array<double>(spec, std::string_view(spec.mask).substr(6));
    const std::vector<double> amounts = normals(spec, "added", static_cast<Index>(p.added.values.size()));
    for (std::size_t n = 0; n < amounts.size(); ++n)
      p.added.values[n] = hidden.values[n] != 0 ? amounts[n] : -std::numeric_limits<double>::infinity();
  }
  if (!spec.bias.empty()) {
    p.bias = pair_array<double>(spec, spec.bias);
    p.bias.values = normals(spec, "bias", static_cast<Index>(p.bias.values.size()));
  }
  // Slopes that are not powers of two and differ from head to head.
  if (spec.alibi)
    for (Index h = 0; h < p.heads; ++h)
      p.slopes.push_back(
          rounded(std::exp2(-8.0 * static_cast<double>(h + 1) / (static_cast<double>(p.heads) + 0.7)), spec.type));
  if (spec.sinks) p.sinks = normals(spec, "sinks", p.heads);
  if (spec.dropout > 0) {
    p.kept = pair_array<std::uint8_t>(spec, "BHNN");
    random::Stream stream = stream_of(spec, "dropout");
    for (std::uint8_t& entry : p.kept.values) entry = stream.uniform() < spec.dropout ? 0 : 1;
  }
  if (!spec.packed.empty()) {
    p.q_bounds = bounds(spec.packed);
    p.k_bounds = spec.packed_keys.empty() ? p.q_bounds : bounds(spec.packed_keys);
  }
  return p;
}

}  // namespace attest::judge
