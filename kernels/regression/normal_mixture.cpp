#include "kernels/regression/normal_mixture.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "kernels/rigor/ball.hpp"

namespace attest::regression {
namespace {

using std::exp;
using std::sqrt;

template <class T>
T normal_density(const T& u, const T& variance) {
  T pi;
  if constexpr (std::is_same_v<T, double>) {
    pi = std::numbers::pi;
  } else {
    pi = T::pi();
  }
  return exp(-(u * u) / (2 * variance)) / sqrt(2 * pi * variance);
}

}  // namespace

template <class T>
NormalMixture<T> NormalMixture<T>::symmetrised() const {
  NormalMixture result;
  for (const Component& c : components_) {
    result.components_.push_back({c.weight / 2, c.mean, c.variance});
    result.components_.push_back({c.weight / 2, -c.mean, c.variance});
  }
  return result;
}

template <class T>
NormalMixture<T> NormalMixture<T>::combined(const T& a, const NormalMixture& other, const T& b) const {
  NormalMixture result;
  for (const Component& c : components_) result.components_.push_back({a * c.weight, c.mean, c.variance});
  for (const Component& c : other.components_) result.components_.push_back({b * c.weight, c.mean, c.variance});
  return result;
}

template <class T>
NormalMixture<T> NormalMixture<T>::convolved(const NormalMixture& other) const {
  NormalMixture result;
  for (const Component& p : components_) {
    for (const Component& q : other.components_) {
      result.components_.push_back({p.weight * q.weight, p.mean + q.mean, p.variance + q.variance});
    }
  }
  return result;
}

template <class T>
T NormalMixture<T>::value(const T& u) const {
  T total = 0;
  for (const Component& c : components_) total += c.weight * normal_density<T>(u - c.mean, c.variance);
  return total;
}

template <class T>
T NormalMixture<T>::moment(int k) const {
  if (k < 0 || k > 4)
    throw std::invalid_argument(fmt::format("NormalMixture::moment: order k = {} must lie in 0..4", k));
  T total = 0;
  for (const Component& c : components_) {
    T below = 1;
    T current = 1;  // E Z^j, by E Z^(j+1) = mean E Z^j + j variance E Z^(j-1)
    for (int j = 0; j < k; ++j) {
      const T next = j == 0 ? T(c.mean) : T(c.mean * current + j * c.variance * below);
      below = current;
      current = next;
    }
    total += c.weight * current;
  }
  return total;
}

template <class T>
T NormalMixture<T>::inner_product(const NormalMixture& other) const {
  T total = 0;
  for (const Component& p : components_) {
    for (const Component& q : other.components_) {
      total += p.weight * q.weight * normal_density<T>(p.mean - q.mean, p.variance + q.variance);
    }
  }
  return total;
}

template class NormalMixture<double>;
template class NormalMixture<rigor::Ball>;

}  // namespace attest::regression
