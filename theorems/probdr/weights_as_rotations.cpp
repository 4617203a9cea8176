// Section 3, "An interpretation of the weight matrices": X <- X + X W as a rotation and a scaling, with the step size
// eta = |W|^{1/d_q}.
#include "theorems/probdr/unrolled_block.hpp"

namespace attest::probdr {
namespace {

using namespace engine;

/// |det W| of a 2 x 2 matrix.
template <class Real>
Real size_of_determinant(const Matrix<Real>& w) {
  const Real det = determinant(w);
  return positive(det) ? det : Real(-det);
}

/// |x W|^2 = |det W| |x|^2 in two dimensions: W is sqrt|det W| times a rotation or reflection. `spread`: W is a
/// rotation with its second row stretched by a factor of 1 to 1 + spread.
Check determinant_as_step(double spread, double power) {
  return generic_identity({{"angle", 1, -3.2, 3.2}, {"eta", 1, 0.1, 1}, {"stretch", 1, 1, 1 + spread}, {"x", 2, -1, 1}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const Real eta(in.scalar("eta"));
                            const Real c = eta * cos(Real(in.scalar("angle")));
                            const Real s = eta * sin(Real(in.scalar("angle")));
                            const Real stretch(in.scalar("stretch"));
                            Matrix<Real> w(2, 2);
                            w.entries = {c, s, -s * stretch, c * stretch};
                            const auto x = matrix<Real>(in, "x", 1, 2);
                            const auto image = multiply(x, w);
                            return Pair<Real>{{inner_product(image, image)},
                                              {exp(Real(power) * log(size_of_determinant(w))) * inner_product(x, x)}};
                          },
                          {.evaluations = 800, .scale = 1});
}

/// |det W| <= factor |W|_F^2/2 in two dimensions.
Check determinant_below_norm(double factor) {
  return generic_inequality({{"W", 4, -1, 1}}, Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto w = matrix<Real>(in, "W", 2, 2);
                              return Pair<Real>{{determinant(w)}, {Real(factor / 2) * inner_product(w, w)}};
                            },
                            {.evaluations = 1000, .corners = {{1, 0, 0, 1}}});
}

/// x + x W for W = eta R, R the rotation by t in the plane of the first two coordinates: |x + x W|^2 |y|^2 against
/// |y + y W|^2 |x|^2, equal for all x, y when I + W is a rotation and a scaling.
Check residual_is_conformal(std::size_t dimension, double least_angle, double largest_angle) {
  return generic_identity(
      {{"angle", 1, least_angle, largest_angle},
       {"eta", 1, 0.1, 0.9},
       {"x", dimension, -1, 1},
       {"y", dimension, -1, 1}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        Matrix<Real> w(dimension, dimension);
        const Real c = cos(Real(in.scalar("angle")));
        const Real s = sin(Real(in.scalar("angle")));
        w(0, 0) = w(1, 1) = c;
        w(0, 1) = s;
        w(1, 0) = -s;
        for (std::size_t k = 2; k < dimension; ++k) w(k, k) = Real(1);
        const auto length = [&](const Matrix<Real>& v, bool updated) {
          const auto image = updated ? add(v, multiply(v, w), Real(in.scalar("eta"))) : v;
          return inner_product(image, image);
        };
        const auto x = matrix<Real>(in, "x", 1, dimension);
        const auto y = matrix<Real>(in, "y", 1, dimension);
        return Pair<Real>{{length(x, true) * length(y, false)}, {length(y, true) * length(x, false)}};
      },
      {.evaluations = 800, .scale = 1});
}

/// |x + eta x R|^2 = (1 + eta^2 + 2 factor eta cos t) |x|^2 in the plane.
Check plane_scaling(double factor) {
  return generic_identity({{"angle", 1, -3.2, 3.2}, {"eta", 1, 0.1, 0.9}, {"x", 2, -1, 1}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const Real c = cos(Real(in.scalar("angle")));
                            const Real s = sin(Real(in.scalar("angle")));
                            const Real eta(in.scalar("eta"));
                            Matrix<Real> r(2, 2);
                            r.entries = {c, s, -s, c};
                            const auto x = matrix<Real>(in, "x", 1, 2);
                            const auto image = add(x, multiply(x, r), eta);
                            const Real stretch = Real(1) + eta * eta + Real(2 * factor) * eta * c;
                            return Pair<Real>{{inner_product(image, image)}, {stretch * inner_product(x, x)}};
                          },
                          {.evaluations = 500, .scale = 1});
}

}  // namespace

Claims weights_as_rotations() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/step-size-determinant",
        .label = "Sec 3 step size eta = |W|^{1/d_q}",
        .title = "A weight matrix is a rotation times |det W|^{1/d_q}",
        .kind = Kind::identity,
        .tex = R"(|\mathbf x\mathbf W|=|\det\mathbf W|^{1/d_q}\,|\mathbf x|\ \text{ for every } \mathbf x)",
        .assumptions = {"W any regular matrix: a learnt weight", "judged for d_q = 2"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note = "'We posit that an update ... can be interpreted as a rotation and a scaling': true of multiples of "
                "orthogonal matrices only. diag(2, 1/2) has the 'step size' 1 and turns nothing."},
       determinant_as_step(1, 1),
       {{"one row stretched by up to one percent", 0.01, determinant_as_step(0.01, 1)}},
       {{"multiples of rotations", 1, determinant_as_step(0, 1)}}});
  claims.push_back(
      {{.id = "probdr/step-size-determinant-orthogonal",
        .label = "Sec 3 step size eta = |W|^{1/d_q} (where it holds)",
        .title = "For W = eta R the determinant returns eta",
        .kind = Kind::identity,
        .tex = R"(\mathbf W=\eta\mathbf R\ \Rightarrow\ |\mathbf x\mathbf W|=|\det\mathbf W|^{1/d_q}|\mathbf x|)",
        .assumptions = {"R orthogonal, eta > 0", "judged for d_q = 2"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/step-size-determinant"},
       determinant_as_step(0, 1),
       {{"power 1.01/d_q", 0.01, determinant_as_step(0, 1.01)},
        {"one row stretched by up to one percent", 0.01, determinant_as_step(0.01, 1)}}});
  claims.push_back(
      {{.id = "probdr/step-size-norm",
        .label = "Sec 3 step size eta = |W|^{1/d_q} (against the norm)",
        .title = "The determinant never overstates the root mean square gain of W",
        .kind = Kind::universal_inequality,
        .tex = R"(|\det\mathbf W|^{1/d_q}\le\frac{\|\mathbf W\|_F}{\sqrt{d_q}})",
        .assumptions = {"judged for d_q = 2, squared", "equality for multiples of orthogonal matrices only"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/step-size-determinant"},
       determinant_below_norm(1),
       {{"one percent less", 0.01, determinant_below_norm(0.99)}}});
  claims.push_back(
      {{.id = "probdr/residual-rotation",
        .label = "Sec 3 X <- X + X W_lin is 'a rotation and a scaling'",
        .title = "The residual update with a scaled rotation is a rotation and a scaling",
        .kind = Kind::identity,
        .tex =
            R"(|\mathbf x+\mathbf x\mathbf W|\,|\mathbf y|=|\mathbf y+\mathbf y\mathbf W|\,|\mathbf x|\ \text{ for all } \mathbf x,\mathbf y,\qquad \mathbf W=\eta\mathbf R)",
        .assumptions = {"W itself a rotation R times eta: the most favourable case", "d_q = 3"},
        .expected = Verdict::refuted,
        .finding = Finding::imprecise,
        .note = "(I + W)'(I + W) = (1 + eta^2) I + eta (R + R'): conformal only where R + R' is a "
                "multiple of I. The update X <- X W, without the residual, would be one.",
        .depends_on = {"probdr/step-size-determinant", "probdr/rotation-invariance"}},
       residual_is_conformal(3, -3.2, 3.2),
       {{"turns up to 0.01 only", 0.01, residual_is_conformal(3, 0, 0.01)}},
       {{"in the plane", 1, residual_is_conformal(2, -3.2, 3.2)}}});
  claims.push_back(
      {{.id = "probdr/residual-rotation-in-the-plane",
        .label = "Sec 3 X <- X + X W_lin is 'a rotation and a scaling' (where it holds)",
        .title = "In the plane it is, by a factor that depends on the angle",
        .kind = Kind::identity,
        .tex = R"(d_q=2:\quad |\mathbf x+\eta\mathbf x\mathbf R_t|^2=(1+\eta^2+2\eta\cos t)\,|\mathbf x|^2)",
        .assumptions = {"R_t the rotation by t, eta from 0.1 to 0.9"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/residual-rotation",
        .note = "The paper's own W_lin = -2 eta I is a multiple of I, which needs no plane."},
       plane_scaling(1),
       {{"cosine term one percent larger", 0.01, plane_scaling(1.01)}}});
  return claims;
}

}  // namespace attest::probdr
