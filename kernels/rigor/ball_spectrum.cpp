#include "kernels/rigor/ball_spectrum.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

// Since FLINT 3.2 acb_mat.h declares no function of acb.h.
#if __has_include(<flint/acb_mat.h>)
#include <flint/acb.h>
#include <flint/acb_mat.h>
#else
#include <acb.h>
#include <acb_mat.h>
#endif

namespace attest::rigor {
namespace {

/// An owned acb_mat.
class Matrix {
 public:
  explicit Matrix(std::size_t n) { acb_mat_init(value_, static_cast<slong>(n), static_cast<slong>(n)); }
  explicit Matrix(const BallMatrix& a) : Matrix(a.rows) {
    if (a.rows == 0 || a.rows != a.cols) throw std::invalid_argument("the eigenvalues of a matrix that is not square");
    for (std::size_t i = 0; i < a.rows; ++i) {
      for (std::size_t j = 0; j < a.cols; ++j) acb_set_arb(entry(i, j), a(i, j).raw());
    }
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  Matrix(Matrix&&) = delete;
  Matrix& operator=(Matrix&&) = delete;
  ~Matrix() { acb_mat_clear(value_); }
  acb_ptr entry(std::size_t i, std::size_t j) {
    return acb_mat_entry(value_, static_cast<slong>(i), static_cast<slong>(j));
  }
  acb_mat_struct* raw() { return value_; }

 private:
  acb_mat_t value_;
};

/// An owned vector of acb.
class Vector {
 public:
  explicit Vector(std::size_t n) : size_(static_cast<slong>(n)), entries_(_acb_vec_init(size_)) {}
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
  Vector(Vector&&) = delete;
  Vector& operator=(Vector&&) = delete;
  ~Vector() { _acb_vec_clear(entries_, size_); }
  acb_ptr raw() { return entries_; }

 private:
  slong size_;
  acb_ptr entries_;
};

ComplexBall to_complex(acb_srcptr z) {
  ComplexBall result;
  arb_set(result.real.raw(), acb_realref(z));
  arb_set(result.imaginary.raw(), acb_imagref(z));
  return result;
}

bool is_finite(const ComplexBall& z) { return z.real.is_finite() && z.imaginary.is_finite(); }

double squared_modulus(const ComplexBall& z) {
  return z.real.mid() * z.real.mid() + z.imaginary.mid() * z.imaginary.mid();
}

}  // namespace

ComplexBall operator+(const ComplexBall& a, const ComplexBall& b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}

ComplexBall operator-(const ComplexBall& a, const ComplexBall& b) {
  return {a.real - b.real, a.imaginary - b.imaginary};
}

ComplexBall operator*(const ComplexBall& a, const ComplexBall& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

Ball modulus(const ComplexBall& z) { return sqrt(square(z.real) + square(z.imaginary)); }

std::optional<std::vector<ComplexBall>> eigenvalues(const BallMatrix& a) {
  Matrix matrix(a);
  const auto precision = static_cast<slong>(working_precision());
  Vector approximate(a.rows);
  Matrix vectors(a.rows);
  // Its status is not looked at: the enclosure below is proved whatever it returns.
  acb_mat_approx_eig_qr(approximate.raw(), nullptr, vectors.raw(), matrix.raw(), nullptr, 0, precision);
  Vector enclosed(a.rows);
  if (acb_mat_eig_multiple(enclosed.raw(), matrix.raw(), approximate.raw(), vectors.raw(), precision) == 0) return {};
  std::vector<ComplexBall> values;
  for (std::size_t i = 0; i < a.rows; ++i) {
    values.push_back(to_complex(enclosed.raw() + i));
    if (!is_finite(values.back())) return {};
  }
  std::stable_sort(values.begin(), values.end(),
                   [](const ComplexBall& x, const ComplexBall& y) { return squared_modulus(x) > squared_modulus(y); });
  return values;
}

}  // namespace attest::rigor
