// Eq 3.3: the kernel of self-attention.
#include <array>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::boosting {
namespace {

using namespace engine;

constexpr std::array<double, 3> places{1, 2, 3};
/// Logits up to 2 (2 + 1)^2 / sqrt 2 with 8 roundings each, averages of three values up to 3.
constexpr double rounding = (13 * 8 + 8) * 0x1p-52;

/// K_SA(i, j) for W_Q' W_K = I + skew (0 1; 0 0), and -K's exponent where negated.
struct Kernel {
  double skew = 0;
  double sign = 1;
};

template <class Real>
Matrix<Real> kernel(const Inputs& in, Kernel k) {
  auto w = scaled_identity(2, Real(k.sign));
  w(0, 1) += Real(k.skew);
  const auto x = add(matrix<Real>(in, "y", 3, 2), sinusoidal_positions<Real>(places, 2), Real(1));
  auto result = scale(Real(Real(1) / sqrt(Real(2))), bilinear(x, w, x));
  for (Real& entry : result.entries) entry = exp(entry);
  return result;
}

/// K(i, j) = exp((|x_i|^2 + |x_j|^2 - |x_i - x_j|^2) / (2 sqrt d)), a form in which i and j are exchangeable.
Check symmetric(Kernel k) {
  return generic_identity(
      {{"y", 6, -2, 2}},
      [k](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto x = add(matrix<Real>(in, "y", 3, 2), sinusoidal_positions<Real>(places, 2), Real(1));
        const auto lengths = squared_norms(x);
        auto exchangeable = squared_distances(x, x);
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            exchangeable(i, j) = exp((lengths[i] + lengths[j] - exchangeable(i, j)) / (Real(2) * sqrt(Real(2))));
        return Pair<Real>{kernel<Real>(in, k).entries, exchangeable.entries};
      },
      {.rounding_bound = 4 * rounding});
}

/// sum_ij z_i K_ij z_j >= 0, with the terms of either sign on either side.
Check semidefinite(Kernel k) {
  return generic_inequality({{"y", 6, -1, 1}, {"z", 3, -1, 1}}, Relation::greater_equal,
                            [k](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto form = quadratic_form(in["z"], kernel<Real>(in, k));
                              return Pair<Real>{{form.gained}, {form.lost}};
                            },
                            {.evaluations = 3000, .corners = {{1, 1, -1, -1, 0, 0, 1, -1, 0}}});
}

/// Every weight is at least factor exp(-|x_i| |x_j| / sqrt d), a positive number.
Check positive_weights(double factor) {
  return generic_inequality({{"y", 6, -2, 2}}, Relation::greater_equal,
                            [factor](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x =
                                  add(matrix<Real>(in, "y", 3, 2), sinusoidal_positions<Real>(places, 2), Real(1));
                              const auto squares = squared_norms(x);
                              const Real least = exp(Real(0) - sqrt(squares[0] * squares[1] / Real(2)));
                              return Pair<Real>{{kernel<Real>(in, {})(0, 1)}, {Real(factor) * least}};
                            },
                            {.evaluations = 1000});
}

Check kernel_properties(Kernel k, double factor = 1) {
  return composite({{"symmetric", Kind::identity, symmetric(k)},
                    {"positive", Kind::universal_inequality, positive_weights(factor)},
                    {"positive semidefinite", Kind::universal_inequality, semidefinite(k)}});
}

}  // namespace

Claims self_attention_kernel() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/eq-3.3",
        .label = "Eq 3.3",
        .title = "The self-attention kernel is symmetric and positive",
        .kind = Kind::definition,
        .tex =
            R"(K_{SA}(i,j)=\exp\Big(\frac{(\mathbf y_i+\mathbf p_i)^\top(\mathbf y_j+\mathbf p_j)}{\sqrt d}\Big) = K_{SA}(j,i) > 0)",
        .assumptions = {"W_Q = W_K = I", "three tokens in the plane"},
        .expected = Verdict::supported,
        .note = "Positive in both senses: entry by entry, where exp(-|x_i| |x_j| / sqrt d) bounds it from below, and "
                "as a matrix."},
       kernel_properties({}),
       {{"one percent of skewness in W_Q' W_K", 0.01, kernel_properties({.skew = 0.01}), "symmetric"},
        {"every weight one percent larger", 0.01, kernel_properties({}, 1.01), "positive"},
        {"the exponent negated", 1, kernel_properties({.sign = -1}), "positive semidefinite"}}});
  return claims;
}

}  // namespace attest::boosting
