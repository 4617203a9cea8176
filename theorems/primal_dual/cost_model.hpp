// What a transformer layer with scaled heads costs, counted from its architecture: Figures 1 to 4.
#pragma once

#include <cstddef>
#include <span>

namespace attest::primal_dual {

/// Sizes of a layer: N tokens, width D, a feed-forward network of width f D, and the part of the keys that a query sees
/// (1, or less with a sparse mask).
template <class Real>
struct LayerSize {
  Real tokens, width, feed_forward;
  Real visible = Real(1);
};

/// mean(1 / s): the part of the keys and values that the downsampling factors s of the heads leave.
template <class Real>
Real kept_part(std::span<const double> factors) {
  Real sum(0);
  for (const double factor : factors) sum += Real(1) / Real(factor);
  return sum / Real(static_cast<double>(factors.size()));
}

/// Multiply-adds of the forward pass: projections of queries, keys and values head by head, scores and averages over
/// the keys that are seen, output projection, feed-forward network. The backward pass does each product twice more, so
/// that ratios in training are the same. Not counted: softmax, normalisation, recentring and pooling, of order N^2 and
/// N D beside N^2 D. Softmax alone is in the same proportion as the scores.
template <class Real>
Real layer_multiply_adds(const LayerSize<Real>& size, std::span<const double> factors) {
  const Real head_width = size.width / Real(static_cast<double>(factors.size()));
  Real total = size.tokens * size.width * size.width * (Real(1) + Real(2) * size.feed_forward);
  for (const double factor : factors) {
    const Real keys = size.tokens / Real(factor);
    total += (size.tokens + Real(2) * keys) * size.width * head_width;
    total += Real(2) * size.tokens * (size.visible * keys) * head_width;
  }
  return total;
}

/// Multiply-adds with the factors over those without any.
template <class Real>
Real relative_multiply_adds(const LayerSize<Real>& size, std::span<const double> factors) {
  Real whole = size.tokens * size.width * size.width * (Real(4) + Real(2) * size.feed_forward);
  whole += Real(2) * size.tokens * size.tokens * size.visible * size.width;
  return layer_multiply_adds(size, factors) / whole;
}

/// The saved part, 1 - the quotient above.
template <class Real>
Real saved_multiply_adds(const LayerSize<Real>& size, std::span<const double> factors) {
  return Real(1) - relative_multiply_adds(size, factors);
}

/// Numbers of copies kept in memory at the peak: of a head's N x N_s map, of an N x D activation beside keys and
/// values, of a D x D matrix of parameters (with gradients and optimiser state).
template <class Real>
struct Copies {
  Real maps, activations, matrices;
};

/// Numbers kept by one layer that evaluates all its heads at once.
template <class Real>
Real layer_memory(const Real& tokens, const Real& width, const Copies<Real>& copies, std::span<const double> factors) {
  const auto heads = Real(static_cast<double>(factors.size()));
  const Real kept = kept_part<Real>(factors);
  return copies.maps * heads * kept * tokens * tokens + (copies.activations + Real(2) * kept) * tokens * width +
         copies.matrices * width * width;
}

/// Memory with the factors over that without any.
template <class Real>
Real relative_memory(const Real& tokens, const Real& width, const Copies<Real>& copies,
                     std::span<const double> factors) {
  const Real whole = copies.maps * Real(static_cast<double>(factors.size())) * tokens * tokens +
                     (copies.activations + Real(2)) * tokens * width + copies.matrices * width * width;
  return layer_memory(tokens, width, copies, factors) / whole;
}

/// The factors of the Long Range Arena models (Appendix J.2): one head of two is halved.
inline constexpr double lra_factors[] = {1, 2};

}  // namespace attest::primal_dual
