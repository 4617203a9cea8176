// What a sweep's file asks for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/quantity/quantity.hpp"

namespace attest::sweeps {

/// One swept parameter: the values of a grid, or, where `values` is empty, a range from which a design draws.
struct Axis {
  const quantities::Parameter* parameter = nullptr;
  std::vector<quantities::Value> values = {};
  double from = 0, to = 0;
  bool logarithmic = false;

  bool drawn() const { return values.empty(); }
};

/// How the axes without a grid are filled, jointly.
enum class Design : std::uint8_t {
  grid,    ///< there are none
  random,  ///< independent and uniform (on a logarithmic axis: its logarithm)
  sobol,   ///< the Sobol sequence from its second point on
};

/// A curve that a figure shows besides the points, such as the border of a region.
struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

/// One figure: results over one parameter, or one result as colour over two.
struct FigureSpec {
  std::string name;  ///< file stem
  std::string title, caption;
  std::string x;               ///< a swept parameter
  std::vector<std::string> y;  ///< results; of a heat map one swept parameter
  std::string heat;            ///< of a heat map: the result that becomes a colour; else empty
  std::string by;              ///< a swept parameter each of whose values becomes a series; may be empty
  std::map<std::string, quantities::Value, std::less<>> at;  ///< swept parameters held at one of their values
  std::vector<std::string> power_law;                        ///< results whose exponent over x is fitted
  std::vector<std::string> root_law;                         ///< results to which a/sqrt(x) + b is fitted
  bool x_logarithmic = false, y_logarithmic = false, heat_logarithmic = false;
  std::vector<Curve> curves;
};

/// A sweep as data.
struct Spec {
  std::string name;  ///< the file's stem
  std::string title, text;
  const quantities::Quantity* quantity = nullptr;
  std::map<std::string, quantities::Value, std::less<>> fixed;
  std::vector<Axis> axes;  ///< in the file's order: the last one runs fastest
  Design design = Design::grid;
  std::uint64_t drawn_points = 1;
  std::uint64_t seed = 1;
  std::uint64_t samples = 0;  ///< of each point, in the quantity's unit
  bool on_cuda = false;       ///< how the points are computed: not of the file, and without a trace in the results
  std::vector<FigureSpec> figures;
};

/// The points of one sweep are kept in memory.
inline constexpr std::uint64_t most_points = 1'000'000;

/// Reads a spec. In TOML:
///
///     quantity = "softmax_perturbation"      # attest list --quantities
///     title = "..."                          # these four may be left out
///     text = "..."
///     seed = 1
///     samples = 400                          # in the quantity's unit; its default otherwise
///     [parameters]                           # held fixed; the quantity's defaults otherwise
///     noise = 1.0
///     [axes]
///     law = ["gaussian", "uniform"]
///     N = {from = 10, to = 1e6, points = 11, scale = "log"}
///     sigma = {from = 0.1, to = 10, scale = "log"}    # no points: filled by the design
///     [design]
///     kind = "sobol"                         # or "random"
///     points = 256
///     [[figure]]
///     x = "N"
///     y = ["mean", "bound"]                  # or heat = "result" with a parameter as y
///     by = "law"
///     at = {sigma = 1}
///     power_law = "mean"                     # fitted exponent with its interval
///     root_law = "mean"                      # fitted a/sqrt(x) + b
///     y_scale = "log"
///     curve = {name = "t = L", points = [[0, 0], [1, 1]]}
///
/// `source` is the file's name in complaints, `name` its stem. Errors: std::invalid_argument, one sentence with file,
/// line and fix, for anything that is not understood, not taken by the quantity, or missing.
Spec read_spec(std::string_view text, std::string_view source, std::string name);

/// The axis of that parameter, or nothing.
const Axis* find_axis(const Spec& spec, std::string_view parameter);

}  // namespace attest::sweeps
