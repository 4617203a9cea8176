#include "simulations/judge/target/target.hpp"

#include <utility>

namespace attest::judge {
namespace {

std::atomic<const std::atomic<bool>*> interruption{nullptr};

}  // namespace

Answer without_arrays(Answer::Status status, std::string message) {
  Answer answer;
  answer.status = status;
  answer.message = std::move(message);
  return answer;
}

void interrupt_calls_by(const std::atomic<bool>* flag) { interruption = flag; }

bool calls_are_interrupted() {
  const std::atomic<bool>* flag = interruption;
  return flag != nullptr && flag->load();
}

}  // namespace attest::judge
