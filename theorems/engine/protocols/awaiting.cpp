#include "theorems/engine/protocols/awaiting.hpp"

#include <stdexcept>
#include <utility>

#include "theorems/engine/protocols/paired_differences.hpp"

namespace attest::engine {

Check awaits(const std::string& comparison, const std::string& reason) {
  if (comparison.empty() || reason.empty())
    throw std::invalid_argument("awaits: name the comparison that would decide the statement and why no check does");
  Check check{"nothing is evaluated here: the statement waits for a named comparison",
              [comparison, reason](const Context&) -> Evidence {
                return {AwaitingEvidence{comparison, reason}};
              },
              [](const Witness& witness, const Context&) { return replay_differences(witness); }};
  check.awaiting = true;
  check.domain = [comparison] { return "nothing is searched; awaited: " + comparison; };
  return check;
}

}  // namespace attest::engine
