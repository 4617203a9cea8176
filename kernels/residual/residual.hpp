// Residual rules: what is added to a layer's output.
#pragma once

#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::residual {

/// Y_(l+1) = f_l(Y_l) + sum of weights times earlier states.
struct ResidualRule {
  enum Kind {
    standard,     ///< + Y_l ("Revisiting Transformers with Insights from Image Filtering and Boosting", Eq 4.5)
    generalised,  ///< + t_l Y_(i_l) (Definition 4.1)
    boosting      ///< + t Y_0 + (1 - t) Y_l (Eq 4.3)
  } kind = standard;
  std::vector<attention::Index> sources =
      {};  ///< generalised: i_l for l = 0, 1, ..., 0 <= i_l <= l; the last holds from there on
  std::vector<double> factors = {1};  ///< generalised: t_l alike; boosting: t in factors[0]
  bool constrained = false;           ///< boosting: t is taken as the nearest number of [0, 1]

  /// t of layer l as it is used. Boosting starts a learnable t at 0.
  double factor(attention::Index layer) const;
  /// i_l of layer l. Precondition: kind is `generalised`.
  attention::Index source(attention::Index layer) const;
};

/// Boosting with this t.
ResidualRule boosting_rule(double t, bool constrained = false);

/// Y_(l+1) from f_l(Y_l) and the states Y_0..Y_l. Errors: std::invalid_argument when a source is not in 0..l, `sources`
/// or `factors` are empty where they are needed, or shapes differ. T is float or double.
template <typename T>
attention::Tensor<T> residual(const ResidualRule& rule, attention::Index layer, const attention::Tensor<T>& output,
                              const std::vector<attention::Tensor<T>>& states);

/// Adds the gradients of sum(Y_(l+1) * dnext) with respect to Y_0..Y_l to `dstates`, and returns that of t (0 for the
/// standard rule); that of f_l(Y_l) is dnext. With a constrained t at an end of [0, 1] or beyond, a gradient whose
/// descent would lead further out is 0, and one whose descent leads back is kept (projected gradient). Sums are in
/// double.
template <typename T>
double residual_backward(const ResidualRule& rule, attention::Index layer,
                         const std::vector<attention::Tensor<T>>& states, const attention::Tensor<T>& dnext,
                         std::vector<attention::Tensor<T>>& dstates);

}  // namespace attest::residual
