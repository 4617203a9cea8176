// The problem with a known answer: softmax is 1/2-Lipschitz in every l^p.
#pragma once

#include "theorems/engine/protocols/inequality.hpp"

namespace attest::engine {

/// |softmax(x) - softmax(y)|_p <= constant |x - y|_p for x, y in [-8, 8]^2, p in {1, 2, infinity}.
///
/// In two dimensions softmax(x) depends on x_1 - x_2 alone, through the logistic function of slope at most 1/4: with
/// x - y = (h, -h) the difference is (s, -s), s = tanh(h/2)-like, and the ratio tends to 1/2 as h -> 0 for every p. So
/// the supremum is 1/2, approached and not attained in two dimensions. Pairs nearer than 1e-3 are inadmissible, which
/// leaves a gap of at most 1e-7.
InequalityProblem softmax_lipschitz(double p, double constant);

}  // namespace attest::engine
