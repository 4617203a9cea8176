// What a table of skills says: DIR/summary.json of attest train --skills, and a table for a terminal.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulations/experiment/experiment.hpp"
#include "simulations/outcomes/summary.hpp"
#include "simulations/skills/skill.hpp"

namespace attest::outcomes {

using attention::Index;
using skills::Skill;
using skills::SkillLevels;

/// One skill's cells. Those that diverged hold `diverged` alone.
struct SkillOutcome {
  const Experiment& experiment;
  const Skill& skill;
  SkillLevels levels;
  AllResults results;
};

/// {schema: attest-skills-1, experiment, title, names: [variants], baseline, seed, seeds, model, level, power,
/// assumption, seconds, processor_seconds, floor_rule, skills: [{name, title, solver_is, metric, guessing, solver,
/// floor, variants:
/// [{name, attention, residual, mean, interval, values, parameters, step_milliseconds}], comparisons: as `summarise`
/// with `detectable`, left_out: [{name, seeds: how many diverged}]}], text, tables, figures}. `floor` is the median
/// over the comparisons of the difference that these seeds find with probability `power`; null for too few. Variants
/// with a cell that diverged are left out of the skill's comparisons. Preconditions: every variant and one of `seeds`
/// seeds has a result; the experiments share seed, level and variants. Errors: std::invalid_argument where variants of
/// one seed have seen other batches, or the baseline diverged.
nlohmann::ordered_json summarise_skills(const std::string& name, const std::string& title,
                                        const std::vector<SkillOutcome>& outcomes, Index seeds, double seconds);

/// Mechanisms down, skills across, heads first: what each skill is read against, then means, marked where they are
/// called better (+) or worse (-) than the baseline's.
std::vector<std::vector<std::string>> skills_table(const nlohmann::ordered_json& summary);

/// The same for a terminal.
std::string skills_text(const nlohmann::ordered_json& summary);

}  // namespace attest::outcomes
