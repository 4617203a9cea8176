#include <algorithm>
#include <stdexcept>

#include "theorems/language/evaluation/tape.hpp"

namespace attest::language {

struct Evaluator::State {
  explicit State(const Program& program) : tape(program) {}
  Tape<double> tape;
};

Evaluator::Evaluator(const Program& program) : state_(std::make_unique<State>(program)) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;

const Program& Evaluator::program() const { return state_->tape.program(); }
void Evaluator::run(std::span<const double> raw, std::span<const double> expected) { state_->tape.run(raw, expected); }
std::span<const double> Evaluator::value(std::size_t reg) const { return state_->tape.value(reg); }

void Evaluator::gradient(std::size_t reg, std::span<const double> weight, std::span<double> gradient) {
  const auto seed = state_->tape.seed(reg);
  for (std::size_t k = 0; k < seed.size(); ++k) seed[k] += weight[k];
  state_->tape.sweep(gradient);
}

void Evaluator::gradient_of_difference(std::size_t reg, std::size_t i, std::size_t less, std::size_t j,
                                       std::span<double> gradient) {
  if (const auto seed = state_->tape.seed(reg); !seed.empty()) seed[i] += 1;
  if (const auto seed = state_->tape.seed(less); !seed.empty()) seed[j] -= 1;
  state_->tape.sweep(gradient);
}

}  // namespace attest::language
