// What must not change, or must change in a known way, between calls: permutations, shifts, scaling, heads, sequences,
// repeated calls.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "simulations/arrays/rounding.hpp"
#include "simulations/judge/trial/compare_calls.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {
namespace {

std::optional<Outputs> call(const Problem& problem, Target& target, const TrialSettings& settings, Record& record) {
  return outputs_of(request_of(problem, settings.conventions), problem, target, settings, record);
}

/// The same keys and values in another order.
void permute_keys(Problem& p, random::Stream stream) {
  std::vector<Index> order(static_cast<std::size_t>(p.keys));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t n = order.size(); n > 1; --n) std::swap(order[n - 1], order[stream.integer(n)]);
  const Problem before = p;
  for (Index b = 0; b < p.batch; ++b)
    for (Index g = 0; g < p.kv_heads; ++g)
      for (Index j = 0; j < p.keys; ++j) {
        const Index from = order[static_cast<std::size_t>(j)];
        std::copy_n(before.k.begin() + static_cast<std::ptrdiff_t>(before.key_offset(b, g, from, 0)), p.width,
                    p.k.begin() + static_cast<std::ptrdiff_t>(p.key_offset(b, g, j, 0)));
        std::copy_n(before.v.begin() + static_cast<std::ptrdiff_t>(before.value_offset(b, g, from, 0)), p.value_width,
                    p.v.begin() + static_cast<std::ptrdiff_t>(p.value_offset(b, g, j, 0)));
      }
}

/// Outputs of one sequence.
std::vector<double> slice(const std::vector<double>& values, Index b, Index batch) {
  const std::size_t each = values.size() / static_cast<std::size_t>(batch);
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(each * static_cast<std::size_t>(b));
  return {first, first + static_cast<std::ptrdiff_t>(each)};
}

}  // namespace

Record run_symmetry(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  Record record{.spec = spec};
  const Problem problem = problem_of(spec);
  Problem other = problem;
  if (spec.property == Property::permutation)
    permute_keys(other, {spec.seed, random::stream_key("order"), spec.number});
  if (spec.property == Property::shift) {
    const std::vector<double> shift = fresh_normals(spec, "shift", static_cast<std::size_t>(problem.width));
    for (std::size_t n = 0; n < other.k.size(); ++n)
      other.k[n] = rounded(other.k[n] + 3 * shift[n % shift.size()], spec.type);
  }
  if (spec.property == Property::linearity)
    for (double& value : other.v) value *= 2;
  const auto before = call(problem, target, settings, record), after = call(other, target, settings, record);
  if (!before || !after || !before->contains("out") || !after->contains("out")) return record;
  const std::vector<double>&x = before->at("out"), &y = after->at("out");
  if (x.size() != y.size()) return record;
  if (spec.property == Property::linearity) {
    judge_doubling(record, problem, x, y,
                   Sameness(settings, [&] { return expected_attention(other, precision_for(spec, settings)); }));
    return record;
  }
  // Both are held to the bounds of their own cases: what they may differ by is the sum, and the shift's own rounding.
  const Precision precision = precision_for(spec, settings);
  const Expected first = expected_attention(problem, precision), second = expected_attention(other, precision);
  judge_change(record, x, first.out, y, second.out,
               spec.property == Property::shift ? "a shift of the logits"
                                                : fmt::format("a {} of the keys", name(spec.property)));
  return record;
}

Record run_apart(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  Record record{.spec = spec};
  const Problem problem = problem_of(spec);
  const auto base = call(problem, target, settings, record);
  if (!base) return record;
  if (spec.property == Property::alone) {
    for (Index b = 0; b < problem.batch; ++b) {
      Problem one = problem;
      one.batch = 1;
      for (std::vector<double>* values : {&one.q, &one.k, &one.v, &one.dout, &one.dlse})
        if (!values->empty()) *values = slice(*values, b, problem.batch);
      const auto outputs = call(one, target, settings, record);
      if (!outputs || !outputs->contains("out") || !base->contains("out")) continue;
      compare_alone(
          record, one, slice(base->at("out"), b, problem.batch), outputs->at("out"),
          [&] { return expected_attention(one, precision_for(spec, settings)).out; }, settings);
    }
    return record;
  }
  const Index group = problem.heads / problem.kv_heads;
  const bool heads = spec.property == Property::heads;
  const Index parts = heads ? problem.kv_heads : problem.batch;
  const double factor = spec.property == Property::mates ? 40 : 1;
  const Sameness sameness(settings, [&] { return expected_attention(problem, precision_for(spec, settings)); });
  for (Index part = 0; part < parts; ++part) {
    Problem other = problem;
    const auto change = [&](std::vector<double>& values, const char* name, Index heads_here, double by) {
      const std::vector<double> fresh = fresh_normals(spec, name, values.size());
      const std::size_t per_head = values.size() / static_cast<std::size_t>(problem.batch * heads_here);
      for (std::size_t n = 0; n < values.size(); ++n) {
        const Index matrix = static_cast<Index>(n / per_head), b = matrix / heads_here, h = matrix % heads_here;
        const Index key_head = heads_here == problem.kv_heads ? h : h / group;
        if (heads ? key_head == part : b == part) values[n] = rounded(by * fresh[n], spec.type);
      }
    };
    change(other.q, "q", problem.heads, factor);
    change(other.k, "k", problem.kv_heads, factor);
    change(other.v, "v", problem.kv_heads, 1);
    const auto outputs = call(other, target, settings, record);
    if (!outputs) continue;
    compare_parts(
        record, problem, *base, *outputs,
        [&](const Row& row, bool of_keys) { return heads ? (of_keys ? row.h : row.h / group) != part : row.b != part; },
        spec.property == Property::mates,
        heads        ? "another head's input"
        : factor > 1 ? "another sequence with large logits"
                     : "another sequence's input",
        sameness);
  }
  return record;
}

Record run_repeat(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  CaseSpec next = spec;
  next.number += 1;
  const Problem first = problem_of(spec), second = problem_of(next);
  const Precision precision = precision_for(spec, settings);
  return repeated(
      spec, first, expected_attention(first, precision), expected_attention(second, precision).out,
      [&](Record& record) { return call(first, target, settings, record); },
      [&](Record& record) { return call(second, target, settings, record); }, [&] { target.start_afresh(); }, settings);
}

}  // namespace attest::judge
