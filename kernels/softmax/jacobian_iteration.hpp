// Power iteration on the Jacobian of softmax, and the search for the logits at which its norm is largest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/streams/noise.hpp"

namespace attest::softmax {

/// What a power iteration found: `norm` = v.Jv of a unit vector v, at most the largest eigenvalue of J up to rounding,
/// and `residual` = |Jv - norm v|: some eigenvalue of J lies within it.
struct PowerIteration {
  double norm = 0, residual = 0;
  int steps = 0;
};

/// How far to iterate: until residual <= tolerance * norm, at most `most_steps` products with J.
struct PowerOptions {
  double tolerance = 1e-9;
  int most_steps = 1000;
  unsigned threads = 1;
};

/// The norm of J = diag(p) - p p^T, p proportional to the positive weights `p`, by v <- Jv/|Jv| from the v given, which
/// is left at the last iterate. One pass over p and v per step: J is never formed. The error of the norm is of the
/// order of residual^2 over the gap to the next eigenvalue; where the largest weights are nearly equal the gap is
/// small, and the secular equation (StreamedPerturbation::jacobian_norm) is the method. The same bits for any number of
/// threads. Errors: std::invalid_argument for lengths that differ or are 0, or a sum of weights that is not positive
/// and finite.
PowerIteration jacobian_power_iteration(std::span<const double> p, std::span<double> v, const PowerOptions& options);

/// The same for p = softmax(c), c_i = logits.scale X_i drawn anew in every pass (sample `sample`): v, of length N, is
/// the one vector that is stored. Errors: as above.
PowerIteration jacobian_power_iteration(const streams::Noise& logits, std::uint64_t sample, std::span<double> v,
                                        const PowerOptions& options);

/// The most that a search over logits found.
struct LipschitzSearch {
  double norm = 0;          ///< |J(softmax(c))| at the c found
  double start = 0;         ///< the same where the search began
  int ascents = 0;          ///< steps taken in c
  std::vector<double> top;  ///< the two largest softmax weights at the end, largest first
};

/// Searches upwards from `c`, which is left at the point found: v by power steps at fixed c, then
/// c_k <- c_k + s ((v_k - m)^2/norm - 1), m = sum p_k v_k, which is the gradient of v.Jv in c divided by p_k (so that
/// small weights can grow); s is halved where the norm would fall. The largest value on R^N is 1/2, where two logits
/// are equal and the others minus infinity. Stops after `most_ascents` or when an ascent gains less than 1e-12
/// relatively. A pure function of its arguments and `seed`, which the first v is drawn by. Errors: as above.
LipschitzSearch search_lipschitz(std::span<double> c, std::uint64_t seed, int most_ascents, unsigned threads);

}  // namespace attest::softmax
