#include "simulations/tokens/word_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/SparseCore>
#include <Spectra/MatOp/SparseSymMatProd.h>
#include <Spectra/SymEigsSolver.h>
#include <fmt/core.h>

namespace attest::simulations {

TruncatedSvd truncated_svd(const std::vector<Entry>& entries, std::size_t n, std::size_t dimensions) {
  if (dimensions == 0 || 2 * dimensions >= n) {
    throw std::invalid_argument(
        fmt::format("{} dimensions asked of a matrix of order {}; ask for fewer than half of it", dimensions, n));
  }
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries.size());
  for (const Entry& entry : entries) triplets.emplace_back(entry.row, entry.column, entry.value);
  const auto order = static_cast<Eigen::Index>(n);
  Eigen::SparseMatrix<double> matrix(order, order);
  matrix.setFromTriplets(triplets.begin(), triplets.end());

  Spectra::SparseSymMatProd<double> product(matrix);
  const auto wanted = static_cast<Eigen::Index>(dimensions);
  // A Krylov space of three times the wanted dimension converges in few restarts; the doubling rule is Spectra's least.
  Spectra::SymEigsSolver<Spectra::SparseSymMatProd<double>> solver(product, wanted, std::min(order, 3 * wanted));
  solver.init();
  constexpr Eigen::Index restarts = 1000;
  constexpr double tolerance = 1e-10;
  solver.compute(Spectra::SortRule::LargestMagn, restarts, tolerance, Spectra::SortRule::LargestMagn);
  if (solver.info() != Spectra::CompInfo::Successful) {
    throw std::runtime_error(fmt::format(
        "the singular value decomposition did not converge in {} restarts; ask for fewer than {} dimensions", restarts,
        dimensions));
  }
  TruncatedSvd result;
  result.left = solver.eigenvectors();
  for (Eigen::Index k = 0; k < wanted; ++k) {
    result.singular_values.push_back(std::abs(solver.eigenvalues()[k]));
    Eigen::Index largest = 0;
    result.left.col(k).cwiseAbs().maxCoeff(&largest);
    if (result.left(largest, k) < 0) result.left.col(k) *= -1;  // the sign of an eigenvector is arbitrary
  }
  return result;
}

Eigen::MatrixXd word_vectors(std::span<const std::int32_t> text, std::size_t vocabulary_size, std::size_t window,
                             std::size_t dimensions) {
  const TruncatedSvd svd =
      truncated_svd(positive_mutual_information(text, vocabulary_size, window), vocabulary_size, dimensions);
  Eigen::MatrixXd vectors = svd.left;
  for (Eigen::Index k = 0; k < vectors.cols(); ++k) {
    vectors.col(k) *= std::sqrt(svd.singular_values[static_cast<std::size_t>(k)]);
  }
  Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(vectors.cols());
  for (const std::int32_t word : text) mean += vectors.row(word);
  mean /= static_cast<double>(text.size());
  vectors.rowwise() -= mean;
  double squares = 0;
  for (const std::int32_t word : text) squares += vectors.row(word).squaredNorm();
  vectors /= std::sqrt(squares / (static_cast<double>(text.size()) * static_cast<double>(vectors.cols())));
  return vectors;
}

}  // namespace attest::simulations
