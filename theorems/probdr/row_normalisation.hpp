// Rows of latents: their mean, length, LayerNorm and projection onto the unit vectors of zero mean.
#pragma once

#include <utility>

#include "theorems/probdr/circle_tokens.hpp"

namespace attest::probdr {

constexpr std::size_t width = 3;  ///< d_q

/// The vector x.
template <class Real>
std::vector<Real> vector(const engine::Inputs& in, const char* name, std::size_t count) {
  const auto from = engine::values(in, name, count);
  return {from.begin(), from.end()};
}

template <class Real>
Real mean(const std::vector<Real>& x) {
  Real total(0);
  for (const Real& value : x) total += value;
  return total / Real(static_cast<double>(x.size()));
}

template <class Real>
Real square_norm(const std::vector<Real>& x) {
  Real total(0);
  for (const Real& value : x) total += value * value;
  return total;
}

enum class Normalisation { layer, root_mean_square };

/// (x - mean)/sqrt(variance) (epsilon = 0), or x/sqrt(mean square); `admissible` where that is certainly defined.
template <class Real>
std::vector<Real> normalised(std::vector<Real> x, Normalisation kind, bool& admissible) {
  const Real centre = kind == Normalisation::layer ? mean(x) : Real(0);
  for (Real& value : x) value -= centre;
  const Real square = square_norm(x);
  admissible = admissible && positive(Real(square - Real(0.001)));
  const Real root = sqrt(square / Real(static_cast<double>(x.size())));
  for (Real& value : x) value /= root;
  return x;
}

/// The nearest unit vector of zero mean, (x - mean)/|x - mean|.
template <class Real>
std::vector<Real> projected(std::vector<Real> x, bool& admissible) {
  x = normalised(std::move(x), Normalisation::layer, admissible);
  const Real length = sqrt(Real(static_cast<double>(x.size())));
  for (Real& value : x) value /= length;
  return x;
}

}  // namespace attest::probdr
