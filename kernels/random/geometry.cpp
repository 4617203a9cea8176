#include "kernels/random/geometry.hpp"

#include <cmath>
#include <cstddef>

namespace attest::random {
namespace {

double dot(const double* a, const double* b, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void normalise(double* x, std::size_t n) {
  const double scale = 1.0 / std::sqrt(dot(x, x, n));
  for (std::size_t i = 0; i < n; ++i) x[i] *= scale;
}

}  // namespace

void fill_sphere(Stream& stream, std::span<double> out) {
  double norm2 = 0;
  while (!out.empty() && !(norm2 > 0)) {
    for (double& x : out) x = stream.normal();
    norm2 = dot(out.data(), out.data(), out.size());
  }
  if (!out.empty()) normalise(out.data(), out.size());
}

std::vector<double> orthogonal_matrix(Stream& stream, int n) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> rows(size * size);
  for (double& x : rows) x = stream.normal();
  // Gram-Schmidt has a positive diagonal in its triangular factor, so the orthogonal factor of a Gaussian matrix is
  // Haar distributed; done twice, it is orthogonal to working precision also where a row is nearly dependent.
  for (std::size_t i = 0; i < size; ++i) {
    double* row = &rows[i * size];
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t j = 0; j < i; ++j) {
        const double projection = dot(row, &rows[j * size], size);
        for (std::size_t k = 0; k < size; ++k) row[k] -= projection * rows[j * size + k];
      }
      normalise(row, size);
    }
  }
  return rows;
}

}  // namespace attest::random
