// Section 3: LayerNorm as the projection onto the support of the prior, in the block and under rotations.
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/probdr/row_normalisation.hpp"

namespace attest::probdr {
namespace {

using namespace engine;

/// LayerNorm(x) against factor times the projection.
Check against_projection(bool with_root, double factor) {
  constexpr std::size_t width = 16;
  return generic_identity({{"x", width, -2, 2}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto x = vector<Real>(in, "x", width);
                            bool admissible = true;
                            const auto lhs = normalised(x, Normalisation::layer, admissible);
                            auto rhs = projected(x, admissible);
                            const Real size =
                                with_root ? Real(Real(factor) * sqrt(Real(static_cast<double>(width)))) : Real(factor);
                            for (Real& value : rhs) value *= size;
                            return Pair<Real>{lhs, rhs, admissible};
                          },
                          {.corners = {std::vector<double>{1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}});
}

/// |LayerNorm(x)|^2 with epsilon inside the root = factor d_q v/(v + epsilon), v the variance; d_q = 16, epsilon from
/// 2^-20 to 1, rows from 10^-3 to 2 long.
Check with_epsilon(bool told, double factor) {
  constexpr std::size_t width = 16;
  return generic_identity(
      {{"x", width, -1, 1}, {"log2 size", 1, -10, 1}, {"log2 epsilon", 1, -20, 0}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const Real size = exp(Real(in.scalar("log2 size")) * log(Real(2)));
        const Real epsilon = exp(Real(in.scalar("log2 epsilon")) * log(Real(2)));
        auto x = vector<Real>(in, "x", width);
        for (Real& value : x) value *= size;
        const Real centre = mean(x);
        for (Real& value : x) value -= centre;
        const Real variance = square_norm(x) / Real(static_cast<double>(width));
        auto normal = x;
        for (Real& value : normal) value /= sqrt(variance + epsilon);
        const Real share = told ? Real(variance / (variance + epsilon)) : Real(1);
        return Pair<Real>{{square_norm(normal)}, {Real(factor * static_cast<double>(width)) * share}};
      },
      {.scale = 1});
}

/// |x - P(x)| is at most factor |x - z| for every z of unit length and zero mean.
Check nearest(double factor) {
  return generic_inequality({{"x", width, -2, 2}, {"angle", 1, -3, 3}}, Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x = vector<Real>(in, "x", width);
                              bool admissible = true;
                              const auto p = projected(x, admissible);
                              const auto z = circle_row(Real(in.scalar("angle")));
                              Pair<Real> sides{{Real(0)}, {Real(0)}};
                              for (std::size_t i = 0; i < width; ++i) {
                                sides.lhs[0] += (x[i] - p[i]) * (x[i] - p[i]);
                                sides.rhs[0] += Real(factor * factor) * (x[i] - z[i]) * (x[i] - z[i]);
                              }
                              sides.admissible = admissible;
                              return sides;
                            });
}

/// LayerNorm(x R) against LayerNorm(x) R for R the turn by `angle` about an axis: the third coordinate axis, or the
/// vector of ones, which keeps the mean.
enum class Axis { coordinate, ones };

template <class Real>
std::vector<Real> turned(const std::vector<Real>& x, Axis axis, const Real& angle) {
  const Real c = cos(angle);
  const Real s = sin(angle);
  if (axis == Axis::coordinate) return {c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]};
  // Rodrigues' formula with the axis (1, 1, 1)/sqrt 3.
  const Real along = mean(x) * (Real(1) - c);
  const Real t = s / sqrt(Real(3));
  return {c * x[0] + t * (x[2] - x[1]) + along, c * x[1] + t * (x[0] - x[2]) + along,
          c * x[2] + t * (x[1] - x[0]) + along};
}

Check rotation(Normalisation kind, Axis axis, double stretch) {
  return generic_identity({{"x", width, -2, 2}, {"angle", 1, 0.1, 3}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto x = vector<Real>(in, "x", width);
                            const Real angle(in.scalar("angle"));
                            bool admissible = true;
                            auto lhs = normalised(turned(x, axis, angle), kind, admissible);
                            for (Real& value : lhs) value *= Real(stretch);
                            return Pair<Real>{lhs, turned(normalised(x, kind, admissible), axis, angle), admissible};
                          },
                          {.corners = {{1, 0, -1, 1}}});
}

/// tr(L~ X X') and det(X X' + beta I) of X R, R `size` times a product of turns, against those of X.
Check model_rotated(double size) {
  constexpr std::size_t points = 4;
  return generic_identity(
      {{"X", points * width, -1, 1}, {"angles", 3, -3, 3}, {"kappa", 1, 0.1, 5}, {"beta", 1, 0.1, 2}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto angles = engine::values(in, "angles", 3);
        Matrix<Real> r = scaled_identity(width, Real(size));
        for (std::size_t k = 0; k < 3; ++k) {
          Matrix<Real> turn = scaled_identity(width, Real(1));
          const std::size_t i = k % 2;
          turn(i, i) = turn(i + 1, i + 1) = cos(Real(angles[k]));
          turn(i + 1, i) = sin(Real(angles[k]));
          turn(i, i + 1) = -turn(i + 1, i);
          r = multiply(r, turn);
        }
        const auto see = [&](const Matrix<Real>& x) {
          const auto gram = outer_gram(x);
          const auto a = softmax_rows(scale(Real(in.scalar("kappa")), gram));
          const Real data = trace(gram) - inner_product(a, gram);
          return std::vector<Real>{data,
                                   determinant(add(gram, scaled_identity(points, Real(in.scalar("beta"))), Real(1)))};
        };
        const auto x = matrix<Real>(in, "X", points, width);
        return Pair<Real>{see(multiply(x, r)), see(x)};
      },
      {.evaluations = 500, .scale = 10});
}

/// Three rows of zero mean and unit length, and the rows of X + 2 eta (softmax(kappa XX') - I) X.
template <class Real>
Matrix<Real> data_step(const Inputs& in, double lift) {
  auto x = circle_rows<Real>(in, "angles", 3);
  for (std::size_t i = 0; i < 3; ++i) x(i, 0) += Real(lift);
  const auto a = softmax_rows(scale(Real(in.scalar("kappa")), outer_gram(x)));
  const auto difference = add(a, scaled_identity(3, Real(1)), Real(-1));
  return add(x, multiply(difference, x), Real(Real(2) * Real(in.scalar("eta"))));
}

const std::vector<Block>& step_blocks() {
  static const std::vector<Block> list{{"angles", 3, -3, 3}, {"kappa", 1, 0.1, 10}, {"eta", 1, 0.05, 0.5}};
  return list;
}

/// Two unit rows with 1 - x_1'x_2 = s, kappa = 1: with m = 2 eta/(1 + e^s) the first row becomes (1 - m) x_1 + m x_2,
/// of squared length 1 - 2 m (1 - m) s. There are s and eta <= 1/2 for which that is below `bound`.
Check leaves_sphere(double bound) {
  BoxProblem p;
  p.domain = "1 - x_1'x_2 in [0, 2], eta in [0, 1/2]";
  p.coordinates = {"s", "eta"};
  p.lower = {0, 0};
  p.upper = {2, 0.5};
  p.margin = [=](std::span<const rigor::Ball> x) {
    const rigor::Ball m = 2 * x[1] / (1 + exp(x[0]));
    return 1 - 2 * m * (1 - m) * x[0] - bound;
  };
  return exists_on_box(std::move(p));
}

/// The row sums after the data step against 0.
Check keeps_mean(double lift) {
  return generic_identity(step_blocks(),
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto next = data_step<Real>(in, lift);
                            std::vector<Real> sums;
                            for (std::size_t i = 0; i < 3; ++i)
                              sums.push_back(Real(1) + next(i, 0) + next(i, 1) + next(i, 2));
                            return Pair<Real>{sums, std::vector<Real>(3, Real(1))};
                          },
                          {.scale = 1});
}

}  // namespace

Claims layer_norm() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/layer-norm",
        .label = "Sec 3 projection step = LayerNorm",
        .title = "LayerNorm projects a row onto the unit vectors of zero mean",
        .kind = Kind::identity,
        .tex = R"(\mathrm{LayerNorm}(x) = \frac{x-\bar x}{\|x-\bar x\|})",
        .assumptions = {"no gain, shift or epsilon in LayerNorm", "x not constant", "d_q = 16"},
        .expected = Verdict::refuted,
        .finding = Finding::constant,
        .note =
            "'Projected optimisation with this prior will lead to LayerNorm steps': right but for the radius, since "
            "LayerNorm divides by the standard deviation (probdr/layer-norm-radius). The gain I/sqrt(n) of Section 4.1 "
            "makes it sqrt(d_q/n).",
        .depends_on = {"probdr/prior-support"}},
       against_projection(false, 1),
       {{"one percent more", 0.01, against_projection(false, 1.01)}},
       {{"times sqrt(d_q)", 1, against_projection(true, 1)}}});
  claims.push_back({{.id = "probdr/layer-norm-radius",
                     .label = "Sec 3 projection step = LayerNorm (radius sqrt(d_q))",
                     .title = "LayerNorm is the projection times sqrt(d_q)",
                     .kind = Kind::identity,
                     .tex = R"(\mathrm{LayerNorm}(x) = \sqrt{d_q}\,\frac{x-\bar x}{\|x-\bar x\|})",
                     .assumptions = {"no gain, shift or epsilon in LayerNorm", "x not constant", "d_q = 16"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/layer-norm"},
                    against_projection(true, 1),
                    {{"one percent more", 0.01, against_projection(true, 1.01)}}});
  claims.push_back(
      {{.id = "probdr/layer-norm-epsilon",
        .label = "Sec 3 projection step = LayerNorm (epsilon)",
        .title = "With its epsilon LayerNorm leaves rows at different lengths",
        .kind = Kind::identity,
        .tex =
            R"(\|\mathrm{LayerNorm}_\epsilon(x)\|^2 = d_q\,\frac{v}{v+\epsilon},\qquad v = \tfrac1{d_q}\|x-\bar x\|^2)",
        .assumptions = {"no gain or shift", "d_q = 16, epsilon from 10^-6 to 1, entries from 10^-3 to 2"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/layer-norm",
        .note = "Short rows come out shorter: the latents stay on one sphere only where v is far above epsilon."},
       with_epsilon(true, 1),
       {{"a thousandth more", 0.001, with_epsilon(true, 1.001)}, {"epsilon left out", 1, with_epsilon(false, 1)}}});
  claims.push_back(
      {{.id = "probdr/layer-norm-nearest",
        .label = "Sec 3 projection step = LayerNorm (the nearest point)",
        .title = "The centred row divided by its length is the nearest unit vector of zero mean",
        .kind = Kind::optimality,
        .tex =
            R"(\Big\|x-\frac{x-\bar x}{\|x-\bar x\|}\Big\| \le \|x-z\| \text{ for every } z,\ \|z\| = 1,\ \textstyle\sum_jz_j = 0)",
        .assumptions = {"x not constant", "d_q = 3"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/layer-norm"},
       nearest(1),
       {{"one percent nearer", 0.01, nearest(0.99)}}});
  claims.push_back(
      {{.id = "probdr/projection-needed",
        .label = "Sec 3 mean subtraction in the block",
        .title = "After the data step a projection is needed to restore unit length",
        .kind = Kind::existence,
        .tex =
            R"(\exists X,\ \|X_i\| = 1,\ \textstyle\sum_jX_{ij} = 0:\ \big\|[X+2\eta(\tilde A-I)X]_1\big\|^2 < 0.555)",
        .assumptions = {"two points, kappa = 1, eta <= 1/2: of zero mean in any d_q >= 3"},
        .expected = Verdict::certified,
        .note = "The text asks it 'to ensure' unit length and zero mean; for the mean it is idle: probdr/mean-kept. "
                "That no "
                "row grows is probdr/step-size-bound.",
        .depends_on = {"probdr/prior-support"}},
       leaves_sphere(0.555),
       {{"one percent shorter", 0.01, leaves_sphere(0.55)}}});
  claims.push_back(
      {{.id = "probdr/mean-kept",
        .label = "Sec 3 mean subtraction in the block (it is idle)",
        .title = "The data step keeps the zero mean of every row: subtracting it again does nothing",
        .kind = Kind::identity,
        .tex = R"(X\mathbf 1 = 0 \ \Rightarrow\ [X+2\eta(\tilde A-I)X]\mathbf 1 = 0)",
        .assumptions = {"three points, d_q = 3"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/projection-needed",
        .note =
            "The regulariser's step keeps it too, being a multiple of X. The derived block needs the length restored "
            "only, which RMSNorm does: LayerNorm's centring is not derived, it is assumed by the prior."},
       keeps_mean(0),
       {{"rows of mean 0.01/3", 0.01, keeps_mean(0.01)}}});
  claims.push_back(
      {{.id = "probdr/rotation-invariance",
        .label = "Sec 3 rotation invariance under LayerNorm",
        .title = "The model sees latents up to a rotation only",
        .kind = Kind::identity,
        .tex =
            R"(\mathrm{tr}(\tilde L(XR)\,XRR^\top X^\top)=\mathrm{tr}(\tilde L(X)XX^\top),\quad \det(XRR^\top X^\top+\beta I)=\det(XX^\top+\beta I)\quad (R\in O(d_q)))",
        .assumptions =
            {"four points in three dimensions, R any product of three turns; beta from 0.1 to 2, kappa from 0.1 "
             "to 5"},
        .expected = Verdict::supported,
        .note =
            "As the text has it: 'a rotation (which, under the probabilistic Laplacian Eigenmaps model, the solution "
            "is invariant to)'. Under LayerNorm it is another matter: probdr/rotation-layer-norm."},
       model_rotated(1),
       {{"R a thousandth longer", 0.001, model_rotated(1.001)}}});
  claims.push_back(
      {{.id = "probdr/rotation-layer-norm",
        .label = "Sec 3 rotation invariance under LayerNorm (of LayerNorm itself)",
        .title = "Rotating the latents commutes with LayerNorm",
        .kind = Kind::identity,
        .tex = R"(\mathrm{LayerNorm}(XR) = \mathrm{LayerNorm}(X)R \quad (R \in O(d_q)))",
        .assumptions = {"d_q = 3, R a turn about a coordinate axis"},
        .expected = Verdict::refuted,
        .printed = false,
        .amends = "probdr/rotation-invariance",
        .note = "Not asserted in the paper, and needed where its blocks are read up to rotations: the zero-mean "
                "constraint of U* fixes the vector of ones.",
        .depends_on = {"probdr/layer-norm"}},
       rotation(Normalisation::layer, Axis::coordinate, 1),
       {{"one percent longer", 0.01, rotation(Normalisation::layer, Axis::coordinate, 1.01)}},
       {{"about the vector of ones", 1, rotation(Normalisation::layer, Axis::ones, 1)}}});
  claims.push_back(
      {{.id = "probdr/rotation-layer-norm-ones",
        .label = "Sec 3 rotation invariance under LayerNorm (rotations that keep the vector of ones, or RMSNorm)",
        .title = "LayerNorm commutes with the rotations about the vector of ones, RMSNorm with all",
        .kind = Kind::identity,
        .tex =
            R"(R\mathbf 1 = \mathbf 1 \Rightarrow \mathrm{LayerNorm}(XR) = \mathrm{LayerNorm}(X)R; \qquad \mathrm{RMSNorm}(XR) = \mathrm{RMSNorm}(X)R \text{ for every } R)",
        .assumptions = {"d_q = 3"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/rotation-layer-norm"},
       composite({{"LayerNorm, about the ones", Kind::identity, rotation(Normalisation::layer, Axis::ones, 1)},
                  {"RMSNorm", Kind::identity, rotation(Normalisation::root_mean_square, Axis::coordinate, 1)}}),
       {{"LayerNorm, one percent longer", 0.01, rotation(Normalisation::layer, Axis::ones, 1.01)},
        {"LayerNorm, about a coordinate axis", 1, rotation(Normalisation::layer, Axis::coordinate, 1)}}});
  return claims;
}

}  // namespace attest::probdr
