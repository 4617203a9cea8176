// "Revisiting Transformers with Insights from Image Filtering and Boosting", section 5.3: a boosted network,
// Y_{l+1} = f_l(Y_l) + t Y_0 + (1 - t) Y_l, at t = 0.
#include <string>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/mechanisms/attention_matrix.hpp"
#include "theorems/mechanisms/on_matrices.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallMatrix;

constexpr std::size_t tokens = 3;
constexpr std::size_t features = 2;
constexpr std::size_t entries = tokens * features;
using Tokens = std::vector<double>;

/// v sum_j softmax_j(x_i . x_j / sqrt(d)) x_j; v stands for the layer's value and output projections.
Tokens attend(double v, const Tokens& x) {
  Tokens out = mechanisms::attend(x, x, features);
  for (double& entry : out) entry *= v;
  return out;
}
BallMatrix attend(const Ball& v, const BallMatrix& x) { return rigor::scale(v, mechanisms::attend(x, x)); }

/// a X + b Y.
Tokens combine(double a, const Tokens& x, double b, const Tokens& y) {
  Tokens out(entries);
  for (std::size_t i = 0; i < entries; ++i) out[i] = a * x[i] + b * y[i];
  return out;
}
BallMatrix combine(const Ball& a, const BallMatrix& x, const Ball& b, const BallMatrix& y) {
  return rigor::add(rigor::scale(a, x), rigor::scale(b, y));
}

Tokens tokens_of(const Inputs& in, const char* name) { return {in[name].begin(), in[name].end()}; }
BallMatrix balls_of(const Inputs& in, const char* name) { return rigor::to_balls(in[name], tokens, features); }

/// f(Y) + t Y_0 + (1 - t) Y for the layer f of value v, Eq 4.3.
Tokens boosted(double v, double t, const Tokens& first, const Tokens& y) {
  return mechanisms::boosted(t, attend(v, y), first, y);
}
BallMatrix boosted(const Ball& v, const Ball& t, const BallMatrix& first, const BallMatrix& y) {
  return combine(1, attend(v, y), 1, combine(t, first, 1 - t, y));
}

/// A network of up to four boosted layers at t = start against the residual network of the same layers.
Check starts_as_residual(double start) {
  constexpr std::size_t most_layers = 4;
  IdentityProblem p;
  p.lower.assign(entries + most_layers + 1, -1);  // Y_0, v_0, ..., v_3, depth
  p.upper.assign(entries + most_layers + 1, 1);
  p.lower.back() = 1;
  p.upper.back() = most_layers + 0.99;
  p.decode = [](std::span<const double> x) {
    const auto n = static_cast<std::size_t>(x.back());
    return Inputs{{"Y_0", {&x[0], &x[entries]}}, {"v", {&x[entries], &x[entries] + n}}};
  };
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const Tokens first = tokens_of(in, "Y_0");
    Tokens y = first;
    Tokens residual = first;
    for (const double v : in["v"]) {
      y = boosted(v, start, first, y);
      residual = combine(1, attend(v, residual), 1, residual);
    }
    return {y, residual, 1};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const BallMatrix first = balls_of(in, "Y_0");
    BallMatrix y = first;
    BallMatrix residual = first;
    for (const double v : in["v"]) {
      y = boosted(v, start, first, y);
      residual = rigor::add(attend(v, residual), residual);
    }
    return {y.entries, residual.entries};
  };
  p.rounding_bound = 0;
  p.exact_rewriting = "multiplying by 1 and adding 0 times a number is exact in doubles too";
  p.evaluations = 500;
  return identity(std::move(p));
}

}  // namespace

Claims grc_unrolling() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/sec-5.3-starts-as-residual",
        .label = "Sec 5.3 (t initialised at 0)",
        .title = "At t = 0 the boosted network is the residual network",
        .kind = Kind::identity,
        .tex = R"(t = 0:\quad f_\ell(Y_\ell) + tY_0 + (1-t)Y_\ell = f_\ell(Y_\ell) + Y_\ell)",
        .assumptions =
            {"f_l is softmax attention with W_Q = W_K = I and values v_l y_j, on three tokens of two features, without "
             "MLP and normalisation",
             "one to four layers"},
        .expected = Verdict::supported,
        .note = "t = 0 lies outside the range (0, 1] that Definition 4.1 and Eq 4.5 give to t, and nothing "
                "keeps a learnable t inside it."},
       starts_as_residual(0),
       {{"t initialised at 1e-6", 1e-6, starts_as_residual(1e-6)}}});

  return claims;
}

}  // namespace attest::boosting
