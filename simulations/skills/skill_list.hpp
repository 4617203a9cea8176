// The skills one by one; skills() puts them together.
#pragma once

#include "simulations/skills/skill.hpp"

namespace attest::training::skill {

/// Key, value, key, value, ..., then keys alone: the value of each (multi-query associative recall).
Skill recall();
/// What followed the last earlier token like this one.
Skill induction();
/// Letters scattered among blanks, to be repeated in their order (selective copying).
Skill copying();
/// Numbers, to be given in rising order.
Skill sorting();
/// Opening and closing brackets: how many are open.
Skill dyck();
/// The value of a short expression of ListOps.
Skill listops();
/// Pairs x, y of an unknown linear map, then x alone: the y of each.
Skill regression();
/// A piecewise linear signal under noise: the signal.
Skill denoising();
/// A sum of four waves under noise as large as it: the signal.
Skill recovery();
/// Points of two groups: which of them are in the group of the first. Groups far apart, and overlapping.
Skill clusters_apart();
Skill clusters_overlapping();

}  // namespace attest::training::skill
