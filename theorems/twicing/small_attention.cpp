#include "theorems/twicing/small_attention.hpp"

#include <algorithm>
#include <cmath>

namespace attest::twicing {
namespace {

using rigor::Ball;
using rigor::BallMatrix;
using rigor::BallVector;

double dot(std::span<const double> a, std::span<const double> b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

BallMatrix logits(std::span<const double> queries, std::span<const double> keys, std::size_t width, const Ball& scale) {
  const std::size_t n = queries.size() / width;
  const BallMatrix q = rigor::to_balls(queries, n, width);
  const BallMatrix k = rigor::to_balls(keys, n, width);
  return rigor::scale(1 / scale, rigor::multiply(q, rigor::transpose(k)));
}

}  // namespace

std::vector<double> attention_matrix(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                                     double scale) {
  const std::size_t n = queries.size() / width;
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    double* row = matrix.data() + i * n;
    for (std::size_t j = 0; j < n; ++j)
      row[j] = dot(queries.subspan(i * width, width), keys.subspan(j * width, width)) / scale;
    const double largest = *std::max_element(row, row + n);
    double total = 0;
    for (std::size_t j = 0; j < n; ++j) total += row[j] = std::exp(row[j] - largest);
    for (std::size_t j = 0; j < n; ++j) row[j] /= total;
  }
  return matrix;
}

BallMatrix attention_matrix(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                            const Ball& scale) {
  BallMatrix matrix = logits(queries, keys, width, scale);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    BallVector row = rigor::softmax(matrix.row(i));
    std::move(row.begin(), row.end(), matrix.row(i).begin());
  }
  return matrix;
}

std::vector<double> multiply(const std::vector<double>& matrix, std::span<const double> v) {
  std::vector<double> product(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) product[i] = dot({matrix.data() + i * v.size(), v.size()}, v);
  return product;
}

std::vector<double> twiced(const std::vector<double>& matrix, std::span<const double> v) {
  std::vector<double> smooth = multiply(matrix, v);
  std::vector<double> residual(v.begin(), v.end());
  for (std::size_t i = 0; i < v.size(); ++i) residual[i] -= smooth[i];
  const std::vector<double> correction = multiply(matrix, residual);
  for (std::size_t i = 0; i < v.size(); ++i) smooth[i] += correction[i];
  return smooth;
}

BallMatrix twicing_matrix(const BallMatrix& matrix) {
  return rigor::subtract(rigor::scale(2, matrix), rigor::multiply(matrix, matrix));
}

BallVector twiced(const BallMatrix& matrix, const BallVector& v) { return rigor::multiply(twicing_matrix(matrix), v); }

std::vector<double> degrees(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                            double scale) {
  const std::size_t n = queries.size() / width;
  std::vector<double> result(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      result[i] += std::exp(dot(queries.subspan(i * width, width), keys.subspan(j * width, width)) / scale);
    }
  }
  return result;
}

BallVector degrees(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                   const Ball& scale) {
  const BallMatrix matrix = logits(queries, keys, width, scale);
  BallVector result(matrix.rows);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (const Ball& logit : matrix.row(i)) result[i] += rigor::exp(logit);
  }
  return result;
}

double weighted_square(std::span<const double> weights, std::span<const double> v) {
  double total = 0;
  for (std::size_t i = 0; i < v.size(); ++i) total += weights[i] * v[i] * v[i];
  return total;
}

Ball weighted_square(std::span<const Ball> weights, std::span<const Ball> v) {
  Ball total = 0;
  for (std::size_t i = 0; i < v.size(); ++i) total += weights[i] * rigor::square(v[i]);
  return total;
}

}  // namespace attest::twicing
