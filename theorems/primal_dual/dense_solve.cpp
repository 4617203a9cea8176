#include "theorems/primal_dual/dense_solve.hpp"

#include <Eigen/Core>
#include <Eigen/LU>

namespace attest::primal_dual {

DenseSolution dense_solve(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<Eigen::Index>(b.size());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> matrix(a.data(), n, n);
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(matrix);
  const Eigen::VectorXd x = lu.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), n));
  return {{x.begin(), x.end()}, lu.inverse().cwiseAbs().rowwise().sum().maxCoeff(), x.cwiseAbs().maxCoeff()};
}

}  // namespace attest::primal_dual
