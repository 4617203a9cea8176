// Section 2.2: the attention output in three spellings, Eqs 2.3 and 2.4.
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

/// sum_j softmax_j(logits_ij / sqrt 2) v_j.
template <class Real>
Matrix<Real> output(const Matrix<Real>& logits, const Matrix<Real>& data) {
  return weighted_average(scale(Real(Real(1) / sqrt(Real(2))), logits), data);
}

enum class FirstLine { as_printed, roles_exchanged };

/// Both lines of Eq 2.3 for two tokens in the plane.
Check two_lines(FirstLine line) {
  return generic_identity(sequence_of(2),
                          [line](const Inputs& in, auto zero) {
                            const auto at = project<decltype(zero)>(in, 2);
                            const auto first =
                                line == FirstLine::as_printed ? dot_products(at.k, at.q) : dot_products(at.q, at.k);
                            return Pair<decltype(zero)>{output(first, at.v).entries,
                                                        mechanisms::softmax_attention(at.q, at.k, at.v).entries};
                          },
                          {.corners = {{1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1}},
                           .rounding_bound = rounding,
                           .scale = largest_value});
}

/// The same for W_K = S + skew (0 1; 0 0) and W_Q = a I + b S with a symmetric S, so that W_Q' W_K is symmetric.
Check two_lines_symmetric(double skew) {
  return generic_identity(
      {{"X", 4, -2, 2}, {"S", 3, -1, 1}, {"a", 1, -1, 1}, {"b", 1, -1, 1}},
      [skew](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto x = matrix<Real>(in, "X", 2, 2);
        Matrix<Real> s(2, 2);
        s.entries = {Real(in["S"][0]), Real(in["S"][1]), Real(in["S"][1]), Real(in["S"][2])};
        const auto w_q = add(scaled_identity(2, Real(in.scalar("a"))), s, Real(in.scalar("b")));
        s(0, 1) += Real(skew);
        const auto q = dot_products(x, w_q);
        const auto k = dot_products(x, s);
        return Pair<Real>{output(dot_products(k, q), x).entries, mechanisms::softmax_attention(q, k, x).entries};
      },
      {.corners = {{1, 0, 0, 1, 1, 0.5, 0, 1, 0.5}}, .rounding_bound = rounding, .scale = largest_value});
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
      {{.id = "boosting/eq-2.3",
        .label = "Eq 2.3",
        .title = "The two lines of the attention output",
        .kind = Kind::identity,
        .tex =
            R"(\sum_j\mathrm{softmax}\Big(\frac{(\mathbf W_K\mathbf x_i)^\top(\mathbf W_Q\mathbf x_j)}{\sqrt d}\Big)\mathbf W_V\mathbf x_j = \sum_j\mathrm{softmax}\Big(\frac{\mathbf q_i^\top\mathbf k_j}{\sqrt d}\Big)\mathbf v_j)",
        .assumptions = {"q_i = W_Q x_i, k_j = W_K x_j, v_j = W_V x_j"},
        .expected = Verdict::refuted,
        .finding = Finding::slip,
        .note = "The first line compares k_i with q_j, the second q_i with k_j: queries and keys are exchanged in one "
                "of them, a slip, since Eq 2.4 and everything after it use the second line."},
       two_lines(FirstLine::as_printed),
       {{"a symmetric W_Q' W_K but for one percent", 0.01, two_lines_symmetric(0.01)}},
       {{"queries and keys in their places", 1, two_lines(FirstLine::roles_exchanged)},
        {"a symmetric W_Q' W_K", 1, two_lines_symmetric(0)}}});
  claims.push_back(
      {{.id = "boosting/eq-2.3-roles",
        .label = "Eq 2.3 (queries and keys in their places)",
        .title = "The two lines of the attention output, corrected",
        .kind = Kind::identity,
        .tex =
            R"(\sum_j\mathrm{softmax}\Big(\frac{(\mathbf W_Q\mathbf x_i)^\top(\mathbf W_K\mathbf x_j)}{\sqrt d}\Big)\mathbf W_V\mathbf x_j = \sum_j\mathrm{softmax}\Big(\frac{\mathbf q_i^\top\mathbf k_j}{\sqrt d}\Big)\mathbf v_j)",
        .assumptions = {"q_i = W_Q x_i, k_j = W_K x_j, v_j = W_V x_j"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/eq-2.3"},
       two_lines(FirstLine::roles_exchanged),
       {{"roles as printed", 1, two_lines(FirstLine::as_printed)}}});
  claims.push_back(
      {{.id = "boosting/eq-2.3-symmetric",
        .label = "Eq 2.3 (symmetric W_Q^T W_K)",
        .title = "The printed lines agree where queries and keys are interchangeable",
        .kind = Kind::identity,
        .tex = R"(\mathbf W_Q^\top\mathbf W_K = \mathbf W_K^\top\mathbf W_Q \Rightarrow \text{Eq 2.3 as printed})",
        .assumptions = {"W_Q' W_K symmetric, W_V = I; two tokens in the plane"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/eq-2.3",
        .note = "So Theorem 3.1, which takes identity projections, does not depend on the slip."},
       two_lines_symmetric(0),
       {{"one percent of skewness", 0.01, two_lines_symmetric(0.01)}}});
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
