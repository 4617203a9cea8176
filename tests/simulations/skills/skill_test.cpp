#include "simulations/skills/skill.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "simulations/data/text/listops.hpp"
#include "simulations/tasks/data_digest.hpp"
#include "tests/support/rounding.hpp"

namespace attest::skills {

using tasks::data_digest;
using tasks::unasked;
namespace {

const Skill& named(const std::string& name) {
  const Skill* skill = skill_of_data(name + "-generated");
  if (skill == nullptr) throw std::invalid_argument(name);
  return *skill;
}

SkillExample drawn(const std::string& name, std::uint64_t number) {
  random::Stream stream(7, 1, number);
  return named(name).draw(stream);
}

constexpr std::uint64_t examples = 200;

TEST(Skills, fill_every_token_and_stay_within_their_vocabulary_and_classes) {
  EXPECT_GE(skills().size(), 8U);
  for (const Skill& skill : skills())
    for (std::uint64_t i = 0; i < 50; ++i) {
      random::Stream stream(7, 1, i);
      const SkillExample one = skill.draw(stream);
      const auto tokens = static_cast<std::size_t>(skill_tokens);
      EXPECT_EQ(one.tokens.size(), skill.kind == ModelSpec::Kind::sequence ? tokens : 0) << skill.name;
      EXPECT_EQ(one.values.size(), tokens * static_cast<std::size_t>(skill.dimensions)) << skill.name;
      EXPECT_EQ(one.answers.size(), skill.classes > 0 ? tokens : 0) << skill.name;
      EXPECT_EQ(one.targets.size(), skill.classes > 0 ? 0 : tokens) << skill.name;
      for (const std::int32_t token : one.tokens) EXPECT_TRUE(token >= 0 && token < skill.vocabulary) << skill.name;
      for (const std::int64_t answer : one.answers)
        EXPECT_TRUE(answer == unasked || (answer >= 0 && answer < skill.classes)) << skill.name;
    }
}

TEST(Skills, have_a_solver_above_guessing) {
  for (const Skill& skill : skills()) {
    const SkillLevels levels = draw_skill(skill, 400, 1, 200).levels;
    if (skill.classes > 0) {
      EXPECT_GT(levels.solver, levels.guessing + 0.1) << skill.name;
      EXPECT_LE(levels.solver, 1) << skill.name;
    } else {
      EXPECT_LT(levels.solver, levels.guessing - 0.1) << skill.name;
    }
  }
}

TEST(Skills, give_the_same_examples_again_and_others_to_every_part) {
  for (const Skill& skill : skills()) {
    const Task one = draw_skill(skill, 40, 10, 20).task, again = draw_skill(skill, 40, 10, 20).task;
    EXPECT_EQ(data_digest({&one}), data_digest({&again})) << skill.name;
    EXPECT_NE(digest_of(one.batch(one.train, 0, 10)), digest_of(one.batch(one.validation, 0, 10))) << skill.name;
    const Task longer = draw_skill(skill, 50, 10, 20).task;
    EXPECT_EQ(digest_of(longer.batch(longer.train, 0, 40)), digest_of(one.batch(one.train, 0, 40))) << skill.name;
    EXPECT_NE(data_digest({&longer}), data_digest({&one})) << skill.name;
  }
}

TEST(Recall, asks_for_the_value_that_stands_with_the_key) {
  for (std::uint64_t i = 0; i < examples; ++i) {
    const SkillExample one = drawn("recall", i);
    for (std::size_t t = 4; t < 16; ++t) {
      const std::int32_t key = one.tokens[t] - 24;
      const auto pair = std::find_if(one.tokens.begin(), one.tokens.begin() + 4,
                                     [&](std::int32_t token) { return token / 4 == key; });
      ASSERT_NE(pair, one.tokens.begin() + 4);
      EXPECT_EQ(one.answers[t], *pair % 4);
    }
  }
}

TEST(Induction, asks_for_what_followed_the_last_earlier_letter) {
  for (std::uint64_t i = 0; i < examples; ++i) {
    const SkillExample one = drawn("induction", i);
    for (std::size_t t = 0; t < 16; ++t) {
      std::int64_t expected = unasked;
      for (std::size_t before = 1; before < t && expected == unasked; ++before)
        if (t >= before + 1 && one.tokens[t - before - 1] == one.tokens[t]) expected = one.tokens[t - before];
      EXPECT_EQ(one.answers[t], expected);
    }
  }
}

TEST(Copying, asks_for_the_letters_in_their_order) {
  for (std::uint64_t i = 0; i < examples; ++i) {
    const SkillExample one = drawn("copying", i);
    std::vector<std::int64_t> letters;
    for (std::size_t t = 0; t < 12; ++t)
      if (one.tokens[t] > 0) letters.push_back(one.tokens[t] - 1);
    EXPECT_EQ(letters, std::vector<std::int64_t>(one.answers.begin() + 12, one.answers.end()));
  }
}

TEST(Dyck, counts_open_brackets) {
  for (std::uint64_t i = 0; i < examples; ++i) {
    const SkillExample one = drawn("dyck", i);
    std::int64_t depth = 0;
    for (std::size_t t = 0; t < 16; ++t) {
      depth += one.tokens[t] == 1 ? 1 : -1;
      EXPECT_EQ(one.answers[t], depth);
    }
  }
}

TEST(ShortListOps, asks_for_the_value_of_the_expression) {
  const data::TokenVocabulary vocabulary = data::listops_vocabulary();
  for (std::uint64_t i = 0; i < 30; ++i) {
    const SkillExample one = drawn("short-listops", i);
    std::string expression;
    for (const std::int32_t token : one.tokens)
      if (token < 15)
        expression += (expression.empty() ? "" : " ") + vocabulary.tokens[static_cast<std::size_t>(token)];
    EXPECT_EQ(data::evaluate_listops(expression, "test").value, one.answers.front()) << expression;
  }
}

TEST(Sorting, asks_for_the_tokens_in_rising_order) {
  const SkillExample one = drawn("sorting", 1);
  EXPECT_TRUE(std::is_sorted(one.answers.begin(), one.answers.end()));
  EXPECT_EQ(std::multiset<std::int64_t>(one.tokens.begin(), one.tokens.end()),
            std::multiset<std::int64_t>(one.answers.begin(), one.answers.end()));
}

TEST(Regression, shows_pairs_of_one_linear_map) {
  const SkillExample one = drawn("regression", 3);
  // w from the first two pairs by Cramer's rule; every other pair and every answer must be its value.
  const auto x = [&](std::size_t t, std::size_t i) { return static_cast<double>(one.values[4 * t + i]); };
  const double determinant = x(0, 0) * x(1, 1) - x(0, 1) * x(1, 0);
  const double w0 = (x(0, 2) * x(1, 1) - x(1, 2) * x(0, 1)) / determinant;
  const double w1 = (x(0, 0) * x(1, 2) - x(1, 0) * x(0, 2)) / determinant;
  // The entries are floats: each is off by at most single_roundoff times its size.
  double size = 0;
  for (const float value : one.values) size = std::max(size, std::fabs(static_cast<double>(value)));
  const double off = tests::single_roundoff * size, weight = std::max(std::fabs(w0), std::fabs(w1));
  const double off_weight = 4 * off * size * (1 + weight) / std::fabs(determinant);
  for (std::size_t t = 2; t < 16; ++t) {
    const double y = t < 12 ? x(t, 2) : static_cast<double>(one.targets[t]);
    EXPECT_NEAR(y, w0 * x(t, 0) + w1 * x(t, 1), 2 * size * off_weight + (1 + 4 * weight) * off) << t;
    EXPECT_EQ(x(t, 3), t < 12 ? 0 : 1);
  }
}

/// Both solvers are right up to their law: n examples of them have a mean square error within five deviations of it.
TEST(Recovery, has_the_posterior_mean_for_a_solver) {
  // Each of four coefficients is left with the variance 1/(2 + 8), and four waves have squares that sum to 2.
  double squares = 0;
  for (std::uint64_t i = 0; i < examples; ++i) {
    const SkillExample one = drawn("recovery", i);
    for (std::size_t t = 0; t < 16; ++t)
      squares += std::pow(static_cast<double>(one.solved_numbers[t]) - static_cast<double>(one.targets[t]), 2);
  }
  // The mean over an example is a sum of four squared normals, each of variance 1/10, times 1/2: mean 0.2, deviation
  // 0.2/sqrt 2.
  EXPECT_NEAR(squares / (16.0 * examples), 0.2, 5 * 0.2 / std::sqrt(2.0 * examples));
}

TEST(SkillOfData, knows_its_own_names_alone) {
  EXPECT_EQ(skill_of_data("recall-generated")->name, "recall");
  EXPECT_EQ(skill_of_data("recall"), nullptr);
  EXPECT_EQ(skill_of_data("listops-generated"), nullptr);
}

}  // namespace
}  // namespace attest::skills
