// What a target did not take, in words: which cases, and what it said.
#pragma once

#include <string>
#include <vector>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// One clause for each different reason in the order of the records: what the cases refused for it have in common that
/// no judged one has, or how many there are and the smallest of them.
std::vector<std::string> refusals_of(const std::vector<Record>& records);

}  // namespace attest::judge
