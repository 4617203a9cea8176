// "Revisiting Transformers with Insights from Image Filtering and Boosting", section 4: Theorem 4.1 for the layers it
// is meant for, 'f_l (e.g., self-attention)'. Self-attention here is that of Theorem 3.1, with W_Q = W_K = W_V = I.
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/mechanisms/attention_matrix.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using mechanisms::attend;
using mechanisms::Similarity;
using rigor::Ball;
using rigor::BallMatrix;

/// |f(X) - f(X')| / |X - X'| for the tokens X = (0, s, -s) and X' = (1/s^2, s, -s) of one feature.
Ball quotient(double s) {
  BallMatrix x(3, 1);
  x(1, 0) = s;
  x(2, 0) = -s;
  BallMatrix other = x;
  const Ball step = 1 / rigor::square(Ball(s));
  other(0, 0) = step;
  const BallMatrix change = rigor::subtract(attend(x, Similarity::dot_product), attend(other, Similarity::dot_product));
  return rigor::frobenius_norm(change) / step;
}

/// The quotient against s^exponent.
Check growth_of_quotient(Asymptotics claim, double exponent) {
  SequenceProblem p;
  p.claim = claim;
  p.n = geometric_grid(2, 2, 10);
  p.value = quotient;
  p.reference = [=](double s) { return rigor::pow(Ball(s), Ball(exponent)); };
  p.resolution = 0.005;
  if (claim == Asymptotics::at_most && exponent < 2)
    p.beyond = Beyond{
        "the first output moves from 0 to 2 s sinh(1/s)/(e^(1/s^4) + 2 cosh(1/s)) or more, which is at "
        "least c = 2/(e^(1/16) + 2 cosh(1/2)) for every s >= 2, so that the quotient is at least c s^2",
        [exponent](double) { return 2 - Ball(exponent); }};
  return sequence(std::move(p));
}

}  // namespace

Claims grc_attention() {
  Claims claims;
  claims.push_back({{.id = "boosting/thm-4.1-attention-is-lipschitz",
                     .label = "Thm 4.1 (f_l, 'e.g., self-attention', has a Lipschitz constant)",
                     .title = "Self-attention is Lipschitz",
                     .kind = Kind::implication,
                     .tex = R"(\exists\, L:\quad \|f(X)-f(X')\| \le L\,\|X-X'\| \quad\text{for all tokens } X, X')",
                     .assumptions = {"f is softmax self-attention with W_Q = W_K = W_V = I"},
                     .expected = Verdict::refuted,
                     .finding = Finding::assumption,
                     .note = "The theorem supposes that 'each layer f_l has Lipschitz constant L > 0', where f_l is "
                             "'e.g., self-attention'. Self-attention has one on bounded tokens only, of the order R^2 "
                             "(boosting/thm-4.1-attention-on-bounded-tokens): the derivative contains the covariance "
                             "of the tokens under the attention weights."},
                    growth_of_quotient(Asymptotics::at_most, 0),
                    {},
                    {{"quotient at most of the order s^2", 1, growth_of_quotient(Asymptotics::at_most, 2)}}});

  return claims;
}

}  // namespace attest::boosting
