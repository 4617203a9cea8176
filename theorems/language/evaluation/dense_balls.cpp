#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <Eigen/Core>

#include "kernels/rigor/ball_spectrum.hpp"
#include "kernels/rigor/ball_vector.hpp"
#include "kernels/spectra/symmetric_spectrum.hpp"
#include "theorems/language/evaluation/dense.hpp"

#if __has_include(<flint/arb_mat.h>)
#include <flint/arb_mat.h>
#else
#include <arb_mat.h>
#endif

namespace attest::language {
namespace {

using rigor::Ball;
using rigor::BallMatrix;
using Row = std::span<const Ball>;

// arb_dot walks over arrays of arb_struct.
static_assert(sizeof(Ball) == sizeof(arb_struct));

Ball indeterminate() {
  Ball result;
  arb_indeterminate(result.raw());
  return result;
}

/// Radii that matter beside the largest entry. (Zero, but for rounding, is not a wide ball here.)
bool any_wide(Row x) {
  double largest = 0, radius = 0;
  for (const Ball& t : x) {
    largest = std::max(largest, std::fabs(t.mid()));
    radius = std::max(radius, t.radius());
  }
  constexpr double narrow = 1.0 / (1 << 20);
  return radius > narrow * largest;
}

/// sum_k a_k b_k over arrays with steps, added to `result`. Narrow balls by Arb's dot product, wide ones from their
/// ends.
void add_dot(Ball& result, const Ball* a, std::int64_t step_a, const Ball* b, std::int64_t step_b, std::int64_t n,
             bool wide) {
  if (!wide) {
    arb_dot(result.raw(), result.raw(), 0, a->raw(), step_a, b->raw(), step_b, n, rigor::working_precision());
    return;
  }
  for (std::int64_t k = 0; k < n; ++k) result += a[k * step_a] * b[k * step_b];
}

BallMatrix matrix_of(Row a, const Shape& shape) {
  BallMatrix result(static_cast<std::size_t>(shape.rows), static_cast<std::size_t>(shape.cols));
  std::ranges::copy(a, result.entries.begin());
  return result;
}

/// Arb's matrices share no memory with ours.
class ArbMatrix {
 public:
  explicit ArbMatrix(const BallMatrix& a) {
    arb_mat_init(value_, static_cast<slong>(a.rows), static_cast<slong>(a.cols));
    for (std::size_t i = 0; i < a.rows; ++i)
      for (std::size_t j = 0; j < a.cols; ++j)
        arb_set(arb_mat_entry(value_, static_cast<slong>(i), static_cast<slong>(j)), a(i, j).raw());
  }
  ~ArbMatrix() { arb_mat_clear(value_); }
  ArbMatrix(const ArbMatrix&) = delete;
  ArbMatrix& operator=(const ArbMatrix&) = delete;
  arb_mat_struct* raw() { return value_; }

 private:
  arb_mat_t value_;
};

std::optional<BallMatrix> inverse(const BallMatrix& a) {
  ArbMatrix from(a), into(a);
  if (arb_mat_inv(into.raw(), from.raw(), rigor::working_precision()) == 0) return std::nullopt;
  BallMatrix result(a.rows, a.cols);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j)
      arb_set(result(i, j).raw(), arb_mat_entry(into.raw(), static_cast<slong>(i), static_cast<slong>(j)));
  return result;
}

Ball determinant(const BallMatrix& a) {
  ArbMatrix from(a);
  Ball result;
  arb_mat_det(result.raw(), from.raw(), rigor::working_precision());
  return result;
}

BallMatrix times(const BallMatrix& a, const BallMatrix& b) {
  BallMatrix result(a.rows, b.cols);
  matrix_product(a.entries, b.entries, result.entries, static_cast<std::int64_t>(a.rows),
                 static_cast<std::int64_t>(b.cols));
  return result;
}

/// Ascending eigenvalues of a symmetric matrix from approximate eigenvectors, the columns of Q, in doubles. Finite for
/// every finite matrix, however its eigenvalues are spread.
///
/// First, by Ostrowski's and Weyl's theorems: B = Q'AQ has eigenvalues theta_i lambda_i(A) with theta_i in the range of
/// the eigenvalues of Q'Q, and those of B lie within |off-diagonal part| of its sorted diagonal; about 1e-15 |A| wide.
/// Then, where an eigenvalue is the only one in an interval (below, above), by Kato's and Temple's: with the Rayleigh
/// quotient r of a column and its residual s, -s^2/(above - r) <= lambda - r <= s^2/(r - below); about 1e-30.
rigor::BallVector symmetric_eigenvalues_of(const BallMatrix& a) {
  const std::size_t n = a.rows;
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd middle(size, size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < size; ++j)
      middle(i, j) = a(static_cast<std::size_t>(i), static_cast<std::size_t>(j)).mid();
  if (!middle.allFinite()) return rigor::BallVector(n, indeterminate());
  const Eigen::MatrixXd vectors = spectra::increasing_symmetric_eigenpairs(middle).vectors;
  BallMatrix q(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      q(i, j) = Ball(vectors(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
  const BallMatrix qt = rigor::transpose(q), aq = times(a, q), b = times(qt, aq), gram = times(qt, q);
  Ball skew, off;  // row sums bound the operator norms
  std::vector<double> lower, upper;
  for (std::size_t i = 0; i < n; ++i) {
    Ball row, rest;
    for (std::size_t j = 0; j < n; ++j) {
      row += rigor::abs(i == j ? gram(i, j) - Ball(1) : gram(i, j));
      if (j != i) rest += rigor::abs(b(i, j));
    }
    skew = rigor::max(skew, row);
    off = rigor::max(off, rest);
  }
  for (std::size_t i = 0; i < n; ++i) {
    lower.push_back((b(i, i) - off).lower());
    upper.push_back((b(i, i) + off).upper());
  }
  // The k-th smallest of numbers in intervals lies between the k-th smallest lower and the k-th smallest upper end.
  std::ranges::sort(lower);
  std::ranges::sort(upper);
  rigor::BallVector result;
  const Ball stretch = Ball::hull(Ball(1) - skew, Ball(1) + skew);
  for (std::size_t k = 0; k < n; ++k) result.push_back(Ball::hull(Ball(lower[k]), Ball(upper[k])) / stretch);
  const rigor::BallVector coarse = result;
  for (std::size_t k = 0; k < n; ++k) {
    const Ball quotient = b(k, k) / gram(k, k);
    Ball residual;
    for (std::size_t i = 0; i < n; ++i) residual += rigor::square(aq(i, k) - quotient * q(i, k));
    residual /= gram(k, k);
    // The largest eigenvalue is never below a Rayleigh quotient, the smallest never above.
    Ball down, up;
    if (k + 1 < n) {
      const Ball gap = coarse[k + 1] - quotient;
      if (!gap.is_positive()) continue;
      down = residual / gap;
    }
    if (k > 0) {
      const Ball gap = quotient - coarse[k - 1];
      if (!gap.is_positive()) continue;
      up = residual / gap;
    }
    const Ball fine = Ball::hull(quotient - down, quotient + up);
    if (fine.is_finite() && mag_cmp(arb_radref(fine.raw()), arb_radref(coarse[k].raw())) < 0) result[k] = fine;
  }
  return result;
}

/// The same, as exact as the precision allows also where eigenvalues are multiple and the matrix is small.
rigor::BallVector symmetric_eigenvalues(const BallMatrix& a) {
  if (a.rows == 1) return {a(0, 0)};
  auto result = symmetric_eigenvalues_of(a);
  // Arb's own enclosures take seconds for a hundred rows.
  constexpr std::size_t small = 24;
  constexpr std::int64_t enough_bits = 70;
  const bool exact_enough =
      std::ranges::all_of(result, [](const Ball& x) { return x.relative_accuracy_bits() > enough_bits; });
  if (exact_enough || a.rows > small || any_wide(a.entries)) return result;
  const auto known = rigor::eigenvalues(a);
  if (!known) return result;
  rigor::BallVector fine;
  for (const auto& value : *known) fine.push_back(value.real);
  std::ranges::sort(fine,
                    [](const Ball& x, const Ball& y) { return arf_cmp(arb_midref(x.raw()), arb_midref(y.raw())) < 0; });
  for (std::size_t k = 0; k + 1 < fine.size(); ++k) {
    // One enclosure repeated is in order; enclosures that overlap otherwise are not.
    if (!certainly_less(fine[k], fine[k + 1]) && arb_equal(fine[k].raw(), fine[k + 1].raw()) == 0) return result;
  }
  return fine;
}

/// Descending singular values, from the Gram matrix of the smaller side.
rigor::BallVector singular_values(const BallMatrix& a) {
  const BallMatrix t = rigor::transpose(a);
  const BallMatrix gram = a.rows < a.cols ? times(a, t) : times(t, a);
  rigor::BallVector squares = symmetric_eigenvalues(gram);
  std::ranges::reverse(squares);
  for (Ball& s : squares) s = rigor::sqrt(rigor::max(s, Ball(0)));
  return squares;
}

}  // namespace

void matrix_product(Row a, Row b, std::span<Ball> c, std::int64_t m, std::int64_t n) {
  const std::int64_t k = static_cast<std::int64_t>(a.size()) / m;
  const bool wide = any_wide(a) || any_wide(b);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      Ball& into = c[static_cast<std::size_t>(i * n + j)] = Ball();
      add_dot(into, a.data() + i * k, 1, b.data() + j, n, k, wide);
    }
}

void matrix_product_back(Row a, Row b, Row dc, std::span<Ball> da, std::span<Ball> db, std::int64_t m, std::int64_t n) {
  const std::int64_t k = static_cast<std::int64_t>(a.size()) / m;
  const bool wide = any_wide(a) || any_wide(b) || any_wide(dc);
  if (!da.empty())
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t l = 0; l < k; ++l)
        add_dot(da[static_cast<std::size_t>(i * k + l)], dc.data() + i * n, 1, b.data() + l * n, 1, n, wide);
  if (!db.empty())
    for (std::int64_t l = 0; l < k; ++l)
      for (std::int64_t j = 0; j < n; ++j)
        add_dot(db[static_cast<std::size_t>(l * n + j)], a.data() + l, k, dc.data() + j, n, m, wide);
}

void of_matrix(Code code, Row entries, const Shape& shape, std::span<Ball> y) {
  const auto unknown = [&] { std::ranges::fill(y, indeterminate()); };
  if (!std::ranges::all_of(entries, [](const Ball& t) { return t.is_finite(); })) return unknown();
  const BallMatrix a = matrix_of(entries, shape);
  switch (code) {
    case Code::inverse: {
      const auto result = inverse(a);
      if (!result) return unknown();
      std::ranges::copy(result->entries, y.begin());
      return;
    }
    case Code::determinant:
      y[0] = determinant(a);
      return;
    case Code::log_determinant:
      y[0] = rigor::log(determinant(a));
      return;
    case Code::symmetric_eigenvalues:
      std::ranges::move(symmetric_eigenvalues(rigor::scale(Ball(0.5), rigor::add(a, rigor::transpose(a)))), y.begin());
      return;
    case Code::singular_values:
      std::ranges::move(singular_values(a), y.begin());
      return;
    case Code::operator_norm:
      y[0] = singular_values(a)[0];
      return;
    default:
      unknown();
  }
}

void of_matrix_back(Code code, Row entries, const Shape& shape, Row y, Row dy, std::span<Ball> da) {
  const auto unknown = [&] { std::ranges::fill(da, indeterminate()); };
  const auto add = [&](const Ball& factor, const BallMatrix& m) {
    for (std::size_t i = 0; i < m.entries.size(); ++i) da[i] += factor * m.entries[i];
  };
  switch (code) {
    case Code::inverse: {
      if (!y[0].is_finite()) return unknown();
      const BallMatrix t = rigor::transpose(matrix_of(y, shape));
      return add(Ball(-1), times(times(t, matrix_of(dy, shape)), t));
    }
    case Code::determinant:
    case Code::log_determinant: {
      const auto inverted = inverse(matrix_of(entries, shape));
      if (!inverted || !y[0].is_finite()) return unknown();
      return add(code == Code::determinant ? dy[0] * y[0] : dy[0], rigor::transpose(*inverted));
    }
    default:
      unknown();
  }
}

}  // namespace attest::language
