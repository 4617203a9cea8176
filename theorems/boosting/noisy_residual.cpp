// Eq 2.10: what the residuals of the weighted least squares are.
#include <vector>

#include "theorems/boosting/polynomial_identity.hpp"
#include "theorems/engine/protocols/generic_check.hpp"

namespace attest::boosting {
namespace {

using namespace engine;

/// Two and three roundings of numbers up to 5, relative to 2.
constexpr double rounding = 5 * 5 / 2.0 * 0x1p-53;

/// y_j - u_i for all i, j is eta_j + factor (u_j - u_i), where y = u + eta.
Check residual_is(double factor) {
  return generic_identity({{"u", 2, -2, 2}, {"eta", 2, -1, 1}},
                          [factor](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            Pair<Real> pair;
                            for (std::size_t i = 0; i < 2; ++i)
                              for (std::size_t j = 0; j < 2; ++j) {
                                const Real u_i(in["u"][i]);
                                const Real u_j(in["u"][j]);
                                const Real eta(in["eta"][j]);
                                pair.lhs.push_back(u_j + eta - u_i);
                                pair.rhs.push_back(eta + Real(factor) * (u_j - u_i));
                              }
                            return pair;
                          },
                          {.corners = {{0, 1, 0, 0}}, .rounding_bound = rounding, .scale = 2});
}

/// y_j - u_i is eta_j + factor (u_j - u_i), where y_j = u_j + eta_j, for every real number.
Check residual_is_exactly(double factor) {
  return polynomial_identity(
      {"u_i", "u_j", "eta_j"}, 1, "any number of samples, pair by pair", [=](const Inputs& in) -> BallSides {
        const rigor::Ball u_i = in.scalar("u_i"), u_j = in.scalar("u_j"), eta = in.scalar("eta_j");
        return {(u_j + eta) - u_i, eta + rigor::Ball(factor) * (u_j - u_i)};
      });
}

}  // namespace

Claims noisy_residual() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/eq-2.10-noise",
        .label = "Eq 2.10 (underbrace)",
        .title = "The residual in the weighted least squares is the noise, for every pair of places",
        .kind = Kind::identity,
        .tex = R"(y_j - u(\mathbf p_i) = \eta_j)",
        .assumptions = {"y_j = u(p_j) + eta_j"},
        .expected = Verdict::refuted,
        .finding = Finding::imprecise,
        .note = "An underbrace, not a sentence. Judged for every pair i, j, as the sum runs over them; for j = i the "
                "residual is the noise, and so it is for every pair where the clean signal is constant."},
       residual_is(0),
       {},
       {{"noise and the variation of the signal", 1, residual_is(1)}}});
  claims.push_back({{.id = "boosting/eq-2.10-residual",
                     .label = "Eq 2.10 (underbrace, completed)",
                     .title = "The residual is the noise and the variation of the signal",
                     .kind = Kind::identity,
                     .tex = R"(y_j - u(\mathbf p_i) = \eta_j + u(\mathbf p_j) - u(\mathbf p_i))",
                     .assumptions = {"y_j = u(p_j) + eta_j"},
                     .expected = Verdict::certified,
                     .printed = false,
                     .amends = "boosting/eq-2.10-noise"},
                    residual_is_exactly(1),
                    {{"0.1 percent less of the variation", 0.001, residual_is_exactly(0.999)}}});
  return claims;
}

}  // namespace attest::boosting
