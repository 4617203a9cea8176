// Attention of queries and keys convolved on the grid of an image's patches.
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/attention/mechanism/convolution.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = [] {
    std::vector<OptionSpec> list = convolution_options(false);
    list.push_back(
        {"grid", "", "rows,columns of patches (a token more is a class token); if not given, a square", "3,4"});
    return list;
  }();
  return all;
}

/// One token more than the grid has is a class token, the first.
ConvolutionGrid grid_of(const OptionReader& read, Index tokens) {
  ConvolutionGrid grid;
  if (read.given("grid")) {
    const std::vector<Index> extents = read.integers("grid", 1);
    if (extents.size() != 2)
      throw std::invalid_argument(
          fmt::format("option grid={}: give rows and columns, such as 14,14", read.text("grid")));
    grid.rows = extents[0];
    grid.cols = extents[1];
  } else {
    grid.rows = grid.cols = static_cast<Index>(std::sqrt(static_cast<double>(tokens)));
  }
  grid.first = tokens - grid.rows * grid.cols;
  if (grid.first == 0 || grid.first == 1) return grid;
  if (!read.given("grid"))
    throw std::invalid_argument(
        fmt::format("option grid: {} tokens are not a square of patches, with or without a class token; give "
                    "grid=rows,columns",
                    tokens));
  throw std::invalid_argument(
      fmt::format("option grid={}: {} tokens are neither {} x {} patches nor one class token more; give rows,columns",
                  read.text("grid"), tokens, grid.rows, grid.cols));
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  const OptionReader read(option_specs(), call.settings);
  return attend_convolved(call, read, grid_of(read, input(call, "q").extent(2)),
                          grid_of(read, input(call, "k").extent(2)));
}

}  // namespace

Mechanism conv2d() {
  constexpr std::int64_t usual_taps = 9;  // 3 x 3; the settings do not hold the kernel's extent
  return {.name = "conv2d",
          .title = "attention of queries and keys convolved on the grid of patches",
          .formula = R"(\operatorname{softmax}(\operatorname{Conv2D}(Q,s)\operatorname{Conv2D}(K,s)^\top/\sqrt D)\,V)",
          .source = "Primal-Dual Definition 3, Eq 43",
          .inputs = convolution_inputs("[H][s][s]", true),
          .options = option_specs(),
          .takes_key_lengths = false,
          .positional = true,
          // Sums of several tokens make large logits, of which float would keep too few digits.
          .forward_float = [](const Call<float>& call) { return in_double(call, forward<double>); },
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings& s) { return convolved_cost(shape, s, usual_taps); }};
}

}  // namespace attest::attention::definitions
