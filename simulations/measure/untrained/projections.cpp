#include "simulations/measure/untrained/projections.hpp"

#include <cmath>

namespace attest::measure {
namespace {

Eigen::MatrixXd random_matrix(Eigen::Index d, random::Stream& stream) {
  Eigen::MatrixXd matrix(d, d);
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  for (Eigen::Index i = 0; i < d; ++i) {
    for (Eigen::Index j = 0; j < d; ++j) matrix(i, j) = scale * stream.normal();
  }
  return matrix;
}

}  // namespace

const char* name(Projection projection) {
  switch (projection) {
    case Projection::identity:
      return "W_Q = W_K = I";
    case Projection::shared:
      return "W_Q = W_K random";
    case Projection::symmetric:
      return "symmetric, indefinite";
    case Projection::independent:
      return "W_Q, W_K independent";
  }
  return "";
}

Eigen::MatrixXd bilinear_form(Projection projection, Eigen::Index d, random::Stream& stream) {
  if (projection == Projection::identity) return Eigen::MatrixXd::Identity(d, d);
  const Eigen::MatrixXd first = random_matrix(d, stream);
  if (projection == Projection::shared) return first.transpose() * first;
  if (projection == Projection::symmetric) return (first + first.transpose()) / std::sqrt(2.0);
  return first.transpose() * random_matrix(d, stream);
}

}  // namespace attest::measure
