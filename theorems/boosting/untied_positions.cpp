// Remark 3.4 (concatenation) and Eq 6.1: two other spellings of bilateral self-attention.
#include <array>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::boosting {
namespace {

using namespace engine;

constexpr std::size_t n = 3;
constexpr std::array<double, n> places{1, 2, 7};
/// Logits up to 64 / 0.5 from at most 16 products of four factors each.
constexpr double rounding = 128 * 16 * 8 * 0x1p-52;

std::vector<Block> setting() {
  return {{"y", 2 * n, -2, 2}, {"W_Q", 4, -1, 1}, {"W_K", 4, -1, 1}, {"h_p", 1, 0.7, 2}, {"h_y", 1, 0.7, 2}};
}

template <class Real>
struct Sequence {
  Matrix<Real> y, p, w_q, w_k;
  Real h_p, h_y;
};

template <class Real>
Sequence<Real> sequence(const Inputs& in) {
  return {matrix<Real>(in, "y", n, 2),   sinusoidal_positions<Real>(places, 2),
          matrix<Real>(in, "W_Q", 2, 2), matrix<Real>(in, "W_K", 2, 2),
          Real(in.scalar("h_p")),        Real(in.scalar("h_y"))};
}

/// log K_BSA with W = W_Q' W_K.
template <class Real>
Matrix<Real> log_bsa(const Sequence<Real>& s) {
  const auto w = multiply(transpose(s.w_q), s.w_k);
  return add(scale(Real(Real(1) / (s.h_p * s.h_p)), bilinear(s.p, w, s.p)), bilinear(s.y, w, s.y),
             Real(Real(1) / (s.h_y * s.h_y)));
}

/// (x_i' W_Q' W_K x_j) / sqrt(2d), d = 2.
template <class Real>
Matrix<Real> scaled_logits(const Matrix<Real>& x, const Matrix<Real>& w_q, const Matrix<Real>& w_k) {
  return scale(Real(Real(1) / Real(2)), bilinear(x, multiply(transpose(w_q), w_k), x));
}

/// Attention on [y; p] in R^{2d} with block-diagonal projections (2d)^{1/4} (W_Q / h_y, W_Q / h_p), the same for the
/// keys; `mixing` fills the block of the query projection that takes positions to contents.
Check concatenation(double mixing) {
  return generic_identity(setting(),
                          [mixing](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto s = sequence<Real>(in);
                            Matrix<Real> x(n, 4);
                            Matrix<Real> w_q(4, 4);
                            Matrix<Real> w_k(4, 4);
                            const Real fourth_root = sqrt(Real(2));  // (2d)^{1/4} = 4^{1/4}
                            for (std::size_t a = 0; a < 2; ++a)
                              for (std::size_t i = 0; i < n; ++i) {
                                x(i, a) = s.y(i, a);
                                x(i, a + 2) = s.p(i, a);
                              }
                            for (std::size_t a = 0; a < 2; ++a)
                              for (std::size_t b = 0; b < 2; ++b) {
                                w_q(a, b) = fourth_root / s.h_y * s.w_q(a, b);
                                w_k(a, b) = fourth_root / s.h_y * s.w_k(a, b);
                                w_q(a + 2, b + 2) = fourth_root / s.h_p * s.w_q(a, b);
                                w_k(a + 2, b + 2) = fourth_root / s.h_p * s.w_k(a, b);
                                w_q(a, b + 2) = Real(mixing) * s.w_q(a, b);
                              }
                            return Pair<Real>{scaled_logits(x, w_q, w_k).entries, log_bsa(s).entries};
                          },
                          {.rounding_bound = rounding, .scale = 1});
}

/// Eq 6.1 with the projections of the contents (2d)^{1/4} / h_y W and those of the positions H = (2d)^{1/4} / h_p W.
struct Untied {
  bool own_scale = true;      ///< H has its own scale; else that of the contents
  double positions_in_x = 0;  ///< x = y + this p
  double bias = 0;            ///< b_ij = this (i - j)
};

Check untied_logits(Untied u) {
  return generic_identity(setting(),
                          [u](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto s = sequence<Real>(in);
                            const Real root = sqrt(Real(2));
                            const Real of_contents = root / s.h_y;
                            const Real of_positions = u.own_scale ? root / s.h_p : of_contents;
                            const auto x = add(s.y, s.p, Real(u.positions_in_x));
                            auto logits = add(
                                scaled_logits(x, scale(of_contents, s.w_q), scale(of_contents, s.w_k)),
                                scaled_logits(s.p, scale(of_positions, s.w_q), scale(of_positions, s.w_k)), Real(1));
                            for (std::size_t i = 0; i < n; ++i)
                              for (std::size_t j = 0; j < n; ++j)
                                logits(i, j) += Real(u.bias) * Real(places[i] - places[j]);
                            return Pair<Real>{logits.entries, log_bsa(s).entries};
                          },
                          {.rounding_bound = rounding, .scale = 1});
}

}  // namespace

Claims untied_positions() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/remark-3.4-concatenation",
        .label = "Remark 3.4 (concatenation)",
        .title = "Bilateral attention is attention on tokens with their positions concatenated",
        .kind = Kind::identity,
        .tex =
            R"(\log K_{BSA}(i,j) = \frac{1}{\sqrt{2d}}[\mathbf y_i;\mathbf p_i]^\top\mathbf W_Q'^\top\mathbf W_K'[\mathbf y_j;\mathbf p_j],\quad \mathbf W_Q' = (2d)^{1/4}\,\mathrm{diag}(\mathbf W_Q/h_y,\mathbf W_Q/h_p))",
        .assumptions = {"block-diagonal projections of the concatenated tokens", "the values are those of y alone"},
        .expected = Verdict::supported,
        .note = "'Can be seen as' is read as: for some projections. Free projections of the concatenated tokens bring "
                "the mixed terms of Distinction 2 back."},
       concatenation(0),
       {{"one percent of a mixing block", 0.01, concatenation(0.01)}}});
  claims.push_back(
      {{.id = "boosting/eq-6.1",
        .label = "Eq 6.1",
        .title = "Untied positional projections contain bilateral attention with separate bandwidths",
        .kind = Kind::identity,
        .tex =
            R"(\frac{\mathbf x_i^\top\mathbf W_Q^\top\mathbf W_K\mathbf x_j+\mathbf p_i^\top\mathbf H_Q^\top\mathbf H_K\mathbf p_j}{\sqrt{2d}}+b_{ij} = \log K_{BSA}(i,j)\quad\text{for } \mathbf H_M \propto \mathbf W_M/h_p,\ b_{ij}=0)",
        .assumptions = {"x_i is the token without its position"},
        .expected = Verdict::supported,
        .note =
            "With x_i = e_i + p_i, as Eq 2.6 defines that letter, the mixed terms would be back: the last near-miss. "
            "The converse fails: independent H_Q, H_K are more than another bandwidth."},
       untied_logits({}),
       {{"the same scale for both projections", 1, untied_logits({.own_scale = false})},
        {"a bias of one percent of i - j", 0.01, untied_logits({.bias = 0.01})},
        {"one percent of the positions in x", 0.01, untied_logits({.positions_in_x = 0.01})}}});
  return claims;
}

}  // namespace attest::boosting
