// A check of an author's own in C++, built by find_package(Attest).
#include "theorems/engine/plugin.hpp"
#include "theorems/engine/protocols/inequality.hpp"

ATTEST_PLUGIN(sample_claims)

namespace {

using namespace attest::engine;
using attest::rigor::Ball;

/// 2ab <= factor (a^2 + b^2) for a and b in [-2, 2].
Check mean_inequality(double factor) {
  InequalityProblem p;
  p.lower = {-2, -2};
  p.upper = {2, 2};
  p.decode = [](std::span<const double> x) { return Inputs{{"a", {x[0]}}, {"b", {x[1]}}}; };
  p.sides = [factor](const Inputs& in) -> Sides {
    const double a = in.scalar("a"), b = in.scalar("b");
    return {2 * a * b, factor * (a * a + b * b)};
  };
  p.ball_sides = [factor](const Inputs& in) -> BallSides {
    const Ball a(in.scalar("a")), b(in.scalar("b"));
    return {Ball(2) * a * b, Ball(factor) * (a * a + b * b)};
  };
  return inequality(std::move(p));
}

}  // namespace

Claims sample_claims() {
  Claims claims;
  claims.push_back({{.id = "sample/mean-inequality",
                     .label = "Lemma 1",
                     .title = "A product is at most the mean of the squares",
                     .kind = Kind::universal_inequality,
                     .tex = "2ab \\le a^2 + b^2",
                     .assumptions = {}},
                    mean_inequality(1),
                    {{"one percent less", 0.01, mean_inequality(0.99)}}});
  return claims;
}
