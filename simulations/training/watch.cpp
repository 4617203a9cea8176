#include "simulations/training/watch.hpp"

#include <fmt/format.h>

namespace attest::training {

std::optional<std::string> Watch::see(double loss) {
  constexpr double share = 0.1, far = 1.5;
  constexpr Index least_losses = 10;
  mean_ = seen_ == 0 ? loss : mean_ + share * (loss - mean_);
  ++seen_;
  if (diverges_ || seen_ < least_losses || !(of_guessing_ > 0 && mean_ > far * of_guessing_)) return std::nullopt;
  diverges_ = true;
  return fmt::format(
      "the training loss is {:.4g} on average, more than {} times that of knowing nothing, {:.4g}: it diverges; lower "
      "training.learning_rate or give training.clip",
      mean_, far, of_guessing_);
}

std::vector<std::string> Watch::see(const std::vector<HeadEntropy>& heads) {
  std::vector<std::string> sentences;
  for (const HeadEntropy& one : heads) {
    const bool alone = one.mean<one_key, flat = one.least> 1 - uniform;
    if ((!alone && !flat) || !dead_.insert({one.layer, one.head}).second) continue;
    sentences.push_back(
        alone ? fmt::format("attention of layer {}, head {} is dead: its queries see one key alone (entropy {:.2g} of "
                            "that of a uniform row), so its softmax passes hardly any gradient",
                            one.layer, one.head, one.mean)
              : fmt::format("attention of layer {}, head {} is dead: its rows are uniform, whatever the tokens are",
                            one.layer, one.head));
  }
  return sentences;
}

}  // namespace attest::training
