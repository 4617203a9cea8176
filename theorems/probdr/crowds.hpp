// Crowds: tokens at a few places of the unit sphere, many at each. Equal rows stay equal under every block, so that
// hundreds of tokens are evaluated by their places and the numbers that stand there.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "theorems/probdr/unrolled_block.hpp"

namespace attest::probdr {

/// 2^x of the scalar `name`: a positive parameter searched over its logarithm.
template <class Real>
Real power_of_two(const engine::Inputs& in, const char* name) {
  return exp(Real(in.scalar(name)) * log(Real(2)));
}

/// A row of `x` for every place, of length one, and how many tokens stand there.
template <class Real>
struct Crowds {
  Matrix<Real> x;
  std::vector<Real> copies;
};

constexpr std::size_t crowd_dimension = 4;

/// 1 to 64 tokens at each of `places` places in four dimensions (d_q = 5 with zero row means), kappa from 2^-7 to 10^4
/// and eta from 2^-10 to `largest_eta`. Copies are rounded down.
inline std::vector<engine::Block> crowd_blocks(std::size_t places, double largest_eta) {
  return {{"X", places * crowd_dimension, -1, 1},
          {"copies", places, 1, 64.9},
          {"log2 kappa", 1, -7, 13.25},
          {"eta", 1, 0x1p-10, largest_eta}};
}

/// Five points that `crowd_blocks` of two to five places should know: a crowd and one or two apart, near and far.
inline std::vector<std::vector<double>> crowd_corners(std::size_t places, double eta) {
  std::vector<std::vector<double>> corners;
  for (const double apart : {0.03, 0.5, 2.0})
    for (const double log_kappa : {-7.0, 1.0}) {
      std::vector<double> point;
      for (std::size_t i = 0; i < places; ++i) {
        const double angle = apart * static_cast<double>(i);
        point.insert(point.end(), {std::cos(angle), std::sin(angle), 0, 0});
      }
      for (std::size_t i = 0; i < places; ++i) point.push_back(i == 0 ? 20 : 1);
      point.insert(point.end(), {log_kappa, eta});
      corners.push_back(std::move(point));
    }
  return corners;
}

/// The crowds of the inputs; `admissible` where every place is certainly away from 0.
template <class Real>
Crowds<Real> crowds(const engine::Inputs& in, std::size_t places, bool& admissible) {
  Crowds<Real> result{engine::matrix<Real>(in, "X", places, crowd_dimension), {}};
  for (std::size_t i = 0; i < places; ++i) {
    Real square(0);
    for (std::size_t k = 0; k < crowd_dimension; ++k) square += result.x(i, k) * result.x(i, k);
    admissible = admissible && positive(Real(square - Real(0.01)));
  }
  result.x = on_sphere(std::move(result.x));
  for (const double count : engine::values(in, "copies", places)) result.copies.push_back(Real(std::floor(count)));
  return result;
}

/// copies_j exp(kappa (x_i' x_j - 1)): what the tokens at place j weigh for one at place i.
template <class Real>
Matrix<Real> crowd_similarity(const Crowds<Real>& tokens, const Real& kappa) {
  Matrix<Real> w = similarity(tokens.x, kappa);
  for (std::size_t i = 0; i < w.rows; ++i)
    for (std::size_t j = 0; j < w.cols; ++j) w(i, j) *= tokens.copies[j];
  return w;
}

/// The same by rows of sum one.
template <class Real>
Matrix<Real> crowd_adjacency(const Crowds<Real>& tokens, const Real& kappa) {
  Matrix<Real> a = crowd_similarity(tokens, kappa);
  const std::vector<Real> d = degrees(a);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j) a(i, j) /= d[i];
  return a;
}

/// sum_i v_i' u_i over all tokens, v and u given by places.
template <class Real>
Real crowd_product(const Crowds<Real>& tokens, const Matrix<Real>& v, const Matrix<Real>& u) {
  Real total(0);
  for (std::size_t i = 0; i < v.rows; ++i)
    for (std::size_t k = 0; k < v.cols; ++k) total += tokens.copies[i] * v(i, k) * u(i, k);
  return total;
}

/// sum_ij w_ij over all tokens.
template <class Real>
Real crowd_energy(const Crowds<Real>& tokens, const Real& kappa) {
  const std::vector<Real> d = degrees(crowd_similarity(tokens, kappa));
  Real total(0);
  for (std::size_t i = 0; i < d.size(); ++i) total += tokens.copies[i] * d[i];
  return total;
}

}  // namespace attest::probdr
