#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <Eigen/SVD>

#include "kernels/spectra/symmetric_spectrum.hpp"
#include "theorems/language/evaluation/dense.hpp"

namespace attest::language {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using View = Eigen::Map<const Matrix>;
using Into = Eigen::Map<Matrix>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Of a Gram matrix's eigenvalues less than this share of the largest, the singular vectors are lost; so the
/// decomposition is of the matrix itself.
/// By rotations and not by bisection, which is faster from some forty columns on alone, and three times as long to
/// compile.
using Svd = Eigen::JacobiSVD<Eigen::MatrixXd>;

/// Cofactors: the gradient of the determinant, for singular matrices too.
Eigen::MatrixXd cofactors(const View& a) {
  const Svd svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Index n = a.rows();
  Eigen::VectorXd others(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    others[i] = 1;
    for (Eigen::Index j = 0; j < n; ++j)
      if (j != i) others[i] *= svd.singularValues()[j];
  }
  const double orientation = svd.matrixU().determinant() * svd.matrixV().determinant();
  return (orientation < 0 ? -1 : 1) * svd.matrixU() * others.asDiagonal() * svd.matrixV().transpose();
}

/// Largest singular value with its vectors, from the Gram matrix of the smaller side: to about eps relative to itself.
void operator_norm(const View& a, double& norm, std::span<double> vectors) {
  const double scale = a.cwiseAbs().maxCoeff();
  Eigen::Map<Eigen::VectorXd> u(vectors.data(), a.rows()), v(vectors.data() + a.rows(), a.cols());
  if (!(scale > 0)) {
    norm = scale;
    u.setZero();
    v.setZero();
    return;
  }
  const bool wide = a.rows() < a.cols();
  const Eigen::MatrixXd b = a / scale;
  const Eigen::MatrixXd vectors_of_gram =
      spectra::increasing_symmetric_eigenpairs(wide ? (b * b.transpose()).eval() : (b.transpose() * b).eval()).vectors;
  if (wide) {
    u = vectors_of_gram.col(a.rows() - 1);
    v = b.transpose() * u;
    norm = scale * v.norm();
    v.normalize();
  } else {
    v = vectors_of_gram.col(a.cols() - 1);
    u = b * v;
    norm = scale * u.norm();
    u.normalize();
  }
}

}  // namespace

void matrix_product(std::span<const double> a, std::span<const double> b, std::span<double> c, std::int64_t m,
                    std::int64_t n) {
  const auto k = static_cast<Eigen::Index>(a.size()) / m;
  Into(c.data(), m, n).noalias() = View(a.data(), m, k) * View(b.data(), k, n);
}

void matrix_product_back(std::span<const double> a, std::span<const double> b, std::span<const double> dc,
                         std::span<double> da, std::span<double> db, std::int64_t m, std::int64_t n) {
  const auto k = static_cast<Eigen::Index>(a.size()) / m;
  const View up(dc.data(), m, n);
  if (!da.empty()) Into(da.data(), m, k).noalias() += up * View(b.data(), k, n).transpose();
  if (!db.empty()) Into(db.data(), k, n).noalias() += View(a.data(), m, k).transpose() * up;
}

void of_matrix(Code code, std::span<const double> entries, const Shape& shape, std::span<double> y,
               std::span<double> scratch) {
  const View a(entries.data(), shape.rows, shape.cols);
  if (!std::ranges::all_of(entries, [](double t) { return std::isfinite(t); })) {
    std::ranges::fill(y, nan);
    return;
  }
  switch (code) {
    case Code::inverse: {
      const Eigen::PartialPivLU<Eigen::MatrixXd> lu(a);
      if ((lu.matrixLU().diagonal().array() == 0).any()) {
        std::ranges::fill(y, nan);
      } else {
        Into(y.data(), shape.rows, shape.cols) = lu.inverse();
      }
      return;
    }
    case Code::determinant:
      y[0] = Eigen::MatrixXd(a).determinant();
      return;
    case Code::log_determinant: {
      const Eigen::PartialPivLU<Eigen::MatrixXd> lu(a);
      double total = 0, sign = static_cast<double>(lu.permutationP().determinant());
      for (Eigen::Index i = 0; i < shape.rows; ++i) {
        const double pivot = lu.matrixLU()(i, i);
        total += std::log(std::fabs(pivot));
        sign *= pivot < 0 ? -1 : pivot > 0 ? 1 : 0;
      }
      y[0] = sign > 0 ? total : nan;
      return;
    }
    case Code::symmetric_eigenvalues: {
      const spectra::SymmetricEigenpairs pairs = spectra::increasing_symmetric_eigenpairs((a + a.transpose()) / 2);
      std::ranges::copy(pairs.values, y.begin());
      Into(scratch.data(), shape.rows, shape.cols) = pairs.vectors;
      return;
    }
    case Code::singular_values: {
      const Svd svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
      std::ranges::copy(svd.singularValues(), y.begin());
      const Eigen::Index k = std::min(shape.rows, shape.cols);
      Into(scratch.data(), shape.rows, k) = svd.matrixU();
      Into(scratch.data() + shape.rows * k, shape.cols, k) = svd.matrixV();
      return;
    }
    case Code::operator_norm:
      operator_norm(a, y[0], scratch);
      return;
    default:
      std::ranges::fill(y, nan);
  }
}

void of_matrix_back(Code code, std::span<const double> entries, const Shape& shape, std::span<const double> y,
                    std::span<const double> dy, std::span<const double> scratch, std::span<double> out) {
  const View a(entries.data(), shape.rows, shape.cols);
  Into da(out.data(), shape.rows, shape.cols);
  if (!std::ranges::all_of(y, [](double t) { return std::isfinite(t); })) {
    da.setConstant(nan);
    return;
  }
  switch (code) {
    case Code::inverse: {
      const View inverse(y.data(), shape.rows, shape.cols), up(dy.data(), shape.rows, shape.cols);
      da -= inverse.transpose() * up * inverse.transpose();
      return;
    }
    case Code::determinant:
      da += dy[0] * cofactors(a);
      return;
    case Code::log_determinant:
      da += dy[0] * Eigen::MatrixXd(a).inverse().transpose();
      return;
    case Code::symmetric_eigenvalues: {
      const View v(scratch.data(), shape.rows, shape.cols);
      const Eigen::Map<const Eigen::VectorXd> weight(dy.data(), shape.rows);
      da += v * weight.asDiagonal() * v.transpose();
      return;
    }
    case Code::singular_values: {
      const Eigen::Index k = std::min(shape.rows, shape.cols);
      const View u(scratch.data(), shape.rows, k), v(scratch.data() + shape.rows * k, shape.cols, k);
      const Eigen::Map<const Eigen::VectorXd> weight(dy.data(), k);
      da += u * weight.asDiagonal() * v.transpose();
      return;
    }
    case Code::operator_norm: {
      const Eigen::Map<const Eigen::VectorXd> u(scratch.data(), shape.rows), v(scratch.data() + shape.rows, shape.cols);
      da += dy[0] * u * v.transpose();
      return;
    }
    default:
      da.setConstant(nan);
  }
}

}  // namespace attest::language
