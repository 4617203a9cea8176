// The attention mechanisms of the library, for one sequence and one head: what the double-precision side of a statement
// about a mechanism evaluates, so that what is judged is what is trained. The sides in ball arithmetic are formulas of
// their own.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "theorems/language/mechanisms/judged.hpp"

namespace attest::mechanisms {

/// One input of a mechanism: its entries in order and its shape.
struct Input {
  std::string_view name;
  std::span<const double> values;
  attention::Shape shape;
};

/// An input [1][1][N][columns], given row by row.
Input rows(std::string_view name, std::span<const double> values, std::size_t columns);

/// What else a call says.
struct Setting {
  attention::Settings options = {};
  attention::Mask mask = {};
};

/// The output [N_q][D_v] of a mechanism, row by row. Errors: as attention::evaluate.
std::vector<double> output(std::string_view mechanism, std::initializer_list<Input> inputs, const Setting& how = {});

/// Its output for the values v = I, n of them: the weights [N_q][n] themselves. `inputs` holds everything but v.
std::vector<double> weights(std::string_view mechanism, std::initializer_list<Input> inputs, std::size_t n,
                            const Setting& how = {});

}  // namespace attest::mechanisms
