// One head of Nystrom attention as matrices; for nystrom.cpp alone.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace attest::attention {

/// One step of the pseudo-inverse: Y = A Z, P = 7 I - Y, Q = 15 I - Y P, R = 13 I - Y Q; the next Z is Z R / 4.
struct NystromStep {
  Eigen::MatrixXd z, y, p, q, r;
};

/// Names as in nystrom_attend; rows of k, v and G are real keys only.
struct NystromHead {
  Eigen::MatrixXd q, k, v, q_means, k_means, f, a, g, gv, zgv, z;
  std::vector<NystromStep> steps;
  double c = 1;
  double slope = 0;            // of a linear position bias
  Eigen::Index column = 0;     // the column of A that c sums
  Eigen::Index mean_rows = 0;  // queries that enter the means
  bool exact = false;          // a landmark for every token: F is the softmax matrix, and out = F V

  bool empty() const { return k.rows() == 0 || mean_rows == 0; }
  /// Whether a pseudo-inverse is formed, from c.
  bool inverts() const { return !empty() && !exact; }
  /// Means, the three softmax matrices, and c of this head; of an exact head F alone.
  void prepare(Eigen::Index landmarks);
  /// The pseudo-inverse and the output.
  Eigen::MatrixXd finish(int iterations);
};

struct NystromHeadGradients {
  Eigen::MatrixXd q, k, v, f, a, g;  // of q and k only after `finish`; f, a, g: of the softmax matrices
  double c = 0;
};

/// From the output back to the three softmax matrices, v and c.
NystromHeadGradients to_matrices(const NystromHead& head, const Eigen::MatrixXd& dout);
/// From there to q and k; `of_c` is the gradient of c that reaches this head's A.
void to_tokens(const NystromHead& head, double of_c, NystromHeadGradients& gradients);

}  // namespace attest::attention
