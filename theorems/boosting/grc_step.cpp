// "Revisiting Transformers with Insights from Image Filtering and Boosting", appendix A.1: one layer of the residual
// network (Eq A.9) and of the boosted network (the unnumbered step before Eq A.11).
#include <array>
#include <cmath>
#include <numbers>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallVector;

/// Layers of the plane whose Lipschitz constant is exactly L: a rotation, a coordinatewise sine, a softmax (which is
/// 1/2-Lipschitz).
enum class Layer { rotation, sine, softmax };

using Pair = std::array<double, 2>;

/// f(y) - f(y - d), from formulas in which nothing cancels as d becomes small.
Pair change(Layer layer, double L, double angle, const Pair& y, const Pair& d) {
  switch (layer) {
    case Layer::rotation:
      return {L * (std::cos(angle) * d[0] - std::sin(angle) * d[1]),
              L * (std::sin(angle) * d[0] + std::cos(angle) * d[1])};
    case Layer::sine: {
      const auto difference = [&](std::size_t i) { return 2 * L * std::cos(y[i] - d[i] / 2) * std::sin(d[i] / 2); };
      return {difference(0), difference(1)};
    }
    case Layer::softmax: {
      const double now = y[0] - y[1];
      const double step = d[0] - d[1];
      const double first = L * std::sinh(step / 2) / (std::cosh(now / 2) * std::cosh((now - step) / 2));
      return {first, -first};
    }
  }
  return {std::nan(""), std::nan("")};
}

BallVector apply(Layer layer, const Ball& L, const Ball& angle, const BallVector& y) {
  switch (layer) {
    case Layer::rotation: {
      const Ball c = rigor::cos(angle);
      const Ball s = rigor::sin(angle);
      return rigor::scale(L, BallVector{c * y[0] - s * y[1], s * y[0] + c * y[1]});
    }
    case Layer::sine:
      return rigor::scale(L, BallVector{rigor::sin(y[0]), rigor::sin(y[1])});
    case Layer::softmax:
      return rigor::scale(2 * L, rigor::softmax(y));
  }
  return {};
}

/// |Y_{l+1} - Y'_{l+1}| <= factor ([L + (1 - t)] |D_l| + t |D_0|) with D = Y - Y', for t in [0, largest_t].
InequalityProblem step(Layer layer, double factor, double largest_t) {
  InequalityProblem p;
  p.lower = {0, 0, 0, -4, -4, -4, -4, -4, -4};  // L, angle, t, Y_l, D_l, D_0
  p.upper = {4, 2 * std::numbers::pi, largest_t, 4, 4, 4, 4, 4, 4};
  p.decode = [](std::span<const double> x) {
    return Inputs{{"L", {x[0]}},         {"angle", {x[1]}},     {"t", {x[2]}},
                  {"Y_l", {x[3], x[4]}}, {"D_l", {x[5], x[6]}}, {"D_0", {x[7], x[8]}}};
  };
  p.sides = [=](const Inputs& in) -> Sides {
    const double L = in.scalar("L");
    const double t = in.scalar("t");
    const Pair now{in["D_l"][0], in["D_l"][1]};
    const Pair first{in["D_0"][0], in["D_0"][1]};
    Pair out = change(layer, L, in.scalar("angle"), {in["Y_l"][0], in["Y_l"][1]}, now);
    for (std::size_t i = 0; i < 2; ++i) out[i] += t * first[i] + (1 - t) * now[i];
    return {std::hypot(out[0], out[1]),
            factor * ((L + (1 - t)) * std::hypot(now[0], now[1]) + t * std::hypot(first[0], first[1]))};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball L(in.scalar("L"));
    const Ball t(in.scalar("t"));
    const BallVector y = rigor::to_balls(in["Y_l"]);
    const BallVector now = rigor::to_balls(in["D_l"]);
    const BallVector first = rigor::to_balls(in["D_0"]);
    const auto layer_at = [&](const BallVector& input) { return apply(layer, L, in.scalar("angle"), input); };
    const BallVector carried = rigor::add(rigor::scale(t, first), rigor::scale(1 - t, now));
    const BallVector out = rigor::add(rigor::subtract(layer_at(y), layer_at(rigor::subtract(y, now))), carried);
    return {rigor::norm2(out), factor * ((L + (1 - t)) * rigor::norm2(now) + t * rigor::norm2(first)),
            L.is_nonnegative() && t.is_nonnegative() && certainly_less_equal(t, largest_t)};
  };
  p.evaluations = 6000;
  return p;
}

Check every_layer(double factor, double largest_t) {
  return composite({
      {"rotations", Kind::universal_inequality, inequality(step(Layer::rotation, factor, largest_t))},
      {"sines", Kind::universal_inequality, inequality(step(Layer::sine, factor, largest_t))},
      {"softmax", Kind::universal_inequality, inequality(step(Layer::softmax, factor, largest_t))},
  });
}

}  // namespace

Claims grc_step() {
  Claims claims;
  claims.push_back({{.id = "boosting/eq-a.9-residual-step",
                     .label = "Eq A.9",
                     .title = "A residual layer multiplies differences by at most L + 1",
                     .kind = Kind::universal_inequality,
                     .tex = R"(\|Y_{\ell+1}-Y'_{\ell+1}\| \le (L_\ell+1)\,\|Y_\ell-Y'_\ell\|)",
                     .assumptions = {"f_l has the Lipschitz constant L_l, in [0, 4] here"},
                     .expected = Verdict::supported,
                     .note = "Equality for f_l(y) = L_l y."},
                    every_layer(1, 0),
                    {{"factor 0.999 (L + 1)", 1e-3, every_layer(0.999, 0)}}});

  claims.push_back(
      {{.id = "boosting/sec-a.1-boosted-step",
        .label = "Sec A.1 (step of the boosted network)",
        .title = "A boosted layer multiplies differences by at most L + 1 - t and adds t times the first",
        .kind = Kind::universal_inequality,
        .tex = R"(\|Y_{\ell+1}-Y'_{\ell+1}\| \le [L_\ell+(1-t)]\,\|Y_\ell-Y'_\ell\| + t\,\|Y_0-Y'_0\|)",
        .assumptions = {"f_l has the Lipschitz constant L_l, in [0, 4] here", "t in [0, 1]"},
        .expected = Verdict::supported,
        .note = "Needs t <= 1, else 1 - t enters with its absolute value: a t that is learnt without a constraint "
                "(section 5.3) leaves the proof."},
       every_layer(1, 1),
       {{"right side times 0.999", 1e-3, every_layer(0.999, 1)}, {"t up to 1.01", 0.01, every_layer(1, 1.01)}}});
  return claims;
}

}  // namespace attest::boosting
