// The families of entries that q, k and v are drawn from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/attention/tensor.hpp"
#include "simulations/judge/case/problem.hpp"

namespace attest::judge {

/// The names of all families:
///   gaussian   standard normal entries
///   integers   whole numbers from -2 to 2: what a failure is shrunk to
///   positive   V in [1/2, 1], dout positive, Q and K normal: errors of V's mean hide here, and biased rounding shows
///   alike      Q and K of deviation 1/8: weights near 1/N_k, so that sums are long
///   saturated  logits near +-10^4 by one feature, the leader's lead being random
///   huge       near +-10^6: beyond float16
///   negative   all near -10^3, whose exponentials vanish
///   ties       keys are copies of two vectors: exact ties, duplicates
///   one-hot    each query and key one unit vector times 4
///   near-equal keys = one vector + 1/1000 of noise
///   times-5, times-1/1000: gaussian Q and K scaled
///   leader     one key ahead of all others by log(N_k), so that it weighs as much as all others
///   identity   V = columns of the identity, from the key on that `number` names: the weights are read off
///   activations, activations-times-5, activations-times-1/1000: of a trained model (activations/activations.hpp),
///   token
///              and head from a place that `number` gives; Q and K scaled
const std::vector<std::string>& families();

/// Those whose entries are drawn: all but the activations.
const std::vector<std::string>& drawn_families();

/// Entries of `array` ("q", "k" or "v") of the shape [batch][heads][tokens][features] in a family of activations, not
/// yet rounded to the case's type; none in any other family.
std::vector<double> activation_entries(const CaseSpec& spec, std::string_view array, const attention::Shape& shape);

/// Fills q, k and v of a problem whose extents and type are set, every entry rounded to its type. Errors:
/// std::invalid_argument for an unknown family.
void fill_by_family(const CaseSpec& spec, Problem& problem);

}  // namespace attest::judge
