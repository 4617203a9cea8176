// Samples of how far noise moves a softmax, drawn and weighted in several ways.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/quantity/quantity.hpp"
#include "kernels/random/laws.hpp"

namespace attest::quantities {

/// N logits c_i = scale X_i, of which the first leads by lead log N, and their noise sigma Z_i.
struct PerturbationSetting {
  std::size_t n;
  random::Law logits;
  double scale, lead;
  random::Law noise;
  double sigma;
};

/// E |softmax(c + eta) - softmax(c)|, with the interval of the class `known` where sampling is plain and else an
/// asymptotic one, by one of these ways of sampling:
/// - "plain": the mean over samples. Where no logit leads nothing of size N is stored.
/// - "controlled": the norm is a smooth function of five means over the N elements (streams::PerturbationMeans) with
///   known expectations, of e^c, e^2c and their products with e^eta - 1: they are the controls. What they leave is of
///   second order in the means' deviations, a relative variance of order 1/N^2 instead of 1/N. A pilot of 32 samples is
///   added to the samples.
/// - "stratified": designed_mean over all 2N coordinates (or more, by law) of logits and noise.
/// - "quasi": designed_mean of PerturbationPoints, the mean over four signs in fewer coordinates.
/// On a CUDA device the sums of "plain" and "controlled" are made there where no logit leads; the rest is for few
/// logits and stays on the processor. Errors: std::invalid_argument for "controlled" where a logit leads, a moment is
/// missing or the controls' own spread is too large for their means to be trusted, and for "quasi" in too many
/// dimensions; each with the fix.
Outcome mean_perturbation(const PerturbationSetting& at, const std::string& sampling, const statistics::LawClass& known,
                          const Execution& execution);

}  // namespace attest::quantities
