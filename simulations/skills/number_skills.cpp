// Skills over numbers.
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "simulations/skills/skill_list.hpp"

namespace attest::skills::skill {

using tasks::unasked;
namespace {

using random::Stream;

constexpr auto tokens = static_cast<std::size_t>(skill_tokens);
constexpr float none = std::numeric_limits<float>::quiet_NaN();

constexpr std::size_t shown_pairs = 12;

/// Tokens (x_1, x_2, y, 0) with y = w x, w and x standard normal; the last four are (x_1, x_2, 0, 1) and ask for y.
/// Twelve pairs without noise determine w, so that the least-squares solver is right.
SkillExample draw_regression(Stream& stream) {
  SkillExample example;
  const std::array<double, 2> w = {stream.normal(), stream.normal()};
  for (std::size_t i = 0; i < tokens; ++i) {
    const std::array<double, 2> x = {stream.normal(), stream.normal()};
    const auto y = static_cast<float>(w[0] * x[0] + w[1] * x[1]);
    const bool asked = i >= shown_pairs;
    for (const double one : x) example.values.push_back(static_cast<float>(one));
    example.values.push_back(asked ? 0 : y);
    example.values.push_back(asked ? 1 : 0);
    example.targets.push_back(asked ? y : none);
  }
  example.solved_numbers = example.targets;
  return example;
}

/// Least squares a + b t through values first .. last - 1, at each of them.
void fit_line(const std::vector<float>& values, std::size_t first, std::size_t last, std::vector<float>& fitted) {
  const auto n = static_cast<double>(last - first);
  double mean = 0, mean_t = 0, covariance = 0, variance = 0;
  for (std::size_t t = first; t < last; ++t) {
    mean += values[t] / n;
    mean_t += static_cast<double>(t) / n;
  }
  for (std::size_t t = first; t < last; ++t) {
    const double from_mean = static_cast<double>(t) - mean_t;
    covariance += from_mean * values[t];
    variance += from_mean * from_mean;
  }
  for (std::size_t t = first; t < last; ++t)
    fitted.push_back(static_cast<float>(mean + covariance / variance * (static_cast<double>(t) - mean_t)));
}

/// Two lines with a jump between them, levels standard normal, slopes up to 0.1 a step; noise of deviation 1/2.
SkillExample draw_denoising(Stream& stream) {
  constexpr double noise = 0.5, steepest = 0.1;
  constexpr std::size_t shortest = 4;
  SkillExample example;
  const std::size_t jump = shortest + stream.integer(tokens - 2 * shortest + 1);
  double level = 0, slope = 0;
  for (std::size_t t = 0; t < tokens; ++t) {
    if (t == 0 || t == jump) {
      level = stream.normal();
      slope = stream.uniform(-steepest, steepest);
    } else {
      level += slope;
    }
    example.targets.push_back(static_cast<float>(level));
    example.values.push_back(static_cast<float>(level + noise * stream.normal()));
  }
  fit_line(example.values, 0, jump, example.solved_numbers);
  fit_line(example.values, jump, tokens, example.solved_numbers);
  return example;
}

/// x_t = sum over k = 1, 2 of a_k cos(2 pi k t / 16) + b_k sin(2 pi k t / 16), coefficients normal with variance 1/2,
/// so that x has variance 1, as has the noise. The four waves are orthogonal with square norm 8: the mean of x given
/// y has the coefficients <wave, y> / (8 + 1/(1/2)).
SkillExample draw_recovery(Stream& stream) {
  constexpr double variance = 0.5, square_norm = 8;
  SkillExample example;
  example.targets.assign(tokens, 0);
  example.solved_numbers.assign(tokens, 0);
  const auto wave = [](std::size_t number, std::size_t t) {
    const std::size_t periods = 1 + number / 2;
    const double angle = 2 * std::numbers::pi * static_cast<double>(periods * t) / static_cast<double>(tokens);
    return number % 2 == 0 ? std::cos(angle) : std::sin(angle);
  };
  for (std::size_t number = 0; number < 4; ++number) {
    const double coefficient = std::sqrt(variance) * stream.normal();
    for (std::size_t t = 0; t < tokens; ++t) example.targets[t] += static_cast<float>(coefficient * wave(number, t));
  }
  for (std::size_t t = 0; t < tokens; ++t)
    example.values.push_back(example.targets[t] + static_cast<float>(stream.normal()));
  for (std::size_t number = 0; number < 4; ++number) {
    double product = 0;
    for (std::size_t t = 0; t < tokens; ++t) product += wave(number, t) * example.values[t];
    for (std::size_t t = 0; t < tokens; ++t)
      example.solved_numbers[t] += static_cast<float>(product / (square_norm + 1 / variance) * wave(number, t));
  }
  return example;
}

/// Points in the plane around two centres `distance` deviations apart in a random direction; all but the first are
/// asked whether they belong to the first one's group. The solver is told the centres and takes the nearer one.
SkillExample draw_clusters(Stream& stream, double distance) {
  SkillExample example;
  const double angle = 2 * std::numbers::pi * stream.uniform();
  const std::array<double, 2> direction = {std::cos(angle), std::sin(angle)};
  std::vector<bool> group, nearer;
  for (std::size_t i = 0; i < tokens; ++i) {
    group.push_back(stream.integer(2) == 1);
    double along = 0;
    for (const double one : direction) {
      const double place = (group[i] ? 0.5 : -0.5) * distance * one + stream.normal();
      along += place * one;
      // Half the distance is the size of the data; 1 of it keeps what a model reads near 1.
      example.values.push_back(static_cast<float>(place / std::hypot(1, distance / 2)));
    }
    nearer.push_back(along > 0);
    example.answers.push_back(i == 0 ? unasked : static_cast<std::int64_t>(group[i] == group[0]));
    example.solved.push_back(i == 0 ? unasked : static_cast<std::int64_t>(nearer[i] == nearer[0]));
  }
  return example;
}

constexpr double far_apart = 8, overlapping = 4;

SkillExample draw_apart(Stream& stream) { return draw_clusters(stream, far_apart); }
SkillExample draw_overlapping(Stream& stream) { return draw_clusters(stream, overlapping); }

}  // namespace

std::vector<Skill> number_skills() {
  constexpr auto kind = ModelSpec::Kind::series;
  constexpr Index vocabulary = 0;
  return {
      {"regression", "linear regression in context, 12 pairs in two dimensions and 4 queries",
       "least squares through the pairs", kind, vocabulary, 4, 0, draw_regression},
      {"denoising", "a signal of two lines under noise of deviation 1/2",
       "least squares on each line, told where the jump is", kind, vocabulary, 1, 0, draw_denoising},
      {"recovery", "a signal of four waves under noise of its own size", "the mean of the signal given the noisy one",
       kind, vocabulary, 1, 0, draw_recovery},
      {"clusters-apart", "points in the first one's group, centres 8 deviations apart",
       "the nearer centre, told the centres", kind, vocabulary, 2, 2, draw_apart},
      {"clusters-overlapping", "points in the first one's group, centres 4 deviations apart",
       "the nearer centre, told the centres", kind, vocabulary, 2, 2, draw_overlapping},
  };
}

}  // namespace attest::skills::skill
