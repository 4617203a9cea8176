// The arguments of attention, checked once, as the pointers that the passes work on.
#pragma once

#include "kernels/attention/attend/attend_view.hpp"

namespace attest::attention {

/// Errors: std::invalid_argument naming the argument unless it has the expected shape.
void require_shape(const char* name, const Shape& shape, const Shape& expected);

/// The problem that points into the arguments, which must outlive it; complete where runs_in_tiles. Errors: those of
/// attend, whatever path it takes.
template <typename T>
AttendProblem<T> checked_problem(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                 const AttendOptions<T>& options);

/// Errors: std::invalid_argument unless what the forward pass gave and `dout` have the shapes of the problem.
template <typename T>
void require_backward_shapes(const AttendProblem<T>& problem, const Attended<T>& attended, const Tensor<T>& dout);

}  // namespace attest::attention
