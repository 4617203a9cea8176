// Section 3: the prior U* on the latents (rows on a sphere, with zero mean) and its projection, LayerNorm.
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/probdr/generic_check.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using rigor::cos;
using rigor::sin;
using std::cos;
using std::sin;

constexpr std::size_t width = 3;  ///< d_q

/// The vector x.
template <class Real>
std::vector<Real> vector(const Inputs& in, const char* name, std::size_t count) {
  const auto from = values(in, name, count);
  return {from.begin(), from.end()};
}

template <class Real>
Real mean(const std::vector<Real>& x) {
  Real total(0);
  for (const Real& value : x) total += value;
  return total / Real(static_cast<double>(x.size()));
}

template <class Real>
Real square_norm(const std::vector<Real>& x) {
  Real total(0);
  for (const Real& value : x) total += value * value;
  return total;
}

enum class Normalisation { layer, root_mean_square };

/// (x - mean)/sqrt(variance) (epsilon = 0), or x/sqrt(mean square); `admissible` where that is certainly defined.
template <class Real>
std::vector<Real> normalised(std::vector<Real> x, Normalisation kind, bool& admissible) {
  const Real centre = kind == Normalisation::layer ? mean(x) : Real(0);
  for (Real& value : x) value -= centre;
  const Real square = square_norm(x);
  admissible = admissible && positive(Real(square - Real(0.001)));
  const Real root = sqrt(square / Real(static_cast<double>(x.size())));
  for (Real& value : x) value /= root;
  return x;
}

/// The nearest unit vector of zero mean, (x - mean)/|x - mean|.
template <class Real>
std::vector<Real> projected(std::vector<Real> x, bool& admissible) {
  x = normalised(std::move(x), Normalisation::layer, admissible);
  const Real length = sqrt(Real(static_cast<double>(x.size())));
  for (Real& value : x) value /= length;
  return x;
}

/// A row of unit length and zero mean, cos(t) h_1 + sin(t) h_2 with h = (1,-1,0)/sqrt 2, (1,1,-2)/sqrt 6.
template <class Real>
std::vector<Real> latent(const Real& angle) {
  const Real a = cos(angle) / sqrt(Real(2));
  const Real b = sin(angle) / sqrt(Real(6));
  return {a + b, b - a, Real(-2) * b};
}

/// X'X of three such rows against the identity (the support of a matrix von Mises-Fisher law).
Check on_stiefel(double factor) {
  return generic_identity(
      {{"angles", 3, -3, 3}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        Matrix<Real> x(3, width);
        for (std::size_t i = 0; i < 3; ++i) {
          const auto row = latent(Real(values(in, "angles", 3)[i]));
          for (std::size_t j = 0; j < width; ++j) x(i, j) = row[j];
        }
        return Pair<Real>{multiply(transpose(x), x).entries, scaled_identity(width, Real(factor)).entries};
      },
      {.corners = {{0, 1, 2}}});
}

/// The rows cos(t) h_1 + sin(t) h_2: length `radius` and sum 0, so that the support is a product of spheres S^(d_q -
/// 2).
Check product_of_spheres(double radius, double lift) {
  return generic_identity({{"angle", 1, -3, 3}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            auto row = latent(Real(in.scalar("angle")));
                            row[0] += Real(lift);
                            return Pair<Real>{{square_norm(row), mean(row)}, {Real(radius * radius), Real(0)}};
                          },
                          {.scale = 1});
}

/// |X 1|^2 for X = U R with orthonormal columns U (n = 3, d_q = 2), R a turn, against `target`: zero-mean rows have 0.
Check row_sums_of_embedding(double target) {
  return generic_identity({{"V", 3, -1, 1}, {"W", 3, -1, 1}, {"angle", 1, -3, 3}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            auto u = vector<Real>(in, "V", 3);
                            auto v = vector<Real>(in, "W", 3);
                            bool admissible = true;
                            const auto unit = [&](std::vector<Real>& x) {
                              const Real square = square_norm(x);
                              admissible = admissible && positive(Real(square - Real(0.001)));
                              for (Real& value : x) value /= sqrt(square);
                            };
                            unit(u);
                            const Real along = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
                            for (std::size_t i = 0; i < 3; ++i) v[i] -= along * u[i];
                            unit(v);
                            const Real c = cos(Real(in.scalar("angle")));
                            const Real s = sin(Real(in.scalar("angle")));
                            std::vector<Real> sums;
                            for (std::size_t i = 0; i < 3; ++i)
                              sums.push_back((c * u[i] + s * v[i]) + (c * v[i] - s * u[i]));
                            return Pair<Real>{{square_norm(sums)}, {Real(target)}, admissible};
                          },
                          {.scale = 1});
}

/// LayerNorm(x) against factor times the projection.
Check layer_norm(bool with_root, double factor) {
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
                          {.corners = {{1, 0, -1}}});
}

/// |x - P(x)| is at most factor |x - z| for every z of unit length and zero mean.
Check nearest(double factor) {
  return generic_inequality({{"x", width, -2, 2}, {"angle", 1, -3, 3}}, Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x = vector<Real>(in, "x", width);
                              bool admissible = true;
                              const auto p = projected(x, admissible);
                              const auto z = latent(Real(in.scalar("angle")));
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

/// Three rows of zero mean and unit length, and the rows of X + 2 eta (softmax(kappa XX') - I) X.
template <class Real>
Matrix<Real> data_step(const Inputs& in, double lift) {
  Matrix<Real> x(3, width);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = latent(Real(values(in, "angles", 3)[i]));
    for (std::size_t j = 0; j < width; ++j) x(i, j) = row[j];
    x(i, 0) += Real(lift);
  }
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

Claims latent_prior() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/prior-support",
        .label = "Sec 3 support of U*",
        .title = "Matrices with unit rows of zero mean carry a matrix von Mises-Fisher law",
        .kind = Kind::identity,
        .tex = R"(\|X_i\| = 1,\ \textstyle\sum_jX_{ij} = 0 \text{ for every } i \ \Rightarrow\ X^\top X = I_{d_q})",
        .assumptions = {"the matrix von Mises-Fisher law lives on X'X = I (the Stiefel manifold)", "n = d_q = 3"},
        .expected = Verdict::refuted,
        .note = "Meant is a product over the rows of von Mises-Fisher laws with kappa = 0. The sphere S^(d_q-1) has "
                "dimension d_q - 1, not d_q, and the zero mean takes one more: for d_q = 2 two points are left, for "
                "d_q = 1 none."},
       on_stiefel(1),
       {{"columns one percent longer", 0.01, on_stiefel(1.0201)}}});
  claims.push_back(
      {{.id = "probdr/prior-support-spheres",
        .label = "Sec 3 support of U* (a product of spheres)",
        .title = "The support is one sphere of dimension d_q - 2 for each point",
        .kind = Kind::identity,
        .tex =
            R"(X_i = Hu_i,\ \|u_i\| = 1,\ H\in\mathbb R^{d_q\times(d_q-1)},\ H^\top H = I,\ \mathbf 1^\top H = 0 \ \Rightarrow\ \|X_i\| = 1,\ \textstyle\sum_jX_{ij} = 0)",
        .assumptions = {"d_q = 3, where the sphere is a circle"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/prior-support"},
       product_of_spheres(1, 0),
       {{"radius one percent larger", 0.01, product_of_spheres(1.01, 0)},
        {"first coordinate raised by 0.01", 0.01, product_of_spheres(1, 0.01)}}});
  claims.push_back(
      {{.id = "probdr/zero-mean-rows",
        .label = "Sec 3 zero-mean rows versus X'X=I",
        .title = "The optimum U_q R of Section 2 has rows of zero mean, as Section 3 asks",
        .kind = Kind::identity,
        .tex = R"(X = U_{d_q}R,\ U^\top U = I \ \Rightarrow\ X\mathbf 1 = 0)",
        .assumptions = {"R orthogonal, any", "n = 3, d_q = 2"},
        .expected = Verdict::refuted,
        .note =
            "X 1 = 0 makes X'X singular, so that the two constraints contradict each other for every n and d_q: the "
            "optimum of Section 2 is never among the latents that Section 3 allows."},
       row_sums_of_embedding(0),
       {{"squared row sums of 0.01", 0.01, row_sums_of_embedding(0.01)}}});
  claims.push_back({{.id = "probdr/zero-mean-rows-distance",
                     .label = "Sec 3 zero-mean rows versus X'X=I (by how much)",
                     .title = "The row sums of orthonormal latents have total square d_q, whatever the rotation",
                     .kind = Kind::identity,
                     .tex = R"(X^\top X = I_{d_q} \ \Rightarrow\ \|X\mathbf 1\|^2 = d_q)",
                     .assumptions = {"n = 3, d_q = 2"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/zero-mean-rows",
                     .note = "Centring the rows therefore removes exactly one of the d_q dimensions: ||X||^2 falls "
                             "from d_q to d_q - 1."},
                    row_sums_of_embedding(2),
                    {{"one percent more", 0.01, row_sums_of_embedding(2.02)}}});
  claims.push_back(
      {{.id = "probdr/layer-norm",
        .label = "Sec 3 projection step = LayerNorm",
        .title = "LayerNorm projects a row onto the unit vectors of zero mean",
        .kind = Kind::identity,
        .tex = R"(\mathrm{LayerNorm}(x) = \frac{x-\bar x}{\|x-\bar x\|})",
        .assumptions = {"no gain, shift or epsilon in LayerNorm", "x not constant", "d_q = 3"},
        .expected = Verdict::refuted,
        .note =
            "LayerNorm divides by the standard deviation, not by the length. The gain I/sqrt(n) of Section 4.1 makes "
            "the radius sqrt(d_q/n), which is 1 for n = d_q alone."},
       layer_norm(false, 1),
       {{"one percent more", 0.01, layer_norm(false, 1.01)}}});
  claims.push_back({{.id = "probdr/layer-norm-radius",
                     .label = "Sec 3 projection step = LayerNorm (radius sqrt(d_q))",
                     .title = "LayerNorm is the projection times sqrt(d_q)",
                     .kind = Kind::identity,
                     .tex = R"(\mathrm{LayerNorm}(x) = \sqrt{d_q}\,\frac{x-\bar x}{\|x-\bar x\|})",
                     .assumptions = {"no gain, shift or epsilon in LayerNorm", "x not constant", "d_q = 3"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/layer-norm"},
                    layer_norm(true, 1),
                    {{"one percent more", 0.01, layer_norm(true, 1.01)}}});
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
        .title = "After the data step a projection is needed to restore unit length and zero mean",
        .kind = Kind::existence,
        .tex =
            R"(\exists X,\ \|X_i\| = 1,\ \textstyle\sum_jX_{ij} = 0:\ \big\|[X+2\eta(\tilde A-I)X]_1\big\|^2 < 0.555)",
        .assumptions = {"two points, kappa = 1, eta <= 1/2"},
        .expected = Verdict::certified,
        .note =
            "Needed for the length alone: see the next statement. Rows never grow, being convex combinations of rows "
            "as long as eta <= 1/2."},
       leaves_sphere(0.555),
       {{"one percent shorter", 0.01, leaves_sphere(0.55)}}});
  claims.push_back(
      {{.id = "probdr/mean-kept",
        .label = "Sec 3 mean subtraction in the block (it is idle)",
        .title = "The data step keeps the zero mean of every row: subtracting it again does nothing",
        .kind = Kind::identity,
        .tex = R"(X\mathbf 1 = 0 \ \Rightarrow\ [X+2\eta(\tilde A-I)X]\mathbf 1 = 0)",
        .assumptions = {"three points, d_q = 3; any matrix from the left would do"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/projection-needed",
        .note =
            "The regulariser's step keeps it too, being a multiple of X. The derived block needs the length restored "
            "only, which RMSNorm does: LayerNorm's centring is not derived, it is assumed by the prior."},
       keeps_mean(0),
       {{"rows of mean 0.01/3", 0.01, keeps_mean(0.01)}}});
  claims.push_back(
      {{.id = "probdr/rotation-layer-norm",
        .label = "Sec 3 rotation invariance under LayerNorm",
        .title = "Rotating the latents commutes with LayerNorm",
        .kind = Kind::identity,
        .tex = R"(\mathrm{LayerNorm}(XR) = \mathrm{LayerNorm}(X)R \quad (R \in O(d_q)))",
        .assumptions = {"d_q = 3, R a turn about a coordinate axis"},
        .expected = Verdict::refuted,
        .note =
            "tr(LXX') - logdet and the attention matrix see XX' alone and are invariant; the zero-mean constraint of "
            "U* is not: a rotation must keep the vector of ones (up to its sign)."},
       rotation(Normalisation::layer, Axis::coordinate, 1),
       {{"one percent longer", 0.01, rotation(Normalisation::layer, Axis::coordinate, 1.01)}}});
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
