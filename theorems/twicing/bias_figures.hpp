// The curves that the report draws beside the statements on bias and variance.
#pragma once

#include <vector>

#include "theorems/engine/evidence.hpp"

namespace attest::twicing {

/// K, K*K and 2K - K*K for the Gaussian kernel.
std::vector<engine::Figure> kernel_figures();

/// |bias| against the bandwidth: one wave and two waves, Gaussian and uniform kernel.
std::vector<engine::Figure> smaller_bias_figures();

/// Bias under a sloping design over the printed and over the complete leading terms.
std::vector<engine::Figure> expansion_figures();

/// Ratio of the two sensitivities to the bandwidth.
std::vector<engine::Figure> sensitivity_figures();

/// Mean squared error against the bandwidth for a thousand observations per unit length.
std::vector<engine::Figure> mean_squared_error_figures();

}  // namespace attest::twicing
