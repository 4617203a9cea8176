// Noise laws with mean 0 and variance 1.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/random/stream.hpp"

namespace attest::random {

enum class LawKind : std::uint8_t {
  gaussian,
  rademacher,          ///< +1 or -1, probability 1/2 each.
  uniform,             ///< on (-sqrt(3), sqrt(3)).
  laplace,             ///< density exp(-sqrt(2) |x|) / sqrt(2).
  student_t,           ///< Student's t with parameter > 2 degrees of freedom, divided by sqrt(nu / (nu - 2)).
  sparse_three_point,  ///< +-1/sqrt(p) with probability p/2 each, else 0; parameter p in (0, 1].
};

/// A law of mean 0 and variance 1. `parameter` is used by student_t (nu) and sparse_three_point (p) alone.
struct Law {
  LawKind kind = LawKind::gaussian;
  double parameter = 0;

  static Law gaussian() { return {LawKind::gaussian, 0}; }
  static Law rademacher() { return {LawKind::rademacher, 0}; }
  static Law uniform() { return {LawKind::uniform, 0}; }
  static Law laplace() { return {LawKind::laplace, 0}; }
  /// Throws std::invalid_argument unless nu > 2, below which there is no variance.
  static Law student_t(double nu = 5);
  /// Throws std::invalid_argument unless 0 < p <= 1.
  static Law sparse_three_point(double p = 0.1);
  bool operator==(const Law&) const = default;
};

/// "gaussian", "rademacher", "uniform", "laplace", "student_t(5)", "sparse_three_point(0.1)".
std::string name(const Law& law);
/// The law that `name` writes so; "student_t" and "sparse_three_point" alone take their default parameters.
/// Throws std::invalid_argument for any other text.
Law law_from_name(std::string_view text);

/// E X^4; infinite for student_t with nu <= 4.
double fourth_moment(const Law& law);

/// Number of words of the stream that one draw takes: 2 for student_t, 1 for the others.
int words_per_draw(const Law& law);

/// One draw.
double draw(const Law& law, Stream& stream);
/// Fills `out` with independent draws: the same numbers as that many calls of `draw`.
void fill(const Law& law, Stream& stream, std::span<double> out);

}  // namespace attest::random
