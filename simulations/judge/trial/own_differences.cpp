// A backward pass against the forward pass of the same implementation.
#include <cmath>

#include "simulations/judge/trial/compare_calls.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {
namespace {

/// sum(out dout) + sum(lse dlse) of what was returned, in long double.
long double loss(const Outputs& outputs, const Problem& p) {
  long double sum = 0;
  const std::vector<double>& out = outputs.at("out");
  for (std::size_t n = 0; n < out.size(); ++n) sum += static_cast<long double>(out[n]) * p.dout[n];
  return sum;
}

/// q, k and v moved by `step` along the direction; returns what was really added, which rounding changes.
Problem moved(const Problem& p, const std::vector<double>* directions[3], double step) {
  Problem other = p;
  std::vector<double>* to[3] = {&other.q, &other.k, &other.v};
  for (int a = 0; a < 3; ++a)
    for (std::size_t n = 0; n < to[a]->size(); ++n) (*to[a])[n] += step * (*directions[a])[n];
  return other;
}

}  // namespace

Record run_own_differences(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  Record record{.spec = spec};
  const Problem problem = problem_of(spec);
  const auto call = [&](Problem p, bool gradients) {
    if (!gradients) p.dout.clear();
    return outputs_of(request_of(p, settings.conventions), p, target, settings, record);
  };
  const auto base = call(problem, true);
  if (!base || !base->contains("dq") || !base->contains("dk") || !base->contains("dv")) return record;
  const std::vector<double> dq = fresh_normals(spec, "q direction", problem.q.size()),
                            dk = fresh_normals(spec, "k direction", problem.k.size()),
                            dv = fresh_normals(spec, "v direction", problem.v.size());
  const std::vector<double>* directions[3] = {&dq, &dk, &dv};
  // Steps of 2^-8 and 2^-9: the error of the extrapolation is of order h^4, that of rounding u / h.
  constexpr double step = 0x1p-8;
  long double slopes[2];
  double noise = 0;
  const Expected expected = expected_attention(problem, precision_for(spec, settings));
  for (std::size_t n = 0; n < problem.dout.size(); ++n) noise += std::abs(problem.dout[n]) * expected.out.bounds[n];
  for (int half = 0; half < 2; ++half) {
    const double h = half == 0 ? step : step / 2;
    const Problem up = moved(problem, directions, h), down = moved(problem, directions, -h);
    const auto above = call(up, false), below = call(down, false);
    if (!above || !below || !above->contains("out") || !below->contains("out")) return record;
    slopes[half] = (loss(*above, problem) - loss(*below, problem)) / (2 * static_cast<long double>(h));
  }
  long double along = 0;
  const char* names[3] = {"dq", "dk", "dv"};
  for (int a = 0; a < 3; ++a) {
    const std::vector<double>& gradient = base->at(names[a]);
    for (std::size_t n = 0; n < gradient.size() && n < directions[a]->size(); ++n)
      along += static_cast<long double>(gradient[n]) * (*directions[a])[n];
  }
  const auto extrapolated = static_cast<double>((4 * slopes[1] - slopes[0]) / 3);
  const auto gap = static_cast<double>(slopes[1] - slopes[0]);
  // The h^2 terms differ by 3/4 of the larger one; what is left after extrapolation is smaller by h^2 once more.
  const double bound = std::abs(gap) / 16 + 4 * noise / step + 1e-12 * std::abs(extrapolated);
  judge_direction(record, along, (4 * slopes[1] - slopes[0]) / 3, bound);
  return record;
}

}  // namespace attest::judge
