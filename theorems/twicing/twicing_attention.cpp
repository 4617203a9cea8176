// Section 3.4: Twicing Attention (Definition 2, Eq 18) and the form in which it is computed (Eq 19).
#include <cmath>

#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"
#include "theorems/mechanisms/on_matrices.hpp"
#include "theorems/twicing/nonlocal_functional.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using namespace generic;

constexpr std::size_t tokens = 3;
constexpr std::size_t width = 2;

/// 2A - factor A^2.
template <class Real>
Weights<Real> twicing_matrix(const Weights<Real>& a, double factor) {
  Weights<Real> result(a.points);
  for (std::size_t i = 0; i < a.points; ++i)
    for (std::size_t j = 0; j < a.points; ++j) {
      Real square(0);
      for (std::size_t l = 0; l < a.points; ++l) square += a(i, l) * a(l, j);
      result(i, j) = Real(2) * a(i, j) - Real(factor) * square;
    }
  return result;
}

/// Queries, keys and values, and A = softmax(Q K' / sqrt(D)).
template <class Real>
struct Layer {
  Matrix<Real> q, k, v;
  Weights<Real> a;
};

/// What Twicing Attention makes of values on `tokens` points.
template <class Real>
Weights<Real> twicing_weights(const Matrix<Real>& q, const Matrix<Real>& k) {
  Weights<Real> result(tokens);
  result.values = mechanisms::twicing_attention(q, k, scaled_identity(tokens, Real(1))).entries;
  return result;
}

/// Statements on A and V, for queries, keys and values in [-2, 2].
template <class F>
Check for_all_attention(F sides) {
  constexpr std::size_t count = tokens * width;
  return generic_identity(
      {{"Q", count, -2, 2}, {"K", count, -2, 2}, {"V", count, -2, 2}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto rows = [&](const char* name) { return matrix<Real>(in, name, tokens, width); };
        Layer<Real> layer{rows("Q"), rows("K"), rows("V"), Weights<Real>(tokens)};
        layer.a.values = mechanisms::softmax_attention(layer.q, layer.k, scaled_identity(tokens, Real(1))).entries;
        return sides(layer);
      },
      // Weights lose ten roundings, three products of three terms five each, values below 6.
      {.evaluations = 500, .rounding_bound = 32 * 0x1p-52, .scale = 6});
}

/// The rows of 2A - A^2 sum to one, and 2A - A^2 = I - (I - A)^2.
Check definition(double factor) {
  return for_all_attention([=]<class Real>(const Layer<Real>& layer) {
    const Weights<Real>& a = layer.a;
    const Weights<Real> twicing = factor == 1 ? twicing_weights(layer.q, layer.k) : twicing_matrix(a, factor);
    Weights<Real> residual(a.points);  // I - A
    for (std::size_t i = 0; i < a.points; ++i)
      for (std::size_t j = 0; j < a.points; ++j) residual(i, j) = Real(i == j ? 1.0 : 0.0) - a(i, j);
    Pair<Real> pair;
    for (std::size_t i = 0; i < a.points; ++i) {
      Real row_sum(0);
      for (std::size_t j = 0; j < a.points; ++j) {
        row_sum += twicing(i, j);
        Real square(0);
        for (std::size_t l = 0; l < a.points; ++l) square += residual(i, l) * residual(l, j);
        pair.lhs.push_back(twicing(i, j));
        pair.rhs.push_back(Real(i == j ? 1.0 : 0.0) - square);
      }
      pair.lhs.push_back(row_sum);
      pair.rhs.push_back(Real(1));
    }
    return pair;
  });
}

/// (2A - A^2) V = A V + factor A (V - A V).
Check as_computed(double factor) {
  return for_all_attention([=]<class Real>(const Layer<Real>& layer) {
    Signal<Real> v(width);
    v.values = layer.v.entries;
    const Signal<Real> once = applied(layer.a, v);
    const Signal<Real> correction = applied(layer.a, moved(v, once, Real(-1)));
    return Pair<Real>{mechanisms::twicing_attention(layer.q, layer.k, layer.v).entries,
                      moved(once, correction, Real(factor)).values};
  });
}

enum class Side { below, above };

/// Every entry of 2A - A^2 is above -1 or below 2, times `factor`; the entry in the first row and column `column`.
Check entry_bounded(Side side, std::size_t column, double factor, std::vector<double> corner) {
  return generic_inequality(
      {{"logits", tokens * tokens, -8, 8}}, side == Side::below ? Relation::greater : Relation::less,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        // Keys that are unit vectors give the queries' entries over sqrt(D) as logits.
        const auto q = scale(Real(sqrt(Real(static_cast<double>(tokens)))), matrix<Real>(in, "logits", tokens, tokens));
        const Real entry = twicing_weights(q, scaled_identity(tokens, Real(1)))(0, column);
        return Pair<Real>{{entry}, {Real(side == Side::below ? -factor : 2 * factor)}};
      },
      {.evaluations = 3000, .corners = {std::move(corner)}});
}

Check entries(double factor) {
  // The first token attends to the second, and that to the third; the second to the first.
  const std::vector<double> passing_on{-8, 8, -8, -8, -8, 8, -8, -8, 8};
  const std::vector<double> exchanging{-8, 8, -8, 8, -8, -8, -8, -8, 8};
  return composite(
      {{"least, apart from the diagonal", Kind::universal_inequality,
        entry_bounded(Side::below, 2, factor, passing_on)},
       {"least, on the diagonal", Kind::universal_inequality, entry_bounded(Side::below, 0, factor, exchanging)},
       {"greatest", Kind::universal_inequality, entry_bounded(Side::above, 1, factor, passing_on)}});
}

}  // namespace

Claims twicing_attention() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/def-2",
        .label = "Definition 2 / Eq 18",
        .title = "Twicing Attention averages the values with rows that sum to one",
        .kind = Kind::definition,
        .tex = R"(U=(2A-A^2)V,\quad A=\operatorname{softmax}(QK^\top/\sqrt D):)"
               R"(\quad(2A-A^2)\mathbf 1=\mathbf 1,\quad 2A-A^2=I-(I-A)^2)",
        .assumptions = {"three tokens of width two, Q and K in [-2, 2]"},
        .expected = Verdict::supported,
        .note = "Well posed for values of any width; the text takes D_v = D here and D_x in Eq 1. Rows sum to one, but "
                "entries may be negative: a similarity matrix in name only."},
       definition(1),
       {{"2A - 1.01 A^2", 0.01, definition(1.01)}, {"off by a millionth", 1e-6, definition(1 + 1e-6)}}});
  claims.push_back({{.id = "twicing/def-2-entries",
                     .label = "Definition 2 / Eq 18 (its entries)",
                     .title = "The entries of 2A - A^2 lie between -1 and 2, and come close to both",
                     .kind = Kind::universal_inequality,
                     .tex = R"(-1<(2A-A^2)_{ij}<2)",
                     .assumptions = {"any softmax attention matrix; judged on three tokens with logits in [-8, 8]"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/def-2",
                     .note = "Near -1 where a token attends to a second that attends to a third, or to a second that "
                             "attends back."},
                    entries(1),
                    {{"between -0.999 and 1.998", 0.001, entries(0.999)}}});
  claims.push_back({{.id = "twicing/eq-19",
                     .label = "Eq 19",
                     .title = "Twicing Attention is attention plus attention to its residual",
                     .kind = Kind::identity,
                     .tex = R"((2A-A^2)V=AV+A(V-AV))",
                     .assumptions = {"three tokens of width two, Q, K and V in [-2, 2]"},
                     .expected = Verdict::supported,
                     .depends_on = {"twicing/def-2"}},
                    as_computed(1),
                    {{"one percent more of the correction", 0.01, as_computed(1.01)},
                     {"off by a millionth", 1e-6, as_computed(1 + 1e-6)}}});
  return claims;
}

}  // namespace attest::twicing
