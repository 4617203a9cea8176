// A training that begins where another one ended.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "simulations/checkpoints/checkpoint.hpp"

namespace attest::checkpoints {

struct StartWeights {
  Values values;                   ///< in the order of the parameters
  std::vector<std::string> fresh;  ///< names of those that the file does not have in their shape
};

/// Weights of `file` (one that write_weights wrote, of any model) for those parameters that have the same name and
/// shape there; the others keep `initial`. Of positions that reach further in one of both, those that both have are
/// taken. So a classifier may begin with a language model's layers. Errors: std::invalid_argument
/// when the file is damaged or no parameter of a layer is as in the model.
StartWeights start_weights(const std::filesystem::path& file, const std::vector<ParameterSpec>& parameters,
                           Values initial);

}  // namespace attest::checkpoints
