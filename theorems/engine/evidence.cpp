#include "theorems/engine/evidence.hpp"

#include <algorithm>

namespace attest::engine {

namespace {

/// A relative slack below this is 0 to within the rounding of a few operations on doubles.
constexpr double resolved_by_doubles = 1e-12;

}  // namespace

double stated_slack(const InequalityEvidence& evidence) {
  if (evidence.witness) return evidence.least_slack;
  if (evidence.tie_at_least_slack) return 0;
  return evidence.least_slack < resolved_by_doubles ? std::max(0.0, evidence.ball_slack) : evidence.least_slack;
}

bool against_trend(const SequenceEvidence& evidence) {
  return evidence.interval.lower > evidence.claimed ||
         (!evidence.at_most && evidence.interval.upper < evidence.claimed);
}

std::optional<Witness> witness_of(const Evidence& evidence) {
  return std::visit(
      [](const auto& body) -> std::optional<Witness> {
        using Body = std::decay_t<decltype(body)>;
        if constexpr (std::is_same_v<Body, std::monostate> || std::is_same_v<Body, AwaitingEvidence>) {
          return std::nullopt;
        } else if constexpr (std::is_same_v<Body, CompositeEvidence>) {
          for (const auto& part : body.parts) {
            if (auto witness = witness_of(*part.evidence)) {
              witness->part = witness->part.empty() ? part.name : part.name + " / " + witness->part;
              return witness;
            }
          }
          return std::nullopt;
        } else {
          return body.witness;
        }
      },
      evidence.body);
}

}  // namespace attest::engine
