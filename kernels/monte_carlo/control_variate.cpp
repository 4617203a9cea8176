#include "kernels/monte_carlo/control_variate.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <Eigen/QR>
#include <fmt/format.h>

#include "kernels/parallel/fold_blocks.hpp"

namespace attest::monte_carlo {
namespace {

/// Regression of the pilot's values on its controls, both about their means.
std::vector<double> coefficients(const ControlledStatistic& statistic, std::size_t controls, std::uint64_t pilot,
                                 unsigned threads) {
  const auto rows = static_cast<Eigen::Index>(pilot), columns = static_cast<Eigen::Index>(controls);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> c(rows, columns);
  Eigen::VectorXd v(rows);
  parallel::for_each_block(rows, threads, [&](std::int64_t i) {
    v[i] = statistic(static_cast<std::uint64_t>(i), {c.data() + i * columns, controls});
  });
  v.array() -= v.mean();
  const Eigen::RowVectorXd means = c.colwise().mean();
  c.rowwise() -= means;
  // Controls may differ by orders of magnitude: the solution must not depend on their units.
  Eigen::RowVectorXd sizes = c.colwise().norm();
  for (double& size : sizes) size = size > 0 ? size : 1;
  for (Eigen::Index i = 0; i < rows; ++i) c.row(i).array() /= sizes.array();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  constexpr double dependent = 1e-10;
  solver.setThreshold(dependent);
  const Eigen::VectorXd b = solver.compute(c).solve(v);
  std::vector<double> result(controls);
  for (Eigen::Index i = 0; i < columns; ++i) result[static_cast<std::size_t>(i)] = b[i] / sizes[i];
  return result;
}

constexpr std::uint64_t block_samples = 16;
constexpr std::int64_t kept_blocks = 64;

struct Block {
  statistics::Welford reduced, plain;
};

}  // namespace

ReducedMoments reduced_moments(const ControlledStatistic& statistic, std::size_t controls, std::uint64_t samples,
                               std::uint64_t pilot, unsigned threads) {
  if (samples < 2 || pilot < 2 * controls + 4)
    throw std::invalid_argument(
        fmt::format("reduced_moments: {} samples and a pilot of {} for {} controls; give at least 2 and {}", samples,
                    pilot, controls, 2 * controls + 4));
  ReducedMoments all;
  all.coefficients = coefficients(statistic, controls, pilot, threads);
  parallel::fold_blocks<Block>(
      static_cast<std::int64_t>((samples + block_samples - 1) / block_samples), threads, kept_blocks,
      [&](std::int64_t number) {
        Block block;
        std::vector<double> c(controls);
        const std::uint64_t begin = static_cast<std::uint64_t>(number) * block_samples;
        for (std::uint64_t i = begin; i < std::min(begin + block_samples, samples); ++i) {
          const double value = statistic(pilot + i, c);
          double reduced = value;
          for (std::size_t k = 0; k < controls; ++k) reduced -= all.coefficients[k] * c[k];
          block.plain.add(value);
          block.reduced.add(reduced);
        }
        return block;
      },
      [&](const Block& block) {
        all.reduced.merge(block.reduced);
        all.plain.merge(block.plain);
      });
  return all;
}

}  // namespace attest::monte_carlo
