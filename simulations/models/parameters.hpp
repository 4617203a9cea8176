// The parameters of a model: names, shapes and how training starts them. No LibTorch here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"

namespace attest::models {

/// How a parameter starts.
struct Initial {
  enum class Law {
    constant,  ///< `scale` everywhere
    normal,    ///< mean 0, standard deviation `scale`
    uniform,   ///< on (-scale, scale)
    middle     ///< `scale` in the middle of the last axis or axes, 0 elsewhere: a convolution that changes nothing
  } law = Law::constant;
  double scale = 0;
};

struct ParameterSpec {
  std::string name;
  std::vector<std::int64_t> shape;
  Initial initial;
  bool statistic = false;  ///< measured in training, not learned: the moments of a batch normalisation

  std::int64_t entries() const;
  /// Weight decay acts on matrices, not on biases, norms and single numbers.
  bool decays() const { return shape.size() >= 2; }
};

/// A parameter's first values: a pure function of (seed, name), so that variants that share a layer start it alike.
std::vector<float> initial_values(const ParameterSpec& parameter, std::uint64_t seed);

/// How a mechanism's input that training learns starts, for heads of `dim` features and an array of this shape. Errors:
/// std::invalid_argument naming the input when it is data or starts as the projections of the tokens do.
Initial initial_of(const attention::InputSpec& input, std::int64_t dim, const std::vector<std::int64_t>& shape);

}  // namespace attest::models
