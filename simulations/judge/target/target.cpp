#include "simulations/judge/target/target.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace attest::judge {
namespace {

std::atomic<const std::atomic<bool>*> interruption{nullptr};

}  // namespace

Layout layout_named(std::string_view word) {
  const auto* const found = std::find(layout_words.begin(), layout_words.end(), word);
  if (found == layout_words.end()) throw std::invalid_argument("the layout '" + std::string(word) + "' is unknown");
  return static_cast<Layout>(found - layout_words.begin());
}

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
