// Polynomials that have no negative value where no variable is negative: shown by the signs of their coefficients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/rigor/rational.hpp"

namespace attest::referee {

/// A polynomial in a few variables, its coefficients in a dense array.
class DensePolynomial {
 public:
  /// 0, of at most these degrees.
  explicit DensePolynomial(std::vector<std::size_t> degrees);

  std::size_t variables() const { return degrees_.size(); }
  std::size_t degree(std::size_t variable) const { return degrees_[variable]; }
  std::size_t size() const { return coefficients_.size(); }
  rigor::Rational& at(const std::vector<std::size_t>& powers) { return coefficients_[index(powers)]; }
  const rigor::Rational& coefficient(std::size_t index) const { return coefficients_[index]; }
  /// The power of the variable in the term of that index.
  std::size_t power(std::size_t index, std::size_t variable) const {
    return index / strides_[variable] % (degrees_[variable] + 1);
  }

  /// x -> 1 + x.
  void shift(std::size_t variable) { shift(variable, rigor::Rational(1)); }
  /// x -> by + x.
  void shift(std::size_t variable, const rigor::Rational& by);
  /// x -> factor x.
  void scale(std::size_t variable, const rigor::Rational& factor);
  /// x^degree p(1/x).
  void reverse(std::size_t variable);
  /// The polynomial with x_i -> x_j + x_i.
  DensePolynomial with_difference(std::size_t i, std::size_t j) const;
  /// Divided by the highest power of the variable that divides it.
  void strip(std::size_t variable);
  /// With the degrees that it has.
  DensePolynomial trimmed() const;
  /// Every term has the same sum of powers.
  bool is_homogeneous() const;

 private:
  std::size_t index(const std::vector<std::size_t>& powers) const;

  std::vector<std::size_t> degrees_, strides_;
  std::vector<rigor::Rational> coefficients_;
};

/// Where a variable of an orthant may lie besides the open half line.
struct HalfLine {
  bool zero = true;       ///< 0 belongs to it
  bool infinity = false;  ///< its limit does, as the end of an interval that was mapped there
};

/// Shows p >= 0, or p > 0 where `strict`, for all x >= 0: all coefficients have the sign, or they do on each part of a
/// subdivision at 1 and along x_i = x_j. `budget` counts coefficients touched and is used up; false where it ends
/// first, and where p is negative somewhere.
bool nonnegative_on_orthant(DensePolynomial p, const std::vector<HalfLine>& where, bool strict, double& budget,
                            const std::function<void()>& poll);

}  // namespace attest::referee
