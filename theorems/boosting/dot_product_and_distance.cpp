// The first distinction of section 3.2: similarity by dot products and by Euclidean distances.
#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

constexpr std::size_t n = 3;
constexpr double rounding = 40 * 16 * 0x1p-52;  ///< logits up to 40, sixteen roundings

template <class Real>
struct Logits {
  Matrix<Real> dot, euclidean;
};

/// y_i . y_j / sqrt 2 and -|y_i - y_j|^2 / (2 sqrt 2) for patches in the plane.
template <class Real>
Logits<Real> logits(const Matrix<Real>& y) {
  const Real root = sqrt(Real(2));
  return {scale(Real(Real(1) / root), dot_products(y, y)),
          scale(Real(Real(-1) / (Real(2) * root)), squared_distances(y, y))};
}

/// On a circle of radius r around (shift, 0) the two give the same weights.
Check equal_on_circle(double shift) {
  return generic_identity({{"angles", n, -3.2, 3.2}, {"r", 1, 0.5, 3}},
                          [shift](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            auto y = on_circle<Real>(in["angles"], Real(in.scalar("r")));
                            for (std::size_t i = 0; i < n; ++i) y(i, 0) += Real(shift);
                            const auto at = logits(y);
                            return Pair<Real>{softmax_rows(at.dot).entries, softmax_rows(at.euclidean).entries};
                          },
                          {.rounding_bound = rounding, .scale = 1});
}

/// log(a_ij / a_ik) by dot products exceeds that by distances by factor (|y_j|^2 - |y_k|^2) / (2 sqrt d), so that equal
/// weights force equal lengths.
Check lengths_show(double factor) {
  return generic_identity(
      {{"y", 2 * n, -3, 3}},
      [factor](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto y = matrix<Real>(in, "y", n, 2);
        const auto at = logits(y);
        const auto by_dot = softmax_rows(at.dot);
        const auto by_distance = softmax_rows(at.euclidean);
        const auto norms = squared_norms(y);
        Pair<Real> pair;
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t k = 1; k < n; ++k) {
            pair.lhs.push_back(log(by_dot(i, 0) / by_dot(i, k)) - log(by_distance(i, 0) / by_distance(i, k)));
            pair.rhs.push_back(Real(factor) * (norms[0] - norms[k]) / (Real(2) * sqrt(Real(2))));
          }
        return pair;
      },
      {.rounding_bound = rounding, .scale = 1});
}

Check equivalent(double shift, double factor) {
  return composite({{"on a circle around the origin the weights are equal", Kind::identity, equal_on_circle(shift)},
                    {"equal weights need equal lengths", Kind::identity, lengths_show(factor)}});
}

/// y_1 = (1, 0) and y_2 = (c r, s r) with r in [1.01, 2]: both similarities order the two patches alike, seen from
/// either, though their lengths differ.
Check same_order(double cosine_from, double cosine_to) {
  BoxProblem p;
  p.domain = "|y_1| = 1, |y_2| in [1.01, 2], cosine between them in a range of width 0.1";
  p.coordinates = {"|y_2|", "cosine"};
  p.lower = {1.01, cosine_from};
  p.upper = {2, cosine_to};
  p.margin = [](std::span<const Ball> x) {
    // From y_1: 1 against r c; from y_2: r^2 against r c. By distance each patch comes first for itself.
    return -rigor::min(1 - x[0] * x[1], rigor::square(x[0]) - x[0] * x[1]);
  };
  return exists_on_box(std::move(p));
}

/// |y_1| = 1, |y_2| = r up to `longest`: y_2 gets more weight for y_1 than y_1 itself.
Check own_patch_second(double longest) {
  BoxProblem p;
  p.domain = "|y_1| = 1, |y_2| in [0.5, 2] or shorter than 1, cosine in [-1, 1]";
  p.coordinates = {"|y_2|", "cosine"};
  p.lower = {0.5, -1};
  p.upper = {longest, 1};
  p.margin = [](std::span<const Ball> x) { return 1 - x[0] * x[1]; };
  return exists_on_box(std::move(p));
}

}  // namespace

Claims dot_product_and_distance() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/distinction-1",
        .label = "Distinction 1 ('equivalent iff hyperspheres')",
        .title = "Dot products and distances give the same weights iff all patches have one length",
        .kind = Kind::implication,
        .tex =
            R"(\forall i,j:\ \mathrm{softmax}_j\frac{\mathbf y_i^\top\mathbf y_j}{\sqrt d} = \mathrm{softmax}_j\frac{-|\mathbf y_i-\mathbf y_j|^2}{2\sqrt d} \iff |\mathbf y_1| = \dots = |\mathbf y_N|)",
        .assumptions = {"equivalent: the same normalised weights", "one hypersphere, around the origin"},
        .expected = Verdict::supported,
        .note =
            "The second direction is the identity log(a_ij/a_ik) - log(b_ij/b_ik) = (|y_j|^2-|y_k|^2) / (2 sqrt d). "
            "Read as a sphere anywhere, or as several spheres, the statement would be false: d + 1 points in general "
            "position always lie on a sphere.",
        .depends_on = {"boosting/prop-3.2-factorisation"}},
       equivalent(0, 1),
       {{"centre moved by 0.01", 0.01, equivalent(0.01, 1)},
        {"one tenth of a percent more of the lengths", 0.001, equivalent(0, 1.001)}}});
  claims.push_back(
      {{.id = "boosting/distinction-1-order",
        .label = "Distinction 1 ('equivalent iff hyperspheres') (as orders)",
        .title = "Patches of different lengths can be ordered alike by both similarities",
        .kind = Kind::existence,
        .tex =
            R"(\exists|\mathbf y_1|\ne|\mathbf y_2|:\ \mathbf y_i^\top\mathbf y_j<\mathbf y_i^\top\mathbf y_k \iff |\mathbf y_i-\mathbf y_j|>|\mathbf y_i-\mathbf y_k|)",
        .assumptions = {"two patches"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/distinction-1",
        .note = "As an equivalence of rankings, 'only if' fails: orthogonal patches will do."},
       same_order(-0.05, 0.05),
       {{"nearly parallel patches", 1, same_order(0.995, 1)}}});
  claims.push_back(
      {{.id = "boosting/distinction-1-own-patch",
        .label = "Distinction 1 ('equivalent iff hyperspheres') (what breaks)",
        .title = "By dot products a patch may not be the most similar one to itself",
        .kind = Kind::existence,
        .tex = R"(\exists\mathbf y_1,\mathbf y_2:\ \mathbf y_1^\top\mathbf y_2 > \mathbf y_1^\top\mathbf y_1)",
        .assumptions = {"two patches"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/distinction-1",
        .note = "No filter by distances does that, and attention among patches of one length neither."},
       own_patch_second(2),
       {{"the other patch one percent shorter", 0.01, own_patch_second(0.99)}}});
  return claims;
}

}  // namespace attest::boosting
