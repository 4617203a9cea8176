// "Revisiting Transformers with Insights from Image Filtering and Boosting", section 4: 'Eqn. 4.4 can recover many
// boosting techniques for image denoising algorithms such as twicing', (2A - A^2) Y_0 = A Y_0 + A (Y_0 - A Y_0).
#include <fmt/format.h>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/identity.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallMatrix;

/// A Y + A (Y - curvature A Y): twicing for curvature 1.
BallMatrix twicing(const BallMatrix& a, const BallMatrix& y, double curvature) {
  const BallMatrix smoothed = rigor::multiply(a, y);
  return rigor::add(smoothed, rigor::multiply(a, rigor::subtract(y, rigor::scale(Ball(curvature), smoothed))));
}

/// B Y + t Y_0 + (1 - t) Y: a step of Eq 4.3 with the layer f(Y) = B Y.
BallMatrix boosted(const BallMatrix& b, const Ball& t, const BallMatrix& first, const BallMatrix& y) {
  return rigor::add(rigor::multiply(b, y), rigor::add(rigor::scale(t, first), rigor::scale(1 - t, y)));
}

/// Two boosted steps with f(Y) = A Y differ from twicing by (2 A^2 - t A + I) Y_0, whose eigenvalues 2 x^2 - t x + 1 =
/// 2 (x - t/4)^2 + 1 - t^2/8 are at least `away` for t in [0, largest_t] and eigenvalues x in [-1, 1] of A.
Check two_steps_miss_twicing(double largest_t) {
  constexpr double away = 0x1p-10;
  BoxProblem p;
  p.domain = fmt::format("t in [0, {}] and the eigenvalues of A in [-1, 1]", largest_t);
  p.coordinates = {"t", "eigenvalue"};
  p.lower = {0, -1};
  p.upper = {largest_t, 1};
  p.margin = [](std::span<const Ball> x) {
    return 2 * rigor::square(x[1] - x[0] / 4) + (1 - rigor::square(x[0]) / 8) - away;
  };
  return certify_on_box(std::move(p));
}

/// Coordinates of an identity in a matrix A of size 2, two tokens Y_0 of one feature, and t.
IdentityProblem over_matrices() {
  IdentityProblem p;
  p.lower = {-1, -1, -1, -1, -1, -1, 0};
  p.upper = {1, 1, 1, 1, 1, 1, 1};
  p.decode = [](std::span<const double> x) {
    return Inputs{{"A", {&x[0], &x[4]}}, {"Y_0", {x[4], x[5]}}, {"t", {x[6]}}};
  };
  // Polynomials of degree two in A on numbers up to 1: no partial sum exceeds 16, and 20 roundings follow one another.
  p.rounding_bound = 16 * 20 * 0x1p-53;
  p.evaluations = 500;
  return p;
}

struct Pair {
  double first, second;
};
Pair apply(std::span<const double> a, const Pair& y) {
  return {a[0] * y.first + a[1] * y.second, a[2] * y.first + a[3] * y.second};
}
Pair combine(double a, const Pair& x, double b, const Pair& y) {
  return {a * x.first + b * y.first, a * x.second + b * y.second};
}

/// Two boosted steps with f(Y) = A Y give (I + (2 - factor t) A + A^2) Y_0.
Check two_steps(double factor) {
  IdentityProblem p = over_matrices();
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const Pair start{in["Y_0"][0], in["Y_0"][1]};
    const double t = in.scalar("t");
    const Pair once = apply(in["A"], start);
    const Pair twice = apply(in["A"], once);
    const auto step = [&](const Pair& y) { return combine(1, apply(in["A"], y), 1, combine(t, start, 1 - t, y)); };
    const Pair output = step(step(start));
    const Pair polynomial = combine(1, combine(1, start, 2 - factor * t, once), 1, twice);
    return {{output.first, output.second}, {polynomial.first, polynomial.second}, 1};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const BallMatrix a = rigor::to_balls(in["A"], 2, 2);
    const BallMatrix start = rigor::to_balls(in["Y_0"], 2, 1);
    const Ball t(in.scalar("t"));
    const BallMatrix polynomial =
        rigor::add(rigor::identity(2), rigor::add(rigor::scale(2 - factor * t, a), rigor::multiply(a, a)));
    return {boosted(a, t, start, boosted(a, t, start, start)).entries, rigor::multiply(polynomial, start).entries};
  };
  return identity(std::move(p));
}

/// Eq 4.3 with f_0(Y) = -factor A Y, f_1(Y) = (A - I) Y and the given t gives (2A - A^2) Y_0.
Check subtracting_layers(double factor, double t) {
  IdentityProblem p = over_matrices();
  p.lower.back() = t;
  p.upper.back() = t;
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const Pair start{in["Y_0"][0], in["Y_0"][1]};
    const Pair once = apply(in["A"], start);
    const Pair next = combine(1, combine(-factor, once, t, start), 1 - t, start);
    const Pair second = combine(1, apply(in["A"], next), -1, next);
    const Pair output = combine(1, second, 1, combine(t, start, 1 - t, next));
    const Pair expected = combine(2, once, -1, apply(in["A"], once));
    return {{output.first, output.second}, {expected.first, expected.second}, 1};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const BallMatrix a = rigor::to_balls(in["A"], 2, 2);
    const BallMatrix start = rigor::to_balls(in["Y_0"], 2, 1);
    const BallMatrix next = boosted(rigor::scale(Ball(-factor), a), t, start, start);
    return {boosted(rigor::subtract(a, rigor::identity(2)), t, start, next).entries, twicing(a, start, 1).entries};
  };
  return identity(std::move(p));
}

/// Eq 4.3 at t = 1 with f_0(Y) = -A Y / 2 and f_1(Y) = 2 factor A Y gives Y_0 + (2A - A^2) Y_0.
Check scaled_layers(double factor) {
  IdentityProblem p = over_matrices();
  p.lower.back() = 1;
  p.upper.back() = 1;
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const Pair start{in["Y_0"][0], in["Y_0"][1]};
    const Pair once = apply(in["A"], start);
    const Pair next = combine(-0.5, once, 1, start);
    const Pair output = combine(2 * factor, apply(in["A"], next), 1, start);
    const Pair expected = combine(1, start, 1, combine(2, once, -1, apply(in["A"], once)));
    return {{output.first, output.second}, {expected.first, expected.second}, 1};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const BallMatrix a = rigor::to_balls(in["A"], 2, 2);
    const BallMatrix start = rigor::to_balls(in["Y_0"], 2, 1);
    const Ball t(in.scalar("t"));
    const BallMatrix next = boosted(rigor::scale(Ball(-0.5), a), t, start, start);
    return {boosted(rigor::scale(Ball(2 * factor), a), t, start, next).entries,
            rigor::add(start, twicing(a, start, 1)).entries};
  };
  return identity(std::move(p));
}

}  // namespace

Claims grc_twicing() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/eq-4.4-recovers-twicing",
        .label = "Sec 4 (recovers twicing)",
        .title = "Two boosted layers can compute a layer of twicing with its residual connection",
        .kind = Kind::identity,
        .tex = R"(f_0(Y) = -\tfrac12AY,\quad f_1(Y) = 2AY,\quad t = 1:\qquad Y_2 = Y_0 + (2A-A^2)Y_0)",
        .assumptions =
            {"both layers apply one matrix A, taken as given (the 'pseudo-linear' reading), with values -Y/2 "
             "and 2 Y",
             "A of two tokens with entries in [-1, 1]"},
        .expected = Verdict::supported,
        .note =
            "'Can recover' is read as: for some values and some t. An argument for every n: Y_1 = (I - A/2) Y_0, so "
            "Y_2 = 2 A Y_1 + Y_0 = Y_0 + 2 A Y_0 - A^2 Y_0. With identity values no t does it: "
            "boosting/eq-4.4-identity-values-miss-twicing."},
       scaled_layers(1),
       {{"values of the second layer one part in a thousand larger", 0.001, scaled_layers(1.001)}}});

  claims.push_back({{.id = "boosting/eq-4.4-identity-values-miss-twicing",
                     .label = "Sec 4 (recovers twicing, with identity values)",
                     .title = "With identity values two boosted layers differ from twicing on every input",
                     .kind = Kind::universal_inequality,
                     .tex = R"(f_\ell(Y) = AY:\quad Y_2 \ne (2A-A^2)Y_0 \quad\text{for } t \in [0, 2.8],\ Y_0 \ne 0)",
                     .assumptions = {"attention matrices of any size with real eigenvalues, such as those of a "
                                     "symmetric kernel; both layers apply the same A"},
                     .expected = Verdict::certified,
                     .printed = false,
                     .amends = "boosting/eq-4.4-recovers-twicing",
                     .note = "Two steps give I + (2 - t) A + A^2 (boosting/eq-4.4-two-steps), so the difference to 2A "
                             "- A^2 is 2A^2 - tA + I, which is judged on the eigenvalues: it is invertible up to t = "
                             "sqrt 8. The residual connection adds where twicing subtracts.",
                     .depends_on = {"boosting/eq-4.4-two-steps"}},
                    two_steps_miss_twicing(2.8),
                    {{"t up to 2.83", 0.011, two_steps_miss_twicing(2.83)}}});

  claims.push_back({{.id = "boosting/eq-4.4-two-steps",
                     .label = "Sec 4 (two steps of boosting)",
                     .title = "What two boosted layers with one attention matrix compute",
                     .kind = Kind::identity,
                     .tex = R"(Y_2 = \bigl(I + (2-t)A + A^2\bigr)Y_0 \quad\text{for}\quad f_\ell(Y) = AY)",
                     .assumptions = {"f_0 and f_1 apply the same matrix A", "t in [0, 1]"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "boosting/eq-4.4-recovers-twicing",
                     .note = "At t = 0 it is (I + A)^2; t thins out the middle term only."},
                    two_steps(1),
                    {{"middle term 2 - 1.000001 t", 1e-6, two_steps(1 + 1e-6)}}});

  claims.push_back(
      {{.id = "boosting/eq-4.4-twicing-by-subtraction",
        .label = "Sec 4 (recovers twicing, with layers that subtract)",
        .title = "Twicing itself is two boosted layers at t = 1 that subtract",
        .kind = Kind::identity,
        .tex =
            R"(f_0(Y) = -AY,\quad f_1(Y) = (A-I)Y,\quad t = 1:\qquad Y_1 = (I-A)Y_0,\quad Y_2 = Y_0-(I-A)^2Y_0 = (2A-A^2)Y_0)",
        .assumptions = {"the layers may subtract: f_0 has values -A Y, f_1 subtracts its own input"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/eq-4.4-recovers-twicing"},
       subtracting_layers(1, 1),
       {{"t = 0.999999", 1e-6, subtracting_layers(1, 1 - 1e-6)},
        {"f_0(Y) = -1.000001 A Y", 1e-6, subtracting_layers(1 + 1e-6, 1)}}});
  return claims;
}

}  // namespace attest::boosting
