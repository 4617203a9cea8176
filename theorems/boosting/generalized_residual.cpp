// Definition 4.1 (generalized residual connections): what the library computes against the definitions.
#include <algorithm>
#include <functional>
#include <string>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/mechanisms/attention_matrix.hpp"
#include "theorems/mechanisms/on_matrices.hpp"

namespace attest::boosting {

using namespace engine;
using mechanisms::attend;
using mechanisms::Similarity;
using rigor::Ball;
using rigor::BallMatrix;

namespace {

constexpr std::size_t tokens = 3;
constexpr std::size_t features = 2;
constexpr int layers = 3;

// One layer of a network with memory: from Y_0, ..., Y_l to Y_{l+1}, in either arithmetic.
using Layer = std::function<std::vector<double>(const std::vector<std::vector<double>>&)>;
using BallLayer = std::function<BallMatrix(const std::vector<BallMatrix>&)>;

std::vector<double> combine(double a, std::span<const double> x, double b, std::span<const double> y) {
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a * x[i] + b * y[i];
  return out;
}

BallMatrix combine(const Ball& a, const BallMatrix& x, const Ball& b, const BallMatrix& y) {
  return rigor::add(rigor::scale(a, x), rigor::scale(b, y));
}

// Definition 4.1: Y_{l+1} = f(Y_l) + t_l Y_{i_l}, with i_l = l - lag (0 where that is negative) and t_l = t.
Layer generalized(double t, std::size_t lag) {
  return [=](const std::vector<std::vector<double>>& y) {
    const std::size_t l = y.size() - 1;
    return mechanisms::generalised(t, l - std::min(l, lag), attend(y[l], features, Similarity::dot_product), y);
  };
}

BallLayer ball_generalized(double t, std::size_t lag) {
  return [=](const std::vector<BallMatrix>& y) {
    const std::size_t l = y.size() - 1;
    return combine(1, attend(y[l], Similarity::dot_product), Ball(t), y[l - std::min(l, lag)]);
  };
}

// Eq 4.3: f(Y_l) + t Y_0 + (1 - kept t) Y_l, t = 3/8, in two orders of summation: as printed, and as a step of
// Definition 4.1 with i_l = 0 and the layer g(Y) = f(Y) + (1 - t) Y in place of f.
constexpr double boost = 0.375;
Layer boosted() {
  return [](const std::vector<std::vector<double>>& y) {
    return mechanisms::boosted(boost, attend(y.back(), features, Similarity::dot_product), y.front(), y.back());
  };
}
BallLayer ball_boosted() {
  return [](const std::vector<BallMatrix>& y) {
    return combine(1, attend(y.back(), Similarity::dot_product), 1,
                   combine(Ball(boost), y.front(), 1 - Ball(boost), y.back()));
  };
}
Layer absorbed(double kept) {
  return [kept](const std::vector<std::vector<double>>& y) {
    const auto g = combine(1, attend(y.back(), features, Similarity::dot_product), 1 - kept * boost, y.back());
    return combine(1, g, boost, y.front());
  };
}
BallLayer ball_absorbed(double kept) {
  return [kept](const std::vector<BallMatrix>& y) {
    const auto g = combine(1, attend(y.back(), Similarity::dot_product), 1 - Ball(kept) * Ball(boost), y.back());
    return combine(1, g, Ball(boost), y.front());
  };
}

// Two networks of three layers agree on Y_3.
Check same_network(const Layer& one, const BallLayer& ball_one, const Layer& other, const BallLayer& ball_other,
                   const std::string& rewriting = {}) {
  IdentityProblem problem;
  problem.lower.assign(tokens * features, -1.0);
  problem.upper.assign(tokens * features, 1.0);
  problem.corners = {{1, 0, 0, 1, 0.5, -1}};
  problem.decode = [](std::span<const double> x) { return Inputs{{"y0", {x.begin(), x.end()}}}; };
  problem.sides = [one, other](const Inputs& in) {
    const auto output = [&in](const Layer& layer) {
      std::vector<std::vector<double>> y{{in["y0"].begin(), in["y0"].end()}};
      for (int l = 0; l < layers; ++l) y.push_back(layer(y));
      return y.back();
    };
    return IdentitySides{output(one), output(other), 8};
  };
  problem.ball_sides = [ball_one, ball_other](const Inputs& in) {
    const auto output = [&in](const BallLayer& layer) {
      std::vector<BallMatrix> y{rigor::to_balls(in["y0"], tokens, features)};
      for (int l = 0; l < layers; ++l) y.push_back(layer(y));
      return y.back().entries;
    };
    IdentityBallSides sides;
    sides.lhs = output(ball_one);
    sides.rhs = output(ball_other);
    return sides;
  };
  problem.evaluations = 500;
  problem.ball_points = 10;
  problem.exact_rewriting = rewriting;
  // Entries grow to 8 at most. Each layer adds 2 units of them, and the next layer's logits (up to 2 * 16 / sqrt 2)
  // turn that into at most 25 times as much before the last sum: below 2 * (1 + 25 + 25 * 25) units of 8.
  problem.rounding_bound = 1302 * 0x1p-53;
  return identity(std::move(problem));
}

}  // namespace

Claims generalized_residual() {
  const auto conventional = [](double t, std::size_t lag) {
    return same_network(
        generalized(t, lag), ball_generalized(t, lag),
        [](const std::vector<std::vector<double>>& y) {
          return combine(1, attend(y.back(), features, Similarity::dot_product), 1, y.back());
        },
        [](const std::vector<BallMatrix>& y) {
          return rigor::add(attend(y.back(), Similarity::dot_product), y.back());
        },
        t == 1 && lag == 0 ? "one times the layer's own input is that input in doubles too" : "");
  };
  const auto absorbing = [](double kept) {
    return same_network(boosted(), ball_boosted(), absorbed(kept), ball_absorbed(kept));
  };
  return {
      {{.id = "boosting/generalized-residual",
        .label = "Def 4.1",
        .title = "Generalized residual connections contain the conventional one",
        .kind = Kind::definition,
        .tex =
            R"(\mathbf Y_{\ell+1} = f_\ell(\mathbf Y_\ell) + t_\ell\mathbf Y_{i_\ell},\ i_\ell \le \ell,\ t_\ell \in (0,1];\quad i_\ell=\ell,\ t_\ell=1:\ \mathbf Y_{\ell+1} = f_\ell(\mathbf Y_\ell) + \mathbf Y_\ell)",
        .assumptions = {"Three layers of self-attention on three tokens, W_Q = W_K = W_V = I."},
        .expected = Verdict::supported,
        .note = "The same network through Definition 4.1 and through Eq 4.5."},
       conventional(1, 0),
       {{"t_l = 0.999", 0.001, conventional(0.999, 0)}, {"i_l = l - 1", 1, conventional(1, 1)}}},
      {{.id = "boosting/boosting-absorbed",
        .label = "Def 4.1 (Eq 4.3 as an instance)",
        .title = "The boosting rule is a generalized residual connection around f + (1 - t) I",
        .kind = Kind::identity,
        .tex =
            R"(f(\mathbf Y_\ell) + t\mathbf Y_0 + (1-t)\mathbf Y_\ell = g(\mathbf Y_\ell) + t\mathbf Y_0,\quad g(\mathbf Y) = f(\mathbf Y) + (1-t)\mathbf Y)",
        .assumptions = {"Three layers of self-attention on three tokens, W_Q = W_K = W_V = I, t = 3/8."},
        .expected = Verdict::supported,
        .note =
            "The text proposes Eq 4.3 as a generalized residual connection, and Theorem 4.1 and Appendix A.1 call it "
            "GRC, where f_l 'represents the layer computation (e.g., self-attention)': read with the share 1 - t of "
            "its own input as part of the layer. i_l = 0 then, but the alpha of g is that of f plus up to 1 - t, so "
            "that Eq 4.1 does not describe it.",
        .depends_on = {"boosting/generalized-residual"}},
       absorbing(1),
       {{"1 - 1.001 t in place of 1 - t", 0.001, absorbing(1.001)}}},
  };
}

}  // namespace attest::boosting
