#include "theorems/engine/protocols/composite.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

Context context_of_part(const Context& whole, const Part& part, std::size_t parts) {
  Context context = whole;
  context.key = random::stream_key(fmt::format("{}/{}", whole.key, part.name));
  context.alpha =
      Deferred<double>::later([alpha = whole.alpha, parts] { return alpha.get() / static_cast<double>(parts); });
  return context;
}

/// Whether `path` ("part" or "part / inner part") leads to or through the part of that name; what is left of it then.
std::optional<std::string> rest_of(const std::string& path, const std::string& name) {
  if (path == name) return std::string();
  if (path.rfind(name + " / ", 0) == 0) return path.substr(name.size() + 3);
  return std::nullopt;
}

/// Every part is run, also after a refuted one: none hides behind another.
Evidence run_composite(const std::vector<Part>& parts, const Context& context) {
  CompositeEvidence composite;
  Evidence whole;
  for (const auto& part : parts) {
    context.poll();
    Context own = context_of_part(context, part, parts.size());
    if (!context.only_part.empty()) {
      const auto rest = rest_of(context.only_part, part.name);
      if (!rest) continue;
      own.only_part = *rest;
    }
    auto evidence = std::make_shared<Evidence>(part.check.run(own));
    std::move(evidence->figures.begin(), evidence->figures.end(), std::back_inserter(whole.figures));
    evidence->figures.clear();
    Judgement judgement = judge(part.kind, *evidence);
    composite.parts.push_back({part.name, std::move(evidence), std::move(judgement)});
  }
  if (composite.parts.empty())
    throw std::invalid_argument(fmt::format("this statement has no part named '{}'", context.only_part));
  whole.body = std::move(composite);
  return whole;
}

/// The parts' domains; parts with the same one share a sentence.
std::string domain_of_parts(const std::vector<Part>& parts) {
  std::vector<std::pair<std::string, std::string>> sentences;  // domain, names of its parts
  for (const auto& part : parts) {
    const std::string domain = part.check.domain ? part.check.domain() : "";
    const auto same =
        std::find_if(sentences.begin(), sentences.end(), [&](const auto& s) { return s.first == domain; });
    if (same == sentences.end())
      sentences.emplace_back(domain, part.name);
    else
      same->second += ", " + part.name;
  }
  if (sentences.size() == 1) return fmt::format("in each of {} parts: {}", parts.size(), sentences.front().first);
  std::string text;
  for (const auto& [domain, names] : sentences)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ". ", names, domain);
  return text;
}

Replay replay_part(const std::vector<Part>& parts, const Witness& witness, const Context& context) {
  // A name may itself contain " / ": of the parts that fit, the one of the longest name is meant.
  const Part* mine = nullptr;
  for (const auto& part : parts) {
    if (rest_of(witness.part, part.name) && (mine == nullptr || part.name.size() > mine->name.size())) mine = &part;
  }
  if (mine == nullptr)
    throw std::invalid_argument(
        fmt::format("the witness names the part '{}', which this statement does not have", witness.part));
  Witness inner = witness;
  inner.part = *rest_of(witness.part, mine->name);
  return mine->check.replay(inner, context_of_part(context, *mine, parts.size()));
}

std::size_t most_shares(const std::vector<Part>& parts) {
  std::size_t shares = 1;
  for (const auto& part : parts) shares = std::max(shares, part.check.shares.get());
  return shares;
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
  const bool judges_changes =
      std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.check.judges_changes; });
  const auto shared = std::make_shared<const std::vector<Part>>(std::move(parts));
  return {.protocol = protocol,
          .run = [shared](const Context& context) { return run_composite(*shared, context); },
          .replay = [shared](const Witness& witness,
                             const Context& context) { return replay_part(*shared, witness, context); },
          .domain = [shared] { return domain_of_parts(*shared); },
          .judges_changes = judges_changes,
          .shares = Deferred<std::size_t>::later([shared] { return most_shares(*shared); })};
}

}  // namespace attest::engine
