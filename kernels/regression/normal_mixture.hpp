// Signed mixtures of normal densities: closed under convolution, with moments and inner products in closed form.
#pragma once

#include <vector>

namespace attest::regression {

/// g(u) = sum_i w_i phi(u; mean_i, variance_i), variance_i > 0, weights of any sign. T is double or rigor::Ball.
template <class T>
class NormalMixture {
 public:
  struct Component {
    T weight;
    T mean;
    T variance;
  };

  NormalMixture() = default;
  explicit NormalMixture(std::vector<Component> components) : components_(std::move(components)) {}

  /// (g(u) + g(-u))/2: each component and its mirror image, half the weight each.
  NormalMixture symmetrised() const;

  /// a g + b other.
  NormalMixture combined(const T& a, const NormalMixture& other, const T& b) const;

  /// (g * other)(u): one component for every pair.
  NormalMixture convolved(const NormalMixture& other) const;

  /// g(u).
  T value(const T& u) const;

  /// int u^k g(u) du for k = 0..4. Errors: std::invalid_argument for other k.
  T moment(int k) const;

  /// int g(u) other(u) du.
  T inner_product(const NormalMixture& other) const;

  const std::vector<Component>& components() const { return components_; }

 private:
  std::vector<Component> components_;
};

/// 2K - K*K.
template <class T>
NormalMixture<T> twiced(const NormalMixture<T>& kernel) {
  return kernel.combined(T(2), kernel.convolved(kernel), T(-1));
}

}  // namespace attest::regression
