#include "simulations/judge/target/target.hpp"

namespace attest::judge {
namespace {

std::atomic<const std::atomic<bool>*> interruption{nullptr};

}  // namespace

void interrupt_calls_by(const std::atomic<bool>* flag) { interruption = flag; }

bool calls_are_interrupted() {
  const std::atomic<bool>* flag = interruption;
  return flag != nullptr && flag->load();
}

}  // namespace attest::judge
