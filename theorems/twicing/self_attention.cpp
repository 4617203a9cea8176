// Section 2.1: self-attention written with the inputs and with queries, keys and values (Eq 1), and as matrices (Eq 2).
#include <algorithm>
#include <cmath>

#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/mechanisms/on_matrices.hpp"
#include "theorems/twicing/nonlocal_functional.hpp"

namespace attest::twicing {
namespace {

using namespace engine;

/// N tokens x_i in R^(D_x), W_Q and W_K in R^(D x D_x), W_V in R^(D_v x D_x); signals by rows.
template <class Real>
struct Layer {
  Signal<Real> x, w_q, w_k, w_v;
};

struct Shape {
  std::size_t tokens, inputs, width, outputs;
};

/// W x_i.
template <class Real>
std::vector<Real> projected(const Signal<Real>& w, const Signal<Real>& x, std::size_t i) {
  std::vector<Real> result;
  for (std::size_t row = 0; row < w.points(); ++row) {
    Real total(0);
    for (std::size_t c = 0; c < w.width; ++c) total += w(row, c) * x(i, c);
    result.push_back(total);
  }
  return result;
}

/// sum_j softmax_j(logit(i, j) / D^exponent) W_V x_j for all i, token by token.
template <class Real, class Logit>
std::vector<Real> attention_sum(const Layer<Real>& layer, double exponent, const Logit& logit) {
  using std::exp;
  using std::pow;
  std::vector<Real> outputs;
  for (std::size_t i = 0; i < layer.x.points(); ++i) {
    Real total(0);
    std::vector<Real> sum(layer.w_v.points(), Real(0));
    for (std::size_t j = 0; j < layer.x.points(); ++j) {
      const Real scale = pow(Real(static_cast<double>(layer.w_q.points())), Real(exponent));
      const Real weight = exp(Real(logit(i, j) / scale));
      const auto value = projected(layer.w_v, layer.x, j);
      total += weight;
      for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += weight * value[d];
    }
    for (const Real& component : sum) outputs.push_back(component / total);
  }
  return outputs;
}

/// X W', a row a token.
template <class Real>
generic::Matrix<Real> all_projected(const Signal<Real>& w, const Signal<Real>& x) {
  generic::Matrix<Real> product(x.points(), w.points());
  for (std::size_t i = 0; i < product.rows; ++i) {
    const auto row = projected(w, x, i);
    std::copy(row.begin(), row.end(), product.entries.begin() + static_cast<std::ptrdiff_t>(i * product.cols));
  }
  return product;
}

/// The second line of Eq 1: logits q_i . k_j.
template <class Real>
std::vector<Real> second_line(const Layer<Real>& layer) {
  return mechanisms::softmax_attention(all_projected(layer.w_q, layer.x), all_projected(layer.w_k, layer.x),
                                       all_projected(layer.w_v, layer.x))
      .entries;
}

/// x_i' A' B x_j with A and B the two projections, factor by factor from the right.
template <class Real>
std::vector<Real> first_line(const Layer<Real>& layer, const Signal<Real>& left, const Signal<Real>& right,
                             double exponent) {
  return attention_sum(layer, exponent, [&](std::size_t i, std::size_t j) {
    const auto inner = projected(right, layer.x, j);
    Real total(0);
    for (std::size_t c = 0; c < layer.x.width; ++c) {
      Real column(0);
      for (std::size_t row = 0; row < inner.size(); ++row) column += left(row, c) * inner[row];
      total += layer.x(i, c) * column;
    }
    return total;
  });
}

template <class F>
Check for_all_layers(Shape s, F sides, std::vector<std::vector<double>> corners = {}) {
  return generic_identity(
      {{"X", s.tokens * s.inputs, -1, 1},
       {"W_Q", s.width * s.inputs, -1, 1},
       {"W_K", s.width * s.inputs, -1, 1},
       {"W_V", s.outputs * s.inputs, -1, 1}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto rows = [&](const char* name, std::size_t count) {
          return Signal<Real>(values(in, name, count * s.inputs), s.inputs);
        };
        return sides(
            Layer<Real>{rows("X", s.tokens), rows("W_Q", s.width), rows("W_K", s.width), rows("W_V", s.outputs)});
      },
      // Logits of at most D_x^2 D = 8 by a dozen roundings, outputs means of values of at most 2.
      {.evaluations = 500, .corners = std::move(corners), .rounding_bound = 120 * 0x1p-52, .scale = 2});
}

/// Two tokens, the unit vectors of the plane, W_Q = (1, 0), W_K = (0, 1), W_V = (1, 0): D = 1.
const std::vector<double> unit_vectors{1, 0, 0, 1, 1, 0, 0, 1, 1, 0};

Check printed_lines(double exponent) {
  return for_all_layers({2, 2, 1, 1},
                        [=]<class Real>(const Layer<Real>& layer) {
                          return Pair<Real>{first_line(layer, layer.w_k, layer.w_q, exponent), second_line(layer)};
                        },
                        {unit_vectors});
}

Check exchanged_lines(double exponent) {
  return for_all_layers({3, 2, 2, 1}, [=]<class Real>(const Layer<Real>& layer) {
    return Pair<Real>{first_line(layer, layer.w_q, layer.w_k, exponent), second_line(layer)};
  });
}

enum class Softmax { rows, columns };

/// softmax(Q K' / D^exponent) V by matrices, against the second line of Eq 1.
Check matrix_form(double exponent, Softmax over) {
  return for_all_layers({3, 2, 2, 2}, [=]<class Real>(const Layer<Real>& layer) {
    using std::exp;
    using std::pow;
    const std::size_t n = layer.x.points();
    const auto all = [&](const Signal<Real>& w) {
      Signal<Real> product(w.points());
      product.values = all_projected(w, layer.x).entries;
      return product;
    };
    const Signal<Real> q = all(layer.w_q), k = all(layer.w_k), v = all(layer.w_v);
    Weights<Real> weights(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        Real logit(0);
        for (std::size_t c = 0; c < q.width; ++c) logit += q(i, c) * k(j, c);
        const bool by_rows = over == Softmax::rows;
        weights(by_rows ? i : j, by_rows ? j : i) =
            exp(Real(logit / pow(Real(static_cast<double>(q.width)), Real(exponent))));
      }
    Weights<Real> a = row_stochastic(weights);
    if (over == Softmax::columns) a = mixed(a, Real(0), Real(1));
    return Pair<Real>{applied(a, v).values, second_line(layer)};
  });
}

}  // namespace

Claims self_attention() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/eq-1",
        .label = "Eq 1",
        .title = "The two lines of self-attention agree",
        .kind = Kind::identity,
        .tex = R"(\sum_j\operatorname{softmax}\Bigl(\frac{x_i^\top W_K^\top W_Qx_j}{\sqrt D}\Bigr)W_Vx_j=)"
               R"(\sum_j\operatorname{softmax}\Bigl(\frac{q_i^\top k_j}{\sqrt D}\Bigr)v_j)",
        .assumptions = {"q_i = W_Q x_i, k_j = W_K x_j, v_j = W_V x_j", "D_x = 2, D = D_v = 1, two tokens"},
        .expected = Verdict::refuted,
        .finding = Finding::slip,
        .note =
            "The first line's logit x_i' W_K' W_Q x_j is k_i . q_j: queries and keys change places. A slip: Eq 2, Eq "
            "10 and Definition 2 use the second line, and nothing rests on the first.",
        .depends_on = {}},
       printed_lines(0.5),
       {},
       {{"W_Q before W_K", 1, exchanged_lines(0.5)}}});
  claims.push_back(
      {{.id = "twicing/eq-1-exchanged",
        .label = "Eq 1 (projections exchanged)",
        .title = "With W_Q before W_K the two lines of self-attention agree",
        .kind = Kind::identity,
        .tex = R"(\sum_j\operatorname{softmax}\Bigl(\frac{x_i^\top W_Q^\top W_Kx_j}{\sqrt D}\Bigr)W_Vx_j=)"
               R"(\sum_j\operatorname{softmax}\Bigl(\frac{q_i^\top k_j}{\sqrt D}\Bigr)v_j)",
        .assumptions = {"q_i = W_Q x_i, k_j = W_K x_j, v_j = W_V x_j", "D_x = D = 2, D_v = 1, three tokens"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/eq-1",
        .note = "The printed order is right where W_K' W_Q is symmetric, as for W_Q = W_K."},
       exchanged_lines(0.5),
       {{"D^0.505 in the place of sqrt(D)", 0.01, exchanged_lines(0.505)},
        {"W_K before W_Q, as printed", 1, printed_lines(0.5)}}});
  claims.push_back({{.id = "twicing/eq-2",
                     .label = "Eq 2",
                     .title = "Self-attention as a product of matrices",
                     .kind = Kind::identity,
                     .tex = R"(\Bigl(\operatorname{softmax}\Bigl(\frac{QK^\top}{\sqrt D}\Bigr)V\Bigr)_i=)"
                            R"(\sum_j\operatorname{softmax}\Bigl(\frac{q_i^\top k_j}{\sqrt D}\Bigr)v_j)",
                     .assumptions = {"softmax row by row", "D_x = D = D_v = 2, three tokens"},
                     .expected = Verdict::supported,
                     .note = "The second line of Eq 1, not the first."},
                    matrix_form(0.5, Softmax::rows),
                    {{"D^0.505 in the place of sqrt(D)", 0.01, matrix_form(0.505, Softmax::rows)},
                     {"softmax column by column", 1, matrix_form(0.5, Softmax::columns)}}});
  return claims;
}

}  // namespace attest::twicing
