// A check that also draws: figures for the report, never judged.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "theorems/engine/claim.hpp"

namespace attest::twicing {

/// `check` with the figures appended to the evidence of every run.
inline engine::Check illustrated(engine::Check check, std::function<std::vector<engine::Figure>()> figures) {
  auto run = std::move(check.run);
  check.run = [run = std::move(run), figures = std::move(figures)](const engine::Context& context) {
    engine::Evidence evidence = run(context);
    for (engine::Figure& figure : figures()) evidence.figures.push_back(std::move(figure));
    return evidence;
  };
  return check;
}

}  // namespace attest::twicing
