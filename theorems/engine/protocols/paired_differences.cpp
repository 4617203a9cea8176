#include "theorems/engine/protocols/paired_differences.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/statistics/signed_rank.hpp"

namespace attest::engine {

Interval interval_of_differences(std::span<const double> differences, double alpha) {
  const statistics::Interval interval = statistics::signed_rank_interval(differences, alpha);
  return {interval.lower, interval.upper};
}

bool excludes_zero(Relation relation, const Interval& interval) {
  return says_less(relation) ? interval.lower > 0 : interval.upper < 0;
}

std::string text(const Interval& interval) { return fmt::format("[{:.6g}, {:.6g}]", interval.lower, interval.upper); }

Replay replay_differences(const Witness& witness) {
  if (!witness.inputs.has("differences") || witness.inputs["differences"].size() < 2 || !(witness.alpha > 0))
    throw std::invalid_argument("the witness holds no paired differences of trained models");
  const Interval found =
      interval_of_differences(witness.inputs["differences"], std::min(witness.alpha, training_false_alarm));
  Replay replay;
  replay.lhs = text(found);
  replay.rhs = "0";
  replay.relation = witness.relation;
  replay.margin = fmt::format("{:.6g}", std::min(std::abs(found.lower), std::abs(found.upper)));
  replay.assumptions_hold = witness.inputs.all_finite();
  replay.confirmed = excludes_zero(witness.relation, found);
  replay.how = "the signed-rank interval of the stored paired differences; to have others, train with other seeds";
  return replay;
}

}  // namespace attest::engine
