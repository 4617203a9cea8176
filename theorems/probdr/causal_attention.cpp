// What Sections 2 to 5 leave out although the language models of the experiments have it: a causal mask, biases of the
// values, value weights that are no multiple of I.
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/probdr/unrolled_block.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using rigor::Ball;

constexpr std::size_t tokens = 5;
constexpr std::size_t width = 3;

/// softmax(Q K') over the tokens that each sees.
template <class Real>
Matrix<Real> attention(const Inputs& in, Mask mask) {
  auto a = multiply(matrix<Real>(in, "Q", tokens, width), transpose(matrix<Real>(in, "K", tokens, width)));
  for (std::size_t i = 0; i < tokens; ++i) {
    Real total(0);
    for (std::size_t j = 0; j < tokens; ++j) {
      a(i, j) = visible(mask, i, j) ? exp(a(i, j)) : Real(0);
      total += a(i, j);
    }
    for (std::size_t j = 0; j < tokens; ++j) a(i, j) /= total;
  }
  return a;
}

std::vector<Block> attention_blocks() {
  return {{"Q", tokens * width, -2, 2}, {"K", tokens * width, -2, 2}, {"V", tokens * width, -1, 1}};
}

template <class Real>
Matrix<Real> minus_identity(const Matrix<Real>& a) {
  return add(a, scaled_identity(a.rows, Real(1)), Real(-1));
}

/// Row `token` of (A - I) V is 0; one is added to both sides.
Check idle_token(Mask mask, std::size_t token, double kept) {
  return generic_identity(attention_blocks(),
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto v = matrix<Real>(in, "V", tokens, width);
                            const auto out = multiply(minus_identity(scale(Real(kept), attention<Real>(in, mask))), v);
                            Pair<Real> sides;
                            for (std::size_t k = 0; k < width; ++k) {
                              sides.lhs.push_back(Real(1) + out(token, k));
                              sides.rhs.push_back(Real(1));
                            }
                            return sides;
                          },
                          {.evaluations = 500, .scale = 1});
}

/// (A - subtracted I)(V + 1 b') = (A - subtracted I) V, A times `kept`.
Check bias_drops_out(Mask mask, double subtracted, double kept) {
  auto blocks = attention_blocks();
  blocks.push_back({"b", width, -1, 1});
  return generic_identity(blocks,
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto v = matrix<Real>(in, "V", tokens, width);
                            const auto b = values(in, "b", width);
                            auto biased = v;
                            for (std::size_t i = 0; i < tokens; ++i)
                              for (std::size_t k = 0; k < width; ++k) biased(i, k) += Real(b[k]);
                            const auto m = add(scale(Real(kept), attention<Real>(in, mask)),
                                               scaled_identity(tokens, Real(1)), Real(-subtracted));
                            return Pair<Real>{multiply(m, biased).entries, multiply(m, v).entries};
                          },
                          {.evaluations = 500, .scale = 4});
}

/// X + (A - I) X W = factor (X + A X W (I - W)^-1)(I - W), entries of W at most 1/4.
Check change_of_basis(Mask mask, double factor) {
  auto blocks = attention_blocks();
  blocks.push_back({"W", width * width, -0.25, 0.25});
  return generic_identity(blocks,
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto x = matrix<Real>(in, "V", tokens, width);
                            const auto w = matrix<Real>(in, "W", width, width);
                            const auto a = attention<Real>(in, mask);
                            const auto rest = add(scaled_identity(width, Real(1)), w, Real(-1));
                            const auto value = multiply(w, inverse(rest));
                            const auto ordinary = add(x, multiply(multiply(a, x), value), Real(factor));
                            return Pair<Real>{add(x, multiply(multiply(minus_identity(a), x), w), Real(1)).entries,
                                              multiply(ordinary, rest).entries};
                          },
                          {.evaluations = 500, .scale = 4});
}

/// det(t I - (I - A)) = prod_i (t - 1 + factor A_ii).
Check spectrum_on_diagonal(Mask mask, double factor) {
  auto blocks = attention_blocks();
  blocks[2] = {"t", 1, -1, 2};
  return generic_identity(
      blocks,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto a = attention<Real>(in, mask);
        const Real t(in.scalar("t"));
        Real product(1);
        for (std::size_t i = 0; i < tokens; ++i) product *= t - Real(1) + Real(factor) * a(i, i);
        return Pair<Real>{{determinant(add(scaled_identity(tokens, Real(t - Real(1))), a, Real(1)))}, {product}};
      },
      {.evaluations = 500, .scale = 1});
}

/// sum_ij exp(kappa x_i'x_j) after a block under the causal mask is at least factor times its value before.
Check raises_energy(std::size_t n, double factor) {
  std::vector<std::vector<double>> corners;
  if (n == 4) corners = {{2, -0.5, -3, -1.5, 0.75, 0.5}};
  return generic_inequality({{"angles", n, -3.2, 3.2}, {"kappa", 1, 0.05, 30}, {"eta", 1, 0.01, 0.5}},
                            Relation::greater_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x = rows_on_circle<Real>(in, n);
                              const Real kappa(in.scalar("kappa"));
                              const auto a = adjacency(x, kappa, Mask::causal);
                              const auto y = on_sphere(data_step(a, x, Real(in.scalar("eta"))));
                              const auto energy = [&](const Matrix<Real>& rows) {
                                Real total(0);
                                for (const Real& w : similarity(rows, kappa).entries) total += w;
                                return total;
                              };
                              return Pair<Real>{{energy(y)}, {Real(factor) * energy(x)}};
                            },
                            {.evaluations = 3000, .corners = corners});
}

/// |x_1 - x_2'|^2 <= factor |x_1 - x_2|^2 after a block under the causal mask.
Check second_token_approaches(double largest_eta, double factor) {
  return generic_inequality(
      {{"angles", 2, -1.6, 1.6}, {"kappa", 1, 0.05, 30}, {"eta", 1, 0x1p-10, largest_eta}}, Relation::less_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto x = rows_on_circle<Real>(in, 2);
        const auto a = adjacency(x, Real(in.scalar("kappa")), Mask::causal);
        const auto y = on_sphere(data_step(a, x, Real(in.scalar("eta"))));
        const auto square_distance = [&](const Matrix<Real>& rows) {
          Real total(0);
          for (std::size_t k = 0; k < 2; ++k) total += (x(0, k) - rows(1, k)) * (x(0, k) - rows(1, k));
          return total;
        };
        return Pair<Real>{
            {square_distance(y)}, {Real(factor) * square_distance(x)}, positive(Real(square_distance(x) - Real(1e-4)))};
      },
      {.evaluations = 1000, .corners = {{0, 1.5, 30, 0x1p-10}, {0, 0.02, 0.05, largest_eta}}});
}

/// The largest squared distance between two rows after X + 2 eta (A - I) X is at most factor times that before.
Check diameter(Mask mask, double largest_eta, double factor) {
  auto blocks = attention_blocks();
  blocks.push_back({"eta", 1, 0x1p-10, largest_eta});
  std::vector<double> flat(3 * tokens * width, 0);
  for (std::size_t k = 0; k < width; ++k) flat[2 * tokens * width + k] = 1;
  flat.push_back(0x1p-10);
  return generic_inequality(blocks, Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x = matrix<Real>(in, "V", tokens, width);
                              const auto y = data_step(attention<Real>(in, mask), x, Real(in.scalar("eta")));
                              const auto largest = [&](const Matrix<Real>& rows) {
                                Real result(0);
                                for (std::size_t i = 0; i < tokens; ++i)
                                  for (std::size_t j = 0; j < i; ++j) {
                                    Real square(0);
                                    for (std::size_t k = 0; k < width; ++k)
                                      square += (rows(i, k) - rows(j, k)) * (rows(i, k) - rows(j, k));
                                    if (positive(Real(square - result))) result = square;
                                  }
                                return result;
                              };
                              return Pair<Real>{{largest(y)}, {Real(factor) * largest(x)}};
                            },
                            {.evaluations = 600, .corners = {flat}});
}

/// The root of the spread of three close tokens shrinks by factor (1 - eta) a block, kappa = 30, eta = 0.4.
Check causal_contraction(double factor) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(4, 2, 5);
  p.inputs = Inputs{{"angles", {0, 0.05, 0.12}}, {"kappa", {30}}, {"eta", {0.4}}};
  const auto spread = [](int blocks) {
    const rigor::PrecisionScope scope(512);
    auto x = rows_on_circle<Ball>(Inputs{{"angles", {0, 0.05, 0.12}}}, 3);
    for (int k = 0; k < blocks; ++k)
      x = on_sphere(data_step(adjacency(x, Ball(30), Mask::causal), x, Ball::from_decimal("0.4")));
    Ball total;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t k = 0; k < 2; ++k) total += rigor::square(x(i, k) - x(j, k));
    return total;
  };
  p.value = [=](double n) {
    const int blocks = static_cast<int>(n);
    return rigor::sqrt(spread(blocks + 1) / spread(blocks));
  };
  p.reference = [factor](double) { return factor * Ball::from_rational(3, 5); };
  p.resolution = 0.002;
  return sequence(std::move(p));
}

}  // namespace

Claims causal_attention() {
  const std::string any_weights = "five tokens, queries, keys and values in three dimensions, logits up to 12";
  Claims claims;
  claims.push_back(
      {{.id = "probdr/causal-energy",
        .label = "Sec 4.2 (a causal mask: the sum of all similarities)",
        .title = "Under a causal mask, too, every block raises the sum of all similarities",
        .kind = Kind::universal_inequality,
        .tex =
            R"(E(P(\mathbf X+2\eta(\mathbf A-\mathbf I)\mathbf X))\ge E(\mathbf X),\quad E=\sum_{ij}e^{\kappa\mathbf x_i^\top\mathbf x_j},\ \mathbf A \text{ causal})",
        .assumptions = {"four rows on the unit circle, kappa from 0.05 to 30, 0.01 <= eta <= 1/2",
                        "A = softmax(kappa X X') over the tokens up to its own"},
        .expected = Verdict::refuted,
        .printed = false,
        .amends = "probdr/block-raises-energy",
        .note = "The language models of Sections 4.2 and 4.3 have the mask, the derivation has none. A token moves "
                "towards those before it and may leave those after it. probdr/causal-second-token is what remains."},
       raises_energy(4, 1),
       {{"a fall by one in ten thousand allowed", 0.0001, raises_energy(4, 0.9999)}},
       {{"two tokens", 1, raises_energy(2, 1)}}});
  claims.push_back(
      {{.id = "probdr/causal-second-token",
        .label = "Sec 4.2 (a causal mask: the first two tokens)",
        .title = "Under a causal mask the second token never moves away from the first",
        .kind = Kind::universal_inequality,
        .tex = R"(0<\eta\le\tfrac12\ \Rightarrow\ |\mathbf x_1-\mathbf x_2'|\le|\mathbf x_1-\mathbf x_2|)",
        .assumptions = {"rows on the unit circle, kappa from 0.05 to 30; two unit rows span a plane, so that the width "
                        "is no restriction",
                        "A = softmax(kappa X X') over the tokens up to its own; squared distances of at least 10^-4"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/causal-energy",
        .note = "x_2' lies between x_2 and x_1 on the sphere, and x_1 does not move (probdr/causal-first-token)."},
       second_token_approaches(0.5, 1),
       {{"a thousandth nearer", 0.001, second_token_approaches(0.5, 0.999)}}});
  claims.push_back(
      {{.id = "probdr/causal-contraction",
        .label = "Sec 4.1 more blocks make the latents collapse into extremely tight clusters (under a causal mask)",
        .title = "Under a causal mask a cluster shrinks by the factor 1 - eta a block, not 1 - 2 eta",
        .kind = Kind::limit,
        .tex = R"(\frac{\mathrm{spread}_{k+1}}{\mathrm{spread}_k}\to1-\eta)",
        .assumptions = {"one cluster, kappa = 30, eta = 0.4: three tokens on the circle"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/blocks-contraction",
        .note = "Where rows nearly agree, token k averages the first k: the deviations shrink by 1 - 2 eta (1 - 1/k), "
                "slowest for the second token."},
       causal_contraction(1),
       {{"one percent more", 0.01, causal_contraction(1.01)}}});
  claims.push_back({{.id = "probdr/causal-first-token",
                     .label = "Sec 4.2 A - I is the negative graph Laplacian (the first token under a causal mask)",
                     .title = "Under a causal mask A - I gives the first token nothing, whatever the weights",
                     .kind = Kind::identity,
                     .tex = R"([(\mathbf A-\mathbf I)\mathbf V]_1=0)",
                     .assumptions = {any_weights},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/negative-laplacian",
                     .note = "Standard attention hands it its own value: in a nanoGPT with A - I the attention layers "
                             "do not act on the first token at all."},
                    idle_token(Mask::causal, 0, 1),
                    {{"no mask", 1, idle_token(Mask::none, 0, 1)},
                     {"the second token", 1, idle_token(Mask::causal, 1, 1)},
                     {"weights of sum 0.999", 0.001, idle_token(Mask::causal, 0, 0.999)}}});
  claims.push_back(
      {{.id = "probdr/value-bias-drops-out",
        .label = "Sec 4.2 A - I is the negative graph Laplacian (a bias of the values)",
        .title = "With A - I a bias of the values has no effect",
        .kind = Kind::identity,
        .tex = R"((\mathbf A-\mathbf I)(\mathbf V+\mathbf 1\mathbf b^\top)=(\mathbf A-\mathbf I)\mathbf V)",
        .assumptions = {any_weights + "; no mask, and a causal one"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/negative-laplacian",
        .note = "So its gradient is 0: a model with A - I has that many parameters fewer than the one it is compared "
                "with."},
       composite({{"no mask", Kind::identity, bias_drops_out(Mask::none, 1, 1)},
                  {"causal mask", Kind::identity, bias_drops_out(Mask::causal, 1, 1)}}),
       {{"A in place of A - I", 1, bias_drops_out(Mask::none, 0, 1)},
        {"weights of sum 0.999", 0.001, bias_drops_out(Mask::none, 1, 0.999), "no mask"},
        {"weights of sum 0.999, causal", 0.001, bias_drops_out(Mask::causal, 1, 0.999), "causal mask"}}});
  claims.push_back(
      {{.id = "probdr/diffusion-is-a-change-of-basis",
        .label = "Sec 3 'the only difference to a standard attention operation' / 'practice does not do Laplacian "
                 "smoothing' (value weights W)",
        .title = "With value weights W and a residual, A - I is standard attention with other weights, times I - W",
        .kind = Kind::identity,
        .tex =
            R"(\mathbf X+(\mathbf A-\mathbf I)\mathbf X\mathbf W=\bigl(\mathbf X+\mathbf A\mathbf X\,\mathbf W(\mathbf I-\mathbf W)^{-1}\bigr)(\mathbf I-\mathbf W))",
        .assumptions = {any_weights + ", W of three by three with entries up to 1/4; no mask, and a causal one",
                        "I - W regular, attention and residual act on the same X: no LayerNorm between them"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/only-difference",
        .note = "So without LayerNorm between residual and attention nothing new is computed: the next layer's weights "
                "take up I - W. With LayerNorm on the branch (nanoGPT) the identity acts on LayerNorm(X) and the "
                "argument stops; W a multiple of I is probdr/residual-attention-is-diffusion."},
       composite({{"no mask", Kind::identity, change_of_basis(Mask::none, 1)},
                  {"causal mask", Kind::identity, change_of_basis(Mask::causal, 1)}}),
       {{"value weights a thousandth larger", 0.001, change_of_basis(Mask::none, 1.001), "no mask"},
        {"value weights a thousandth larger, causal", 0.001, change_of_basis(Mask::causal, 1.001), "causal mask"}}});
  claims.push_back(
      {{.id = "probdr/causal-spectrum",
        .label = "Sec 3 L~ = I - softmax is a graph Laplacian / Wishart scale (its eigenvalues under a causal mask)",
        .title = "Under a causal mask the eigenvalues of L~ are 1 - A_ii, whatever the queries and keys",
        .kind = Kind::identity,
        .tex = R"(\det(t\mathbf I-\tilde{\mathbf L})=\prod_i(t-1+A_{ii}))",
        .assumptions = {any_weights, "t from -1 to 2"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/softmax-laplacian-spectrum",
        .note = "All in [0, 1) and the first of them 0, for every query and key."},
       spectrum_on_diagonal(Mask::causal, 1),
       {{"diagonal a thousandth larger", 0.001, spectrum_on_diagonal(Mask::causal, 1.001)},
        {"no mask", 1, spectrum_on_diagonal(Mask::none, 1)}}});
  claims.push_back(
      {{.id = "probdr/diameter-never-grows",
        .label = "Sec 4.1 eta <= 0.5 (any attention, any mask)",
        .title = "Up to eta = 1/2 no step of any attention moves tokens further apart than the furthest were",
        .kind = Kind::universal_inequality,
        .tex =
            R"(0<\eta\le\tfrac12\ \Rightarrow\ \max_{ij}|\mathbf x'_i-\mathbf x'_j|\le\max_{ij}|\mathbf x_i-\mathbf x_j|,\qquad \mathbf X'=\mathbf X+2\eta(\mathbf A-\mathbf I)\mathbf X)",
        .assumptions = {any_weights + ", eta from 2^-10; no mask, the causal one and the mask of the diagonal",
                        "before LayerNorm"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/step-size-bound",
        .note = "Every new row is a convex combination of the old ones, for any queries, keys and number of tokens."},
       composite({{"no mask", Kind::universal_inequality, diameter(Mask::none, 0.5, 1)},
                  {"causal mask", Kind::universal_inequality, diameter(Mask::causal, 0.5, 1)},
                  {"mask of the diagonal", Kind::universal_inequality, diameter(Mask::self, 0.5, 1)}}),
       {{"no mask, one percent less", 0.01, diameter(Mask::none, 0.5, 0.99), "no mask"},
        {"causal, one percent less", 0.01, diameter(Mask::causal, 0.5, 0.99), "causal mask"},
        {"diagonal, one percent less", 0.01, diameter(Mask::self, 0.5, 0.99), "mask of the diagonal"}}});
  return claims;
}

}  // namespace attest::probdr
