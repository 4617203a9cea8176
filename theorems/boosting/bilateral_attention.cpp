// Eq 3.10, bilateral self-attention: when are its weights those of a bilateral filter?
#include <vector>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/mechanisms/on_matrices.hpp"

namespace attest::boosting {
namespace {

using namespace engine;

/// Exponents up to 2 (2 2)^2 2 / 0.5 with sixteen roundings each.
constexpr double rounding = 64 * 16 * 4 * 0x1p-52;

/// The weights are those of the bilateral filter with squared bandwidths factor 2 h^2, for three patches on a circle of
/// radius c, positions 1, 2, 7, W = I.
Check bilateral_weights(double factor, double last) {
  return generic_identity({{"angles", 3, -3.2, 3.2}, {"c", 1, 0.5, 2}, {"h_p^2", 1, 0.5, 3}, {"h_y^2", 1, 0.5, 3}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            auto y = on_circle<Real>(in["angles"], Real(in.scalar("c")));
                            for (std::size_t k = 0; k < 2; ++k) y(2, k) *= Real(last);
                            const auto p = sinusoidal_positions<Real>(std::vector<double>{1, 2, 7}, 2);
                            const Real h_p_squared(in.scalar("h_p^2"));
                            const Real h_y_squared(in.scalar("h_y^2"));
                            const Real twice(2 * factor);
                            const auto filter =
                                log_bilateral(p, p, y, y, Real(twice * h_p_squared), Real(twice * h_y_squared));
                            const auto bsa = mechanisms::bilateral_attention(y, y, p, p, scaled_identity(3, Real(1)),
                                                                             h_p_squared, h_y_squared);
                            return Pair<Real>{bsa.entries, softmax_rows(filter).entries};
                          },
                          {.rounding_bound = rounding, .scale = 1});
}

}  // namespace

Claims bilateral_attention() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/eq-3.10-identity-w",
        .label = "Eq 3.10 ('purely bilateral') (W = I, patches of one length)",
        .title = "With identity projections and patches of one length its weights are the bilateral filter's",
        .kind = Kind::identity,
        .tex =
            R"(\frac{K_{BSA}(i,j)}{\sum_kK_{BSA}(i,k)} = \frac{K_{BF}(i,j)}{\sum_kK_{BF}(i,k)}\quad\text{with bandwidths } \sqrt2\,h_p,\ \sqrt2\,h_y)",
        .assumptions = {"W = I", "|y_i| = c", "sinusoidal positions"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/eq-3.10-bilateral"},
       bilateral_weights(1, 1),
       {{"squared bandwidths one percent larger", 0.01, bilateral_weights(1.01, 1)},
        {"one patch one percent longer", 0.01, bilateral_weights(1, 1.01)}}});
  return claims;
}

}  // namespace attest::boosting
