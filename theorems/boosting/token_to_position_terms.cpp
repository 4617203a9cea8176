// Section 3.2: the logit's four terms, two of which compare tokens with positions.
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

/// (y_i + p_i)' W (y_j + p_j) is the sum of four bilinear terms, the mixed ones times `mixed`.
Check four_terms(double mixed) {
  return generic_identity({{"y", 2 * n, -2, 2}, {"W", 4, -1, 1}},
                          [mixed](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto y = matrix<Real>(in, "y", n, 2);
                            const auto w = matrix<Real>(in, "W", 2, 2);
                            const auto p = sinusoidal_positions<Real>(places, 2);
                            const auto x = add(y, p, Real(1));
                            auto sum = add(bilinear(y, w, y), bilinear(p, w, p), Real(1));
                            sum = add(sum, bilinear(y, w, p), Real(mixed));
                            sum = add(sum, bilinear(p, w, y), Real(mixed));
                            return Pair<Real>{bilinear(x, w, x).entries, sum.entries};
                          },
                          {.evaluations = 500, .rounding_bound = rounding, .scale = 1});
}

}  // namespace

Claims token_to_position_terms() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/distinction-2",
        .label = "Distinction 2 (extra cross factor)",
        .title = "The logit has four terms, two of which compare tokens with positions",
        .kind = Kind::identity,
        .tex =
            R"(\mathbf x_i^\top\mathbf W\mathbf x_j = \mathbf y_i^\top\mathbf W\mathbf y_j + \mathbf p_i^\top\mathbf W\mathbf p_j + \mathbf y_i^\top\mathbf W\mathbf p_j + \mathbf p_i^\top\mathbf W\mathbf y_j)",
        .assumptions = {"x_i = y_i + p_i"},
        .expected = Verdict::supported,
        .note = "That the mixed terms are redundant and irrelevant is an opinion and is not judged.",
        .depends_on = {"boosting/prop-3.2-factorisation"}},
       four_terms(1),
       {{"without the mixed terms", 1, four_terms(0)}, {"mixed terms one percent smaller", 0.01, four_terms(0.99)}}});
  return claims;
}

}  // namespace attest::boosting
