// Skills: small generated tasks that tell attention mechanisms apart, with the level of guessing and of a solver.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/random/stream.hpp"
#include "simulations/models/model_spec.hpp"
#include "simulations/tasks/task.hpp"

namespace attest::skills {

using attention::Index;
using models::ModelSpec;
using tasks::Task;

/// Tokens of every skill's examples: 4 x 4, so that mechanisms on a grid take them too.
inline constexpr Index skill_tokens = 16;

/// One example, every list with `skill_tokens` entries (values: times the dimensions) or empty.
struct SkillExample {
  std::vector<std::int32_t> tokens;
  std::vector<float> values;          ///< [token][dimension]
  std::vector<std::int64_t> answers;  ///< classes, or `unasked`
  std::vector<std::int64_t> solved;   ///< what the skill's solver answers
  std::vector<float> targets;         ///< numbers, or NaN where nothing is asked
  std::vector<float> solved_numbers;  ///< what the skill's solver answers
};

/// A skill. Its data are called NAME-generated.
struct Skill {
  std::string name;
  std::string title;                                 ///< what is asked, in a few words
  std::string solver;                                ///< who reaches the upper level: what that solver knows and does
  ModelSpec::Kind kind = ModelSpec::Kind::sequence;  ///< sequence: tokens; series: numbers
  Index vocabulary = 0;                              ///< sequence
  Index dimensions = 0;                              ///< series
  Index classes = 0;                                 ///< 0: numbers are asked
  SkillExample (*draw)(random::Stream& stream) = nullptr;

  std::string data_name() const { return name + "-generated"; }
};

/// All skills, in the order of tables.
const std::vector<Skill>& skills();

/// The skill whose data have this name; nothing for other names.
const Skill* skill_of_data(std::string_view data_name);

/// What a table of results is read against: the metric of the test part (accuracy, or root mean square error where
/// numbers are asked) of the best answer that knows the token's place alone (the most frequent class there, or the
/// mean, of the training part), and of the skill's solver.
struct SkillLevels {
  double guessing = 0, solver = 0;
};

struct SkillData {
  Task task;
  SkillLevels levels;
};

/// The skill's examples: example i is drawn from the stream (data_seed, "skill/NAME", i), the training part first, then
/// the validation part, then the test part; a pure function of the counts.
SkillData draw_skill(const Skill& skill, std::size_t train, std::size_t validation, std::size_t test);

}  // namespace attest::skills
