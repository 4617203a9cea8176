// Mechanisms other than softmax: a backward pass against the forward pass of the same implementation.
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "simulations/judge/trial/compare_calls.hpp"
#include "simulations/judge/trial/mechanism_call.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {
namespace {

using Values = std::vector<double>;

constexpr std::array moved_inputs = {"q", "k", "v"};
constexpr double step = 0x1p-8;

/// q, k and v with `by` times the direction added.
MechanismCall moved(const MechanismCall& call, const std::array<Values, 3>& directions, double by) {
  MechanismCall other = call;
  other.spec.gradient = false;
  for (std::size_t a = 0; a < moved_inputs.size(); ++a) {
    attention::Tensor<double>& array = other.call.inputs.at(moved_inputs[a]);
    for (Index n = 0; n < array.size(); ++n) array.data()[n] += by * directions[a][static_cast<std::size_t>(n)];
  }
  return other;
}

/// out of a call; empty when there is none.
using Forward = std::function<Values(const MechanismCall&)>;

/// The derivative of sum(out dout) along the directions: central differences with steps h and h / 2, extrapolated.
/// Empty when there was no answer.
std::optional<long double> difference_quotient(const MechanismCall& call, const std::array<Values, 3>& directions,
                                               const Forward& forward) {
  long double slopes[2];
  for (int half = 0; half < 2; ++half) {
    const double h = half == 0 ? step : step / 2;
    const Values above = forward(moved(call, directions, h)), below = forward(moved(call, directions, -h));
    if (above.empty() || below.empty()) return std::nullopt;
    long double change = 0;
    for (std::size_t n = 0; n < above.size(); ++n)
      change += (static_cast<long double>(above[n]) - below[n]) * call.dout.values()[n];
    slopes[half] = change / (2 * static_cast<long double>(h));
  }
  return (4 * slopes[1] - slopes[0]) / 3;
}

/// The same by gradients.
template <typename GradientOf>
long double along(const std::array<Values, 3>& directions, const GradientOf& gradient_of) {
  long double sum = 0;
  for (std::size_t a = 0; a < moved_inputs.size(); ++a) {
    const Values& gradient = gradient_of(std::string("d") + moved_inputs[a]);
    for (std::size_t n = 0; n < gradient.size() && n < directions[a].size(); ++n)
      sum += static_cast<long double>(gradient[n]) * directions[a][n];
  }
  return sum;
}

}  // namespace

Record run_mechanism_differences(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  Record record{.spec = spec};
  const MechanismCall call = mechanism_call(spec);
  const auto base = answer_to(call, target, settings, record);
  if (!base || !base->contains("dq") || !base->contains("dk") || !base->contains("dv")) return record;
  std::array<Values, 3> directions;
  for (std::size_t a = 0; a < moved_inputs.size(); ++a)
    directions[a] = fresh_normals(spec, std::string(moved_inputs[a]) + " direction",
                                  static_cast<std::size_t>(call.call.inputs.at(moved_inputs[a]).size()));
  const auto of_target = [&](const MechanismCall& other) {
    const auto outputs = answer_to(other, target, settings, record);
    return outputs && outputs->contains("out") ? outputs->at("out") : Values{};
  };
  const auto of_reference = [](const MechanismCall& other) {
    const auto evaluation = attention::evaluate(other.mechanism, other.call);
    return Values(evaluation.out.values().begin(), evaluation.out.values().end());
  };
  const long double says = along(directions, [&](const std::string& name) -> const Values& { return base->at(name); });
  const std::optional<long double> shows = difference_quotient(call, directions, of_target);
  if (!shows) return record;
  const Expected expected = expected_of(call, settings);
  const long double truncated =
      *difference_quotient(call, directions, of_reference) -
      along(directions, [&](const std::string& name) -> const Values& { return expected.find(name)->values; });
  double noise = 0;
  for (std::size_t n = 0; n < expected.out.bounds.size(); ++n)
    noise += std::abs(call.dout.values()[n]) * expected.out.bounds[n];
  const double bound =
      2 * std::abs(static_cast<double>(truncated)) + 4 * noise / step + 1e-12 * std::abs(static_cast<double>(*shows));
  judge_direction(record, says, *shows, bound);
  return record;
}

}  // namespace attest::judge
