// Softmax of a vector, its Jacobian, and how far a perturbation of the logits moves it.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace attest::softmax {

/// softmax(x)_i = exp(x_i - max x) / sum_j exp(x_j - max x), the definition in two passes for any scalar type with exp
/// and comparison found by argument-dependent lookup (double, long double, multiprecision); for reading and as
/// reference. Precondition: x is not empty and its maximum is finite.
template <typename Scalar>
std::vector<Scalar> softmax_reference(const std::vector<Scalar>& x) {
  using std::exp;
  Scalar largest = x.front();
  for (const Scalar& value : x)
    if (largest < value) largest = value;
  std::vector<Scalar> result;
  result.reserve(x.size());
  Scalar total(0);
  for (const Scalar& value : x) {
    result.push_back(exp(value - largest));
    total += result.back();
  }
  for (Scalar& value : result) value /= total;
  return result;
}

/// softmax(logits) into `probabilities` (same length; may be the same memory). Entries may be -infinity (weight 0).
/// Relative error of an entry above 1e-300: below (8 + |max - logit_i|) 2^-52. The sum is a fixed tree, so the bits
/// depend on the values and the length only.
/// Errors: std::invalid_argument for an empty vector, lengths that differ, NaN, +infinity, or no finite entry.
void softmax(std::span<const double> logits, std::span<double> probabilities);

/// log sum_j exp(x_j), stable; errors as softmax.
double log_sum_exp(std::span<const double> logits);

/// Euclidean distance of two vectors of equal length, by a fixed summation tree.
double distance(std::span<const double> a, std::span<const double> b);

/// |softmax(c + eta) - softmax(c)| for one c and many eta ("Revisiting Transformers with Insights from Image Filtering
/// and Boosting", Eq 3.12). Keeps c and softmax(c).
class SoftmaxPerturbation {
 public:
  /// Errors: as softmax.
  explicit SoftmaxPerturbation(std::vector<double> c);
  /// The norm for one eta, which is overwritten by softmax(c + eta): no other memory is used. Never above sqrt(2).
  /// Errors: as softmax, and std::invalid_argument when the length differs from c's.
  double norm(std::span<double> eta) const;
  /// softmax(c).
  std::span<const double> probabilities() const { return probabilities_; }
  /// c.
  std::span<const double> logits() const { return c_; }

 private:
  std::vector<double> c_, probabilities_;
};

/// J v for the softmax Jacobian J = diag(p) - p p^T, into `result` (may be v's memory). Errors: std::invalid_argument
/// for lengths that differ.
void apply_jacobian(std::span<const double> p, std::span<const double> v, std::span<double> result);

/// Largest eigenvalue of diag(p) - p p^T: the local Lipschitz constant of softmax in the Euclidean norm at a point
/// whose softmax is p; at most 1/2. It is the root of the secular equation sum_i p_i/(p_i - lambda) = 0 between the two
/// largest entries of p, found to relative accuracy 2^-44 by the method of Alefeld, Potra and Shi; O(N) per step, about
/// ten steps. Errors: std::invalid_argument when p is empty, has a negative or NaN entry, or does not sum to 1 within
/// 1e-9.
double jacobian_norm(std::span<const double> p);

}  // namespace attest::softmax
