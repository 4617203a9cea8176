// Mechanisms other than softmax: poison and other numbers in tokens that queries do not see, behind a causal mask or in
// padded places.
#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "simulations/arrays/rounding.hpp"
#include "simulations/judge/trial/mechanism_call.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {
namespace {

class HiddenTrial {
 public:
  HiddenTrial(const CaseSpec& spec, Target& target, const TrialSettings& settings)
      : target_(target),
        settings_(settings),
        call_(mechanism_call(spec)),
        record_{.spec = spec},
        sameness_(settings, [this] { return expected_of(call_, settings_); }) {
    base_ = answer_to(call_, target_, settings_, record_);
  }

  Record leak() {
    if (!call_.spec.causal) return nothing_hidden();
    for (const Index token : {call_.spec.keys / 2, call_.spec.keys - 1})
      poison(
          "that a query does not see", [&](Index, Index at) { return at == token; },
          [&](const MechanismCall& other, const std::string& what) { compare(other, token, what); });
    return record_;
  }

  Record causality() {
    if (!call_.spec.causal) return nothing_hidden();
    const Index tokens = call_.spec.keys;
    for (const Index token : std::set<Index>{1, tokens / 2, tokens - 2, tokens - 1}) {
      if (token < 1) continue;
      MechanismCall other = call_;
      replace_at(other, {"N", "N_k"}, token);
      compare(other, token, fmt::format("another token {}, which it does not see,", token));
    }
    return record_;
  }

  Record padding() {
    const Index length = call_.spec.keys - call_.spec.padding, last = call_.spec.batch - 1;
    const auto compare_others = [&](const MechanismCall& other, const std::string& what) {
      compare(other, fault::padded_keys_take_part, what,
              [&](const Row& row) { return row.b == last && !is_padded(call_.spec, row); });
    };
    MechanismCall other = call_;
    for (Index token = length; token < call_.spec.keys; ++token) replace_at(other, {"N", "N_k"}, token);
    compare_others(other, "other padded tokens");
    poison(
        "that are padded", [&](Index b, Index at) { return b == last && at >= length; }, compare_others);
    return record_;
  }

 private:
  /// Of a case that has no causal mask: shrinking keeps it, for then nothing fails.
  Record nothing_hidden() {
    record_.judged = false;
    record_.refusal = "without a causal mask nothing is hidden";
    return record_;
  }

  /// What must not reach a result in keys and values of the tokens [b][at] that are `hidden`, NaN and infinity where
  /// the mechanism never multiplies what is hidden. The squares of the large number fit into float32, for those that go
  /// by distances.
  template <typename Hidden, typename Compare>
  void poison(const std::string& which, const Hidden& hidden, const Compare& compare_with) {
    const auto put = [&](std::initializer_list<const char*> names, double with, const std::string& what) {
      MechanismCall other = call_;
      for (const char* name : names) {
        attention::Tensor<double>& array = other.call.inputs.at(name);
        const Index width = array.extent(3), tokens = array.extent(2), heads = array.extent(1);
        for (Index n = 0; n < array.size(); ++n)
          if (hidden(n / (width * tokens * heads), n / width % tokens)) array.data()[n] = with;
      }
      compare_with(other, what + " " + which);
    };
    if (call_.mechanism.ignores_hidden_tokens && !settings_.conventions.masked_numbers_are_finite) {
      const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
      put({"k"}, nan, "NaN in keys");
      put({"v"}, nan, "NaN in values");
      put({"k", "v"}, infinite, "infinity in keys and values");
    }
    const double large = rounded(std::min(1e15, largest_finite(call_.spec.type)), call_.spec.type);
    put({"k"}, large, fmt::format("{:g} in keys", large));
    put({"v"}, large, fmt::format("{:g} in values", large));
  }

  /// Rows of queries before the token keep their numbers.
  void compare(const MechanismCall& other, Index token, const std::string& what) {
    compare(other, fault::leak, what, [token](const Row& row) { return row.n < token; });
  }

  void compare(const MechanismCall& other, const Fault& fault, const std::string& what,
               const std::function<bool(const Row&)>& kept) {
    if (!base_ || !base_->contains("out")) return;
    const auto outputs = answer_to(other, target_, settings_, record_);
    if (!outputs || !outputs->contains("out")) return;
    Row where{};
    record_.ratios.try_emplace("out", 0.0);
    if (!same_rows("out", extents_of(call_.spec), base_->at("out"), outputs->at("out"), kept, where,
                   sameness_.tolerated("out")))
      fail_changed(record_, "out", fault, what, where);
  }

  Target& target_;
  const TrialSettings& settings_;
  const MechanismCall call_;
  Record record_;
  const Sameness sameness_;
  std::optional<Outputs> base_;
};

}  // namespace

Record run_mechanism_leak(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  return HiddenTrial(spec, target, settings).leak();
}

Record run_mechanism_causality(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  return HiddenTrial(spec, target, settings).causality();
}

Record run_mechanism_padding(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  return HiddenTrial(spec, target, settings).padding();
}

}  // namespace attest::judge
