// Figures 1, 3 and 5, the interpretation of section 6.1 and the conjecture of section 6.2: what awaits measurements,
// and the one part that a computation reaches.
#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/awaiting.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/generic_check.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

/// Scalar tokens: x_i <- sum_{j <= i} softmax_j(x_i x_j) x_j, or over all j without the mask; the last token's output
/// after `layers`.
Ball last_output(std::vector<Ball> x, int layers, bool causal) {
  for (int layer = 0; layer < layers; ++layer) {
    const std::vector<Ball> before = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t seen = causal ? i + 1 : x.size();
      Matrix<Ball> logits(1, seen);
      for (std::size_t j = 0; j < seen; ++j) logits(0, j) = before[i] * before[j];
      const auto weights = softmax_rows(logits);
      x[i] = Ball(0);
      for (std::size_t j = 0; j < seen; ++j) x[i] += weights(0, j) * before[j];
    }
  }
  return x.back();
}

/// Exchanging the first two of three tokens moves the last one's output by more than 0.01.
Check order_is_seen(int layers, bool causal) {
  EnumerationProblem p;
  p.domain = "one sequence of three scalar tokens, no positional encoding";
  p.cases = 1;
  p.relation = Relation::greater;
  p.case_inputs = [](std::int64_t) { return Inputs{{"x", {1, -1, 1}}}; };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const auto x = in["x"];
    return {
        rigor::abs(last_output({x[0], x[1], x[2]}, layers, causal) - last_output({x[1], x[0], x[2]}, layers, causal)),
        0.01};
  };
  return enumerate(std::move(p));
}

}  // namespace

Claims unjudged_pictures() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/pictures",
        .label = "Fig 1, Fig 3, Fig 5; Sec 6.1 (NoPE 'theoretical justification'); Sec 6.2 (k-SVD conjecture)",
        .title = "Correlation maps, learning curves, heat maps, an interpretation and a conjecture",
        .kind = Kind::figure,
        .tex =
            R"(\text{token-to-position correlations without pattern; faster convergence with } K_{BSA}\text{; wider heat maps})",
        .assumptions = {"trained networks"},
        .expected = Verdict::undecided,
        .note = "Figure 1 is quoted from another paper. 'Justification', 'more interpretable' and 'may be related to "
                "k-SVD' are no assertions that can be judged. The learning curves of figure 3 and the heat maps of "
                "figure 5 are measurements on trained models, plotted without numbers."},
       awaits(
           "learning curves of standard and bilateral attention on the Image and Text tasks, at least five seeds, and "
           "the share of an annotated object's area that the last layer's attention covers, on ImageNet-1k",
           "it takes trained models, and the paper prints no number to recompute"),
       {}});
  claims.push_back(
      {{.id = "boosting/nope-causal",
        .label = "Sec 6.1 (NoPE 'theoretical justification') (causal masks)",
        .title = "Two causal layers without positional encoding see the order of the tokens",
        .kind = Kind::existence,
        .tex = R"(\exists\mathbf x:\ f_2f_1(x_1,x_2,x_3)_3 \ne f_2f_1(x_2,x_1,x_3)_3)",
        .assumptions = {"causal attention of scalar tokens, identity projections"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/pictures",
        .note =
            "The models without positional encodings of the cited study are causal language models. A nonlocal filter "
            "cannot tell orders apart, nor can one causal layer's last token: what the study observes is the work of "
            "the mask, which the filters of section 3.2 do not have.",
        .depends_on = {"boosting/position-agnostic"}},
       order_is_seen(2, true),
       {{"without the mask", 1, order_is_seen(2, false)}, {"one layer", 1, order_is_seen(1, true)}}});
  return claims;
}

}  // namespace attest::boosting
