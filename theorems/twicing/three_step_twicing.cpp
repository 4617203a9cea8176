// Section 3.3, "Twicing kernels benefit from residuals": the three steps of twicing.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/mechanisms/attention_matrix.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using namespace mechanisms;
using rigor::Ball;
using rigor::BallMatrix;
using rigor::BallVector;

/// The three steps: correction A (V - A V) = (A - A^2) V, sum A V + gain A (V - A V) = (2A - A^2) V. Three tokens, D
/// = 2.
Check three_steps(double gain) {
  IdentityProblem p;
  p.lower.assign(15, -2);
  p.upper.assign(15, 2);
  p.decode = [](std::span<const double> x) {
    return Inputs{{"queries", {x.begin(), x.begin() + 6}},
                  {"keys", {x.begin() + 6, x.begin() + 12}},
                  {"values", {x.begin() + 12, x.end()}}};
  };
  p.rounding_bound = 1e-14;  // three products with rows that sum to 1, values up to 2, scale 6
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const auto a = attention_matrix(in["queries"], in["keys"], 2, std::numbers::sqrt2);
    const auto once = multiply(a, in["values"]);
    const auto squared = multiply(a, once);
    const auto twice = twiced(in["queries"], in["keys"], 2, std::numbers::sqrt2, in["values"]);
    std::vector<double> residual(3);
    for (std::size_t i = 0; i < 3; ++i) residual[i] = in["values"][i] - once[i];
    const auto correction = multiply(a, residual);
    IdentitySides sides{{}, {}, 6};
    for (std::size_t i = 0; i < 3; ++i) {
      sides.lhs.insert(sides.lhs.end(), {correction[i], once[i] + gain * correction[i]});
      sides.rhs.insert(sides.rhs.end(), {once[i] - squared[i], twice[i]});
    }
    return sides;
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const BallMatrix a = attention_matrix(in["queries"], in["keys"], 2, rigor::sqrt(Ball(2)));
    const BallVector v = rigor::to_balls(in["values"]);
    const BallVector once = rigor::multiply(a, v);
    const BallVector correction = rigor::multiply(a, rigor::subtract(v, once));
    const BallVector difference = rigor::multiply(rigor::subtract(a, rigor::multiply(a, a)), v);
    const BallVector direct = twiced(a, v);
    IdentityBallSides sides;
    for (std::size_t i = 0; i < 3; ++i) {
      sides.lhs.insert(sides.lhs.end(), {8 + correction[i], 8 + once[i] + gain * correction[i]});
      sides.rhs.insert(sides.rhs.end(), {8 + difference[i], 8 + direct[i]});
    }
    return sides;
  };
  p.evaluations = 500;
  return identity(std::move(p));
}

}  // namespace

Claims three_step_twicing() {
  Claims claims;
  claims.push_back({{.id = "twicing/three-steps",
                     .label = "Sec 3.3 (three-step twicing)",
                     .title = "Smoothing, smoothing the residual and adding gives 2A - A^2",
                     .kind = Kind::identity,
                     .tex = R"(A(V-AV)=(A-A^2)V,\qquad AV+A(V-AV)=(2A-A^2)V)",
                     .assumptions = {"A is any softmax attention matrix"},
                     .expected = Verdict::supported,
                     .note = "Judged on three tokens of width two with free queries and keys."},
                    three_steps(1),
                    {{"correction added one percent too strongly", 0.01, three_steps(1.01)}}});
  return claims;
}

}  // namespace attest::twicing
