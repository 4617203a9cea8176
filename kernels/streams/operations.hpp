// What the streamed kernels do with registers: draws and reductions over short arrays, compiled for several sets of
// instructions and chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/random/laws.hpp"
#include "kernels/random/philox_lanes.hpp"

namespace attest::streams {

/// Partial sums are kept in columns: element i belongs to column i mod columns<T>, whatever the registers' width, and
/// columns are added at the end by one tree. So the bits do not depend on the instructions.
template <typename T>
inline constexpr int columns = 128 / static_cast<int>(sizeof(T));

/// Draws come in whole groups of this many numbers: what one register of counters of the widest kind gives.
template <typename T>
inline constexpr std::size_t draw_group = 128 / sizeof(T);

/// Elements of one softmax: their weights a_i = exp(c_i - shift of c) and their noise eta_i = scale z_i, from which
/// `shift` is taken before the exponential.
template <typename T>
struct NoisyWeights {
  const T* a;
  const T* z;
  std::size_t size;  ///< a multiple of columns<T>
  T scale;
  T shift;
  bool minus_one;  ///< of the perturbation: w_i = exp(eta_i - shift) - 1, otherwise without the 1
};

/// One column each of what the perturbation is made of: the sums of a w, a^2 w and a^2 w^2, and the largest eta.
enum PerturbationRow { sum_aw, sum_a2w, sum_a2w2, largest_eta, perturbation_rows };

/// One column each of what the largest eigenvalue of the Jacobian is found from: with b_i = a_i exp(eta_i - shift), the
/// largest and the second largest b.
enum TopRow { largest_b, second_b, sum_b, top_rows };

/// The sums over b_i < second of b/(at - b) and b/(at - b)^2, and the number of b_i equal to `second` or above.
enum SecularRow { pole_sum, pole_slope, count_above, secular_rows };

/// Sums of x, y, x^2, x y and y^2.
enum MomentRow { sum_x, sum_y, sum_xx, sum_xy, sum_yy, moment_rows };

/// Operations on one set of instructions; all sets give the same bits.
template <typename T>
struct Operations {
  const char* name;
  /// z[0 .. size) = draws first .. first + size of the law. `first` and `size`: multiples of draw_group<T>.
  void (*draw)(random::Law law, random::StreamName name, std::uint64_t first, T* z, std::size_t size);
  /// a_i = exp(spread x_i - shift). `size`: a multiple of columns<T>.
  void (*weights)(const T* x, T spread, T shift, T* a, std::size_t size);
  /// The reductions add to what `sums` [rows][columns] holds.
  void (*perturbation)(const NoisyWeights<T>& w, T* sums);
  void (*top)(const NoisyWeights<T>& w, T* sums);
  void (*secular)(const NoisyWeights<T>& w, T second, T at, T* sums);
  /// `size`: a multiple of columns<T>.
  void (*moments)(const T* x, const T* y, std::size_t size, T* sums);
};

/// The sets that this processor has, the best one last.
template <typename T>
std::span<const Operations<T>* const> operations();

}  // namespace attest::streams
