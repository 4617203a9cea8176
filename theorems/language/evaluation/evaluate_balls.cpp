#include "theorems/language/evaluation/tape.hpp"

namespace attest::language {

using rigor::Ball;

struct BallEvaluator::State {
  explicit State(const Program& program) : tape(program) {}
  Tape<Ball> tape;
};

BallEvaluator::BallEvaluator(const Program& program) : state_(std::make_unique<State>(program)) {}
BallEvaluator::~BallEvaluator() = default;
BallEvaluator::BallEvaluator(BallEvaluator&&) noexcept = default;

const Program& BallEvaluator::program() const { return state_->tape.program(); }
void BallEvaluator::run(std::span<const Ball> raw, std::span<const Ball> expected) { state_->tape.run(raw, expected); }
std::span<const Ball> BallEvaluator::value(std::size_t reg) const { return state_->tape.value(reg); }

void BallEvaluator::gradient(std::size_t reg, std::span<const Ball> weight, std::span<Ball> gradient) {
  const auto seed = state_->tape.seed(reg);
  for (std::size_t k = 0; k < seed.size(); ++k) seed[k] += weight[k];
  state_->tape.sweep(gradient);
}

void BallEvaluator::gradient_of_difference(std::size_t reg, std::size_t i, std::size_t less, std::size_t j,
                                           std::span<Ball> gradient) {
  if (const auto seed = state_->tape.seed(reg); !seed.empty()) seed[i] += Ball(1);
  if (const auto seed = state_->tape.seed(less); !seed.empty()) seed[j] -= Ball(1);
  state_->tape.sweep(gradient);
}

}  // namespace attest::language
