// The arguments of attention, checked once, as the pointers that the passes work on.
#pragma once

#include "kernels/attention/attend_view.hpp"

namespace attest::attention {

/// Errors: std::invalid_argument naming the argument unless it has the expected shape.
void require_shape(const char* name, const Shape& shape, const Shape& expected);

/// The problem that points into the arguments, which must outlive it. Errors: those of attend.
template <typename T>
AttendProblem<T> checked_problem(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                 const AttendOptions<T>& options);

}  // namespace attest::attention
