// Skills over tokens.
#include <algorithm>
#include <numeric>

#include "simulations/data/text/listops.hpp"
#include "simulations/data/text/listops_generator.hpp"
#include "simulations/skills/skill_list.hpp"

namespace attest::skills::skill {

using tasks::unasked;
namespace {

using random::Stream;

constexpr auto tokens = static_cast<std::size_t>(skill_tokens);

SkillExample nothing_asked() {
  SkillExample example;
  example.tokens.assign(tokens, 0);
  example.answers.assign(tokens, unasked);
  return example;
}

/// An answer that follows from the tokens: the solver has it too.
SkillExample solved(SkillExample example) {
  example.solved = example.answers;
  return example;
}

std::int32_t drawn(Stream& stream, Index below) {
  return static_cast<std::int32_t>(stream.integer(static_cast<std::uint64_t>(below)));
}

/// `count` of the numbers 0 .. below - 1, all different, in random order.
std::vector<std::int32_t> drawn_without_repeats(Stream& stream, std::size_t count, std::size_t below) {
  std::vector<std::int32_t> all(below);
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + stream.integer(below - i)]);
  all.resize(count);
  return all;
}

constexpr Index recalled_keys = 6, recalled_values = 4;
constexpr std::size_t recalled_pairs = 4;

/// A pair is one token, so that one layer is enough: key k with value v is k * values + v, key k alone comes after.
SkillExample draw_recall(Stream& stream) {
  SkillExample example = nothing_asked();
  const auto keys = drawn_without_repeats(stream, recalled_pairs, static_cast<std::size_t>(recalled_keys));
  std::vector<std::int32_t> values;
  for (std::size_t p = 0; p < recalled_pairs; ++p) {
    values.push_back(drawn(stream, recalled_values));
    example.tokens[p] = keys[p] * static_cast<std::int32_t>(recalled_values) + values[p];
  }
  for (std::size_t i = recalled_pairs; i < tokens; ++i) {
    const std::size_t asked = stream.integer(recalled_pairs);
    example.tokens[i] = static_cast<std::int32_t>(recalled_keys * recalled_values) + keys[asked];
    example.answers[i] = values[asked];
  }
  return solved(std::move(example));
}

constexpr Index induced_letters = 4;

SkillExample draw_induction(Stream& stream) {
  SkillExample example = nothing_asked();
  for (std::int32_t& token : example.tokens) token = drawn(stream, induced_letters);
  for (std::size_t i = 2; i < tokens; ++i)
    for (std::size_t before = 0; before + 1 < i; ++before)
      if (example.tokens[before] == example.tokens[i]) example.answers[i] = example.tokens[before + 1];
  return solved(std::move(example));
}

constexpr Index copied_letters = 4;
constexpr std::size_t copied = 4;

/// Blanks are 0, letters 1 .. 4; the last four tokens, 5, ask for the letters.
SkillExample draw_copying(Stream& stream) {
  SkillExample example = nothing_asked();
  auto places = drawn_without_repeats(stream, copied, tokens - copied);
  std::sort(places.begin(), places.end());
  for (std::size_t c = 0; c < copied; ++c) {
    const std::int32_t letter = drawn(stream, copied_letters);
    example.tokens[static_cast<std::size_t>(places[c])] = 1 + letter;
    example.tokens[tokens - copied + c] = static_cast<std::int32_t>(copied_letters) + 1;
    example.answers[tokens - copied + c] = letter;
  }
  return solved(std::move(example));
}

constexpr Index sorted_values = 8;

/// Token i asks for the i-th smallest of the sixteen.
SkillExample draw_sorting(Stream& stream) {
  SkillExample example = nothing_asked();
  for (std::int32_t& token : example.tokens) token = drawn(stream, sorted_values);
  example.answers.assign(example.tokens.begin(), example.tokens.end());
  std::sort(example.answers.begin(), example.answers.end());
  return solved(std::move(example));
}

constexpr Index deepest = 5;

/// Opening (1) and closing (0) with equal chances where both are possible: depths from 0 to `deepest`.
SkillExample draw_dyck(Stream& stream) {
  SkillExample example = nothing_asked();
  Index depth = 0;
  for (std::size_t i = 0; i < tokens; ++i) {
    const bool opens = depth == 0 || (depth < deepest && stream.integer(2) == 1);
    depth += opens ? 1 : -1;
    example.tokens[i] = opens ? 1 : 0;
    example.answers[i] = depth;
  }
  return solved(std::move(example));
}

/// The expression filled up with a token of its own; the first token is asked for the value.
SkillExample draw_listops(Stream& stream) {
  const auto one = data::generate_listops(
      {.train = 1, .validation = 0, .test = 0, .deepest = 3, .most_arguments = 4, .above = 4, .below = tokens + 1},
      stream.next_u64());
  const data::TokenVocabulary vocabulary = data::listops_vocabulary();
  SkillExample example = nothing_asked();
  const auto expression = vocabulary.encode(one.train.texts.front(), "a drawn expression");
  std::fill(example.tokens.begin(), example.tokens.end(), static_cast<std::int32_t>(vocabulary.tokens.size()));
  std::copy(expression.begin(), expression.end(), example.tokens.begin());
  example.answers.front() = one.train.labels.front();
  return solved(std::move(example));
}

}  // namespace

std::vector<Skill> token_skills() {
  constexpr auto kind = ModelSpec::Kind::sequence;
  constexpr Index dimensions = 0;
  return {
      {"recall", "associative recall, 4 pairs and 12 queries", "looks the key up", kind,
       recalled_keys * recalled_values + recalled_keys, dimensions, recalled_values, draw_recall},
      {"induction", "what followed the last earlier letter like this one, 4 letters",
       "finds the letter and takes the next", kind, induced_letters, dimensions, induced_letters, draw_induction},
      {"copying", "selective copying, 4 letters among 8 blanks", "repeats the letters in order", kind,
       copied_letters + 2, dimensions, copied_letters, draw_copying},
      {"sorting", "the i-th smallest of 16 numbers below 8", "sorts", kind, sorted_values, dimensions, sorted_values,
       draw_sorting},
      {"dyck", "how many brackets are open, at most 5", "counts", kind, 2, dimensions, deepest + 1, draw_dyck},
      {"short-listops", "expressions of ListOps with up to 16 tokens and two levels", "evaluates", kind, 16, dimensions,
       10, draw_listops},
  };
}

}  // namespace attest::skills::skill
