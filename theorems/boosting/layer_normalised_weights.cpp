// Section 3.2: what becomes of the constant alpha_c when weights and layers are normalised.
#include <array>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::boosting {
namespace {

using namespace engine;

constexpr std::array<double, 3> places{1, 2, 7};
constexpr std::size_t n = places.size();
/// Exponents up to 60, sums of at most 32 products.
constexpr double rounding = 60 * 32 * 4 * 0x1p-53;

enum class Rows { layer_normalised, as_they_are };

/// The weights from K_SA are those from the product of the bilateral kernels, without alpha_c: for three patches in
/// R^4, brought to mean 0 and variance 1 and their first feature multiplied by `gain`.
Check constant_cancels(Rows rows, double gain = 1) {
  return generic_identity({{"z", 4 * n, -1, 1}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            auto y = matrix<Real>(in, "z", n, 4);
                            bool varied = true;
                            for (std::size_t i = 0; i < n && rows == Rows::layer_normalised; ++i) {
                              Real mean(0);
                              Real variance(0);
                              for (std::size_t k = 0; k < 4; ++k) mean += y(i, k) / Real(4);
                              for (std::size_t k = 0; k < 4; ++k)
                                variance += (y(i, k) - mean) * (y(i, k) - mean) / Real(4);
                              varied = varied && positive(Real(variance - Real(0.01)));
                              for (std::size_t k = 0; k < 4; ++k) y(i, k) = (y(i, k) - mean) / sqrt(variance);
                              y(i, 0) *= Real(gain);
                            }
                            const auto p = sinusoidal_positions<Real>(places, 4);
                            const auto full = log_self_attention(y, p);
                            const Real h_squared = Real(2) * sqrt(Real(4));  // (4d)^{1/2}
                            const auto product = log_bilateral_product(y, p, h_squared, h_squared);
                            return Pair<Real>{softmax_rows(full).entries, softmax_rows(product).entries, varied};
                          },
                          // A variance of 0.01 magnifies the roundings of the means tenfold.
                          {.evaluations = 500, .rounding_bound = 10 * rounding, .scale = 1});
}

}  // namespace

Claims layer_normalised_weights() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/alpha-c-cancels",
        .label = "Sec 3.2 (alpha_c neutralised)",
        .title = "Normalising the weights removes alpha_c",
        .kind = Kind::identity,
        .tex = R"(\frac{K_{SA}(i,j)}{\sum_kK_{SA}(i,k)} = \frac{K_{BF}K_{BF}(i,j)}{\sum_kK_{BF}K_{BF}(i,k)})",
        .assumptions = {"layer-normalised patches y_i without gain and bias (so |y_i|^2 = d)"},
        .expected = Verdict::supported,
        .note = "Both normalisations are needed, and the one of the layer must act on the patches before "
                "the positions are added; a learned gain brings the factor exp(|y_j|^2 / sqrt d) back.",
        .depends_on = {"boosting/prop-3.2-any-length", "boosting/prop-3.2-factorisation"}},
       constant_cancels(Rows::layer_normalised),
       {{"no layer normalisation", 1, constant_cancels(Rows::as_they_are)},
        {"a gain of 1.01 for one feature", 0.01, constant_cancels(Rows::layer_normalised, 1.01)}}});
  return claims;
}

}  // namespace attest::boosting
