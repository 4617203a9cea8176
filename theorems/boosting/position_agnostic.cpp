// Section 2.2: self-attention by itself is blind to positions.
#include <array>

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
constexpr double rounding = (32 * (2 * 4 + 2) + 8) * 0x1p-52;

std::vector<Block> sequence() { return {{"X", 6, -2, 2}, {"W_Q", 4, -1, 1}, {"W_K", 4, -1, 1}, {"W_V", 4, -1, 1}}; }

struct Attention {
  bool causal = false;
  double positions = 0;  ///< how much of the sinusoidal vectors is added, by place
};

template <class Real>
Matrix<Real> attend(Matrix<Real> x, const Inputs& in, Attention kind) {
  constexpr std::array<double, 3> places{1, 2, 3};
  x = add(x, sinusoidal_positions<Real>(places, 2), Real(kind.positions));
  const auto by = [&](const char* name) { return dot_products(x, matrix<Real>(in, name, 2, 2)); };
  return mechanisms::softmax_attention(by("W_Q"), by("W_K"), by("W_V"), kind.causal);
}

/// f(P X) = P f(X) for a generator of the permutations of three tokens.
Check equivariant(std::array<std::size_t, 3> order, Attention kind) {
  return generic_identity(
      sequence(),
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto permuted = [&](const Matrix<Real>& a) {
          Matrix<Real> result(3, 2);
          for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < 2; ++k) result(i, k) = a(order[i], k);
          return result;
        };
        const auto x = matrix<Real>(in, "X", 3, 2);
        return Pair<Real>{attend(permuted(x), in, kind).entries, permuted(attend(x, in, kind)).entries};
      },
      {.rounding_bound = rounding, .scale = largest_value});
}

Check commutes_with_permutations(Attention kind = {}) {
  return composite({{"two tokens exchanged", Kind::identity, equivariant({1, 0, 2}, kind)},
                    {"three tokens in a cycle", Kind::identity, equivariant({1, 2, 0}, kind)}});
}

}  // namespace

Claims position_agnostic() {
  Claims claims;
  claims.push_back({{.id = "boosting/position-agnostic",
                     .label = "Sec 2.2 (position agnostic)",
                     .title = "Self-attention commutes with permutations of the tokens",
                     .kind = Kind::identity,
                     .tex = R"(f(\mathbf P\mathbf X) = \mathbf P f(\mathbf X))",
                     .assumptions = {"no positional encoding and no causal mask"},
                     .expected = Verdict::supported,
                     .note = "Both assumptions are needed: a causal mask alone makes attention depend on the order."},
                    commutes_with_permutations(),
                    {{"a causal mask", 1, commutes_with_permutations({.causal = true})},
                     {"one percent of the positions added", 0.01, commutes_with_permutations({.positions = 0.01})}}});
  return claims;
}

}  // namespace attest::boosting
