// How far noise moves a softmax of few logits, as a function on the unit cube that few points integrate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/quantity/perturbation_samples.hpp"

namespace attest::quantities {

/// The norm |softmax(c + eta) - softmax(c)| as a function of uniform words, of the same mean but smoother and in fewer
/// dimensions than with one draw a coordinate:
/// - Softmax does not feel a constant added to all logits. N normal ones are a constant and N - 1 independent normal
///   coordinates of their differences, which alone are drawn; other laws take a draw for each logit.
/// - All laws here are symmetric about 0: the value is the mean over both signs of the logits and of the noise, which
///   takes what is odd in either away, for four norms and no further draw.
class PerturbationPoints {
 public:
  explicit PerturbationPoints(const PerturbationSetting& at);

  /// Words of a point: those of the noise, then those of the logits.
  std::size_t dimensions() const { return noise_words_ + logit_words_; }
  /// The mean of the four norms at a point. May be called from several threads at once.
  double operator()(std::span<const std::uint64_t> words) const;

 private:
  PerturbationSetting at_;
  std::size_t noise_words_, logit_words_;
};

}  // namespace attest::quantities
