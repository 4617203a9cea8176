// "Revisiting Transformers with Insights from Image Filtering and Boosting", section 4: 'Eqn. 4.4 can recover many
// boosting techniques for image denoising algorithms such as twicing', (2A - A^2) Y_0 = A Y_0 + A (Y_0 - A Y_0).
#include <fmt/format.h>

#include "kernels/rigor/ball.hpp"
#include "theorems/boosting/polynomial_identity.hpp"
#include "theorems/engine/protocols/certification.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

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

/// A step of Eq 4.3 with the layer f(Y) = b Y and Y_0 = 1, where b is a polynomial in one matrix A: such polynomials
/// commute, so that what holds for a number a holds for every matrix A of any size.
Ball boosted(const Ball& b, const Ball& t, const Ball& y) { return b * y + t + (1 - t) * y; }

const std::string any_matrix = "every matrix A of any size, as polynomials in one matrix multiply like numbers";

/// Two boosted steps with f(Y) = A Y give (I + (2 - factor t) A + A^2) Y_0.
Check two_steps(double factor) {
  return polynomial_identity({"A", "t"}, 2, any_matrix, [factor](const Inputs& in) -> BallSides {
    const Ball a = in.scalar("A");
    const Ball t = in.scalar("t");
    return {boosted(a, t, boosted(a, t, 1)), 1 + (2 - Ball(factor) * t) * a + a * a};
  });
}

/// Eq 4.3 at t with f_0(Y) = -factor A Y and f_1(Y) = (A - I) Y gives (2A - A^2) Y_0.
Check subtracting_layers(double factor, double t) {
  return polynomial_identity({"A"}, 2, any_matrix, [=](const Inputs& in) -> BallSides {
    const Ball a = in.scalar("A");
    return {boosted(a - 1, t, boosted(-Ball(factor) * a, t, 1)), 2 * a - a * a};
  });
}

/// Eq 4.3 at t = 1 with f_0(Y) = -A Y / 2 and f_1(Y) = 2 factor A Y gives Y_0 + (2A - A^2) Y_0.
Check scaled_layers(double factor) {
  return polynomial_identity({"A"}, 2, any_matrix, [factor](const Inputs& in) -> BallSides {
    const Ball a = in.scalar("A");
    return {boosted(2 * Ball(factor) * a, 1, boosted(-a / 2, 1, 1)), 1 + (2 * a - a * a)};
  });
}

}  // namespace

Claims grc_twicing() {
  Claims claims;
  claims.push_back({{.id = "boosting/eq-4.4-recovers-twicing",
                     .label = "Sec 4 (recovers twicing)",
                     .title = "Two boosted layers can compute a layer of twicing with its residual connection",
                     .kind = Kind::identity,
                     .tex = R"(f_0(Y) = -\tfrac12AY,\quad f_1(Y) = 2AY,\quad t = 1:\qquad Y_2 = Y_0 + (2A-A^2)Y_0)",
                     .assumptions = {"both layers apply one matrix A of any size, taken as given (the 'pseudo-linear' "
                                     "reading), with values -Y/2 and 2 Y"},
                     .expected = Verdict::certified,
                     .note = "'Can recover' is read as: for some values and some t. With identity values no t does it: "
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
                     .expected = Verdict::certified,
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
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/eq-4.4-recovers-twicing"},
       subtracting_layers(1, 1),
       {{"t = 0.999999", 1e-6, subtracting_layers(1, 1 - 1e-6)},
        {"f_0(Y) = -1.000001 A Y", 1e-6, subtracting_layers(1 + 1e-6, 1)}}});
  return claims;
}

}  // namespace attest::boosting
