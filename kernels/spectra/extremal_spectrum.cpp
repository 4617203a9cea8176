#include "kernels/spectra/extremal_spectrum.hpp"

#include <algorithm>
#include <stdexcept>

#include <Spectra/GenEigsSolver.h>
#include <fmt/format.h>

#include "kernels/spectra/row_product.hpp"

namespace attest::spectra {

ExtremalEigenvalues largest_eigenvalues(const Eigen::MatrixXd& a, int count, unsigned threads) {
  if (a.rows() != a.cols() || count < 1 || count > a.rows() - 2)
    throw std::invalid_argument(
        fmt::format("largest_eigenvalues: {} eigenvalues of a {} x {} matrix; ask for 1 to N - 2 of a square one",
                    count, a.rows(), a.cols()));
  RowProduct product(a, threads);
  // A Krylov space of twice the count and some more, as far as the matrix allows.
  const auto space = static_cast<int>(std::min<Eigen::Index>(a.rows(), std::max(2 * count + 1, 20)));
  Spectra::GenEigsSolver<RowProduct> solver(product, count, space);
  solver.init();
  constexpr int most_restarts = 1000;
  constexpr double tolerance = 1e-10;
  const auto found = solver.compute(Spectra::SortRule::LargestMagn, most_restarts, tolerance);
  ExtremalEigenvalues result{.values = {},
                             .converged = solver.info() == Spectra::CompInfo::Successful && found >= count};
  for (const auto& value : solver.eigenvalues()) result.values.emplace_back(value);
  std::stable_sort(result.values.begin(), result.values.end(),
                   [](const auto& x, const auto& y) { return std::abs(x) > std::abs(y); });
  return result;
}

}  // namespace attest::spectra
