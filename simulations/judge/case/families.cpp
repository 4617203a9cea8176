#include "simulations/judge/case/families.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "kernels/random/stream.hpp"
#include "simulations/arrays/rounding.hpp"
#include "simulations/judge/activations/activations.hpp"

namespace attest::judge {
namespace {

using Values = std::vector<double>;

struct Draws {
  const CaseSpec& spec;

  random::Stream stream(std::string_view what) const { return {spec.seed, random::stream_key(what), spec.number}; }
  Values normals(std::string_view what, Index count, double deviation) const {
    random::Stream draws = stream(what);
    Values values(static_cast<std::size_t>(count));
    for (double& value : values) value = deviation * draws.normal();
    return values;
  }
};

/// Every row of `rows` replaced by one of two of its own.
void make_ties(Values& rows, Index width, random::Stream stream) {
  const auto d = static_cast<std::size_t>(width);
  for (std::size_t row = 2; row * d < rows.size(); ++row) {
    const std::size_t from = stream.integer(2);
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(from * d), d,
                rows.begin() + static_cast<std::ptrdiff_t>(row * d));
  }
}

void make_one_hot(Values& rows, Index width, random::Stream stream) {
  std::fill(rows.begin(), rows.end(), 0.0);
  const auto d = static_cast<std::size_t>(width);
  for (std::size_t row = 0; row * d < rows.size(); ++row) rows[row * d + stream.integer(d)] = 4;
}

void make_near_equal(Values& rows, Index width) {
  const auto d = static_cast<std::size_t>(width);
  for (std::size_t n = d; n < rows.size(); ++n) rows[n] = rows[n % d] + 1e-3 * rows[n];
}

/// Feature 0 puts every logit near plus or minus `logit` (all near minus when negative), the others stay normal.
void make_saturated(Problem& p, double logit, bool negative, random::Stream stream) {
  const double root = std::sqrt(logit * std::sqrt(static_cast<double>(p.width)));
  const auto d = static_cast<std::size_t>(p.width);
  for (std::size_t n = 0; n < p.q.size(); n += d) p.q[n] = !negative && stream.uniform() < 0.5 ? -root : root;
  for (std::size_t n = 0; n < p.k.size(); n += d) p.k[n] = negative || stream.uniform() < 0.5 ? -root : root;
}

/// Key j's logit is its own q.k / sqrt(D) / 8, key 0's ahead by log(N_k) through feature 0.
void make_leader(Problem& p) {
  const auto d = static_cast<std::size_t>(p.width), keys = static_cast<std::size_t>(p.keys);
  const double lead = std::log(static_cast<double>(std::max<Index>(p.keys, 2))) * std::sqrt(static_cast<double>(d));
  for (std::size_t n = 0; n < p.q.size(); n += d) p.q[n] = 1;
  for (std::size_t n = 0; n < p.k.size(); n += d) p.k[n] = (n / d) % keys == keys / 3 ? lead : 0;
}

constexpr std::pair<std::string_view, double> scales_of_activations[] = {
    {"activations", 1}, {"activations-times-5", 5}, {"activations-times-1/1000", 1e-3}};

}  // namespace

std::vector<double> activation_entries(const CaseSpec& spec, std::string_view array, const attention::Shape& shape) {
  for (const auto& [name, factor] : scales_of_activations) {
    if (spec.family != name) continue;
    const Activations& from = activations();
    const Values& table = array == "q" ? from.q : array == "k" ? from.k : from.v;
    const double scale = array == "v" ? 1 : factor;
    // Sequences begin three tokens apart, so that no two are the same.
    const auto shift = static_cast<Index>(spec.number % static_cast<std::uint64_t>(from.tokens));
    Values values;
    for (Index b = 0; b < shape[0]; ++b)
      for (Index h = 0; h < shape[1]; ++h)
        for (Index token = 0; token < shape[2]; ++token)
          for (Index d = 0; d < shape[3]; ++d) values.push_back(scale * from.at(table, h, token + 3 * b + shift, d));
    return values;
  }
  return {};
}

const std::vector<std::string>& drawn_families() {
  static const std::vector<std::string> all = {"gaussian", "integers", "positive",   "alike",   "saturated",
                                               "ties",     "one-hot",  "near-equal", "times-5", "times-1/1000",
                                               "leader",   "identity", "huge",       "negative"};
  return all;
}

const std::vector<std::string>& families() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names = drawn_families();
    for (const auto& [name, factor] : scales_of_activations) names.emplace_back(name);
    return names;
  }();
  return all;
}

void fill_by_family(const CaseSpec& spec, Problem& p) {
  const std::string& family = spec.family;
  if (std::find(families().begin(), families().end(), family) == families().end())
    throw std::invalid_argument("the case's family '" + family + "' is unknown");
  const Draws draw{spec};
  double deviation = 1;
  if (family == "alike" || family == "leader") deviation = 0.125;
  if (family == "times-5") deviation = 5;
  if (family == "times-1/1000") deviation = 1e-3;
  p.q = draw.normals("q", p.batch * p.heads * p.queries * p.width, deviation);
  p.k = draw.normals("k", p.batch * p.kv_heads * p.keys * p.width, deviation);
  p.v = draw.normals("v", p.batch * p.kv_heads * p.keys * p.value_width, 1);
  if (family == "integers")
    for (Values* values : {&p.q, &p.k, &p.v})
      for (double& value : *values) value = std::clamp(std::nearbyint(value), -2.0, 2.0);
  if (family == "positive")
    for (double& value : p.v) value = 0.5 + 0.5 * std::erfc(value) / 2;
  if (family == "saturated") make_saturated(p, 1e4, false, draw.stream("signs"));
  if (family == "huge") make_saturated(p, 1e6, false, draw.stream("signs"));
  if (family == "negative") make_saturated(p, 1e3, true, draw.stream("signs"));
  if (family == "ties") make_ties(p.k, p.width, draw.stream("ties"));
  if (family == "one-hot") {
    make_one_hot(p.q, p.width, draw.stream("hot q"));
    make_one_hot(p.k, p.width, draw.stream("hot k"));
  }
  if (family == "near-equal") make_near_equal(p.k, p.width);
  if (family == "leader") make_leader(p);
  if (family == "identity")
    for (std::size_t n = 0; n < p.v.size(); ++n) {
      const Index column = static_cast<Index>(n) % p.value_width, row = static_cast<Index>(n) / p.value_width % p.keys;
      p.v[n] = (static_cast<Index>(spec.number % static_cast<std::uint64_t>(p.keys)) + column) % p.keys == row ? 1 : 0;
    }
  if (Values trained = activation_entries(spec, "q", {p.batch, p.heads, p.queries, p.width}); !trained.empty()) {
    p.q = std::move(trained);
    p.k = activation_entries(spec, "k", {p.batch, p.kv_heads, p.keys, p.width});
    p.v = activation_entries(spec, "v", {p.batch, p.kv_heads, p.keys, p.value_width});
  }
  for (Values* values : {&p.q, &p.k, &p.v})
    for (double& value : *values) value = rounded(value, spec.type);
}

}  // namespace attest::judge
