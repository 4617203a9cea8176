// Remark 3.4: the distance proxy -m |i - j| and ALiBi.
#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"
#include "theorems/mechanisms/library.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;
using std::exp;

enum class Rows { causal, full };

/// The bilateral weights e^s_ij (e^-m)^|i - j|, a kernel of contents times one of positions, over their sum, against
/// ALiBi's softmax(s_i + slope m (-(i-1), ..., -1, 0)).
Check alibi_weights(Rows rows, double slope) {
  constexpr std::size_t n = 4;
  return generic_identity({{"s", n * n, -3, 3}, {"m", 1, 0.01, 1}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const Real m(in.scalar("m"));
                            Pair<Real> pair;
                            for (std::size_t i = 0; i < n; ++i) {
                              const std::size_t seen = rows == Rows::causal ? i + 1 : n;
                              std::vector<Real> by_distance;
                              Matrix<Real> by_bias(1, seen);
                              Real sum(0.0);
                              for (std::size_t j = 0; j < seen; ++j) {
                                const Real s(in["s"][i * n + j]);
                                by_distance.push_back(exp(s));
                                for (std::size_t k = std::min(i, j); k < std::max(i, j); ++k)
                                  by_distance.back() = by_distance.back() * exp(-m);
                                sum = sum + by_distance.back();
                                by_bias(0, j) =
                                    s + Real(slope) * m * Real(static_cast<double>(j) + 1 - static_cast<double>(seen));
                              }
                              for (const Real& w : by_distance) pair.lhs.push_back(w / sum);
                              for (const Real& w : softmax_rows(by_bias).entries) pair.rhs.push_back(w);
                            }
                            return pair;
                          },
                          {.rounding_bound = 8 * 16 * 0x1p-52, .scale = 1});
}

/// Attention with linear biases as the library has it for one head, whose slope is 2^-8: weights for logits s.
template <class Real>
std::vector<Real> published_alibi(const Matrix<Real>& s) {
  if constexpr (std::is_same_v<Real, double>) {
    // Keys that are unit vectors give the queries' entries over sqrt(D) as logits.
    const Matrix<double> q = scale(std::sqrt(static_cast<double>(s.cols)), s);
    const Matrix<double> k = scaled_identity(s.cols, 1.0);
    return mechanisms::weights("alibi",
                               {mechanisms::rows("q", q.entries, s.cols), mechanisms::rows("k", k.entries, s.cols)},
                               s.cols, {.mask = {.causal = true}});
  } else {
    std::vector<Real> all;
    for (std::size_t i = 0; i < s.rows; ++i) {
      Matrix<Real> row(1, i + 1);
      for (std::size_t j = 0; j <= i; ++j) row(0, j) = s(i, j) - Real(0x1p-8) * Real(static_cast<double>(i - j));
      for (const Real& w : softmax_rows(row).entries) all.push_back(w);
      all.resize((i + 1) * s.cols, Real(0));
    }
    return all;
  }
}

/// The same against softmax(s_i + slope 2^-8 (-(i-1), ..., -1, 0)) over the keys seen.
Check published_slope(double slope) {
  constexpr std::size_t n = 4;
  return generic_identity({{"s", n * n, -3, 3}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto s = matrix<Real>(in, "s", n, n);
                            Pair<Real> pair{published_alibi(s), {}};
                            for (std::size_t i = 0; i < n; ++i) {
                              Matrix<Real> row(1, i + 1);
                              for (std::size_t j = 0; j <= i; ++j)
                                row(0, j) = s(i, j) + Real(slope * 0x1p-8) *
                                                          Real(static_cast<double>(j) - static_cast<double>(i));
                              for (const Real& w : softmax_rows(row).entries) pair.rhs.push_back(w);
                              pair.rhs.resize((i + 1) * n, Real(0));
                            }
                            return pair;
                          },
                          {.rounding_bound = 8 * 16 * 0x1p-52, .scale = 1});
}

/// -m k decreases in the distance k for m in (least_slope, 1].
Check alibi_decays(double least_slope) {
  BoxProblem p;
  p.domain = "slope m in [" + std::to_string(least_slope) + ", 1]";
  p.coordinates = {"m"};
  p.lower = {least_slope};
  p.upper = {1};
  p.margin = [](std::span<const Ball> x) { return x[0]; };  // -m k - (-m (k + 1))
  return certify_on_box(std::move(p));
}

Check alibi(Rows rows, double slope, double least_slope) {
  return composite({{"the weights of ALiBi", Kind::identity, alibi_weights(rows, slope)},
                    {"its published slope", Kind::identity, published_slope(slope)},
                    {"decays", Kind::universal_inequality, alibi_decays(least_slope)}});
}

}  // namespace

Claims linear_bias() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/remark-3.4-alibi",
        .label = "Remark 3.4 (ALiBi)",
        .title = "The proxy -m |i - j| gives ALiBi, and decays",
        .kind = Kind::identity,
        .tex =
            R"(\frac{e^{s_{ij}-m|i-j|}}{\sum_{k\le i}e^{s_{ik}-m|i-k|}} = \mathrm{softmax}_j\big(s_{ij}+m\,[-(i-1),\dots,-1,0]_j\big))",
        .assumptions = {"causal attention, as ALiBi is defined", "m > 0"},
        .expected = Verdict::supported,
        .note = "Without a causal mask ALiBi's row of biases, extended linearly, grows to the right where -m |i - j| "
                "falls."},
       alibi(Rows::causal, 1, 0.0),
       {{"slope one percent steeper", 0.01, alibi(Rows::causal, 1.01, 0.0)},
        {"no causal mask", 1, alibi(Rows::full, 1, 0.0)},
        {"a slope of -0.01", 0.01, alibi(Rows::causal, 1, -0.01)}}});
  return claims;
}

}  // namespace attest::boosting
