#include "simulations/skills/skill.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "simulations/experiment/held_out.hpp"
#include "simulations/skills/skill_list.hpp"

namespace attest::skills {

using experiment::data_seed;
using tasks::TokenExamples;
using tasks::unasked;
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Examples with the solver's answers beside them.
struct Drawn {
  TokenExamples examples, solved;
};

Drawn draw_part(const Skill& skill, std::size_t first, std::size_t count) {
  Drawn part;
  part.examples.count = part.solved.count = count;
  for (std::size_t i = first; i < first + count; ++i) {
    random::Stream stream(data_seed, random::stream_key("skill/" + skill.name), i);
    const SkillExample one = skill.draw(stream);
    append(part.examples.tokens, one.tokens);
    append(part.examples.values, one.values);
    append(part.examples.answers, one.answers);
    append(part.examples.targets, one.targets);
    append(part.solved.answers, one.solved);
    append(part.solved.targets, one.solved_numbers);
  }
  return part;
}

/// What knows the place alone would answer: of each token, the most frequent class or the mean.
TokenExamples guesses(const TokenExamples& train, std::size_t count) {
  constexpr auto tokens = static_cast<std::size_t>(skill_tokens);
  TokenExamples guessed;
  std::vector<std::int64_t> classes;
  std::vector<float> means;
  for (std::size_t t = 0; t < tokens; ++t) {
    std::map<std::int64_t, std::size_t> often;
    double sum = 0, asked = 0;
    for (std::size_t i = 0; i < train.count; ++i) {
      if (!train.answers.empty()) ++often[train.answers[i * tokens + t]];
      if (!train.targets.empty() && !std::isnan(train.targets[i * tokens + t])) {
        sum += train.targets[i * tokens + t];
        asked += 1;
      }
    }
    // Where some examples ask this token and others do not, a guess is wanted for those that do.
    if (often.size() > 1) often.erase(unasked);
    const auto most =
        std::max_element(often.begin(), often.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    classes.push_back(most == often.end() ? unasked : most->first);
    means.push_back(static_cast<float>(asked > 0 ? sum / asked : 0));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!train.answers.empty()) append(guessed.answers, classes);
    if (!train.targets.empty()) append(guessed.targets, means);
  }
  return guessed;
}

/// Accuracy, or root mean square error, of given answers.
double level_of(const TokenExamples& truth, const TokenExamples& given) {
  double right = 0, asked = 0;
  for (std::size_t i = 0; i < truth.answers.size(); ++i) {
    if (truth.answers[i] == unasked) continue;
    asked += 1;
    right += truth.answers[i] == given.answers[i] ? 1 : 0;
  }
  double squares = 0;
  for (std::size_t i = 0; i < truth.targets.size(); ++i) {
    if (std::isnan(truth.targets[i])) continue;
    asked += 1;
    squares += std::pow(static_cast<double>(truth.targets[i]) - static_cast<double>(given.targets[i]), 2);
  }
  return truth.targets.empty() ? right / asked : std::sqrt(squares / asked);
}

}  // namespace

const std::vector<Skill>& skills() {
  static const std::vector<Skill> all = [] {
    std::vector<Skill> both = skill::token_skills();
    append(both, skill::number_skills());
    return both;
  }();
  return all;
}

const Skill* skill_of_data(std::string_view data_name) {
  for (const Skill& skill : skills())
    if (skill.data_name() == data_name) return &skill;
  return nullptr;
}

SkillData draw_skill(const Skill& skill, std::size_t train, std::size_t validation, std::size_t test) {
  Drawn of_train = draw_part(skill, 0, train), of_validation = draw_part(skill, train, validation),
        of_test = draw_part(skill, train + validation, test);
  SkillData data;
  data.levels.guessing = level_of(of_test.examples, guesses(of_train.examples, test));
  data.levels.solver = level_of(of_test.examples, of_test.solved);
  Task& task = data.task;
  task.kind = skill.kind;
  task.shape.tokens = skill_tokens;
  task.shape.vocabulary = skill.vocabulary;
  task.shape.dimensions = skill.dimensions;
  task.shape.regression = skill.classes == 0;
  task.shape.classes = std::max<Index>(1, skill.classes);
  task.shape.per_token = true;
  task.train.per_token = std::move(of_train.examples);
  task.validation.per_token = std::move(of_validation.examples);
  task.test.per_token = std::move(of_test.examples);
  return data;
}

}  // namespace attest::skills
