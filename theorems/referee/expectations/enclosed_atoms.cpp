#include "theorems/referee/expectations/enclosed_atoms.hpp"

#include "theorems/language/evaluation/decide.hpp"
#include "theorems/referee/expectations/random_numbers.hpp"

namespace attest::referee {

using language::BallEvaluator;
using rigor::Ball;

std::vector<Ball> enclosed_atoms(const language::Program& program, std::span<const double> raw) {
  const std::vector<RandomNumber> numbers = random_numbers(program);
  std::vector<Ball> point(raw.begin(), raw.end());
  BallEvaluator balls(program);
  const auto& expectations = program.expectations();
  std::vector<Ball> sums(expectations.size());
  balls.run(point, not_known(expectations.size()));
  std::vector<Ball> chance;  // of the second value
  for (const RandomNumber& number : numbers)
    chance.push_back(number.input->law.name == "bernoulli" ? balls.value(number.input->law_arguments.at(0))[0]
                                                           : Ball(0.5));
  for (std::size_t mask = 0; mask < std::size_t{1} << numbers.size(); ++mask) {
    Ball weight(1);
    for (std::size_t d = 0; d < numbers.size(); ++d) {
      const bool second = ((mask >> d) & 1) != 0;
      point[numbers[d].coordinate] = Ball(second ? 1.0 : numbers[d].input->law.name == "bernoulli" ? 0.0 : -1.0);
      weight *= second ? chance[d] : Ball(1) - chance[d];
    }
    balls.run(point, not_known(expectations.size()));
    for (std::size_t e = 0; e < sums.size(); ++e) {
      if (!expectations[e].probability) {
        sums[e] += weight * balls.value(expectations[e].integrand)[0];
        continue;
      }
      const language::Truth happens = language::decide(balls, expectations[e].event);
      if (happens == language::Truth::holds) sums[e] += weight;
      if (happens == language::Truth::open) sums[e] += Ball::hull(Ball(0), weight);
    }
  }
  return sums;
}

}  // namespace attest::referee
