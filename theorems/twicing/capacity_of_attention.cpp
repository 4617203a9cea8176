// Twicing, Proposition 1 as a statement on denoising: the decay of the capacity of an attention matrix.
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/family_figures.hpp"
#include "theorems/twicing/illustrated.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;

/// The eigenvalues of W = (1 - t) I + t 1 1^T, N = 8, t = 1/64: 1, and mu = 63/71 seven times.
/// (1/N) sum_i p^n(lambda_i) of order n^-exponent; `all` includes lambda_1.
Check matrix_capacity(bool twicing, bool all, double exponent) {
  constexpr std::int64_t size = 8;
  SequenceProblem p;
  p.claim = Asymptotics::same_order;
  p.n = geometric_grid(1, 4, 9);
  p.resolution = 1e-3;
  p.value = [=](double n) {
    const Ball mu = Ball::from_rational(63, 71);
    const Ball base = twicing ? Ball(2) * mu - mu * mu : mu;
    return (Ball(all ? 1 : 0) + Ball(size - 1) * rigor::pow(base, static_cast<std::int64_t>(n))) / Ball(size);
  };
  p.reference = [=](double n) { return rigor::pow(Ball(n), -Ball(exponent)); };
  if (exponent > 0) {
    // The slope of log(value n^exponent) in log n is exponent - r(n), r = n |log base| 7 base^n / (lambda_1 + 7
    // base^n). Without lambda_1 r = n |log base| grows; with it r <= 7 n |log base| base^n, which falls beyond 1 / |log
    // base|.
    p.beyond = Beyond{
        all ? "the slope of the logarithm of value and reference in log n tends to the exponent from below, monotonely"
            : "the slope of the logarithm of value and reference in log n falls without bound",
        [=](double n) {
          const Ball mu = Ball::from_rational(63, 71);
          const Ball base = twicing ? Ball(2) * mu - mu * mu : mu;
          const Ball fall = -Ball(n) * rigor::log(base);
          if (!all) return fall - Ball(exponent);
          return Ball(exponent) - Ball(size - 1) * fall * rigor::pow(base, static_cast<std::int64_t>(n));
        }};
  }
  return sequence(std::move(p));
}

/// Of order 1: the eigenvalue 1 stays.
Check constant_matrix_capacity() {
  return composite({{"A^n", Kind::rate, matrix_capacity(false, true, 0)},
                    {"(2A - A^2)^n", Kind::rate, matrix_capacity(true, true, 0)}});
}

Check decay_of_matrix_capacity(double exponent, double exponent_twicing) {
  return composite({{"A^n", Kind::rate, matrix_capacity(false, true, exponent)},
                    {"(2A - A^2)^n", Kind::rate, matrix_capacity(true, true, exponent_twicing)},
                    {"A^n without lambda_1", Kind::rate, matrix_capacity(false, false, exponent)},
                    {"(2A - A^2)^n without lambda_1", Kind::rate, matrix_capacity(true, false, exponent_twicing)}});
}

}  // namespace

Claims capacity_of_attention() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/prop-1-attention",
        .label = "Prop 1 (read as decay of the capacity of an attention matrix)",
        .title = "The capacity of (2A - A^2)^n decays like n^{-1/2}, that of A^n like n^-1",
        .kind = Kind::rate,
        .tex =
            R"(\frac1N\sum_i \lambda_i^n \asymp n^{-1},\qquad \frac1N\sum_i(2\lambda_i-\lambda_i^2)^n \asymp n^{-1/2})",
        .assumptions = {"a fixed attention matrix; W = (63/64) I + (1/64) 1 1^T with N = 8 in the check"},
        .expected = Verdict::refuted,
        .printed = false,
        .amends = "twicing/prop-1",
        .note = "Not what the proposition says, which is about the integrals kappa_n. A fixed matrix has finitely many "
                "eigenvalues: the sum tends to 1/N, and without lambda_1 it decays geometrically, whatever the "
                "polynomial. The rates are those of a continuum of eigenvalues up to 1.",
        .depends_on = {"twicing/prop-1", "twicing/def-1-eigenvalue-sum-any"}},
       illustrated(decay_of_matrix_capacity(1, 0.5), capacity_of_families),
       {},
       {{"of order 1, with lambda_1", 1, constant_matrix_capacity()}}});
  return claims;
}

}  // namespace attest::twicing
