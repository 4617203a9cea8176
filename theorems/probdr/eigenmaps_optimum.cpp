// Section 2: the shape of the rotation R in X_hat = U_q (Lambda_q^-1 - beta I)^(1/2) R.
#include "theorems/engine/protocols/certification.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using rigor::Ball;

/// X_hat has d_q columns and R has n rows: the product X_hat R needs the two to be equal.
enum class Rotation { of_points, of_latents };
Check conformable(Rotation kind) {
  EnumerationProblem p;
  p.domain = "1 <= d_q < n <= 6";
  p.cases = 15;
  p.relation = Relation::equal;
  p.case_inputs = [](std::int64_t index) {
    std::int64_t n = 2;
    while (index >= n - 1) index -= n++ - 1;
    return Inputs{{"n", {static_cast<double>(n)}}, {"d_q", {static_cast<double>(index + 1)}}};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    return {Ball(in.scalar("d_q")), Ball(in.scalar(kind == Rotation::of_points ? "n" : "d_q"))};
  };
  return enumerate(std::move(p));
}

}  // namespace

Claims eigenmaps_optimum() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/rotation-dimension",
        .label = "Sec 2 'R in O(n) is an arbitrary rotation'",
        .title = "The rotation of the latents is n by n",
        .kind = Kind::definition,
        .tex = R"(\hat X = U_{d_q}(\Lambda_{d_q}^{-1} - \beta I)^{1/2}R \text{ is defined for } R \in O(n))",
        .assumptions = {"d_q < n, judged up to n = 6"},
        .expected = Verdict::refuted,
        .finding = Finding::slip,
        .note =
            "A slip of the pen: an n by d_q matrix cannot be multiplied by an n by n one from the right. R from the "
            "left would not leave the objective alone."},
       conformable(Rotation::of_points),
       {},
       {{"R in O(d_q)", 1, conformable(Rotation::of_latents)}}});
  return claims;
}

}  // namespace attest::probdr
