// The exponential kernel on a set of keys, for doubles and for balls by one formula.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace attest::primal_dual {

/// sum_d x_d y_d.
template <class Real>
Real inner_product(std::span<const Real> x, std::span<const Real> y) {
  Real sum(0);
  for (std::size_t d = 0; d < x.size(); ++d) sum += x[d] * y[d];
  return sum;
}

/// The keys k_1, ..., k_N in R^D, row by row, with the kernel that Phi of Eq 12 gives them.
template <class Real>
class Keys {
 public:
  /// Precondition: rows.size() is a multiple of dimension >= 1.
  Keys(std::span<const double> rows, std::size_t dimension) : dimension_(dimension), rows_(rows.begin(), rows.end()) {}
  Keys(std::vector<Real> rows, std::size_t dimension) : dimension_(dimension), rows_(std::move(rows)) {}

  std::size_t size() const { return rows_.size() / dimension_; }
  std::size_t dimension() const { return dimension_; }
  std::span<const Real> row(std::size_t j) const { return std::span(rows_).subspan(j * dimension_, dimension_); }

  /// Phi(x)' Phi(k_j) = exp(x' k_j / sqrt(D)), Eqs 13-14.
  Real similarity(std::span<const Real> x, std::size_t j) const {
    using std::exp;
    using std::sqrt;
    return exp(inner_product(x, row(j)) / sqrt(Real(static_cast<double>(dimension_))));
  }
  /// h(x) = sum_j Phi(x)' Phi(k_j), above Eq 11.
  Real normaliser(std::span<const Real> x) const {
    Real sum(0);
    for (std::size_t j = 0; j < size(); ++j) sum += similarity(x, j);
    return sum;
  }
  /// h(k_1), ..., h(k_N).
  std::vector<Real> normalisers() const {
    std::vector<Real> h;
    for (std::size_t j = 0; j < size(); ++j) h.push_back(normaliser(row(j)));
    return h;
  }
  /// Gram matrix of the normalised features Psi = Phi / h: K_ij = Phi(k_i)' Phi(k_j) / (h(k_i) h(k_j)), row by row.
  std::vector<Real> gram() const {
    const std::vector<Real> h = normalisers();
    std::vector<Real> entries;
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < size(); ++j) {
        // Both halves from the same product: a matrix that is symmetric to the last bit.
        const Real& larger = i < j ? h[j] : h[i];
        const Real& other = i < j ? h[i] : h[j];
        entries.push_back(similarity(row(i < j ? j : i), i < j ? i : j) / larger / other);
      }
    }
    return entries;
  }

 private:
  std::size_t dimension_;
  std::vector<Real> rows_;
};

}  // namespace attest::primal_dual
