// Remark 3.3 on softmax attention: a residual connection that lowers the SNR.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "theorems/boosting/denoising_step.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/expectation.hpp"
#include "theorems/engine/protocols/inequality.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

// Three tokens of one feature through softmax attention with identity projections, whose weights A are those of y = u +
// eta, with u_hat = A u and eta_hat = A eta: the gain is below `level`, and alpha and beta = cos(u, u_hat) exceed
// `margin` times gamma.
Check attention_lowers_snr(double level, double margin) {
  EnumerationProblem problem;
  problem.domain = "one sequence of three tokens; the gain, then alpha, then the cosine";
  problem.cases = 3;
  problem.relation = Relation::less;
  problem.case_inputs = [](std::int64_t part) {
    return Inputs{{"16 u", {2, -5, -1}}, {"16 eta", {-10, -4, 15}}, {"part", {static_cast<double>(part)}}};
  };
  problem.ball_sides = [=](const Inputs& in) -> BallSides {
    const auto u = rigor::scale(Ball(1) / 16, rigor::to_balls(in["16 u"]));
    const auto eta = rigor::scale(Ball(1) / 16, rigor::to_balls(in["16 eta"]));
    const auto y = rigor::add(u, eta);
    rigor::BallVector u_hat;
    rigor::BallVector eta_hat;
    for (const Ball& query : y) {
      const auto weights = rigor::softmax(rigor::scale(query, y));
      u_hat.push_back(rigor::dot(weights, u));
      eta_hat.push_back(rigor::dot(weights, eta));
    }
    const Ball gamma = rigor::norm2(eta_hat) / rigor::norm2(eta);
    if (in.scalar("part") == 1) return {Ball(margin) * gamma, rigor::norm2(u_hat) / rigor::norm2(u)};
    if (in.scalar("part") == 2)
      return {Ball(margin) * gamma, rigor::dot(u, u_hat) / (rigor::norm2(u) * rigor::norm2(u_hat))};
    const Ball gain = rigor::norm2(rigor::add(u, u_hat)) / rigor::norm2(rigor::add(eta, eta_hat)) * rigor::norm2(eta) /
                      rigor::norm2(u);
    return {gain, Ball(level)};
  };
  return enumerate(std::move(problem));
}

}  // namespace

Claims attention_snr() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/residual-lowers-snr-of-attention",
        .label = "Remark 3.3 (a) (on softmax attention)",
        .title = "Under the hypothesis of Proposition 3.1 a residual connection around softmax attention can cost 11 "
                 "percent of the SNR",
        .kind = Kind::existence,
        .tex =
            R"(\exists:\ \min(\alpha,\beta) > \gamma,\quad \frac{\sigma(\mathbf y+\hat{\mathbf y})}{\sigma(\mathbf y)} < 0.881)",
        .assumptions = {"three tokens of one feature, W_Q = W_K = W_V = I: y = (-8, -9, 14)/16, u = (2, -5, -1)/16",
                        "the output is split by its weights A: u_hat = A u and eta_hat = A eta"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/residual-raises-snr",
        .note = "So the failure is not one of vectors that no attention block would produce."},
       attention_lowers_snr(0.881, 1),
       {{"below 0.880", 0.001, attention_lowers_snr(0.88, 1)},
        {"alpha and beta above 1.01 gamma", 0.01, attention_lowers_snr(0.881, 1.01)}}});
  return claims;
}

}  // namespace attest::boosting
