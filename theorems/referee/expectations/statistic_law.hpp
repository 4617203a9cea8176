// Laws of sums, largest and least numbers and Euclidean norms of independent random numbers of one law, in balls.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kernels/rigor/ball.hpp"

namespace attest::referee {

/// The law of a number z >= `ends().front()`, <= `ends().back()`; beyond, there is no mass or none that counts (below
/// 2^-1000000).
class StatisticLaw {
 public:
  StatisticLaw() = default;
  StatisticLaw(const StatisticLaw&) = delete;
  StatisticLaw& operator=(const StatisticLaw&) = delete;
  virtual ~StatisticLaw() = default;

  /// Where the line is cut first, ascending.
  virtual std::vector<double> ends() const = 0;
  /// P(a <= z <= b) and E[z; a <= z <= b] for a < b within the ends, by the thread's working precision.
  virtual rigor::Ball mass(double a, double b) const = 0;
  virtual rigor::Ball moment(double a, double b) const = 0;
  /// E[(z - c)^k; a <= z <= b] for k = 0, ..., and c = (a + b)/2: two of them at least, up to `count` where the law has
  /// them at little cost.
  std::vector<rigor::Ball> moments_about_middle(double a, double b, int count) const;

 private:
  /// The same before what the interval's length says of them; at a precision that lets `count` steps cancel.
  virtual std::vector<rigor::Ball> about(double a, double b, int count) const;
};

using LawPointer = std::unique_ptr<const StatisticLaw>;

/// Standard normal.
LawPointer normal_law();
/// The sum of n numbers uniform on [0, 1] (Irwin and Hall).
LawPointer sum_of_uniforms(int n);
/// The sum of width_k u_k over at most `most_unequal_uniforms` independent u_k uniform on [0, 1], width_k > 0.
inline constexpr std::size_t most_unequal_uniforms = 10;
LawPointer sum_of_uniforms(std::vector<rigor::Ball> widths);
/// Gamma's law of scale 1: of the sum of `shape` exponential numbers of rate 1, of half a chi-squared number with 2
/// `shape` degrees of freedom. shape > 0.
LawPointer gamma_law(double shape);
/// The Euclidean norm of n standard normal numbers (chi).
LawPointer norm_of_normals(int n);
/// Which of the numbers: the largest, the least, or the largest of their absolute values.
enum class Extreme : unsigned char { largest, least, largest_size };
/// Of n independent standard numbers, `name` one of normal, uniform, exponential; nullptr for other laws. The largest
/// of absolute values is known of normal numbers alone.
LawPointer extreme_of(const std::string& name, int n, Extreme extreme);

}  // namespace attest::referee
