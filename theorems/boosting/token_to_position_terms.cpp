// Section 3.2: the logit's four terms, two of which compare tokens with positions.
#include "theorems/boosting/polynomial_identity.hpp"

namespace attest::boosting {
namespace {

using namespace engine;

/// (y_i + p_i) w (y_j + p_j) is the sum of four terms, the mixed ones times `mixed`: one entry w of W, of which the
/// bilinear forms are sums.
Check four_terms(double mixed) {
  return polynomial_identity(
      {"y_i", "p_i", "y_j", "p_j", "w"}, 1, "tokens of any dimension and any W, entry by entry of W",
      [mixed](const Inputs& in) -> BallSides {
        const rigor::Ball y_i = in.scalar("y_i"), p_i = in.scalar("p_i"), y_j = in.scalar("y_j"),
                          p_j = in.scalar("p_j"), w = in.scalar("w");
        return {(y_i + p_i) * w * (y_j + p_j),
                y_i * w * y_j + p_i * w * p_j + rigor::Ball(mixed) * (y_i * w * p_j + p_i * w * y_j)};
      });
}

}  // namespace

Claims token_to_position_terms() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/distinction-2",
        .label = "Distinction 2 (extra cross factor)",
        .title = "The logit has four terms, two of which compare tokens with positions",
        .kind = Kind::identity,
        .tex =
            R"(\mathbf x_i^\top\mathbf W\mathbf x_j = \mathbf y_i^\top\mathbf W\mathbf y_j + \mathbf p_i^\top\mathbf W\mathbf p_j + \mathbf y_i^\top\mathbf W\mathbf p_j + \mathbf p_i^\top\mathbf W\mathbf y_j)",
        .assumptions = {"x_i = y_i + p_i, any vectors and any W"},
        .expected = Verdict::certified,
        .note = "That the mixed terms are redundant and irrelevant is an opinion and is not judged.",
        .depends_on = {"boosting/prop-3.2-factorisation"}},
       four_terms(1),
       {{"without the mixed terms", 1, four_terms(0)}, {"mixed terms 0.1 percent smaller", 0.001, four_terms(0.999)}}});
  return claims;
}

}  // namespace attest::boosting
