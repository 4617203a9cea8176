// Mechanisms other than softmax: what must not change, or must change in a known way, between calls.
#include <numeric>

#include "kernels/attention/mechanism/letters.hpp"
#include "kernels/attention/mechanism/symmetries.hpp"
#include "kernels/random/stream.hpp"
#include "simulations/arrays/rounding.hpp"
#include "simulations/judge/trial/compare_calls.hpp"
#include "simulations/judge/trial/mechanism_call.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {
namespace {

using attention::InputSpec;
using attention::Tensor;

std::vector<Index> drawn_order(const CaseSpec& spec) {
  random::Stream stream(spec.seed, random::stream_key("order"), spec.number);
  std::vector<Index> order(static_cast<std::size_t>(spec.keys));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t n = order.size(); n > 1; --n) std::swap(order[n - 1], order[stream.integer(n)]);
  return order;
}

Tensor<double> gathered(const Tensor<double>& array, std::size_t axis, const std::vector<Index>& order) {
  Tensor<double> result(array.shape());
  Index inner = 1;
  for (Index later = static_cast<Index>(axis) + 1; later < array.rank(); ++later) inner *= array.extent(later);
  const Index extent = array.extent(static_cast<Index>(axis));
  for (Index n = 0; n < array.size(); ++n) {
    const Index place = n / inner % extent;
    result.data()[n] = array.data()[n + (order[static_cast<std::size_t>(place)] - place) * inner];
  }
  return result;
}

/// Keys in another order; where queries are of the same tokens, so are they, and the rows of the output follow.
class Permuted {
 public:
  explicit Permuted(const MechanismCall& before) : call(before), order_(drawn_order(before.spec)) {
    for (const InputSpec& input : call.mechanism.inputs) {
      const auto found = call.call.inputs.find(input.name);
      if (found == call.call.inputs.end()) continue;
      const std::vector<std::string> letters = attention::letters_of(form_of(input, found->second.shape()));
      for (std::size_t axis = 0; axis < letters.size(); ++axis) {
        if (letters[axis] == "N") rows_follow_ = true;
        if (letters[axis] == "N" || letters[axis] == "N_k") found->second = gathered(found->second, axis, order_);
      }
    }
  }

  /// Rows [B][H][N_q] of the first call in the order of this one.
  std::vector<double> rows(const std::vector<double>& values) const {
    if (!rows_follow_) return values;
    const CaseSpec& s = call.spec;
    const Tensor<double> result = gathered({{s.batch, s.heads, s.queries, s.value_width}, values}, 2, order_);
    return {result.values().begin(), result.values().end()};
  }

  MechanismCall call;

 private:
  std::vector<Index> order_;
  bool rows_follow_ = false;
};

void shift_tokens(MechanismCall& call) {
  const std::vector<double> shift = fresh_normals(call.spec, "shift", static_cast<std::size_t>(call.spec.width));
  for (const char* name : {"q", "k"}) {
    if (*name == 'q' && call.mechanism.shift != attention::Shift::queries_and_keys) continue;
    Tensor<double>& array = call.call.inputs.at(name);
    for (Index n = 0; n < array.size(); ++n)
      array.data()[n] =
          rounded(array.data()[n] + 3 * shift[static_cast<std::size_t>(n) % shift.size()], call.spec.type);
  }
}

void double_values(MechanismCall& call) {
  for (const InputSpec& input : call.mechanism.inputs) {
    const auto found = call.call.inputs.find(input.name);
    if (found == call.call.inputs.end() || !is_of_values(input)) continue;
    for (double& entry : found->second.values()) entry *= 2;
  }
}

}  // namespace

Record run_mechanism_symmetry(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  Record record{.spec = spec};
  const MechanismCall call = mechanism_call(spec);
  Permuted permuted(call);
  MechanismCall other = spec.property == Property::permutation ? permuted.call : call;
  if (spec.property == Property::shift) shift_tokens(other);
  if (spec.property == Property::linearity) double_values(other);
  const auto before = answer_to(call, target, settings, record), after = answer_to(other, target, settings, record);
  if (!before || !after || !before->contains("out") || !after->contains("out")) return record;
  std::vector<double> x = before->at("out");
  const std::vector<double>& y = after->at("out");
  record.ratios["out"] = 0;
  if (spec.property == Property::linearity) {
    judge_doubling(record, extents_of(spec), x, y, Sameness(settings, [&] { return expected_of(other, settings); }));
    return record;
  }
  Expected first = expected_of(call, settings);
  const Expected second = expected_of(other, settings);
  if (spec.property == Property::permutation)
    for (std::vector<double>* values : {&x, &first.out.values, &first.out.bounds}) *values = permuted.rows(*values);
  judge_change(record, x, first.out, y, second.out,
               spec.property == Property::shift ? "a shift of the tokens" : "a permutation of them");
  return record;
}

Record run_mechanism_apart(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  Record record{.spec = spec};
  const MechanismCall call = mechanism_call(spec);
  const auto base = answer_to(call, target, settings, record);
  if (!base) return record;
  if (spec.property == Property::alone) {
    for (Index b = 0; b < spec.batch; ++b) {
      const MechanismCall one = alone(call, b);
      const auto outputs = answer_to(one, target, settings, record);
      if (!outputs || !outputs->contains("out") || !base->contains("out")) continue;
      const std::vector<double>& all = base->at("out");
      const auto each = static_cast<std::ptrdiff_t>(all.size()) / spec.batch;
      compare_alone(
          record, extents_of(one.spec), {all.begin() + b * each, all.begin() + (b + 1) * each}, outputs->at("out"),
          [&] { return expected_of(one, settings).out; }, settings);
    }
    return record;
  }
  const Sameness sameness(settings, [&] { return expected_of(call, settings); });
  const bool heads = spec.property == Property::heads, mates = spec.property == Property::mates;
  const std::vector<std::string> letters =
      heads ? std::vector<std::string>{"H", "H_kv"} : std::vector<std::string>{"B"};
  for (Index part = 0; part < (heads ? spec.heads : spec.batch); ++part) {
    MechanismCall other = call;
    replace_at(other, letters, part, mates ? 40 : 1);
    const auto outputs = answer_to(other, target, settings, record);
    if (!outputs) continue;
    compare_parts(
        record, extents_of(spec), *base, *outputs,
        [&](const Row& row, bool) { return (heads ? row.h : row.b) != part; }, mates,
        heads   ? "another head's input"
        : mates ? "another sequence with large logits"
                : "another sequence's input",
        sameness);
  }
  return record;
}

Record run_mechanism_repeat(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  CaseSpec next = spec;
  next.number += 1;
  const MechanismCall first = mechanism_call(spec), second = mechanism_call(next);
  return repeated(
      spec, extents_of(spec), expected_of(first, settings), expected_of(second, settings).out,
      [&](Record& record) { return answer_to(first, target, settings, record); },
      [&](Record& record) { return answer_to(second, target, settings, record); }, [&] { target.start_afresh(); },
      settings);
}

}  // namespace attest::judge
