// The skills by what their examples are made of; skills() puts them together.
#pragma once

#include <vector>

#include "simulations/skills/skill.hpp"

namespace attest::skills::skill {

/// Over tokens: recall, induction, copying, sorting, counting brackets, short expressions of ListOps.
std::vector<Skill> token_skills();

/// Over numbers: regression in context, denoising, recovery of a signal, points of two groups.
std::vector<Skill> number_skills();

}  // namespace attest::skills::skill
