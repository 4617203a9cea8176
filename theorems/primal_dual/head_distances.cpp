// Section 4, Table 4: the metric of the distances between heads, which the paper names and does not define; what can be
// said of the printed distances stands in head_distances.attest.
#include "theorems/engine/protocols/awaiting.hpp"

namespace attest::primal_dual {

engine::Claims head_distances() {
  engine::Claim metric;
  metric.statement = {
      .id = "primal-dual/table-4-metric",
      .label = "Table 4 (metric)",
      .title = "Layer-average mean and standard deviation of L2 distances between heads",
      .kind = engine::Kind::definition,
      .tex = R"(\text{distance between heads} = 2.01,\ 2.45,\ 3.81,\ 3.19)",
      .assumptions = {"models of Appendix A.2: two layers, two heads"},
      .expected = engine::Verdict::undecided,
      .note =
          "The paper does not say distances of what. Attention matrices of heads with the factors [1, 2] have "
          "different shapes, N x N and N x N/2, and no difference; rows of attention are too close for these numbers "
          "(primal-dual/table-4-not-rows); outputs of heads remain. With two heads a layer has one distance, so that "
          "the deviation must be over inputs."};
  metric.check =
      engine::awaits("the authors' definition of the distance, then a measurement on trained retrieval models",
                     "the metric is named and not defined");
  return {metric};
}

}  // namespace attest::primal_dual
