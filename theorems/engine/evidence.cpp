#include "theorems/engine/evidence.hpp"

namespace attest::engine {

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
