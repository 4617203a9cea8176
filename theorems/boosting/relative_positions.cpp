// Remark 3.4: relative positions through p_i' W p_j.
#include <string>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

/// Angles up to 200; sixteen products.
constexpr double rounding = 200 * 16 * 8 * 0x1p-53;

/// p_i' W p_j is the same after both positions are moved by s, for any 2 x 2 matrix W or for any
/// scaled rotation.
Check moves_along(double by_one, bool rotation = false) {
  return generic_identity({{"W", 4, -1, 1}, {"i", 1, 1, 90}, {"j", 1, 1, 90}, {"s", 1, 1, 90}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const double i = std::floor(in.scalar("i"));
                            const double j = std::floor(in.scalar("j"));
                            const double s = std::floor(in.scalar("s"));
                            const auto p = sinusoidal_positions<Real>(std::vector{i, j, i + s, j + s}, 2);
                            auto w = matrix<Real>(in, "W", 2, 2);
                            if (rotation) {
                              w(1, 0) = Real(0) - w(0, 1);
                              w(1, 1) = w(0, 0);
                            }
                            const auto all = bilinear(p, w, p);
                            return Pair<Real>{{all(0, 1)}, {Real(by_one) * all(2, 3)}};
                          },
                          {.corners = {{1, 0, 0, 0, 1, 1, 1}}, .rounding_bound = rounding, .scale = 1});
}

/// For W of the blocks (a, b; -b, a + off), one a frequency, d = 4: p_i' W p_j = sum_t a_t cos((i-j) w_t) + b_t
/// sin((i-j) w_t).
Check depends_on_difference(double off) {
  return generic_identity({{"a", 2, -1, 1}, {"b", 2, -1, 1}, {"i", 1, 1, 180}, {"j", 1, 1, 180}},
                          [off](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const double i = std::floor(in.scalar("i"));
                            const double j = std::floor(in.scalar("j"));
                            const auto p = sinusoidal_positions<Real>(std::vector{i, j}, 4);
                            Matrix<Real> w(4, 4);
                            Real expected(0);
                            for (std::size_t t = 0; t < 2; ++t) {
                              const Real a(in["a"][t]);
                              const Real b(in["b"][t]);
                              w(2 * t, 2 * t) = a;
                              w(2 * t + 1, 2 * t + 1) = a + Real(off);
                              w(2 * t, 2 * t + 1) = b;
                              w(2 * t + 1, 2 * t) = Real(0) - b;
                              const Real angle = Real(i - j) * frequency(t, 4, Real(usual_base));
                              expected += a * cos(angle) + b * sin(angle);
                            }
                            return Pair<Real>{{bilinear(p, w, p)(0, 1)}, {expected}};
                          },
                          {.rounding_bound = rounding, .scale = 1});
}

/// p_0 . p_{k+1} < p_0 . p_k for W = I and k = 0, ..., last.
Check decays(std::size_t d, int last) {
  EnumerationProblem p;
  p.domain = "W = I, d = " + std::to_string(d) + ", distances 0 to " + std::to_string(last + 1);
  p.cases = last + 1;
  p.relation = Relation::less;
  p.case_inputs = [d](std::int64_t k) {
    return Inputs{{"d", {static_cast<double>(d)}}, {"distance", {static_cast<double>(k)}}};
  };
  p.ball_sides = [d](const Inputs& in) -> BallSides {
    const double k = in.scalar("distance");
    const auto at = sinusoidal_positions<Ball>(std::vector{0.0, k, k + 1}, d);
    const auto products = dot_products(at, at);
    return {products(0, 2), products(0, 1)};
  };
  return enumerate(std::move(p));
}

}  // namespace

Claims relative_positions() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/remark-3.4-relative",
        .label = "Remark 3.4 (relative PE via p_i^T W p_j)",
        .title = "The weighted dot product of positions depends on their distance",
        .kind = Kind::identity,
        .tex = R"(\mathbf p_i^\top\mathbf W\mathbf p_j = \mathbf p_{i+s}^\top\mathbf W\mathbf p_{j+s})",
        .assumptions = {"sinusoidal positions, d = 2", "any W = W_Q' W_K"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note = "'The relative distance is captured by the weighted dot product of the corresponding positional "
                "vectors.' p_{i+s} = R_s p_i with a rotation R_s, so the term is relative where W commutes with the "
                "rotations of every frequency (boosting/remark-3.4-relative-blocks); a learned W need not."},
       moves_along(1),
       {},
       {{"W a scaled rotation", 1, moves_along(1, true)}}});
  claims.push_back(
      {{.id = "boosting/remark-3.4-relative-blocks",
        .label = "Remark 3.4 (relative PE via p_i^T W p_j) (W of scaled rotations)",
        .title = "For W of scaled rotations, one a frequency, it depends on the signed distance alone",
        .kind = Kind::identity,
        .tex =
            R"(\mathbf W = \bigoplus_t\begin{pmatrix}a_t&b_t\\-b_t&a_t\end{pmatrix} \Rightarrow \mathbf p_i^\top\mathbf W\mathbf p_j = \sum_ta_t\cos\frac{i-j}{T^{2t/d}}+b_t\sin\frac{i-j}{T^{2t/d}})",
        .assumptions = {"d = 4"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/remark-3.4-relative",
        .note = "W = I is the case a = 1, b = 0."},
       depends_on_difference(0),
       {{"one entry off by 0.01", 0.01, depends_on_difference(0.01)}}});
  claims.push_back(
      {{.id = "boosting/remark-3.4-decay",
        .label = "Remark 3.4, footnote 1 (the proxy decays)",
        .title = "p_i' W p_j decays as the distance grows",
        .kind = Kind::universal_inequality,
        .tex =
            R"(|i-j| < |i-k| \ \Rightarrow\ \mathbf p_i^\top\mathbf W\mathbf p_k < \mathbf p_i^\top\mathbf W\mathbf p_j)",
        .assumptions = {"W = I, the most favourable one; d = 2, 64 and 192", "distances up to 196"},
        .expected = Verdict::refuted,
        .finding = Finding::imprecise,
        .note = "The footnote: a proxy 'is only required to decay as relative distance increases'. Read as decreasing "
                "at every step, for W = I. It is a sum of cosines and rises again, but it decays nearby: "
                "boosting/remark-3.4-decay-nearby.",
        .depends_on = {"boosting/remark-3.4-relative"}},
       composite({{"d = 2", Kind::universal_inequality, decays(2, 195)},
                  {"d = 64", Kind::universal_inequality, decays(64, 195)},
                  {"d = 192", Kind::universal_inequality, decays(192, 195)}}),
       {{"d = 64, distances up to 6 only", 1, decays(64, 5)}},
       {{"d = 192, distances up to 23 only", 1, decays(192, 22)}}});
  claims.push_back(
      {{.id = "boosting/remark-3.4-decay-nearby",
        .label = "Remark 3.4, footnote 1 (the proxy decays) (nearby)",
        .title = "At the width of DeiT-tiny it decays up to distance 23",
        .kind = Kind::universal_inequality,
        .tex =
            R"(d = 192,\ \mathbf W = \mathbf I:\quad \mathbf p_i^\top\mathbf p_{i+k+1} < \mathbf p_i^\top\mathbf p_{i+k},\quad k = 0,\dots,22)",
        .assumptions = {"sinusoidal positions, T = 10000"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/remark-3.4-decay"},
       decays(192, 22),
       {{"one distance further", 1, decays(192, 23)}}});
  return claims;
}

}  // namespace attest::boosting
