// Linear attention of queries and keys that are recentred where they are read.
#pragma once

#include <memory>
#include <vector>

#include "kernels/attention/linear/linear.hpp"
#include "kernels/attention/stages/recentre.hpp"

namespace attest::attention {

struct LinearRecentredRun;  // what is kept for the backward pass

template <typename T>
struct LinearRecentred {
  Tensor<T> out;  ///< [B][H][N_q][D_v]
  std::shared_ptr<const LinearRecentredRun> run;
};

/// linear_attend(q', k', v) with q' and k' as `recentre` gives them from beta [H], without ever storing them: in double
/// for both types, because 1/s may make much of what rounding them to float changes. Errors: those of both.
/// Preconditions: recentring.prefix is false; both options have the same lengths.
template <typename T>
LinearRecentred<T> linear_recentred(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                    const std::vector<double>& beta, const RecentreOptions& recentring,
                                    const LinearOptions& options);

template <typename T>
struct LinearRecentredGradients {
  Tensor<T> q, k, v;
  std::vector<double> beta;  ///< [H]
};

/// Gradients of sum(out * dout).
template <typename T>
LinearRecentredGradients<T> linear_recentred_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                                      const std::vector<double>& beta,
                                                      const RecentreOptions& recentring, const LinearOptions& options,
                                                      const LinearRecentred<T>& attended, const Tensor<T>& dout);

}  // namespace attest::attention
