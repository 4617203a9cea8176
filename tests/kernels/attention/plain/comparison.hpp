// A mechanism against its formula, values and gradients, in double and in float.
#pragma once

#include <functional>
#include <string>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "tests/kernels/attention/plain/arrays.hpp"
#include "tests/kernels/attention/plain/traced.hpp"

namespace attest::attention::plain {

/// The output of a mechanism by its definition.
using Formula = std::function<Array<Traced>(const Problem<Traced>&)>;

/// Standard normal entries, a pure function of (name, shape).
Tensor<double> normal_array(const std::string& name, const Shape& shape);
/// The same with entries |x| + 1/2.
Tensor<double> positive_array(const std::string& name, const Shape& shape);

/// q [B][H][N_q][D], k [B][H][N_k][D], v [B][H][N_k][D_v].
Arrays<double> queries_keys_values(Index batch, Index heads, Index queries, Index keys, Index dim, Index value_dim);

/// Expects the output and every gradient of sum(out * R), R normal, to be the formula's: max |difference| over
/// max |value| at most 1e-12 in double and 2e-6 in float.
void expect_formula(const std::string& mechanism, const Call<double>& call, const Formula& formula);

/// max |a - b| / max |b|, or max |a - b| where b vanishes.
double scaled_difference(const Tensor<double>& a, const Tensor<double>& b);

}  // namespace attest::attention::plain
