// Appendix F, Eqs 35 and 36 and Remark 6: the expansion with residual connection and one projection W^proj, at a token
// of the sequence and at one of another sequence.
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/primal_dual/heads.hpp"
#include "theorems/primal_dual/prescribed_values.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;

constexpr std::size_t tokens = 3;
constexpr std::size_t width = 2;  // D_x = D = D_v
constexpr std::size_t features = 6;

template <class Real>
using Vector = std::vector<Real>;

std::vector<engine::Block> blocks() {
  return {{"tokens", tokens * width, -1, 1}, {"W^proj", width * width, -0.7, 0.7}};
}

template <class Real>
Keys<Real> projected_tokens(const Inputs& inputs) {
  const Keys<Real> x(values(inputs, "tokens", tokens * width), width);
  return {projected_rows(x, as<Real>(values(inputs, "W^proj", width * width))), width};
}

// L_1 of Eq 34 in w_d for one d, up to terms without w_d: |w_d|^2 / 2 - sum_j beta_j w_d'Phi(W^proj x_j) / h(x_j). Its
// central differences (of step 1: exact, because it is quadratic) against w_d - factor * the sum of Eq 35.
engine::Check stationary(double factor) {
  auto list = blocks();
  list.push_back({"w", features, -2, 2});
  list.push_back({"beta", tokens, -3, 3});
  const FiniteFeatures map(width, 2);
  return identity_of(engine::Layout(list), 64, 128 * 0x1p-53, 500, [map, factor](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto phi = map.of_rows(projected_tokens<Real>(inputs));
    const auto beta = as<Real>(values(inputs, "beta", tokens));
    const auto w = as<Real>(values(inputs, "w", features));
    const auto lagrangian = [&](const Vector<Real>& at) {
      Real value = inner_product(at, at) / Real(2);
      for (std::size_t j = 0; j < tokens; ++j) value -= beta[j] * inner_product(at, phi[j]) / normaliser(phi[j], phi);
      return value;
    };
    engine::Pair<Real> sides;
    for (std::size_t l = 0; l < features; ++l) {
      auto up = w;
      auto down = w;
      up[l] += Real(1);
      down[l] -= Real(1);
      sides.lhs.push_back((lagrangian(up) - lagrangian(down)) / Real(2));
      Real sum(0);
      for (std::size_t j = 0; j < tokens; ++j) sum += beta[j] * phi[j][l] / normaliser(phi[j], phi);
      sides.rhs.push_back(w[l] - Real(factor) * sum);
    }
    return sides;
  });
}

enum class Test { training_token, another_token };

// W Phi(W^proj x) / h(x) + x + b with w_d of Eq 35 against sum_j Phi'Phi / h v_j + x + b of Eq 36, features cut at
// degree 2; `residual` multiplies x on the right.
engine::Check expansion(Test test, double value, double residual = 1) {
  auto list = blocks();
  list.push_back({"beta", tokens * width, -3, 3});
  list.push_back({"b", width, -2, 2});
  if (test == Test::another_token) list.push_back({"x", width, -1, 1});
  const FiniteFeatures map(width, 2);
  return identity_of(engine::Layout(list), layer_scale + 3, layer_rounding, 500, [=](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto x = test == Test::another_token ? as<Real>(values(inputs, "x", width))
                                               : as<Real>(values(inputs, "tokens", tokens * width).first(width));
    const auto at = projected(as<Real>(values(inputs, "W^proj", width * width)), std::span<const Real>(x));
    engine::Pair<Real> sides;
    for (std::size_t d = 0; d < width; ++d) {
      Vector<Real> beta;
      for (std::size_t j = 0; j < tokens; ++j)
        beta.push_back(Real(values(inputs, "beta", tokens * width)[j * width + d]));
      const auto [layer, sum] = layer_and_expansion<Real>(map, projected_tokens<Real>(inputs), at, beta, value);
      const Real b(values(inputs, "b", width)[d]);
      sides.lhs.push_back(layer + x[d] + b);
      sides.rhs.push_back(sum + Real(residual) * x[d] + b);
    }
    return sides;
  });
}

engine::Check eq_35_and_36(double stationarity, double value, double residual = 1) {
  return engine::composite({{"stationarity in w_d", engine::Kind::identity, stationary(stationarity)},
                            {"expansion", engine::Kind::identity, expansion(Test::another_token, value, residual)}});
}

engine::Check both_kinds(double value) {
  return engine::composite(
      {{"a token of the sequence", engine::Kind::identity, expansion(Test::training_token, value)},
       {"a token of another sequence", engine::Kind::identity, expansion(Test::another_token, value)}});
}

// The determinant of the 3 x 3 matrix with these columns.
template <class Real>
Real determinant(std::span<const Real> a, std::span<const Real> b, std::span<const Real> c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1]);
}

// For D_x = 3, two training tokens and a test token x, all independent, and D = 1: W^proj with W^proj x_j = W_K x_j,
// W^proj x = W_Q x by Cramer's rule, applied to all three. `test` multiplies W^proj x.
engine::Check one_projection_for_cross_attention(double test) {
  const engine::Layout layout(
      {{"x_1", 3, -1, 1}, {"x_2", 3, -1, 1}, {"x", 3, -1, 1}, {"W_K", 3, -1, 1}, {"W_Q", 3, -1, 1}});
  const auto evaluate = [test](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    std::vector<Vector<Real>> columns;
    for (const char* name : {"x_1", "x_2", "x"}) columns.push_back(as<Real>(values(inputs, name, 3)));
    const auto w_k = as<Real>(values(inputs, "W_K", 3));
    const auto w_q = as<Real>(values(inputs, "W_Q", 3));
    const Vector<Real> wanted{inner_product(w_k, columns[0]), inner_product(w_k, columns[1]),
                              inner_product(w_q, columns[2])};
    // Row of unknowns p with p'x_1, p'x_2, p'x given: coordinate l by replacing row l of [x_1, x_2, x].
    Vector<Real> p;
    const Real whole = determinant<Real>(columns[0], columns[1], columns[2]);
    for (std::size_t l = 0; l < 3; ++l) {
      auto replaced = columns;
      for (std::size_t j = 0; j < 3; ++j) replaced[j][l] = wanted[j];
      p.push_back(determinant<Real>(replaced[0], replaced[1], replaced[2]) / whole);
    }
    engine::Pair<Real> sides;
    for (std::size_t j = 0; j < 3; ++j) {
      sides.lhs.push_back(Real(j == 2 ? test : 1.0) * inner_product(p, columns[j]));
      sides.rhs.push_back(wanted[j]);
    }
    return std::pair(sides, whole);
  };
  engine::IdentityProblem problem;
  search_over(problem, layout);
  problem.sides = [evaluate](const Inputs& inputs) -> engine::IdentitySides {
    auto [sides, whole] = evaluate(inputs, 0.0);
    // Determinants are of size 6 and off by about 12 roundings, divided by the determinant of the tokens.
    return {std::move(sides.lhs), std::move(sides.rhs), 18 / std::abs(whole)};
  };
  problem.ball_sides = [evaluate](const Inputs& inputs) -> engine::IdentityBallSides {
    auto [sides, whole] = evaluate(inputs, rigor::Ball(0));
    return {std::move(sides.lhs), std::move(sides.rhs), !whole.contains_zero()};
  };
  problem.rounding_bound = 4 * 32 * 0x1p-53;
  problem.evaluations = 500;
  return engine::identity(std::move(problem));
}

}  // namespace

engine::Claims eq_36() {
  engine::Claim expanded;
  expanded.statement = {
      .id = "primal-dual/eq-35-36",
      .label = "Eq 35-36",
      .title = "Stationarity in w_d gives the expansion with residual",
      .kind = engine::Kind::identity,
      .tex =
          R"(\partial_{w_d}\mathcal L_1 = w_d - \sum_j(\alpha_j-\tilde\alpha_j)(d)\tfrac{\Phi(W^{\mathrm{proj}}x_j)}{h(x_j)},\qquad f(x) = \sum_j\tfrac{\Phi(W^{\mathrm{proj}}x)^\top\Phi(W^{\mathrm{proj}}x_j)}{h(x)}v_j + x + b)",
      .assumptions = {"D_v = D_x", "W^proj held fixed", "features cut at degree 2, h(x) = sum_j Phi'Phi"},
      .expected = engine::Verdict::supported,
      .note =
          "x_j in Eq 33 read as x_j(d). The expansion is linear in the multipliers, so it holds whether or not the "
          "problem is convex in (W, W^proj).",
      .depends_on = {"primal-dual/eq-10", "primal-dual/eq-32-33-convex"}};
  expanded.check = eq_35_and_36(1, 1);
  expanded.near_misses = {{"sum of Eq 35 one percent larger", 0.01, eq_35_and_36(1.01, 1)},
                          {"values one percent larger", 0.01, eq_35_and_36(1, 1.01)},
                          {"residual one percent smaller", 0.01, eq_35_and_36(1, 1, 0.99)}};

  engine::Claim remark;
  remark.statement = {
      .id = "primal-dual/remark-6",
      .label = "Remark 6",
      .title = "The expansion holds at a token of the sequence and at a token of another one",
      .kind = engine::Kind::definition,
      .tex =
          R"(f(x) = \sum_j\tfrac{\Phi(W^{\mathrm{proj}}x)^\top\Phi(W^{\mathrm{proj}}x_j)}{h(x)}v_j + x + b\quad\text{for } x = x_i \text{ and for } x\notin\{x_1,\dots,x_N\})",
      .assumptions = {"one W^proj for test and training tokens, as in Eq 36"},
      .expected = engine::Verdict::supported,
      .note =
          "Eq 36 holds for every x, so a test token may be chosen among the training tokens or not. What does not "
          "survive that choice is the relaxation W^proj x = W_Q x before it: see Remark 3 and the next statement.",
      .depends_on = {"primal-dual/eq-35-36"}};
  remark.check = both_kinds(1);
  remark.near_misses = {{"values one percent larger", 0.01, both_kinds(1.01)}};

  engine::Claim cross;
  cross.statement = {
      .id = "primal-dual/remark-6-cross-attention",
      .label = "Remark 6 (cross-attention has its W^proj)",
      .title = "For a test token independent of the training tokens one W^proj does serve as W_K and as W_Q",
      .kind = engine::Kind::identity,
      .tex =
          R"(x \notin \mathrm{span}\{x_1,\dots,x_N\},\ x_j \text{ independent}\ \Rightarrow\ \exists W^{\mathrm{proj}}:\ W^{\mathrm{proj}}x_j = W_Kx_j,\ W^{\mathrm{proj}}x = W_Qx)",
      .assumptions = {"N < D_x", "judged for D_x = 3, N = 2, D = 1"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/remark-3",
      .note =
          "So Appendix F's relaxation fails for self-attention only, where it is needed most, and it needs fewer "
          "tokens than dimensions; W^proj then depends on the tokens."};
  cross.check = one_projection_for_cross_attention(1);
  cross.near_misses = {{"W_Q one percent larger", 0.01, one_projection_for_cross_attention(1.01)}};
  return {expanded, remark, cross};
}

}  // namespace attest::primal_dual
