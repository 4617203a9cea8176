#include "theorems/engine/protocols/composite.hpp"

#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

Context context_of_part(const Context& whole, const Part& part, std::size_t parts) {
  Context context = whole;
  context.stream = random::claim_key(fmt::format("{}/{}", whole.stream, part.name));
  context.alpha = whole.alpha / static_cast<double>(parts);
  return context;
}

Evidence run_composite(const std::vector<Part>& parts, const Context& context) {
  CompositeEvidence composite;
  Evidence whole;
  for (const auto& part : parts) {
    context.poll();
    auto evidence = std::make_shared<Evidence>(part.check.run(context_of_part(context, part, parts.size())));
    std::move(evidence->figures.begin(), evidence->figures.end(), std::back_inserter(whole.figures));
    evidence->figures.clear();
    Judgement judgement = judge(part.kind, *evidence);
    const bool violated = judgement.verdict == Verdict::refuted;
    composite.parts.push_back({part.name, std::move(evidence), std::move(judgement)});
    if (violated && context.stop_at_violation) break;
  }
  whole.body = std::move(composite);
  return whole;
}

Replay replay_part(const std::vector<Part>& parts, const Witness& witness, const Context& context) {
  // A name may itself contain " / ": of the parts that fit, the one of the longest name is meant.
  const Part* mine = nullptr;
  for (const auto& part : parts) {
    const bool fits = witness.part == part.name || witness.part.rfind(part.name + " / ", 0) == 0;
    if (fits && (mine == nullptr || part.name.size() > mine->name.size())) mine = &part;
  }
  if (mine == nullptr)
    throw std::invalid_argument(
        fmt::format("the witness names the part '{}', which this statement does not have", witness.part));
  Witness inner = witness;
  inner.part = witness.part == mine->name ? std::string() : witness.part.substr(mine->name.size() + 3);
  return mine->check.replay(inner, context_of_part(context, *mine, parts.size()));
}

}  // namespace

Check composite(std::vector<Part> parts) {
  if (parts.empty()) throw std::invalid_argument("composite: at least one part is needed");
  std::set<std::string> names;
  std::string protocol = "every part must hold: ";
  std::set<std::string> protocols;
  for (const auto& part : parts) {
    if (part.name.empty() || !names.insert(part.name).second)
      throw std::invalid_argument(fmt::format("composite: the part name '{}' is empty or given twice", part.name));
    if (!part.check.run || !part.check.replay)
      throw std::invalid_argument(fmt::format("composite: the part '{}' lacks a check", part.name));
    if (protocols.insert(part.check.protocol).second)
      protocol += fmt::format("{}{}", protocols.size() > 1 ? "; " : "", part.check.protocol);
  }
  const auto shared = std::make_shared<const std::vector<Part>>(std::move(parts));
  return {protocol, [shared](const Context& context) { return run_composite(*shared, context); },
          [shared](const Witness& witness, const Context& context) { return replay_part(*shared, witness, context); }};
}

}  // namespace attest::engine
