// Section 3.2: bilateral self-attention that forgets positions.
#include <algorithm>
#include <array>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

constexpr std::array<double, 2> first_places{1, 2};

/// Two tokens, W = I: the weight of the second for the first, with positions 1 and 2.
Ball weight(const Matrix<Ball>& y, const Ball& h_p_squared, const Ball& h_y_squared) {
  const auto p = sinusoidal_positions<Ball>(first_places, 2);
  const auto logits = add(scale(1 / h_y_squared, dot_products(y, y)), dot_products(p, p), 1 / h_p_squared);
  return softmax_rows(logits)(0, 1);
}

enum class Growing { h_p, ratio };

/// The weight tends to factor times that of attention without positions: as h_p grows at h_y^2 = sqrt 2, or as the
/// ratio h_p^2 / h_y^2 grows at h_p = 1 for two equal tokens.
Check becomes_nonlocal(Growing growing, double factor = 1) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(16, 4, 10);
  Matrix<Ball> y(2, 2);
  y.entries = growing == Growing::h_p ? std::vector<Ball>{1, 0, 0, 1} : std::vector<Ball>{1, 0, 1, 0};
  p.value = [y, growing](double n) {
    return growing == Growing::h_p ? weight(y, Ball(n), sqrt(Ball(2))) : weight(y, Ball(1), 1 / Ball(n));
  };
  p.reference = [=](double) { return factor * softmax_rows(scale(1 / sqrt(Ball(2)), dot_products(y, y)))(0, 1); };
  p.resolution = 1e-6;
  if (growing == Growing::ratio)
    p.beyond = Beyond{"the tokens are equal, so their contents cancel and the weight is the same at every ratio",
                      [value = p.value, reference = p.reference](double n) { return abs(value(n) - reference(n)); }};
  return sequence(std::move(p));
}

/// |log(a / a_0)| <= factor d / h_p^2 for the weights a of K_BSA with W = I and a_0 of attention without positions;
/// d = 2, and positional vectors anywhere on their circle of radius 1.
Check how_insensitive(double factor) {
  return generic_inequality(
      {{"y", 4, -10, 10}, {"angles of p", 2, -3.2, 3.2}, {"h_p^2", 1, 1, 1000}}, Relation::less_equal,
      [factor](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto y = matrix<Real>(in, "y", 2, 2);
        const auto p = on_circle<Real>(in["angles of p"], Real(1));
        const Real h_p_squared(in.scalar("h_p^2"));
        const auto content = scale(Real(Real(1) / sqrt(Real(2))), dot_products(y, y));
        const auto with = add(content, dot_products(p, p), Real(Real(1) / h_p_squared));
        // The log of the ratio of the weights of the first token for itself, from differences of
        // logits.
        const Real before = content(0, 1) - content(0, 0);
        const Real after = with(0, 1) - with(0, 0);
        using rigor::max;
        using std::max;
        const Real change = log(Real(1) + exp(before)) - log(Real(1) + exp(after));
        return Pair<Real>{{max(change, Real(Real(0) - change))}, {Real(factor) * Real(2) / h_p_squared}};
      },
      {.evaluations = 4000, .corners = {{1, 0, 9, 0, 0, 3.14159265, 100}}});
}

}  // namespace

Claims nonlocal_attention() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/nlsa-ratio",
        .label = "Sec 3.2 (NLSA: h_p^2 >> h_y^2) (the ratio alone)",
        .title = "Stricter reading: a large ratio h_p^2 / h_y^2 makes the weights forget the positions",
        .kind = Kind::limit,
        .tex = R"(h_p^2/h_y^2\to\infty \ \Rightarrow\ \text{weights of } K_{BSA} \to \text{weights without positions})",
        .assumptions = {"W = I; two tokens; the ratio grows in any way"},
        .expected = Verdict::refuted,
        .printed = false,
        .note = "A ratio says nothing of the size of p_i' W p_j / h_p^2: with h_p = 1 and h_y -> 0 two equal tokens "
                "are told apart by their positions at every ratio."},
       becomes_nonlocal(Growing::ratio),
       {},
       {{"h_p grows at a fixed h_y", 1, becomes_nonlocal(Growing::h_p)}}});
  claims.push_back(
      {{.id = "boosting/nlsa",
        .label = "Sec 3.2 (NLSA: h_p^2 >> h_y^2)",
        .title = "As h_p grows the weights become those of attention without positions",
        .kind = Kind::limit,
        .tex =
            R"(h_p\to\infty \ \Rightarrow\ \text{weights of } K_{BSA} \to \mathrm{softmax}(\mathbf y_i^\top\mathbf W\mathbf y_j/h_y^2))",
        .assumptions = {"h_y fixed; W = I; two tokens"},
        .expected = Verdict::supported,
        .note = "'When h_p^2 >> h_y^2 (or h_p -> infinity in theory)': read as h_p growing with h_y fixed, which is "
                "what the parenthesis adds. How large h_p^2 must be is boosting/nlsa-bound.",
        .depends_on = {"boosting/eq-2.14"}},
       becomes_nonlocal(Growing::h_p),
       {{"a limit one tenth of a percent lower", 0.001, becomes_nonlocal(Growing::h_p, 0.999)}}});
  claims.push_back(
      {{.id = "boosting/nlsa-bound",
        .label = "Sec 3.2 (NLSA: h_p^2 >> h_y^2) (how insensitive)",
        .title = "What decides is h_p^2 against d",
        .kind = Kind::universal_inequality,
        .tex = R"(\Big|\log\frac{a^{BSA}_{ij}}{a^{NLSA}_{ij}}\Big| \le \frac{d}{h_p^2})",
        .assumptions = {"W = I, |p_i|^2 = d/2",
                        "judged for d = 2 and two tokens, positional vectors anywhere on their circle"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/nlsa",
        .note = "The logits of the positions spread over at most d / h_p^2, and a softmax weight moves by at most a "
                "factor of exp(spread). Sharp: reached by opposite positions and a token of little weight."},
       how_insensitive(1),
       {{"one percent less", 0.01, how_insensitive(0.99)}}});
  return claims;
}

}  // namespace attest::boosting
