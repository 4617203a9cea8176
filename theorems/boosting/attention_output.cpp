// Section 2.2: the attention output in matrix form, Eq 2.4.
#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"
#include "theorems/mechanisms/on_matrices.hpp"

namespace attest::boosting {
namespace {

using namespace engine;

/// Values are at most 4 in size, logits at most 32 with 2 d^2 + d roundings each, and an average rounds N + 1 times.
constexpr double largest_value = 4;
constexpr double rounding = (32 * (2 * 4 + 2) + 2 * 24) * 0x1p-52;

template <class Real>
struct Projected {
  Matrix<Real> q, k, v;
};

/// Q = X W_Q', K = X W_K', V = X W_V'.
template <class Real>
Projected<Real> project(const Inputs& in, std::size_t n) {
  const auto x = matrix<Real>(in, "X", n, 2);
  const auto by = [&](const char* name) { return dot_products(x, matrix<Real>(in, name, 2, 2)); };
  return {by("W_Q"), by("W_K"), by("W_V")};
}

std::vector<Block> sequence_of(std::size_t n) {
  return {{"X", 2 * n, -2, 2}, {"W_Q", 4, -1, 1}, {"W_K", 4, -1, 1}, {"W_V", 4, -1, 1}};
}

enum class Softmax { rows, columns };

/// Eq 2.4 against the sum over tokens.
Check matrix_form_of(std::size_t n, Softmax softmax, double temperature) {
  return generic_identity(
      sequence_of(n),
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto at = project<Real>(in, n);
        const auto logits = scale(Real(Real(temperature) / sqrt(Real(2))), dot_products(at.q, at.k));
        const auto by_matrices =
            softmax == Softmax::rows && temperature == 1
                ? mechanisms::softmax_attention(at.q, at.k, at.v)
                : multiply(softmax == Softmax::rows ? softmax_rows(logits) : transpose(softmax_rows(transpose(logits))),
                           at.v);
        std::vector<Real> token_by_token;
        for (std::size_t i = 0; i < n; ++i) {
          std::vector<Real> u(2, Real(0));
          Real total(0);
          for (std::size_t j = 0; j < n; ++j) {
            const Real w = exp((at.q(i, 0) * at.k(j, 0) + at.q(i, 1) * at.k(j, 1)) / sqrt(Real(2)));
            total += w;
            for (std::size_t k = 0; k < 2; ++k) u[k] += w * at.v(j, k);
          }
          for (const Real& component : u) token_by_token.push_back(component / total);
        }
        return Pair<Real>{by_matrices.entries, token_by_token};
      },
      {.evaluations = 300, .rounding_bound = rounding, .scale = largest_value});
}

Check matrix_form(Softmax softmax, double temperature = 1) {
  return composite({{"3 tokens", Kind::identity, matrix_form_of(3, softmax, temperature)},
                    {"24 tokens", Kind::identity, matrix_form_of(24, softmax, temperature)}});
}

}  // namespace

Claims attention_output() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/eq-2.4",
        .label = "Eq 2.4",
        .title = "The matrix form of the attention output",
        .kind = Kind::identity,
        .tex = R"(\mathbf U = \mathrm{softmax}\Big(\frac{\mathbf Q\mathbf K^\top}{\sqrt d}\Big)\mathbf V)",
        .assumptions = {"softmax along the rows; the second line of Eq 2.3", "judged for 3 and 24 tokens in the plane"},
        .expected = Verdict::supported},
       matrix_form(Softmax::rows),
       {{"softmax along the columns", 1, matrix_form(Softmax::columns)},
        {"logits raised by one percent", 0.01, matrix_form(Softmax::rows, 1.01)}}});
  return claims;
}

}  // namespace attest::boosting
