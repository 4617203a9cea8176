// Section 1.1: self-attention as a product of matrices (Eq 1), query by query (Eq 2), and in several heads (Eq 3).
#include <cmath>

#include "theorems/primal_dual/heads.hpp"
#include "theorems/primal_dual/prescribed_values.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;

constexpr std::size_t tokens = 3;
constexpr std::size_t width = 2;  // D_x = D = D_v
constexpr std::size_t square = width * width;
constexpr std::size_t heads = 2;

template <class Real>
using Vector = std::vector<Real>;

// The block of head s in a list of square matrices.
template <class Real>
Vector<Real> block(const Inputs& inputs, const char* name, std::size_t s) {
  return as<Real>(values(inputs, name, heads * square).subspan(s * square, square));
}

struct Variation {
  double root = 1;              // of sqrt(D) in Eq 1
  bool columns = false;         // softmax down the columns of QK'
  bool blocks_swapped = false;  // W_O^1 and W_O^2
};

// A V of Eq 1, row by row, from the bilinear form x_i' (W_Q' W_K) x_j.
template <class Real>
Vector<Real> as_matrices(const Inputs& inputs, std::size_t s, const Variation& change) {
  using std::exp;
  using std::sqrt;
  const Keys<Real> x(values(inputs, "tokens", tokens * width), width);
  const auto w_q = block<Real>(inputs, "W_Q", s);
  const auto w_k = block<Real>(inputs, "W_K", s);
  Vector<Real> form(square, Real(0));
  for (std::size_t a = 0; a < width; ++a) {
    for (std::size_t b = 0; b < width; ++b) {
      for (std::size_t d = 0; d < width; ++d) form[a * width + b] += w_q[d * width + a] * w_k[d * width + b];
    }
  }
  Vector<Real> similarity(tokens * tokens, Real(0));
  for (std::size_t i = 0; i < tokens; ++i) {
    for (std::size_t j = 0; j < tokens; ++j) {
      const auto right = projected(form, x.row(j));
      const Real logit = inner_product(x.row(i), std::span<const Real>(right));
      similarity[i * tokens + j] = exp(logit / (Real(change.root) * sqrt(Real(static_cast<double>(width)))));
    }
  }
  const auto rows = projected_rows(x, block<Real>(inputs, "W_V", s));
  Vector<Real> out;
  for (std::size_t i = 0; i < tokens; ++i) {
    Vector<Real> weights;
    for (std::size_t j = 0; j < tokens; ++j) {
      Real total(0);
      for (std::size_t l = 0; l < tokens; ++l) total += similarity[change.columns ? l * tokens + j : i * tokens + l];
      weights.push_back(similarity[i * tokens + j] / total);
    }
    const auto h = weighted_rows<Real>(weights, rows);
    out.insert(out.end(), h.begin(), h.end());
  }
  return out;
}

// sum_j softmax(q_i'k_j / sqrt(D)) v_j of Eq 2, row by row.
template <class Real>
Vector<Real> query_by_query(const Inputs& inputs, std::size_t s) {
  const Keys<Real> x(values(inputs, "tokens", tokens * width), width);
  const Keys<Real> keys(projected_rows(x, block<Real>(inputs, "W_K", s)), width);
  const auto rows = projected_rows(x, block<Real>(inputs, "W_V", s));
  Vector<Real> out;
  for (std::size_t i = 0; i < tokens; ++i) {
    const auto q = projected(block<Real>(inputs, "W_Q", s), x.row(i));
    const auto h = keys.attend_rows(q, rows);
    out.insert(out.end(), h.begin(), h.end());
  }
  return out;
}

// Concat(H^1, H^2) W_O' with H^s of Eq 1, and sum_s H^s W_O^s' with H^s of Eq 2.
template <class Real>
engine::Pair<Real> both_forms(const Inputs& inputs, const Variation& change) {
  Vector<Real> concatenated(tokens * width, Real(0));
  Vector<Real> summed = concatenated;
  engine::Pair<Real> sides;
  for (std::size_t s = 0; s < heads; ++s) {
    const auto left = as_matrices<Real>(inputs, s, change);
    const auto right = query_by_query<Real>(inputs, s);
    sides.lhs.insert(sides.lhs.end(), left.begin(), left.end());
    sides.rhs.insert(sides.rhs.end(), right.begin(), right.end());
    // W_O^multi = [W_O^1, W_O^2]: its columns s D_v, ..., (s + 1) D_v - 1 meet head s of the concatenation.
    const auto columns = block<Real>(inputs, "W_O", change.blocks_swapped ? heads - 1 - s : s);
    for (std::size_t i = 0; i < tokens; ++i) {
      for (std::size_t r = 0; r < width; ++r) {
        for (std::size_t d = 0; d < width; ++d)
          concatenated[i * width + r] += left[i * width + d] * columns[r * width + d];
      }
      const auto part =
          projected(block<Real>(inputs, "W_O", s), std::span<const Real>(right).subspan(i * width, width));
      for (std::size_t r = 0; r < width; ++r) summed[i * width + r] += part[r];
    }
  }
  sides.lhs.insert(sides.lhs.end(), concatenated.begin(), concatenated.end());
  sides.rhs.insert(sides.rhs.end(), summed.begin(), summed.end());
  return sides;
}

engine::Check forms_agree(Variation change) {
  const std::size_t all = heads * square;
  const engine::Layout layout({{"tokens", tokens * width, -1, 1},
                               {"W_Q", all, -1, 1},
                               {"W_K", all, -1, 1},
                               {"W_V", all, -1, 1},
                               {"W_O", all, -1, 1}});
  // Logits below 8 / sqrt(2) with about 15 roundings each, values of at most 2 and sums of four of them.
  return identity_of(layout, 8, 256 * 0x1p-53, 600,
                     [change](const Inputs& inputs, auto zero) { return both_forms<decltype(zero)>(inputs, change); });
}

}  // namespace

engine::Claims eq_1_to_3() {
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/eq-1-3",
      .label = "Eq 1-3",
      .title = "Attention as matrices, query by query, and in several heads",
      .kind = engine::Kind::identity,
      .tex =
          R"(\big[\mathrm{softmax}(QK^\top/\sqrt D)V\big]_i = \sum_j \mathrm{softmax}_j(q_i^\top k_j/\sqrt D)\,v_j,\qquad \mathrm{Concat}(H^1,\dots,H^H)\,[W_O^1,\dots,W_O^H]^\top = \sum_s H^s W_O^{s\top})",
      .assumptions = {"the softmax of Eq 1 runs along each row, that of Eq 2 over j",
                      "two heads, three tokens, D_x = D = D_v = 2"},
      .expected = engine::Verdict::supported,
      .note =
          "With W_O in R^{D_v x H D_v}, as printed, the residual of Section 1.1 needs D_v = D_x; practice has D_x "
          "rows in W_O and D_x = H D_v. The identities hold for any number of rows."};
  claim.check = forms_agree({});
  claim.near_misses = {{"sqrt(D) one percent larger", 0.01, forms_agree({.root = 1.01})},
                       {"softmax down the columns", 1, forms_agree({.columns = true})},
                       {"blocks of W_O in the other order", 1, forms_agree({.blocks_swapped = true})}};
  return {claim};
}

}  // namespace attest::primal_dual
