// Appendices G and H: attention with convolved tokens, Eqs 37 to 45.
#include <fmt/format.h>

#include "theorems/engine/protocols/composite.hpp"
#include "theorems/primal_dual/convolution.hpp"
#include "theorems/primal_dual/heads.hpp"
#include "theorems/primal_dual/prescribed_values.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;

constexpr Grid grid{2, 2};
constexpr std::size_t channels = 2;  // D_x = D
constexpr std::size_t s = 2;
const std::size_t tokens = grid.size();

template <class Real>
using Vector = std::vector<Real>;

template <class Real>
Vector<Real> conv(const Vector<Real>& rows, const Vector<Real>& kernel) {
  return convolved<Real>(rows, grid, channels, kernel, s);
}

// Eq 37 with + b at every pixel, w of Eq 41, against Eq 42: training tensor X^train, new tensor X, one kernel.
// `value` multiplies the expansion's values, `bias` its b.
engine::Check expansion(double value, double bias) {
  const engine::Layout layout({{"X", tokens * channels, -1, 1},
                               {"X^train", tokens * channels, -1, 1},
                               {"kernel", s * s, -0.35, 0.35},
                               {"beta", tokens, -3, 3},
                               {"b", 1, -2, 2}});
  const FiniteFeatures map(channels, 2);
  return identity_of(layout, layer_scale + 2, layer_rounding, 400, [=](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto kernel = as<Real>(values(inputs, "kernel", s * s));
    const auto x = conv(as<Real>(values(inputs, "X", tokens * channels)), kernel);
    const Keys<Real> train(conv(as<Real>(values(inputs, "X^train", tokens * channels)), kernel), channels);
    const auto beta = as<Real>(values(inputs, "beta", tokens));
    const Real b(inputs.scalar("b"));
    engine::Pair<Real> sides;
    for (std::size_t i = 0; i < tokens; ++i) {
      const auto at = std::span<const Real>(x).subspan(i * channels, channels);
      const auto [layer, sum] = layer_and_expansion<Real>(map, train, at, beta, value);
      sides.lhs.push_back(layer + b);
      sides.rhs.push_back(sum + Real(bias) * b);
    }
    return sides;
  });
}

enum class Channels { identical, separate };

// Conv2D of projected tokens against projected Conv2D of the tokens: with identical channels Definition 3, which
// convolves queries and keys, is Eq 42, which convolves inputs. `right` multiplies the kernel on the right.
engine::Check commutes_with_projection(Channels kind, double right) {
  const std::size_t entries = kind == Channels::identical ? s * s : channels * s * s;
  const engine::Layout layout(
      {{"X", tokens * channels, -1, 1}, {"W", channels * channels, -1, 1}, {"kernel", entries, -1, 1}});
  return identity_of(layout, 8, 32 * 0x1p-53, 400, [=](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto x = as<Real>(values(inputs, "X", tokens * channels));
    const auto w = as<Real>(values(inputs, "W", channels * channels));
    const auto kernel = as<Real>(values(inputs, "kernel", entries));
    auto scaled = kernel;
    for (Real& entry : scaled) entry *= Real(right);
    return engine::Pair<Real>(conv(projected_rows(Keys<Real>(x, channels), w), kernel),
                              projected_rows(Keys<Real>(conv(x, scaled), channels), w));
  });
}

// Attention weights of convolved queries and keys.
template <class Real>
Vector<Real> weights(const Vector<Real>& queries, const Vector<Real>& keys) {
  const Keys<Real> rows(keys, channels);
  Vector<Real> out;
  for (std::size_t i = 0; i < queries.size() / channels; ++i) {
    const auto row = rows.softmax(std::span<const Real>(queries).subspan(i * channels, channels));
    out.insert(out.end(), row.begin(), row.end());
  }
  return out;
}

engine::Layout queries_and_keys() {
  return engine::Layout({{"Q", tokens * channels, -1.5, 1.5}, {"K", tokens * channels, -1.5, 1.5}});
}

// The same of queries and keys on a grid convolved with one s x s kernel, Eq 43.
template <class Real>
Vector<Real> convolved_weights(const Vector<Real>& queries, const Vector<Real>& keys, Grid on,
                               const Vector<Real>& kernel, std::size_t size) {
  if constexpr (std::is_same_v<Real, double>) {
    const auto extent = static_cast<attention::Index>(size);
    return mechanisms::weights("conv2d",
                               {mechanisms::rows("q", queries, channels),
                                mechanisms::rows("k", keys, channels),
                                {"wq", kernel, {1, extent, extent}}},
                               on.size(), {.options = {{"grid", fmt::format("{},{}", on.height, on.width)}}});
  } else {
    return weights(convolved<Real>(queries, on, channels, kernel, size),
                   convolved<Real>(keys, on, channels, kernel, size));
  }
}

// The same in a row, with a kernel of three, Eq 45.
template <class Real>
Vector<Real> row_convolved_weights(const Vector<Real>& queries, const Vector<Real>& keys, const Vector<Real>& kernel) {
  if constexpr (std::is_same_v<Real, double>) {
    return mechanisms::weights(
        "conv1d",
        {mechanisms::rows("q", queries, channels), mechanisms::rows("k", keys, channels), {"wq", kernel, {1, 3}}},
        tokens);
  } else {
    const auto conv1d = [&](const Vector<Real>& rows) {
      Vector<Real> out;
      for (std::size_t n = 0; n < tokens; ++n) {
        for (std::size_t d = 0; d < channels; ++d) {
          Real sum = kernel[1] * rows[n * channels + d];
          if (n > 0) sum += kernel[0] * rows[(n - 1) * channels + d];
          if (n + 1 < tokens) sum += kernel[2] * rows[(n + 1) * channels + d];
          out.push_back(sum);
        }
      }
      return out;
    };
    return weights(conv1d(queries), conv1d(keys));
  }
}

// Eq 43 with a kernel that is `centre` at its own pixel and 0 elsewhere against Eq 2.
engine::Check unit_kernel(double centre) {
  const auto sides = [centre](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto q = as<Real>(values(inputs, "Q", tokens * channels));
    const auto k = as<Real>(values(inputs, "K", tokens * channels));
    const Vector<Real> kernel{Real(centre), Real(0), Real(0), Real(0)};
    return engine::Pair<Real>(convolved_weights(q, k, grid, kernel, s), weights(q, k));
  };
  return engine::generic_identity(
      queries_and_keys(), sides,
      {.evaluations = 300,
       .rounding_bound = 128 * 0x1p-53,
       .scale = 1,
       .exact_rewriting = "two mechanisms, one with a convolution that multiplies by 1 and adds zeros"});
}

// Eq 45 on a sequence of four tokens, kernel size 3, written out, against Eq 43 on a grid of four rows and one column
// with that kernel (times `middle` at its middle) in the middle column of a 3 x 3 one.
engine::Check one_dimension(double middle) {
  auto list = std::vector<engine::Block>{
      {"Q", tokens * channels, -1, 1}, {"K", tokens * channels, -1, 1}, {"kernel", 3, -1, 1}};
  const auto sides = [middle](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto kernel = as<Real>(values(inputs, "kernel", 3));
    Vector<Real> square(9, Real(0));
    for (std::size_t a = 0; a < 3; ++a) square[3 * a + 1] = a == 1 ? Real(Real(middle) * kernel[a]) : kernel[a];
    const auto q = as<Real>(values(inputs, "Q", tokens * channels));
    const auto k = as<Real>(values(inputs, "K", tokens * channels));
    return engine::Pair<Real>(row_convolved_weights(q, k, kernel), convolved_weights(q, k, Grid{tokens, 1}, square, 3));
  };
  return engine::generic_identity(
      engine::Layout(list), sides,
      {.evaluations = 300,
       .rounding_bound = 256 * 0x1p-53,
       .scale = 1,
       .exact_rewriting = "two mechanisms, which differ by the zeros that the wider kernel adds"});
}

engine::Check definitions(Channels kind, double kernel, double middle = 1) {
  return engine::composite(
      {{"convolving inputs or queries and keys", engine::Kind::identity, commutes_with_projection(kind, kernel)},
       {"a unit kernel gives Eq 2", engine::Kind::identity, unit_kernel(kernel)},
       {"Definition 4 is Definition 3 on one column", engine::Kind::identity, one_dimension(middle)}});
}

}  // namespace

engine::Claims convolution_attention() {
  engine::Claim derivation;
  derivation.statement = {
      .id = "primal-dual/eq-37-42",
      .label = "Eq 37-42",
      .title = "The layer on convolved inputs has the expansion Eq 42",
      .kind = engine::Kind::identity,
      .tex =
          R"(W\frac{\Phi(c_i)}{h(x_i)} + b = \sum_j\frac{A_{ij}}{h(x_i)}v_j + b,\quad A_{ij} = \Phi(c_i)^\top\Phi(c_j^{\mathrm{train}}),\quad c = \mathrm{Flatten}(\mathrm{Conv2D}(X, s)))",
      .assumptions = {"Eq 37 with the + b that the constraints of Eq 38 and Eq 42 have",
                      "2 x 2 grid, 2 x 2 kernel, zero padding to the same size; features cut at degree 2",
                      "h(x_i) = sum_j A_ij, a function of the whole tensor X and not of x_i alone"},
      .expected = engine::Verdict::supported,
      .note =
          "Section 2.1 with convolved points in the place of the keys. Slips: Eq 37 lacks b, Eq 41 is substituted in "
          "Eq 37 and not in Eq 38, and f is a function of the tensor and the pixel: equal pixels in unequal "
          "surroundings have different outputs.",
      .depends_on = {"primal-dual/eq-10"}};
  derivation.check = expansion(1, 1);
  derivation.near_misses = {{"values one percent larger", 0.01, expansion(1.01, 1)},
                            {"b one percent larger in the expansion", 0.01, expansion(1, 1.01)},
                            {"Eq 42 without b", 1, expansion(1, 0)}};

  engine::Claim definition;
  definition.statement = {
      .id = "primal-dual/def-3-def-4",
      .label = "Def 3 / Eq 43 and Def 4 / Eq 45",
      .title =
          "Convolving queries and keys is Eq 42 on convolved inputs, contains plain attention, and has its 1D case",
      .kind = engine::Kind::definition,
      .tex =
          R"(\mathrm{Conv}(XW^\top) = \mathrm{Conv}(X)W^\top,\qquad \mathrm{Conv} = \mathrm{id}\Rightarrow\text{Eq 2},\qquad \text{Eq 45} = \text{Eq 43 on an } N\times1 \text{ grid})",
      .assumptions = {"identical kernel channels", "one kernel for queries and keys, as one Conv2D(., s) suggests",
                      "zero padding that keeps the number of tokens: the definitions need it and do not say so"},
      .expected = engine::Verdict::supported,
      .note =
          "The sum in Eq 43 runs to N = N_H N_W. Identical channels are what lets the derivation pass from convolved "
          "inputs (Eq 42) to convolved queries and keys.",
      .depends_on = {"primal-dual/eq-37-42", "primal-dual/eq-14"}};
  definition.check = definitions(Channels::identical, 1);
  definition.near_misses = {
      {"kernel one percent larger", 0.01, definitions(Channels::identical, 1.01)},
      {"middle of the 1D kernel one percent larger", 0.01, definitions(Channels::identical, 1, 1.01)},
      {"a kernel for each channel", 1, definitions(Channels::separate, 1)}};
  return {derivation, definition};
}

}  // namespace attest::primal_dual
