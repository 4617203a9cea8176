// The residual rule of a layer as it is trained; held to the library's (kernels/residual) by a test, value and
// gradient.
#pragma once

#include <cstddef>
#include <vector>

#include <ATen/ATen.h>

#include "simulations/models/model_spec.hpp"

namespace attest::models {

/// Y_(l+1) = f_l(Y_l) and what the rule adds: Y_l, t Y_source, or t Y_0 + (1 - t) Y_l, from `output` = f_l(Y_l) and
/// `states` = Y_0, ..., Y_l. `t` is the learnable parameter of shape [1], read where `spec.learned`. Source: boosting
/// paper, Eqs 4.5 and 4.3, Definition 4.1. Precondition: spec.source < states.size().
at::Tensor add_residual(const ResidualSpec& spec, const at::Tensor& t, const at::Tensor& output,
                        const std::vector<at::Tensor>& states);

}  // namespace attest::models
