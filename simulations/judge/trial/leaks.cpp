// Poison in what must not be seen, and causality token by token.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "simulations/arrays/rounding.hpp"
#include "simulations/judge/reference/visibility.hpp"
#include "simulations/judge/trial/compare_calls.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {
namespace {

const Fault& leak_to(const std::string& output) {
  return output == "out" || output == "lse" ? fault::leak : fault::leak_in_gradients;
}

/// Keys by [b][H_kv][j].
class KeySet {
 public:
  explicit KeySet(const Problem& p) : p_(p), in_(static_cast<std::size_t>(p.batch * p.kv_heads * p.keys), false) {}
  std::vector<bool>::reference at(Index b, Index g, Index j) {
    return in_[static_cast<std::size_t>((b * p_.kv_heads + g) * p_.keys + j)];
  }
  bool has(Index b, Index g, Index j) const {
    return in_[static_cast<std::size_t>((b * p_.kv_heads + g) * p_.keys + j)];
  }

 private:
  const Problem& p_;
  std::vector<bool> in_;
};

class LeakTrial {
 public:
  LeakTrial(const CaseSpec& spec, Target& target, const TrialSettings& settings)
      : spec_(spec),
        target_(target),
        settings_(settings),
        problem_(problem_of(spec)),
        visibility_(problem_),
        sameness_(settings, [this] { return expected_attention(problem_, precision_for(spec_, settings_)); }) {
    record_.spec = spec;
  }

  Record leak() {
    if (!call_base()) return record_;
    for (const Index row : {Index{0}, problem_.queries / 2}) {
      const KeySet hidden = hidden_from(row);
      const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
      if (!settings_.conventions.masked_numbers_are_finite) {
        poison(hidden, nan, true, false, "NaN in keys that a query does not see");
        poison(hidden, nan, false, true, "NaN in values that a query does not see");
        poison(hidden, infinite, true, true, "infinity in keys and values that a query does not see");
        if (spec_.gradient) poison_query(row, nan);
      }
      const double large = std::min(1e30, largest_finite(spec_.type));
      poison(hidden, large, true, false, fmt::format("{:g} in keys that a query does not see", large));
      poison(hidden, large, false, true, fmt::format("{:g} in values that a query does not see", large));
    }
    return record_;
  }

  Record causality() {
    if (!call_base()) return record_;
    const std::vector<double> k = fresh_normals(spec_, "k", problem_.k.size()),
                              v = fresh_normals(spec_, "v", problem_.v.size());
    const std::set<Index> tokens = {0, 1, problem_.keys / 2, problem_.keys - 2, problem_.keys - 1};
    for (const Index token : tokens) {
      if (token < 0 || token >= problem_.keys) continue;
      KeySet changed(problem_);
      for (Index b = 0; b < problem_.batch; ++b)
        for (Index g = 0; g < problem_.kv_heads; ++g) changed.at(b, g, token) = true;
      Problem other = problem_;
      replace(
          other, changed, [&](std::size_t n) { return k[n]; }, [&](std::size_t n) { return v[n]; });
      compare(other, changed, fmt::format("another key and value {}, which it does not see,", token), true);
    }
    return record_;
  }

 private:
  bool call_base() {
    const auto outputs = outputs_of(request_of(problem_, settings_.conventions), problem_, target_, settings_, record_);
    if (!outputs) return false;
    base_ = *outputs;
    return true;
  }

  /// Keys that no query of the group sees at this row.
  KeySet hidden_from(Index row) {
    KeySet hidden(problem_);
    const Index group = problem_.heads / problem_.kv_heads;
    for (Index b = 0; b < problem_.batch; ++b)
      for (Index g = 0; g < problem_.kv_heads; ++g)
        for (Index j = 0; j < problem_.keys; ++j) {
          bool seen = false;
          for (Index h = g * group; h < (g + 1) * group; ++h) seen = seen || visibility_.sees(b, h, row, j);
          hidden.at(b, g, j) = !seen;
        }
    return hidden;
  }

  template <typename Key, typename Value>
  void replace(Problem& problem, const KeySet& keys, const Key& key, const Value& value) const {
    for (Index b = 0; b < problem.batch; ++b)
      for (Index g = 0; g < problem.kv_heads; ++g)
        for (Index j = 0; j < problem.keys; ++j) {
          if (!keys.has(b, g, j)) continue;
          for (Index d = 0; d < problem.width; ++d) {
            const std::size_t n = problem.key_offset(b, g, j, d);
            problem.k[n] = key(n);
          }
          for (Index d = 0; d < problem.value_width; ++d) {
            const std::size_t n = problem.value_offset(b, g, j, d);
            problem.v[n] = value(n);
          }
        }
  }

  void poison(const KeySet& keys, double with, bool in_keys, bool in_values, const std::string& what) {
    Problem other = problem_;
    replace(
        other, keys, [&](std::size_t n) { return in_keys ? with : problem_.k[n]; },
        [&](std::size_t n) { return in_values ? with : problem_.v[n]; });
    // Who looks for numbers that are not finite, so as to step around them, sums what is left in another order.
    compare(other, keys, what, std::isfinite(with));
  }

  /// Rows of queries that see none of the keys keep their numbers, and with `same_bits` their bits.
  void compare(const Problem& other, const KeySet& keys, const std::string& what, bool same_bits) {
    const auto outputs = outputs_of(request_of(other, settings_.conventions), other, target_, settings_, record_);
    if (!outputs) return;
    const Index group = problem_.heads / problem_.kv_heads;
    const auto untouched = [&](const Row& row) {
      for (Index j = 0; j < problem_.keys; ++j)
        if (keys.has(row.b, row.h / group, j) && visibility_.sees(row.b, row.h, row.n, j)) return false;
      return true;
    };
    for (const char* name : {"out", "lse", "dq"}) compare_output(name, *outputs, untouched, what, same_bits);
  }

  void compare_output(const std::string& name, const Outputs& outputs, const std::function<bool(const Row&)>& chosen,
                      const std::string& what, bool same_bits) {
    const auto before = base_.find(name);
    const auto after = outputs.find(name);
    if (before == base_.end() || after == outputs.end()) return;
    Row where{};
    if (!same_rows(name, problem_, before->second, after->second, chosen, where,
                   same_bits ? sameness_.tolerated(name) : sameness_.within_rounding(name)))
      fail_changed(record_, name, leak_to(name), what, where);
    record_.ratios.try_emplace(name, 0.0);
  }

  /// NaN in one query's q: gradients of keys that it does not see keep their numbers.
  void poison_query(Index row, double with) {
    Problem other = problem_;
    for (Index b = 0; b < problem_.batch; ++b)
      for (Index h = 0; h < problem_.heads; ++h)
        for (Index d = 0; d < problem_.width; ++d)
          other.q[static_cast<std::size_t>(((b * problem_.heads + h) * problem_.queries + row) * problem_.width + d)] =
              with;
    const auto outputs = outputs_of(request_of(other, settings_.conventions), other, target_, settings_, record_);
    if (!outputs) return;
    const KeySet hidden = hidden_from(row);
    const std::string what = "NaN in a query that does not see it";
    for (const char* name : {"dk", "dv"})
      compare_output(
          name, *outputs, [&](const Row& at) { return hidden.has(at.b, at.h, at.n); }, what, false);
    for (const char* name : {"out", "dq"})
      compare_output(
          name, *outputs, [&](const Row& at) { return at.n != row; }, "NaN in another query", false);
  }

  const CaseSpec& spec_;
  Target& target_;
  const TrialSettings& settings_;
  const Problem problem_;
  const Visibility visibility_;
  const Sameness sameness_;
  Outputs base_;
  Record record_;
};

}  // namespace

Record run_leak(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  return LeakTrial(spec, target, settings).leak();
}

Record run_causality(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  return LeakTrial(spec, target, settings).causality();
}

}  // namespace attest::judge
