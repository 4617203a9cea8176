// The small matrices of Nystrom attention, one head at a time; for the files of this folder alone.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace attest::attention {

/// Matrices whose rows are tokens or landmarks, as arrays hold them.
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowsView = Eigen::Map<const RowMajor>;
using WritableRows = Eigen::Map<RowMajor>;

/// One step of the pseudo-inverse: Y = A Z, P = 7 I - Y, Q = 15 I - Y P, R = 13 I - Y Q; the next Z is Z R / 4.
struct NystromStep {
  RowMajor z, y, p, q, r;
};

/// A = softmax of the landmarks' logits and its pseudo-inverse Z; names as in nystrom_attend.
struct NystromHead {
  RowMajor a, z;
  std::vector<NystromStep> steps;
  double c = 1;
  Eigen::Index column = 0;  // the column of A that c sums

  /// A, and c of this head alone.
  void prepare(RowMajor logits);
  /// Z from A and c.
  void invert(int iterations);
};

/// Gradients by A, c and by the logits of A.
struct NystromHeadGradients {
  RowMajor a;
  double c = 0;
};

/// From the gradient by Z back to A and c.
NystromHeadGradients through_inverse(const NystromHead& head, RowMajor dz);
/// From A to its logits; `of_c` is the gradient of c that reaches this head's A.
RowMajor to_logits(const NystromHead& head, double of_c, RowMajor da);

/// The means of the m successive segments of x's rows, [m][columns].
RowMajor segment_means(const RowsView& x, Eigen::Index m);
/// dx += what dmeans gives to the rows of each segment.
void add_through_means(WritableRows dx, const RowsView& dmeans);
/// Entry (i, r): the mean of |i - j| over the tokens j of segment r of m, for `rows` i.
RowMajor segment_distances(Eigen::Index tokens, Eigen::Index m, Eigen::Index rows);

}  // namespace attest::attention
