// The parameters that say which random attention matrices are meant.
#pragma once

#include <string>
#include <vector>

#include "kernels/quantity/quantity.hpp"
#include "kernels/spectra/attention_matrices.hpp"

namespace attest::quantities {

/// family, N, D and temperature (a factor of the family's own), with N up to `most_tokens`.
std::vector<Parameter> attention_parameters(std::int64_t tokens, std::int64_t most_tokens);

/// The matrix of sample number `sample`: N x N, for the arguments of those names.
Eigen::MatrixXd sampled_attention(const Arguments& arguments, std::uint64_t seed, std::uint64_t sample);

}  // namespace attest::quantities
