// Section 6.2: the sparse mixture of experts as one product with a dictionary.
#include <algorithm>
#include <string>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/generic_check.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

constexpr std::size_t experts = 4;   ///< M
constexpr std::size_t hidden = 2;    ///< k'
constexpr std::size_t selected = 2;  ///< k

enum class Ties { broken_by_index, all_selected };

/// Non-zeros of z: expert j is active when fewer than k experts have a larger score (or an equal one and a smaller
/// index), and then its entries count where sigma = ReLU leaves them positive.
double nonzeros(const Inputs& in, Ties ties) {
  const auto scores = in["scores"];
  double count = 0;
  for (std::size_t j = 0; j < experts; ++j) {
    std::size_t before = 0;
    for (std::size_t i = 0; i < experts; ++i)
      before += scores[i] > scores[j] || (ties == Ties::broken_by_index && i < j && scores[i] == scores[j]) ? 1 : 0;
    for (std::size_t a = 0; a < hidden && before < selected; ++a) count += in["Q x"][hidden * j + a] > 0 ? 1 : 0;
  }
  return count;
}

/// At most `bound` non-zeros.
Check nonzeros_at_most(double bound, Ties ties) {
  return generic_inequality({{"scores", experts, -1, 1}, {"Q x", experts * hidden, -1, 1}}, Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              return Pair<Real>{{Real(nonzeros(in, ties))}, {Real(bound)}};
                            },
                            {.evaluations = 2000, .corners = {std::vector<double>(experts * (1 + hidden), 0.5)}});
}

/// The columns of D = [P_1, ..., P_M], counted one by one, are (M - less) k (as printed) or (M - less) k'.
Check columns_are(bool printed, double less = 0) {
  EnumerationProblem p;
  p.domain = "M = 2, ..., 9 experts, k = 1, ..., M - 1 of them active, k' = 1, ..., 8 intermediate features";
  p.cases = 8 * 8 * 8;
  p.case_inputs = [](std::int64_t at) {
    const double m = 2 + static_cast<double>(at / 64);
    return Inputs{{"M", {m}},
                  {"k", {1 + std::min(static_cast<double>(at / 8 % 8), m - 2)}},
                  {"k'", {1.0 + static_cast<double>(at % 8)}}};
  };
  p.ball_sides = [printed, less](const Inputs& in) -> BallSides {
    double columns = 0;
    for (double expert = 0; expert < in.scalar("M"); ++expert) columns += in.scalar("k'");
    return {columns, (Ball(in.scalar("M")) - less) * in.scalar(printed ? "k" : "k'")};
  };
  return enumerate(std::move(p));
}

/// sum_j g_j P_j z_j = factor D z for three experts with z_j in R^2 and outputs in R^2; `shift` exchanges blocks of z.
Check product_with_dictionary(double factor, std::size_t shift) {
  constexpr std::size_t m = 3;
  return generic_identity({{"g", m, 0, 1}, {"P", m * 4, -1, 1}, {"z", m * 2, 0, 2}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            Matrix<Real> sum(2, 1);
                            Matrix<Real> dictionary(2, 2 * m);
                            Matrix<Real> stacked(2 * m, 1);
                            for (std::size_t j = 0; j < m; ++j) {
                              const Real g(in["g"][j]);
                              Matrix<Real> expert(2, 2);
                              Matrix<Real> z(2, 1);
                              for (std::size_t a = 0; a < 2; ++a) {
                                z(a, 0) = Real(in["z"][2 * j + a]);
                                stacked(2 * ((j + shift) % m) + a, 0) = g * z(a, 0);
                                for (std::size_t b = 0; b < 2; ++b)
                                  dictionary(a, 2 * j + b) = expert(a, b) = Real(in["P"][4 * j + 2 * a + b]);
                              }
                              sum = add(sum, multiply(expert, z), g);
                            }
                            return Pair<Real>{sum.entries, scale(Real(factor), multiply(dictionary, stacked)).entries};
                          },
                          {.evaluations = 500, .rounding_bound = 12 * 8 * 0x1p-52, .scale = 1});
}

}  // namespace

Claims sparse_experts() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/experts-sparsity",
        .label = "Sec 6.2 (sparsity of z)",
        .title = "At most k k' of the M k' entries of z are not zero",
        .kind = Kind::universal_inequality,
        .tex = R"(\#\{a:\ z_a\ne0\} \le k\,k' \ \text{of}\ M\,k')",
        .assumptions = {"Top-k selects exactly k experts: ties are broken", "M = 4, k = 2, k' = 2"},
        .expected = Verdict::supported,
        .note = "The share k k' / (M k') = k / M is the text's. ReLU stands for sigma; any sigma gives at most "
                "k' non-zeros a selected expert."},
       nonzeros_at_most(selected * hidden, Ties::broken_by_index),
       {{"one fewer", 0.25, nonzeros_at_most(selected * hidden - 1, Ties::broken_by_index)},
        {"all experts with the k-th largest score", 1, nonzeros_at_most(selected * hidden, Ties::all_selected)}}});
  claims.push_back(
      {{.id = "boosting/experts-dictionary",
        .label = "Sec 6.2 (D in R^{d x (Mk)})",
        .title = "The dictionary has M k columns",
        .kind = Kind::identity,
        .tex =
            R"(\mathbf D = [\mathbf P_1,\dots,\mathbf P_M] \in \mathbb R^{d\times(Mk)},\quad \mathbf P_j\in\mathbb R^{d\times k'})",
        .assumptions = {"every P_j is d x k'"},
        .expected = Verdict::refuted,
        .finding = Finding::slip,
        .note = "A prime is missing, in print or in the extraction: the same sentence says that D has M k' "
                "columns. k is the number of active experts."},
       columns_are(true),
       {},
       {{"M k' columns", 1, columns_are(false)}}});
  claims.push_back({{.id = "boosting/experts-dictionary-columns",
                     .label = "Sec 6.2 (D in R^{d x (Mk')})",
                     .title = "The dictionary has M k' columns",
                     .kind = Kind::identity,
                     .tex = R"(\mathbf D = [\mathbf P_1,\dots,\mathbf P_M] \in \mathbb R^{d\times(Mk')})",
                     .assumptions = {"every P_j is d x k'"},
                     .expected = Verdict::certified,
                     .printed = false,
                     .amends = "boosting/experts-dictionary"},
                    columns_are(false),
                    {{"k for k'", 1, columns_are(true)}, {"one expert fewer", 1, columns_are(false, 1)}}});
  claims.push_back(
      {{.id = "boosting/experts-product",
        .label = "Sec 6.2 (y = D z)",
        .title = "The mixture is one product of the dictionary with the stacked, gated activations",
        .kind = Kind::identity,
        .tex =
            R"(\sum_jg_j\mathbf P_j\mathbf z_j = \mathbf D\mathbf z,\quad \mathbf z = [g_1\mathbf z_1;\dots;g_M\mathbf z_M])",
        .assumptions = {"any gates, any activations"},
        .expected = Verdict::supported,
        .depends_on = {"boosting/experts-dictionary", "boosting/experts-sparsity"}},
       product_with_dictionary(1, 0),
       {{"raised by one percent", 0.01, product_with_dictionary(1.01, 0)},
        {"blocks of z in another order", 1, product_with_dictionary(1, 1)}}});
  return claims;
}

}  // namespace attest::boosting
